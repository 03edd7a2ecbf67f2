public import GatewayModel

/// What one of the box's radios hears of tags: the last minute, and the last one.
public struct AntennaReads: Sendable {
    private static let seconds = 60

    /// The last one heard, and when.
    public private(set) var latest: TagHit?
    /// A ring: how many in which second.
    private var counts = [Int](repeating: 0, count: seconds)
    private var stamps = [Int64](repeating: -1, count: seconds)

    mutating func hear(_ hit: TagHit) {
        if latest.map({ $0.arrival <= hit.arrival }) ?? true { latest = hit }
        let second = hit.arrival.nanoseconds / 1_000_000_000
        let slot = Int(second.magnitude % UInt64(Self.seconds))
        if stamps[slot] < second { (stamps[slot], counts[slot]) = (second, 0) }
        if stamps[slot] == second { counts[slot] += 1 }
    }

    /// Hits in the 60 seconds before `now`.
    public func perMinute(at now: BootInstant) -> Int {
        let second = now.nanoseconds / 1_000_000_000
        return zip(stamps, counts).reduce(0) { sum, slot in
            slot.0 > second - Int64(Self.seconds) && slot.0 <= second ? sum + slot.1 : sum
        }
    }
}
