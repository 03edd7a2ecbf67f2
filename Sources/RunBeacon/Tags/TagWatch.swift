public import GatewayModel

/// Whether tags are heard at all, by which radio, and when each was last: for the status of the box, and for who is
/// overdue.
///
/// Its memory is that of the tags heard, which are enrolled ones: `forget` those that leave.
public struct TagWatch: Sendable {
    private var last: [TagNumber: BootInstant] = [:]
    private var antennas: [UInt8: AntennaReads] = [:]

    public init() {}

    public mutating func hear(_ hit: TagHit) {
        last[hit.tag] = Swift.max(last[hit.tag] ?? hit.arrival, hit.arrival)
        antennas[hit.antenna, default: AntennaReads()].hear(hit)
    }

    public mutating func forget(_ tags: some Sequence<TagNumber>) {
        for tag in tags { last[tag] = nil }
    }

    /// The last one heard, and when.
    public var latest: TagHit? {
        antennas.values.compactMap(\.latest).max { $0.arrival < $1.arrival }
    }

    /// Hits in the 60 seconds before `now`.
    public func readsPerMinute(at now: BootInstant) -> Int {
        antennas.values.reduce(0) { $0 + $1.perMinute(at: now) }
    }

    /// What one of the radios has heard: nothing, where it was never named by a hit.
    public func reads(of antenna: UInt8) -> AntennaReads { antennas[antenna] ?? AntennaReads() }

    /// Nil where it was never heard.
    public func lastHeard(_ tag: TagNumber) -> BootInstant? { last[tag] }
}
