package import GatewayModel

/// Rate limit of the entries of all sources: a flood must not push the readings of wearables out of the queues.
///
/// Each source has an equal share, so that the flood of one does not stop the others. The part of a source that hands
/// nothing over goes to those that do.
package struct EntryAllowance: Sendable {
    /// Entries of all sources a second in the long run. The history holds 10,000 readings between two writes, a minute
    /// apart.
    package static let rate = 100.0
    /// Entries of all sources at once.
    package static let burst = 200.0

    private var left: [DeviceID: Double] = [:]
    private var at: BootInstant?

    package init() {}

    private var share: Double { Self.burst / Double(max(left.count, 1)) }

    /// Divides the allowance among these sources. A source that stays keeps the rest of its share.
    package mutating func divide(among sources: [DeviceID]) {
        let before = left
        left = Dictionary(sources.map { ($0, 0) }) { first, _ in first }
        let share = share
        for id in left.keys { left[id] = min(before[id] ?? share, share) }
    }

    package mutating func refill(at now: BootInstant) {
        defer { at = now }
        guard let at else { return }
        var entries = min(at.duration(to: now) / .seconds(1) * Self.rate, Self.burst)
        let share = share
        // Each round uses up the entries or fills a source.
        for _ in left {
            let open = left.filter { $0.value < share }
            let part = entries / Double(max(open.count, 1))
            for (id, rest) in open {
                let added = min(part, share - rest)
                left[id] = rest + added
                entries -= added
            }
        }
    }

    /// Whether the source may hand an entry over.
    package func isOpen(for source: DeviceID) -> Bool { left[source, default: 0] >= 1 }

    package mutating func use(by source: DeviceID) { left[source, default: 0] -= 1 }
}
