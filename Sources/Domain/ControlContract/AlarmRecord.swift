import Contract
import GatewayModel
public import SOSLocal

/// Permanent record of the course of one alarm (T8): a line of the alarm journal, and the output of
/// `homegateway alarms`.
///
/// It holds plain texts and numbers, so that a record stays readable when the type of the alarm changes.
public struct AlarmRecord: Hashable, Codable, Sendable {
    /// One event of the alarm.
    public struct Step: Hashable, Codable, Sendable {
        public enum What: String, Hashable, Codable, Sendable {
            case crossing, confirmed, sounded, called, accepted, aborted, resolved, lapsed
            case handedOver = "handed-over"
            case failed
            /// A person asked for help at once, in the window.
            case hurried
            /// The person said by a button that they are all right, and the call had arrived.
            case saidAllRight = "said-all-right"
        }

        public let what: What
        /// Milliseconds since the crossing.
        public let afterMs: Int64
        /// RFC 3339, UTC: the crossing's wall time plus `afterMs`, so that a stepped clock does not distort intervals.
        public let at: String
        public let channel: String?
        /// A person, or the reason that a channel gave for its failure.
        public let text: String?
        /// Means of a person's act: a `PersonAct.Means`. Nil in lines of earlier versions.
        public var means: String?
    }

    /// A promised limit, and the measured time.
    public struct Measure: Hashable, Codable, Sendable {
        public let limitMs: Int64
        /// Nil if the event did not occur, or the time is unknown.
        public let measuredMs: Int64?
        /// Judged on nanoseconds. Nil if nothing is promised, or the result is unknown. False without a measured time
        /// if the event had not occurred when the limit expired.
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
    /// T2, from the crossing to the first acknowledgement by a machine outside the house. A message in a local queue
    /// does not count.
    public internal(set) var handOver: Measure
    /// Restarts of the gateway while the alarm was open.
    public let restarts: Int
    /// The machine was restarted as well. The length of its absence is unknown, and later times are counted as if the
    /// absence had been zero.
    public internal(set) var isOverReboot = false
    /// Boot ID of the machine at the time of the record.
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

    /// Last step of the alarm; nil while it is open.
    public var ending: Step? {
        steps.last { [.accepted, .aborted, .resolved, .lapsed].contains($0.what) }
    }

    /// Returns this record, completed from the earlier record of the same alarm. After a restart of the machine, a
    /// measure counts only if both its ends were seen before the restart.
    package func following(_ earlier: AlarmRecord) -> AlarmRecord {
        var record = self
        record.isOverReboot = earlier.isOverReboot || earlier.boot != boot
        guard record.isOverReboot else { return record }
        record.alarm = earlier.alarm
        record.handOver = earlier.handOver
        return record
    }
}

/// Decodes lines of earlier versions too. They measured to the first message in a queue, as `dispatch`; the hand-over
/// is taken from their steps.
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
    /// Promised for an emergency only. If a channel was given the call and no machine has acknowledged it, the limit is
    /// broken once it has expired.
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
