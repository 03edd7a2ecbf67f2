import GatewayModel

/// Whether a value that came without a time to be trusted (`Reading.Currency.undated`) is of now.
/// A device that has just measured sends one value; a device that empties its memory sends one after the other.
/// So such a value is held for a moment. If another of the same device and kind comes meanwhile, with any own
/// time, both are records and raise nothing; else it is judged, and counted from its arrival.
struct UndatedHold: Hashable, Sendable {
    /// Longer than between two records: each is acknowledged by the radio before the next, which takes a few of
    /// its intervals, 4 s at the very most and 10 to 100 ms on every device here. Short enough to leave a window
    /// to cancel inside the 5 s.
    static let limit = Duration.seconds(1)

    /// One a device and kind, in the order of their arrival.
    private(set) var held: [Reading] = []
    /// When one that is a record, or may be one, was last sent. Not kept over a restart: in the middle of a burst
    /// that lets a record be taken for a value of now, which a person can cancel.
    private var records: [VitalRules.Source: BootInstant] = [:]

    /// When `due` has to be asked at the latest.
    var deadline: BootInstant? { held.first.map(Self.end) }

    /// A reading has arrived; an undated one is held from now on, unless it is returned.
    /// - Returns: the undated readings that are known now to be records.
    mutating func hear(_ reading: Reading) -> [Reading] {
        let source = VitalRules.Source(of: reading)
        let isUndated = reading.currency == .undated
        guard isUndated || reading.currency == .history || !held.isEmpty else { return [] }
        let now = reading.arrival.boot
        let last = records[source]
        if reading.currency != .live { records[source] = now }
        if let index = held.firstIndex(where: { VitalRules.Source(of: $0) == source }) {
            return [held.remove(at: index)] + (isUndated ? [reading] : [])
        }
        guard isUndated else { return [] }
        if let last, last.duration(to: now) < Self.limit { return [reading] }
        held.append(reading)
        return []
    }

    /// Readings that nothing has followed, to be judged as of now; no longer held.
    mutating func due(at now: BootInstant) -> [Reading] {
        let due = held.prefix { Self.end(of: $0) <= now }
        held.removeFirst(due.count)
        return Array(due)
    }

    /// All that is held, after a time that nobody can tell the length of.
    mutating func hurry() -> [Reading] {
        defer { held = [] }
        return held
    }

    mutating func resume(_ earlier: [Reading]) {
        held = earlier
    }

    static func end(of reading: Reading) -> BootInstant { reading.arrival.boot.advanced(by: limit) }
}
