import GatewayModel
import SOSLocal

/// An event that may happen next in an explored house.
enum Choice: Hashable, Sendable, CaseIterable {
    /// Time goes on to the machine's own deadline, or a little where it has none.
    case wait
    /// Time goes on, half the way to the machine's deadline.
    case waitABit
    case racingHeart
    case calmHeart
    /// A dangerous pressure of a cuff whose clock was never set: of now, or one of a memory that is emptied.
    case undatedPressure
    case sosButton
    case drill
    case fix
    case abort
    case resolve
    /// The channel that took the oldest open order reports.
    case acknowledge
    case fail
    case accept
    /// The first channel that lives becomes known to be dead.
    case channelDies
    /// The first channel that is known to be dead lives again.
    case channelLives
    case acknowledgeLastWord
    case failLastWord
    /// The gateway dies and is back at once, with all that was written down.
    case crash
    /// As `crash`, before the last decision was written down.
    case crashBeforeWriting
    /// The gateway dies and is back two seconds later.
    case crashForAWhile
    /// The machine loses power; nobody knows for how long.
    case powerCut
    /// The wall clock is stepped by an hour.
    case clockStep
    /// The settings are read again, and say the same.
    case reload
    /// The gateway is stopped in order and started again.
    case orderlyRestart
}
