import GatewayModel

extension Passing {
    /// Whether it counts before another one of the same runner, checkpoint and order. A total order, so that of many the
    /// same one counts, in whichever order they come.
    func counts(before other: Passing, by rule: Checkpoint.Rule) -> Bool {
        // What a person wrote down, then what a box heard, then what positions say.
        if method != other.method { return method.rank < other.method.rank }
        // A clock that nobody has set tells no time of day.
        if (bound == nil) != (other.bound == nil) { return bound != nil }
        if rule.prefers(self, to: other) { return true }
        if rule.prefers(other, to: self) { return false }
        return (time, id.description) < (other.time, other.id.description)
    }
}

extension Passing.Method {
    fileprivate var rank: Int {
        switch self {
        case .manual: 0
        case .blePeak: 1
        case .gpsLine: 2
        }
    }
}
