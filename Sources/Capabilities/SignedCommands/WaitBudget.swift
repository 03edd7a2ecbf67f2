import GatewayModel

/// Budget of a thread with more pressing work for its waits for a disk. Pure.
struct WaitBudget: Hashable, Sendable {
    /// Longest wait in a window: an fsync of a good card takes some ten milliseconds, and a call for help, which goes
    /// through the same thread, has 5 s from the crossing to the order.
    static let limit = Duration.milliseconds(200)
    static let window = Duration.seconds(1)

    private struct Wait: Hashable {
        let end: BootInstant
        let length: Duration
    }

    /// Waits that ended within the last window.
    private var waits: [Wait] = []

    /// Returns how long the thread may wait from `now` on; nil where the budget is used up.
    mutating func remaining(at now: BootInstant) -> Duration? {
        waits.removeAll { $0.end.advanced(by: Self.window) <= now }
        let left = waits.reduce(Self.limit) { $0 - $1.length }
        return left > .zero ? left : nil
    }

    mutating func recordWait(from start: BootInstant, to end: BootInstant) {
        waits.append(Wait(end: end, length: start.duration(to: end)))
    }
}
