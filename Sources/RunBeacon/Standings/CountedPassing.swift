import GatewayModel

/// What is kept of a passing that may count.
struct CountedPassing: Hashable, Sendable {
    let id: MessageID
    let time: WallTime
    let bound: Duration?
    let hits: Int
    let method: Passing.Method

    init(_ passing: Passing) {
        (id, time, bound) = (passing.id, passing.time, passing.bound)
        (hits, method) = (passing.hits, passing.method)
    }

    /// Whether it counts before another one of the same runner, point and order. A total order, so that of many the
    /// same one counts, in whichever order they come.
    func counts(before other: CountedPassing, by rule: Checkpoint.Rule) -> Bool {
        // What a person wrote down, then what a box heard, then what positions say.
        if method != other.method { return method.rank < other.method.rank }
        // A clock that nobody has set tells no time of day.
        if (bound == nil) != (other.bound == nil) { return bound != nil }
        switch rule {
        case .first where time != other.time: return time < other.time
        case .last where time != other.time: return time > other.time
        case .best where bound != other.bound: return bound ?? .zero < other.bound ?? .zero
        default: break
        }
        if hits != other.hits { return hits > other.hits }
        if time != other.time { return time < other.time }
        return id.description < other.id.description
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
