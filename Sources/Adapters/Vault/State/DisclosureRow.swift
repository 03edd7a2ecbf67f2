public import Consent
import GatewayModel

/// Row of an emergency disclosure to a channel of help. The keys sort by the time of the alarm.
public struct DisclosureRow: Codable, Hashable, Sendable {
    /// Number of rows that are kept: some hundred alarms with all their channels.
    public static let kept = 1_000

    public let person: String
    public let what: EmergencyDisclosure.What
    /// ID of the alarm's message.
    public let alarm: String
    public let channel: String
    /// Milliseconds since 1970.
    public let at: Int64

    /// - Returns: nil for a disclosure that went to no channel.
    public init?(_ disclosure: EmergencyDisclosure) {
        guard let channel = disclosure.channel else { return nil }
        (person, what) = (disclosure.person.text, disclosure.what)
        (alarm, self.channel) = (disclosure.message.description, channel.text)
        at = disclosure.at.millisecondsSince1970
    }

    /// Nil for a row with an ID of another form.
    public var disclosure: EmergencyDisclosure? {
        guard let person = PersonID(person), let message = MessageID(alarm), let channel = ChannelID(channel),
            (0..<253_402_300_800_000).contains(at)
        else { return nil }
        return EmergencyDisclosure(
            person: person, what: what, message: message, channel: channel,
            at: WallTime(millisecondsSince1970: at))
    }

    public var change: StateChange { .put(.disclosure, "\(alarm) \(what.rawValue) \(channel)", self) }
}
