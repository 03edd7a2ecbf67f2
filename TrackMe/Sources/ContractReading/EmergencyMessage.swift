public import GatewayModel
public import SOSLocal

/// One message about an emergency: a call for help, or the message that a call no longer holds.
///
/// Only the alarm, the person and the state must be readable. A detail that cannot be read is missing here, and
/// `isPartial` is true: a call for help is shown with the details that are left.
public struct EmergencyMessage: Hashable, Codable, Sendable {
    public enum State: String, Hashable, Codable, Sendable {
        /// Help may be needed; the person can still cancel.
        case pending
        case confirmed
        case cancelled, resolved, accepted, lapsed

        /// Whether the house says that the call is over.
        public var isEnd: Bool { self != .pending && self != .confirmed }
    }

    /// Event that raised the alarm.
    public struct Cause: Hashable, Codable, Sendable {
        /// As the contract names it: `heart-rate-high`, `fall`, `sos-button`, …
        public let rule: String
        public let device: String?
        public let kind: String?
        public let limit, value, newest: Double?
        public let unit: String?
        /// Reasons to doubt the value; nil where there are none, and in a call that an earlier version has kept.
        public let doubts: Doubts?
    }

    public struct Location: Hashable, Codable, Sendable {
        /// `fix`, `last-known` or `installed`.
        public let source: String
        /// Degrees, WGS 84; both or neither.
        public let latitude, longitude: Double?
        public let errorMetres: Double?
        public let ageSeconds: Double?
        /// `wearable` or `box`: whose position it is.
        public let of: String?
        public let address: String?
    }

    public struct Contact: Hashable, Codable, Sendable {
        public let name: String
        public let phone: String
        public let relation: String?
    }

    /// Identity of the person, as the house disclosed it for this emergency.
    public struct Profile: Hashable, Codable, Sendable {
        public let name: String?
        public let address: String?
        public let phone: String?
        public let birthYear: Int?
        public let gender: String?
        public let medicalNotes: [String]
        /// In the order in which they are to be called.
        public let contacts: [Contact]
    }

    /// Vital sign of the minutes before.
    public struct TrendValue: Hashable, Codable, Sendable {
        public let kind: String
        public let value: Double
        public let unit: String
        public let time: WallTime
    }

    public struct Ending: Hashable, Codable, Sendable {
        public let how: String
        public let by: String
        public let means: String?
    }

    /// Way on which a message came besides the broker.
    public enum Route: String, Hashable, Codable, Sendable {
        case https
    }

    public let id: MessageID
    public let alarm: AlarmID
    public let person: PersonID
    public let state: State
    /// A rehearsal: nobody is in danger.
    public let isDrill: Bool
    /// The short form, for brokers that take small packets only.
    public let isShort: Bool
    public let time: WallTime
    /// 1 for the first call; missing in an end and in some short forms.
    public let round: Int?
    /// `possible` where the values are doubtful and nothing supports them; nil where the house says nothing about it.
    public let certainty: AlarmCertainty?
    public let cause: Cause?
    public let location: Location?
    public let profile: Profile?
    /// Oldest first.
    public let trend: [TrendValue]
    public let ending: Ending?
    /// When the event that raised the alarm reached the gateway.
    public let crossing: WallTime?
    /// A detail could not be read.
    public let isPartial: Bool
    /// Nil for the broker.
    public let route: Route?
}

extension EmergencyMessage {
    /// Returns this message with the details of another one where it has none of its own.
    public func withDetails(of other: EmergencyMessage) -> EmergencyMessage {
        // A short form may have had no room for it. The next round may be surer than the one before.
        let isSameRound = state == other.state && (round == nil || round == other.round)
        return EmergencyMessage(
            id: id, alarm: alarm, person: person, state: state, isDrill: isDrill, isShort: isShort, time: time,
            round: round ?? other.round, certainty: certainty ?? (isSameRound ? other.certainty : nil),
            cause: cause ?? other.cause, location: location ?? other.location,
            profile: other.profile ?? profile, trend: trend.isEmpty ? other.trend : trend,
            ending: ending ?? other.ending, crossing: crossing ?? other.crossing, isPartial: isPartial,
            route: route)
    }
}
