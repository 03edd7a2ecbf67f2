public import GatewayModel

/// State of the machine that must outlive the gateway (T6): open alarms, crossings that wait to be believed,
/// values that may be of now, and last words that are still owed.
///
/// Its instants belong to the boot in which it was taken; a store keeps that boot's id beside it.
public struct SOSSnapshot: Hashable, Codable, Sendable {
    public let taken: BootInstant
    public let watches: [Watch]
    public let lastFix: Fix?
    /// The newest position of each person's own wearables; nil where none is known.
    public var ownFixes: [PersonFix]?

    public struct Watch: Hashable, Codable, Sendable {
        public let person: PersonID
        public let alarms: [Alarm]
        public let monitors: [Monitor]
        /// Until then the person's exercise limits hold, as somebody has said.
        public let exerciseEnd: BootInstant?
        /// Until then a run of the person's own is underway, and the same limits hold.
        public let runEnd: BootInstant?
        /// They have said that they have stopped, in a run that goes on; nil for no.
        public let hasStopped: Bool?
        /// Nil where the combined score is simply watched.
        let earlyWarning: EarlyWarningMonitor.State?
        /// Reading that is held since it may be of now; nil where there is none.
        public let undated: [Reading]?
    }

    /// A rule that is not simply armed.
    public struct Monitor: Hashable, Codable, Sendable {
        public let device: DeviceID
        /// `LimitRule.name`: the limits themselves are those of the settings.
        public let rule: String
        public let state: LimitMonitor.State
    }

    /// Nothing in it that a restart could lose.
    public var isEmpty: Bool {
        watches.allSatisfy {
            $0.alarms.isEmpty && $0.monitors.isEmpty && $0.exerciseEnd == nil && $0.runEnd == nil
                && $0.hasStopped == nil && $0.earlyWarning == nil && $0.undated == nil
        }
    }

    /// Of an earlier boot: the age of a fix is by the wall clock, and in any case too old to be called fresh
    /// (T9).
    public func withFixAged(at now: Moment) -> SOSSnapshot {
        SOSSnapshot(
            taken: taken, watches: watches, lastFix: lastFix.map { $0.aged(at: now) },
            ownFixes: ownFixes?.map {
                PersonFix(person: $0.person, device: $0.device, fix: $0.fix.aged(at: now))
            })
    }

    /// Equal but for the instant it was taken and the position, which alone are no reason to write.
    public func saysTheSame(as other: SOSSnapshot) -> Bool { watches == other.watches }
}

/// How sure a gateway that comes back is of the time it was away.
public enum Absence: Hashable, Sendable {
    /// The machine ran on: the clock of the snapshot is the clock of now.
    case known
    /// The machine was restarted: windows are not waited for any longer.
    case unknown
}

extension Fix {
    fileprivate func aged(at now: Moment) -> Fix {
        let milliseconds = now.wall.millisecondsSince1970 - arrival.wall.millisecondsSince1970
        let age = max(Duration.milliseconds(milliseconds), AlarmLocation.freshness + .seconds(1))
        return Fix(
            coordinates: coordinates, altitude: altitude, horizontalError: horizontalError,
            arrival: Moment(boot: now.boot.advanced(by: .zero - age), wall: arrival.wall))
    }
}

// A snapshot comes from a file, which a card may have damaged without breaking its form.

extension SOSSnapshot {
    /// Whether the rules can go on from it: no count that overflows, no interval that never passes.
    public var isSound: Bool {
        watches.allSatisfy { watch in
            watch.alarms.allSatisfy(\.isSound) && watch.monitors.allSatisfy(\.state.isSound)
                && watch.earlyWarning?.isSound != false
        }
    }
}

/// Restarts, rounds, readings: more than any alarm sees in years, and far from the end of the integers.
private let counts = 0...1_000_000_000
/// Between two tries or rounds; the settings allow an hour at most.
private let intervals = Duration.milliseconds(1)...Duration.seconds(86_400)

extension Alarm {
    fileprivate var isSound: Bool {
        if case .calling(let calling) = phase, !counts.contains(calling.round) { return false }
        return counts.contains(reach) && counts.contains(repetition) && counts.contains(timeline.restarts)
            && intervals.contains(ways.repeatInterval) && intervals.contains(ways.handoverLimit)
    }
}

extension LimitMonitor.State {
    fileprivate var isSound: Bool {
        switch self {
        case .confirming(let crossing, let readings, _):
            counts.contains(readings) && counts.contains(crossing.rule.confirmation.readings)
        case .doubting(let doubted):
            counts.contains(doubted.sound) && counts.contains(doubted.inside) && doubted.newest.isFinite
        case .armed, .alarmed, .dismissed: true
        }
    }
}

extension EarlyWarningMonitor.State {
    fileprivate var isSound: Bool {
        switch self {
        case .watching, .reached(_, within: nil): true
        case .reached(_, within: let bout?), .warned(let bout): counts.contains(bout.points)
        }
    }
}
