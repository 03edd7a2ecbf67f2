import GatewayModel

/// When the next sign of life is due.
struct Heartbeat {
    private(set) var interval: Duration?
    private(set) var due: BootInstant?

    /// The first one goes at once: it proves the way before it is needed.
    init(interval: Duration?, start: BootInstant) {
        self.interval = interval
        due = interval == nil ? nil : start
    }

    func isDue(at now: BootInstant) -> Bool { due.map { $0 <= now } ?? false }

    mutating func sent(at now: BootInstant) {
        due = interval.map { now.advanced(by: $0) }
    }

    /// The centre asked for another interval.
    mutating func wanted(every wanted: Duration, at now: BootInstant) {
        guard wanted != interval else { return }
        interval = wanted
        due = now.advanced(by: wanted)
    }
}
