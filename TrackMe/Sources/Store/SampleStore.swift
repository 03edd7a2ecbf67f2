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
        /// The sensor, or the values beside it, doubt the value.
        public static let questionable = Flags(rawValue: 16)
        /// A cuff has found an irregular pulse.
        public static let irregularPulse = Flags(rawValue: 32)

        /// The doubts that are kept: an irregular pulse is a finding, and `questionable` stands for all others.
        public init(_ doubts: Doubts) {
            self = doubts.contains(.irregularPulse) ? .irregularPulse : []
            if !doubts.subtracting(.irregularPulse).isEmpty { insert(.questionable) }
        }

        /// Doubts of the value, as far as they are kept.
        public var doubts: Doubts {
            let doubts: Doubts = contains(.questionable) ? .questionable : []
            return contains(.irregularPulse) ? doubts.union(.irregularPulse) : doubts
        }
    }

    public let subject: HousePerson
    public let kind: QuantityKind
    public let device: DeviceID
    public let id: MessageID
    public let time: WallTime
    public let value: Double
    public let flags: Flags
    /// Milliseconds between the beats that came with a heart rate, in order, in tenths.
    public let beatIntervals: [Double]

    public init(
        subject: HousePerson, kind: QuantityKind, device: DeviceID, id: MessageID, time: WallTime,
        value: Double, flags: Flags = [], beatIntervals: [Double] = []
    ) {
        (self.subject, self.kind, self.device, self.id) = (subject, kind, device, id)
        (self.time, self.value, self.flags, self.beatIntervals) = (time, value, flags, beatIntervals)
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

/// Readings of one kind of one device.
public struct Series: Hashable, Sendable {
    /// In the store.
    public let number: Int64
    public let kind: QuantityKind
    public let device: DeviceID

    public init(number: Int64, kind: QuantityKind, device: DeviceID) {
        (self.number, self.kind, self.device) = (number, kind, device)
    }
}

/// Length of the spans of summaries that are kept.
public enum RollUp: Int64, CaseIterable, Hashable, Sendable {
    case minute = 60_000
    case hour = 3_600_000
}

/// Begins of the times of which all readings and summaries are kept.
public struct KeptSince: Hashable, Sendable {
    /// Readings with an ID from before may be in blocks.
    public var packed: WallTime
    /// Readings with an ID from before are gone.
    public var raw: WallTime
    public var minutes: WallTime
    public var hours: WallTime
    /// Live readings with an ID from before are refused.
    public var live: WallTime
    /// Stored records of a device likewise.
    public var history: WallTime

    public init(
        packed: WallTime, raw: WallTime, minutes: WallTime, hours: WallTime, live: WallTime, history: WallTime
    ) {
        self.packed = packed
        (self.raw, self.minutes, self.hours, self.live, self.history) = (raw, minutes, hours, live, history)
    }
}

/// Readings of persons. The caller has checked the right to see them. A damaged block among the readings is an error, a
/// `DamagedBlock`: none is left out in silence.
public protocol SampleStore: Sendable {
    /// One value a kind, in the order of `QuantityKind`.
    func latest(of subject: HousePerson) async throws -> [LatestValue]
    /// The same for many persons at once. A person without a reading is missing.
    func latest(of subjects: [HousePerson]) async throws -> [HousePerson: [LatestValue]]
    /// Summaries of spans of `minutes` each from `begin` to `end`; spans without a reading are absent. Where the minutes
    /// are gone, an hour counts for the span in which it begins.
    func summaries(
        of subject: HousePerson, _ kind: QuantityKind, from begin: WallTime, to end: WallTime, minutes: Int
    ) async throws -> [Summary]
    /// Readings in the order of their IDs, after the one with ID `after`; at most `most`.
    func samples(
        of subject: HousePerson, _ kind: QuantityKind?, after: MessageID?, most: Int
    ) async throws -> [StoredSample]
    /// Sorted by kind and device.
    func series(of subject: HousePerson) async throws -> [Series]
    /// Readings of a series of the person, in the order of their IDs.
    func samples(
        of subject: HousePerson, in series: Series, after: MessageID?, most: Int
    ) async throws -> [StoredSample]
    /// Summaries of a series of the person by their begin, from one time until before another.
    func rollUps(
        of subject: HousePerson, in series: Series, _ length: RollUp, from begin: WallTime, to end: WallTime,
        most: Int
    ) async throws -> [Summary]
    func keptSince() async throws -> KeptSince
    /// Readings by time, at most `most`.
    func samples(
        of subject: HousePerson, _ kind: QuantityKind, from begin: WallTime, to end: WallTime, most: Int
    ) async throws -> [StoredSample]
}
