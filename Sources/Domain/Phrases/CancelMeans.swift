/// The means by which a person in the house cancels an alarm, as the voice names it.
public enum CancelMeans: CaseIterable, Hashable, Sendable {
    /// The button of the box, and the person wears no other button.
    case box
    /// The button of the box; the person also wears a button, which does not cancel.
    case boxOnly
    /// A press, a double press or a long press of the button that the person wears.
    case worn, wornTwice, wornLong
    /// The paired screen of the room.
    case screen
    /// A terminal.
    case gateway
    case nothing
}
