public import Accounts
public import ContractReading
public import GatewayModel
public import SOSLocal

/// Readings of one kind that the house dropped, with the reason. They will never come.
public struct StoredGap: Hashable, Sendable {
    public let subject: HousePerson
    public let kind: QuantityKind
    public let id: MessageID
    /// Arrival of the earliest and of the latest missing reading at the house; both belong to the gap.
    public let from, to: WallTime
    public let dropped: Int
    /// Readings of that time that were kept.
    public let kept: Int
    /// Nil for a reason that this program does not know.
    public let reason: SampleGap.Reason?

    public init(
        subject: HousePerson, kind: QuantityKind, id: MessageID, from: WallTime, to: WallTime, dropped: Int,
        kept: Int, reason: SampleGap.Reason?
    ) {
        (self.subject, self.kind, self.id, self.from, self.to) = (subject, kind, id, from, to)
        (self.dropped, self.kept, self.reason) = (dropped, kept, reason)
    }
}

/// News of the house about a person that is no emergency.
public struct StoredNotice: Hashable, Sendable {
    public enum Phase: String, CaseIterable, Hashable, Sendable { case began, ended, news }

    public let subject: HousePerson
    public let id: MessageID
    public let time: WallTime
    public let phase: Phase
    /// The same in both phases of one matter.
    public let matter: String
    /// As the contract names it.
    public let topic: String
    public let text: Text

    public init(
        subject: HousePerson, id: MessageID, time: WallTime, phase: Phase, matter: String, topic: String,
        text: Text
    ) {
        (self.subject, self.id, self.time, self.phase) = (subject, id, time, phase)
        (self.matter, self.topic, self.text) = (matter, topic, text)
    }
}

/// Alarm of a person, by the messages of its calls for help.
public struct StoredAlarm: Hashable, Sendable {
    public let subject: HousePerson
    public let alarm: AlarmID
    /// When the event that raised it reached the house, or the time of the first message.
    public let begin: WallTime
    /// Of the newest message.
    public let state: EmergencyMessage.State
    /// A rehearsal.
    public let isDrill: Bool

    public init(
        subject: HousePerson, alarm: AlarmID, begin: WallTime, state: EmergencyMessage.State, isDrill: Bool
    ) {
        (self.subject, self.alarm, self.begin) = (subject, alarm, begin)
        (self.state, self.isDrill) = (state, isDrill)
    }
}

/// FHIR resource without a value that is a reading here, as it came.
public struct StoredDocument: Hashable, Sendable {
    public let subject: HousePerson
    public let id: MessageID
    public let time: WallTime
    /// JSON of one resource.
    public let resource: [UInt8]

    public init(subject: HousePerson, id: MessageID, time: WallTime, resource: [UInt8]) {
        (self.subject, self.id, self.time, self.resource) = (subject, id, time, resource)
    }
}

/// Message of a house about itself.
public enum HouseReport: Hashable, Sendable {
    case status(HouseStatus)
    case heartbeat(HouseHeartbeat)
}

/// State of a house as the broker keeps it. The broker sends it again at each new session.
public struct HouseStatus: Hashable, Sendable {
    public struct Condition: Hashable, Codable, Sendable {
        public let code, severity: String
        /// The wearable, the person or the part.
        public let subject: String?

        public init(code: String, severity: String, subject: String?) {
            (self.code, self.severity, self.subject) = (code, severity, subject)
        }
    }

    public let id: MessageID
    /// Of its change; of a house that is offline, the time at which it connected.
    public let time: WallTime
    public let isOnline: Bool
    public let version: String
    public let conditions: [Condition]

    public init(id: MessageID, time: WallTime, isOnline: Bool, version: String, conditions: [Condition]) {
        (self.id, self.time, self.isOnline) = (id, time, isOnline)
        (self.version, self.conditions) = (version, conditions)
    }
}

/// Sign of life of a house.
public struct HouseHeartbeat: Hashable, Sendable {
    public let id: MessageID
    public let time: WallTime
    public let version: String
    /// Time until the next one.
    public let interval: Duration
    public let openAlarms: Int
    public let unsent: Int
    public let hasMains: Bool?
    public let batteryPercent: Int?
    /// Time of the last reading of each wearable, where there was one.
    public let wearables: [DeviceID: WallTime?]

