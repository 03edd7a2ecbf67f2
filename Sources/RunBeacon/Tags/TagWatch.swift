public import GatewayModel

/// Whether tags are heard at all: for the status of the box, and for who has not been heard for long.
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

    /// How many tags were heard since `instant`.
    public func heard(since instant: BootInstant) -> Int { last.values.count { $0 >= instant } }

    /// Those of `runners` none of whose tags were heard since `instant`, in the order of their bibs.
    /// - Parameter runners: with all their tags: one that is heard is enough.
    public func lost(among runners: [Enrolment: [TagNumber]], notSince instant: BootInstant) -> [LostTag] {
        runners.compactMap { owner, tags -> LostTag? in
            let latest = tags.compactMap { last[$0] }.max()
            guard latest.map({ $0 < instant }) ?? true else { return nil }
            return LostTag(owner: owner, lastHeard: latest)
        }.sorted { $0.owner < $1.owner }
    }
}

/// A runner of whom nothing is heard.
public struct LostTag: Hashable, Sendable {
    public let owner: Enrolment
    /// Nil where never.
    public let lastHeard: BootInstant?
}
