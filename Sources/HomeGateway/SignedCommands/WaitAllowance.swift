import GatewayModel

/// How long a thread with more pressing work may wait for a disk, however often it asks. Pure.
struct WaitAllowance: Hashable, Sendable {
    /// In any second: an fsync of a good card takes some ten milliseconds, and a call for help, which goes through
    /// the same thread, has 5 s from the crossing to the order.
    static let most = Duration.milliseconds(200)
    static let span = Duration.seconds(1)

    private struct Wait: Hashable {
        let end: BootInstant
        let length: Duration
    }

    /// Those that ended less than `span` ago.
    private var waits: [Wait] = []

    /// How long it may wait from `now` on; nil where there is nothing left.
    mutating func left(at now: BootInstant) -> Duration? {
        waits.removeAll { $0.end.advanced(by: Self.span) <= now }
        let left = waits.reduce(Self.most) { $0 - $1.length }
        return left > .zero ? left : nil
    }

    /// It waited.
    mutating func note(from start: BootInstant, to end: BootInstant) {
        waits.append(Wait(end: end, length: start.duration(to: end)))
    }
}