    public init(
        id: MessageID, time: WallTime, version: String, interval: Duration, openAlarms: Int, unsent: Int,
        hasMains: Bool?, batteryPercent: Int?, wearables: [DeviceID: WallTime?]
    ) {
        (self.id, self.time, self.version, self.interval) = (id, time, version, interval)
        (self.openAlarms, self.unsent) = (openAlarms, unsent)
        (self.hasMains, self.batteryPercent, self.wearables) = (hasMains, batteryPercent, wearables)
    }
}

/// Last known state of a house.
public struct HouseState: Hashable, Sendable {
    /// Seconds beyond three intervals after which a house without a heartbeat is away. A page that looks every 2 s shows it
    /// within 10.
    private static let grace: Int64 = 7

    public let gateway: GatewayID
    /// Of the newest sign of life; nil before the first.
    public let lastSeen: WallTime?
    /// The broker's last word.
    public let isOnline: Bool
    public let version: String
    public let interval: Duration
    public let unsent: Int
    public let hasMains: Bool?
    public let batteryPercent: Int?
    public let conditions: [HouseStatus.Condition]

    public init(
        gateway: GatewayID, lastSeen: WallTime?, isOnline: Bool, version: String, interval: Duration,
        unsent: Int, hasMains: Bool?, batteryPercent: Int?, conditions: [HouseStatus.Condition]
    ) {
        (self.gateway, self.lastSeen, self.isOnline) = (gateway, lastSeen, isOnline)
        (self.version, self.interval, self.unsent) = (version, interval, unsent)
        (self.hasMains, self.batteryPercent, self.conditions) = (hasMains, batteryPercent, conditions)
    }

    /// Whether the broker has its session, and its heartbeats come.
    public func isPresent(at now: WallTime) -> Bool {
        guard isOnline, let lastSeen else { return false }
        return now <= lastSeen.advanced(by: interval * 3 + .seconds(Self.grace))
    }
}

/// Device of which a person has readings here.
public struct SeenDevice: Hashable, Sendable {
    public let device: DeviceID
    public let kinds: [QuantityKind]
    /// Of its newest reading here, or of that which the house reported, whichever is later.
    public let lastReading: WallTime?

    public init(device: DeviceID, kinds: [QuantityKind], lastReading: WallTime?) {
        (self.device, self.kinds, self.lastReading) = (device, kinds, lastReading)
    }
}

/// Decision of a person, at home, about a policy of the house.
public struct PolicyDecision: Hashable, Sendable {
    public let isAccepted: Bool
    public let at: WallTime

    public init(isAccepted: Bool, at: WallTime) { (self.isAccepted, self.at) = (isAccepted, at) }
}

/// Records beside the readings: gaps, notices, documents and the state of houses.
public protocol RecordStore: Sendable {
    /// The person's decision at home about a policy of the house; nil if the house has told none.
    ///
    /// - Parameter policy: `data-policy` or `automated-sos`.
    func decision(on policy: String, of subject: HousePerson) async throws -> PolicyDecision?
    /// Gaps of a kind that touch a time, by their begin; at most `most`.
    func gaps(
        of subject: HousePerson, _ kind: QuantityKind?, from begin: WallTime, to end: WallTime, most: Int
    ) async throws -> [StoredGap]
    /// All gaps in the order of their IDs, after the one with ID `after`.
    func gaps(of subject: HousePerson, after: MessageID?, most: Int) async throws -> [StoredGap]
    /// Alarms that began in a time, the earliest first.
    func alarms(
        of subject: HousePerson, from begin: WallTime, to end: WallTime, most: Int
    ) async throws -> [StoredAlarm]
    /// All alarms in the order of their IDs, after the one with ID `after`.
    func alarms(of subject: HousePerson, after: AlarmID?, most: Int) async throws -> [StoredAlarm]
    /// Newest first.
    func notices(of subject: HousePerson, before: MessageID?, most: Int) async throws -> [StoredNotice]
    /// In the order of their IDs, after the one with ID `after`.
    func documents(of subject: HousePerson, after: MessageID?, most: Int) async throws -> [StoredDocument]
    /// Nil for a house that has told nothing of itself.
    func state(of gateway: GatewayID) async throws -> HouseState?
    /// Sorted by ID.
    func devices(of subject: HousePerson) async throws -> [SeenDevice]
}
