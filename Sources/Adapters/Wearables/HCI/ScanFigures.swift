import GatewayModel
import WireFormats

/// What went wrong with single packets, told as sums every ten seconds, where there is more.
struct ScanFigures: Sendable {
    static let pause = Duration.seconds(10)

    /// Monitor packets that are shorter than they say. Not one is expected: the kernel writes them.
    var malformedPackets = 0
    private var toldDrops = 0
    private var toldMalformed = 0
    private var lookedAt: BootInstant?

    /// The kernel counts from the socket's opening.
    mutating func opened() { toldDrops = 0 }

    /// Whether it is time to look; if so, the next time is a pause later.
    mutating func isDue(at now: BootInstant) -> Bool {
        guard lookedAt.map({ $0.duration(to: now) >= Self.pause }) ?? true else { return false }
        lookedAt = now
        return true
    }

    mutating func changes(drops: UInt32, counts: AdvertIntake.Counts) -> [HCIScanEvent] {
        let lost = Int(drops) - toldDrops
        let malformed = counts.malformed + malformedPackets - toldMalformed
        toldDrops += lost
        toldMalformed += malformed
        return (lost > 0 ? [.lost(packets: lost)] : [])
            + (malformed > 0 ? [.malformed(events: malformed)] : [])
    }
}
