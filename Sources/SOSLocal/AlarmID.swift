public import GatewayModel

/// The id of one alarm: the id of the reading or signal that caused it.
///
/// Derived, not drawn: the same cause judged again gives the same alarm, so a repeat after a crash
/// cannot call for help twice under two names.
public struct AlarmID: Hashable, Codable, Sendable, CustomStringConvertible {
    public let message: MessageID

    public init(_ message: MessageID) {
        self.message = message
    }

    public init?(_ text: String) {
        guard let message = MessageID(text) else { return nil }
        self.message = message
    }

    public init(from decoder: any Decoder) throws {
        message = try MessageID(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try message.encode(to: encoder)
    }

    public var description: String { message.description }
}
