public import GatewayModel

/// Whether tags are heard at all, and when each was last: for the status of the box, and for who is overdue.
///
/// Its memory is that of the tags heard, which are enrolled ones: `forget` those that leave.
public struct TagWatch: Sendable {
    private static let seconds = 60

    /// The last one heard, and when.
    public private(set) var latest: TagHit?
    private var last: [TagNumber: BootInstant] = [:]
    /// A ring: how many in which second.
    private var counts = [Int](repeating: 0, count: seconds)
    private var stamps = [Int64](repeating: -1, count: seconds)

    public init() {}

    public mutating func hear(_ hit: TagHit) {
        if latest.map({ $0.arrival <= hit.arrival }) ?? true { latest = hit }
        last[hit.tag] = Swift.max(last[hit.tag] ?? hit.arrival, hit.arrival)
        let second = hit.arrival.nanoseconds / 1_000_000_000
        let slot = Int(second.magnitude % UInt64(Self.seconds))
        if stamps[slot] < second { (stamps[slot], counts[slot]) = (second, 0) }
        if stamps[slot] == second { counts[slot] += 1 }
    }

    public mutating func forget(_ tags: some Sequence<TagNumber>) {
        for tag in tags { last[tag] = nil }
    }

    /// Hits in the 60 seconds before `now`.
    public func readsPerMinute(at now: BootInstant) -> Int {
        let second = now.nanoseconds / 1_000_000_000
        return zip(stamps, counts).reduce(0) { sum, slot in
            slot.0 > second - Int64(Self.seconds) && slot.0 <= second ? sum + slot.1 : sum
        }
    }

    /// Nil where it was never heard.
    public func lastHeard(_ tag: TagNumber) -> BootInstant? { last[tag] }
}
