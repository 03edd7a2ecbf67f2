import Contract
import GatewayModel
public import SOSLocal

/// How one alarm went, for good (T8): a line of the alarm journal, and what `homegateway alarms` shows.
///
/// Plain texts and numbers, so that a record stays readable whatever the alarm's own form becomes.
public struct AlarmRecord: Hashable, Codable, Sendable {
    /// One thing that happened.
    public struct Step: Hashable, Codable, Sendable {
        public enum What: String, Hashable, Codable, Sendable {
            case crossing, confirmed, sounded, called, accepted, aborted, resolved, lapsed
            case handedOver = "handed-over"
            case failed
        }

        public let what: What
        /// Counted from the crossing.
        public let afterMs: Int64
        /// RFC 3339, UTC: the crossing's wall time and `afterMs`, so that a stepped clock tears nothing apart.
        public let at: String
        public let channel: String?
        /// A person, or what a channel said about not getting through.
        public let text: String?
    }

    /// A limit of the promise, and what was measured.
    public struct Measure: Hashable, Codable, Sendable {
        public let limitMs: Int64
        /// Nil where it did not come to that, or cannot be told.
        public let measuredMs: Int64?
        /// Judged on nanoseconds; nil where nothing is promised, or it cannot be told. False without a measure
        /// where it had not come to that when the limit was over.
        public let isHeld: Bool?
    }

    public let id: String
    public let person: String
    /// `AlarmCause.name`.
    public let cause: String
    public let device: String?
    public let priority: String
    public let isDrill: Bool
    /// In the order in which they happened.
    public let steps: [Step]
    /// T1, from the confirmation to the first sound in the house.
    public internal(set) var alarm: Measure
    /// T2, from the crossing to the first acknowledgement by a machine outside the house. A message in a queue of
    /// the house does not count.
    public internal(set) var handOver: Measure
    /// Of the gateway, while the alarm was open.
    public let restarts: Int
    /// The machine was restarted, too: nobody knows how long it was away, and times after it are counted as if
    /// it had not been.
    public internal(set) var isOverReboot = false
    /// Of the machine, as the record was made.
    let boot: String

    public init(_ alarm: Alarm, boot: String) {
        let cause = alarm.cause
        let timeline = alarm.timeline
        id = alarm.id.description
        person = cause.person.text
        self.cause = cause.name
        device = cause.device?.text
        priority = alarm.priority.rawValue
        isDrill = cause.isDrill
        steps = AlarmSteps(alarm).inOrder
        self.alarm = Measure(Promise.alarmLimit, timeline.alarmDelay)
        handOver = Measure(handOverOf: alarm)
        restarts = timeline.restarts
        self.boot = boot
    }

    /// The wall time of the crossing.
    public var crossing: String { steps.first?.at ?? "" }

    /// How it ended; nil while it is open.
    public var ending: Step? {
        steps.last { [.accepted, .aborted, .resolved, .lapsed].contains($0.what) }
    }

    /// This record, knowing what was written of the same alarm before. Over a restart of the machine a
    /// measure counts only where both its ends were seen before it.
    func following(_ earlier: AlarmRecord) -> AlarmRecord {
        var record = self
        record.isOverReboot = earlier.isOverReboot || earlier.boot != boot
        guard record.isOverReboot else { return record }
        record.alarm = earlier.alarm
        record.handOver = earlier.handOver
        return record
    }
}

/// Lines of earlier versions measured to the first message in a queue, as `dispatch`. Their steps tell the rest.
extension AlarmRecord {
    private enum CodingKeys: String, CodingKey {
        case id, person, cause, device, priority, isDrill, steps, alarm, handOver, restarts, isOverReboot, boot
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        person = try values.decode(String.self, forKey: .person)
        cause = try values.decode(String.self, forKey: .cause)
        device = try values.decodeIfPresent(String.self, forKey: .device)
        priority = try values.decode(String.self, forKey: .priority)
        isDrill = try values.decode(Bool.self, forKey: .isDrill)
        steps = try values.decode([Step].self, forKey: .steps)
        alarm = try values.decode(Measure.self, forKey: .alarm)
        restarts = try values.decode(Int.self, forKey: .restarts)
        isOverReboot = try values.decode(Bool.self, forKey: .isOverReboot)
        boot = try values.decode(String.self, forKey: .boot)
        handOver =
            try values.decodeIfPresent(Measure.self, forKey: .handOver)
            ?? Measure(handOverBy: steps, isPromised: priority == AlarmPriority.high.rawValue && !isOverReboot)
    }
}

extension AlarmRecord.Measure {
    /// Promised for an emergency alone. Where a channel was given the call and no machine has acknowledged it, the
    /// limit is broken once it is over.
    fileprivate init(handOverOf alarm: Alarm) {
        let timeline = alarm.timeline
        let isPromised = alarm.priority == .high
        guard timeline.handOverDelay == nil, isPromised, !timeline.dispatched.isEmpty else {
            let measured = Self(Promise.dispatchLimit, timeline.handOverDelay)
            self = isPromised ? measured : measured.unjudged
            return
        }
        let lastSeen = timeline.ended ?? timeline.failed.values.map(\.at).max() ?? timeline.crossing
        let isOver = timeline.sinceCrossing(lastSeen) > Promise.dispatchLimit
        self.init(
            limitMs: Promise.dispatchLimit.wholeMilliseconds, measuredMs: nil, isHeld: isOver ? false : nil)
    }

    fileprivate init(handOverBy steps: [AlarmRecord.Step], isPromised: Bool) {
        let limit = Promise.dispatchLimit.wholeMilliseconds
        let measured = steps.first { $0.what == .handedOver }?.afterMs
        self.init(
            limitMs: limit, measuredMs: measured, isHeld: isPromised ? measured.map { $0 <= limit } : nil)
    }

    private var unjudged: Self { Self(limitMs: limitMs, measuredMs: measuredMs, isHeld: nil) }

    init(_ limit: Duration, _ measured: Duration?) {
        self.init(
            limitMs: limit.wholeMilliseconds, measuredMs: measured?.wholeMilliseconds,
            isHeld: measured.map { $0 <= limit })
    }
}
