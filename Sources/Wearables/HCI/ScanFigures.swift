import GatewayModel
import WireFormats

/// What went wrong with single packets, told as sums: at most every ten seconds, and only when there is more.
struct ScanFigures: Sendable {
    static let pause = Duration.seconds(10)

    /// Monitor packets that are shorter than they say. Not one is expected: the kernel writes them.
    var malformedPackets = 0
    private var toldDrops = 0
    private var toldMalformed = 0
    private var toldAt: BootInstant?

    /// The kernel counts from the socket's opening.
    mutating func opened() { toldDrops = 0 }

    mutating func changes(drops: UInt32, counts: AdvertIntake.Counts, at now: BootInstant) -> [HCIScanEvent] {
        let lost = Int(drops) - toldDrops
        let malformed = counts.malformed + malformedPackets - toldMalformed
        guard lost > 0 || malformed > 0, toldAt.map({ $0.duration(to: now) >= Self.pause }) ?? true
        else { return [] }
        toldAt = now
        toldDrops += max(lost, 0)
        toldMalformed += malformed
        return (lost > 0 ? [.lost(packets: lost)] : [])
            + (malformed > 0 ? [.malformed(events: malformed)] : [])
    }
}
