import GatewayModel

/// The hits of a visit, as far as the estimate needs them. Never more than `capacity`: then every second is left out.
struct KeptHits: Sendable {
    /// 8 bytes.
    private struct Kept {
        /// Tenths of milliseconds since the first.
        let time: UInt32
        let rssi: Int8
        let antenna: UInt8

        var seconds: Double { Double(time) / 10_000 }
    }

    /// A minute at 100 ms; the estimate averages what is far from the peak anyway. 5 KiB for each tag in range.
    private static let capacity = 640
    /// The estimate takes so many points on each side of the peak at most, of growing numbers of neighbouring hits.
    private static let groups: [Int] = [1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8, 10, 12, 16, 24, 32]

    /// Tenths of milliseconds: 5 s.
    private static let slack: Int64 = 50_000

    private let first: BootInstant
    private var kept: [Kept]

    init(_ hit: TagHit) {
        first = hit.arrival
        kept = [Kept(time: 0, rssi: hit.rssi, antenna: hit.antenna)]
    }

    mutating func add(_ hit: TagHit) {
        if kept.count >= Self.capacity {
            kept = stride(from: 0, to: kept.count, by: 2).map { kept[$0] }
        }
        let tenths = first.duration(to: hit.arrival).wholeNanoseconds / 100_000
        kept.append(Kept(time: UInt32(clamping: tenths), rssi: hit.rssi, antenna: hit.antenna))
    }

    /// Leaves out what was heard before `instant`, now and then: not for each hit anew.
    mutating func drop(before instant: BootInstant) {
        let limit = first.duration(to: instant).wholeNanoseconds / 100_000
        guard let oldest = kept.first, Int64(oldest.time) < limit - Self.slack,
            let start = kept.firstIndex(where: { Int64($0.time) >= limit })
        else { return }
        kept.removeSubrange(..<start)
    }

    /// How much of it was heard before so many seconds.
    func share(before seconds: Double) -> Double {
        Double(kept.count { $0.seconds < seconds }) / Double(max(1, kept.count))
    }

    /// Those of each antenna that heard it before the peak and after it, in the order of time; of all, where none did. One
    /// that was pulled out or put back meanwhile has heard half of a passage, and takes its end for the middle.
    /// - Parameter peak: seconds at which it was strongest: near it each hit is a point of its own.
    func points(around peak: Double) -> [[PassageFit.Hit]] {
        let heard = Set(kept.map(\.antenna)).sorted().map { antenna in kept.filter { $0.antenna == antenna } }
        let whole = heard.filter { own in
            own.first.map { $0.seconds <= peak } == true && own.last.map { $0.seconds >= peak } == true
        }
        return (whole.isEmpty ? heard : whole).map { own in
            let middle = own.firstIndex { $0.seconds >= peak } ?? own.count
            let before = Self.grouped(own[..<middle].reversed()).reversed()
            return before + Self.grouped(own[middle...])
        }
    }

    private static func grouped(_ hits: some Collection<Kept>) -> [PassageFit.Hit] {
        var left = hits[...]
        // What is left beyond the last group is one more: seconds away nothing is decided.
        let sizes = groups + [hits.count]
        return sizes.compactMap { size in
            let group = left.prefix(size)
            left = left.dropFirst(size)
            guard !group.isEmpty else { return nil }
            let count = Double(group.count)
            return PassageFit.Hit(
                time: group.reduce(0) { $0 + $1.seconds } / count,
                rssi: group.reduce(0) { $0 + Double($1.rssi) } / count, count: count)
        }
    }
}
