public import GatewayModel

/// The id of one alarm: the id of the reading that crossed the limit.
///
/// Derived, not drawn: the same reading judged again gives the same alarm, so a repeat after a crash
/// cannot call for help twice under two names.
public struct AlarmID: Hashable, Sendable, CustomStringConvertible {
    public let message: MessageID

    public init(_ message: MessageID) {
        self.message = message
    }

    public init?(_ text: String) {
        guard let message = MessageID(text) else { return nil }
        self.message = message
    }

    public var description: String { message.description }
}

/// The reading that first broke a rule: the instant from which the promise is counted.
public struct Crossing: Hashable, Sendable {
    public let reading: Reading
    public let rule: LimitRule

    public init(reading: Reading, rule: LimitRule) {
        self.reading = reading
        self.rule = rule
    }

    public var alarm: AlarmID { AlarmID(reading.id) }
    public var instant: BootInstant { reading.arrival.boot }
}
