public import GatewayModel
public import SOSLocal

/// One part of the alarm in the house.
public enum HousePart: String, CaseIterable, Hashable, Sendable {
    case sound, voice, lamp, button
}

/// Where the alarm in the house tells what became of it. Called on threads of its own; must return at once.
public struct HouseReports: Sendable {
    /// The first sound of an alarm has been accepted by the device, or its lamp is lit: once per alarm and part.
    public let annunciated: @Sendable (AlarmID, HousePart, BootInstant) -> Void
    /// Whether a part works, when that changes, at the first try too. `reason` is for the installer: what was
    /// seen and what to do; it names no person. Without `.sound` nothing can be heard.
    public let works: @Sendable (HousePart, Bool, _ reason: String?) -> Void
    public let pressed: @Sendable (ButtonPress) -> Void

    public init(
        annunciated: @escaping @Sendable (AlarmID, HousePart, BootInstant) -> Void,
        works: @escaping @Sendable (HousePart, Bool, _ reason: String?) -> Void,
        pressed: @escaping @Sendable (ButtonPress) -> Void
    ) {
        self.annunciated = annunciated
        self.works = works
        self.pressed = pressed
    }
}
