import GatewayModel

/// How often an advertising sensor is heard, learnt from the gaps between its frames, and so after how long
/// its silence means something. Pure.
struct Cadence: Hashable, Sendable {
    /// Until it is learnt, and at most: the slowest usual sensors send every few minutes. A longer gap is an
    /// absence, not a rhythm; for one that sends less often, silence_seconds says so.
    static let longest = Duration.seconds(900)
    /// Also of one that is heard each second: a connection that is being made, and a body before the antenna,
    /// hide it for some seconds at a time.
    static let shortest = Duration.seconds(30)
    /// Below it a frame is one of a burst: each is sent several times within a second.
    static let burst = Duration.seconds(1)
    /// The gaps that count, and how many make a rhythm.
    static let kept = 16
    static let enough = 4
    /// Times the longest gap: what three frames lost in a row, each sent several times, cannot explain.
    static let patience = 4

    private var gaps: [Duration] = []
    private var heardAt: BootInstant?

    mutating func heard(at now: BootInstant) {
        guard let last = heardAt else {
            heardAt = now
            return
        }
        let gap = last.duration(to: now)
        guard gap >= Self.burst else { return }
        heardAt = now
        guard gap <= Self.longest else { return }
        gaps.append(gap)
        if gaps.count > Self.kept { gaps.removeFirst() }
    }

    /// After so long without a frame it is out of reach.
    var limit: Duration {
        guard gaps.count >= Self.enough, let gap = gaps.max() else { return Self.longest }
        return min(max(gap * Self.patience, Self.shortest), Self.longest)
    }
}
