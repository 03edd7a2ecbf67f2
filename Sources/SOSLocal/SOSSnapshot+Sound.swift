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
        if case .confirming(let crossing, let readings, _) = self {
            counts.contains(readings) && counts.contains(crossing.rule.confirmation.readings)
        } else {
            true
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
