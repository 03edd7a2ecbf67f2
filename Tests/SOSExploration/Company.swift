import GatewayModel

/// Values without a time that came alone, seen from outside. A value within a second of another is not alone.
struct Company: Hashable, Sendable {
    private struct Lone: Hashable, Sendable {
        let id: MessageID
        let since: BootInstant
    }

    private var last: BootInstant?
    private var records: Set<MessageID> = []
    private var lone: Lone?

    /// Instant since which a value waits for its decision.
    var waiting: BootInstant? { lone?.since }

    mutating func heard(_ reading: Reading, at now: BootInstant) {
        let isInCompany = last.map { $0.duration(to: now) < .seconds(1) } ?? false
        last = now
        guard isInCompany else {
            lone = Lone(id: reading.id, since: now)
            return
        }
        records.formUnion([reading.id, lone?.id].compactMap(\.self))
        lone = nil
    }

    /// - Returns: false for a value that came in company.
    mutating func mayCross(_ reading: Reading) -> Bool {
        if lone?.id == reading.id { lone = nil }
        return !records.contains(reading.id)
    }

    /// The last decision was not written down: the reading that was held before it is held again.
    mutating func forget(allBut held: Reading?) {
        lone = held.map { Lone(id: $0.id, since: $0.arrival.boot) }
        if let held { records.remove(held.id) }
    }

    /// The waiting value continues to wait; the company of others is forgotten.
    mutating func restarted() {
        last = lone?.since
    }
}
