import GatewayModel

/// How many requests the centre's address may send. A house gets one for each message of its own. Pure.
struct SIPIntake {
    /// Per second: ten alarms at once, each answered and confirmed, with all retransmissions.
    static let perSecond = 50

    private var second: BootInstant?
    private var count = 0

    /// Whether a request that comes `now` is looked at. One that is not gets no answer: a sender that means it sends it
    /// again.
    mutating func takes(at now: BootInstant) -> Bool {
        if second.map({ $0.duration(to: now) >= .seconds(1) }) ?? true { (second, count) = (now, 0) }
        count += 1
        return count <= Self.perSecond
    }
}
