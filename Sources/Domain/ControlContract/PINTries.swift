import GatewayModel

/// Wrong PINs of each person. After some of them no PIN counts for a while, the right one neither. Pure.
struct PINTries: Sendable {
    enum Verdict: Hashable, Sendable { case right, wrong, locked }

    /// 5 of 10,000 in a quarter of an hour: a guesser of four digits needs two weeks for an even chance.
    static let most = 5
    static let pause = Duration.seconds(15 * 60)

    private struct Tries {
        var wrong = 0
        var lockedUntil: BootInstant?
    }

    private var tries: [PersonID: Tries] = [:]

    mutating func judge(_ isRight: Bool, of person: PersonID, at now: BootInstant) -> Verdict {
        var known = tries[person] ?? Tries()
        if let end = known.lockedUntil {
            if now < end { return .locked }
            known = Tries()
        }
        if isRight {
            tries[person] = nil
            return .right
        }
        known.wrong += 1
        if known.wrong >= Self.most { known.lockedUntil = now.advanced(by: Self.pause) }
        tries[person] = known
        return .wrong
    }
}
