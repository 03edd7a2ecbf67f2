import GatewayModel

/// Passages in runs of which the log has not been read yet: what was counted in them before says which time it is. They are
/// held until it has been, and for no longer than a disk is waited for.
struct PendingRecall: Sendable {
    struct Held: Sendable {
        let passage: Passage
        var owners: [Enrolment]
        let marks: Set<Passing.Flag>
    }

    private let patience: Duration
    /// By the run, how long it is waited for.
    private var awaited: [RunID: BootInstant] = [:]
    /// Of each the log is read once.
    private var begun: Set<RunID> = []
    private var held: [Held] = []

    /// - Parameter patience: zero where there is no log.
    init(patience: Duration) {
        self.patience = patience
    }

    mutating func begin(_ runs: some Sequence<RunID>, at now: BootInstant) {
        for run in runs where begun.insert(run).inserted && patience > .zero {
            awaited[run] = now.advanced(by: patience)
        }
    }

    /// - Returns: what can be told now; the rest is held.
    mutating func hold(_ new: Held) -> Held {
        let (later, now) = parted(new)
        if !later.owners.isEmpty { held.append(later) }
        return now
    }

    /// The log of these has been read, or is waited for no longer.
    /// - Returns: what was held of them, in the order in which it came.
    mutating func end(_ runs: some Sequence<RunID>) -> [Held] {
        for run in runs { awaited[run] = nil }
        let all = held.map(parted)
        held = all.map(\.later).filter { !$0.owners.isEmpty }
        return all.map(\.now).filter { !$0.owners.isEmpty }
    }

    func isAwaited(_ run: RunID) -> Bool { awaited[run] != nil }

    func overdue(at now: BootInstant) -> [RunID] { awaited.filter { $0.value <= now }.map(\.key) }

    private func parted(_ whole: Held) -> (later: Held, now: Held) {
        var (later, now) = (whole, whole)
        later.owners.removeAll { awaited[$0.run] == nil }
        now.owners.removeAll { awaited[$0.run] != nil }
        return (later, now)
    }
}
