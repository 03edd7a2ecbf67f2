public import Accounts
public import GatewayModel

/// One reading as the contract carries it.
public struct StoredSample: Hashable, Sendable {
    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: Int64

        public init(rawValue: Int64) { self.rawValue = rawValue }

        /// A stored record that came late.
        public static let history = Flags(rawValue: 1)
        /// The device's clock told nothing: `time` is the time of arrival.
        public static let undated = Flags(rawValue: 2)
        /// The sensor had no contact with the skin. Such a value is kept, and is in no chart.
        public static let contactLost = Flags(rawValue: 4)
        /// Another program of the house handed it over.
        public static let app = Flags(rawValue: 8)
    }

    public let subject: HousePerson
    public let kind: QuantityKind
    public let device: DeviceID
    public let id: MessageID
    public let time: WallTime
    public let value: Double
    public let flags: Flags

    public init(
        subject: HousePerson, kind: QuantityKind, device: DeviceID, id: MessageID, time: WallTime,
        value: Double, flags: Flags = []
    ) {
        (self.subject, self.kind, self.device, self.id) = (subject, kind, device, id)
        (self.time, self.value, self.flags) = (time, value, flags)
    }
}

/// Newest reading of a kind, of any device.
public struct LatestValue: Hashable, Sendable {
    public let kind: QuantityKind
    public let device: DeviceID
    public let time: WallTime
    public let value: Double

    public init(kind: QuantityKind, device: DeviceID, time: WallTime, value: Double) {
        (self.kind, self.device, self.time, self.value) = (kind, device, time, value)
    }
}

/// Summary of the readings of a kind in one span of time.
public struct Summary: Hashable, Sendable {
    public let begin: WallTime
    public let count: Int
    public let min, mean, max: Double

    public init(begin: WallTime, count: Int, min: Double, mean: Double, max: Double) {
        (self.begin, self.count, self.min, self.mean, self.max) = (begin, count, min, mean, max)
    }
}

/// Readings of persons. The caller has checked the right to see them.
public protocol SampleStore: Sendable {
    /// One value a kind, in the order of `QuantityKind`.
    func latest(of subject: HousePerson) async throws -> [LatestValue]
    /// Summaries of spans of `minutes` each from `begin` to `end`; spans without a reading are absent.
    func summaries(
        of subject: HousePerson, _ kind: QuantityKind, from begin: WallTime, to end: WallTime, minutes: Int
    ) async throws -> [Summary]
    /// Readings in the order of their IDs, after the one with ID `after`; at most `most`.
    func samples(
        of subject: HousePerson, _ kind: QuantityKind?, after: MessageID?, most: Int
    ) async throws -> [StoredSample]
    /// Readings by time, at most `most`.
    func samples(
        of subject: HousePerson, _ kind: QuantityKind, from begin: WallTime, to end: WallTime, most: Int
    ) async throws -> [StoredSample]
}
