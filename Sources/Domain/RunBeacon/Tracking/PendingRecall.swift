public import GatewayModel

/// Passages held back until the run's log has been read. The log gives the lap count to continue from. They are
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

    /// - Returns: the passages that can be told now; the rest is held.
    mutating func hold(_ new: Held) -> Held {
        let (later, now) = parted(new)
        if !later.owners.isEmpty { held.append(later) }
        return now
    }

    /// The log of these has been read, or is waited for no longer.
    /// - Returns: the passages that were held of them, in their order of arrival.
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

/// Lower bound of the time from the log of passings, used while nothing else has told it: it is later than the
/// entry that was written last, and some runs had begun by then.
public struct LoggedTime: Hashable, Sendable {
    /// The latest time of day that was known; nil where none ever was.
    private let latest: WallTime?
    private let at: BootInstant
    /// Of each run, the latest time that was told in it, known or not.
    private let timed: [RunID: WallTime]

    /// - Parameter at: time of the boot clock at `latest`; its zero where that was in an earlier start of the
    ///   machine.
    public init(
        latest: WallTime? = nil, at: BootInstant = BootInstant(nanoseconds: 0), timed: [RunID: WallTime] = [:]
    ) {
        (self.latest, self.at, self.timed) = (latest, at, timed)
    }

    /// Where it says nothing, the clock decides, set or not.
    var saysNothing: Bool { latest == nil && timed.isEmpty }

    /// It is no earlier than this.
    func least(at now: BootInstant) -> WallTime? {
        latest.map { Moment(boot: at, wall: $0).advanced(by: at.duration(to: now)).wall }
    }

    /// By a clock that nobody has set, and that may be late.
    func time(by wall: WallTime, at now: BootInstant) -> WallTime { max(wall, least(at: now) ?? wall) }

    /// Runs with passings go on until it is known that they are over, at any time of the clock: it may be early
    /// by hours, or late by years. The others are as that time has it.
    func underway(in book: RunCatalog, by wall: WallTime, at now: BootInstant) -> [Run] {
        let (least, time) = (least(at: now), time(by: wall, at: now))
        return book.sorted.filter { run in
            // One of the same name, of another year, is none.
            let hasBegun = timed[run.id].map { $0 >= run.start } ?? false
            let own = hasBegun ? max(least ?? run.start, run.start) : time
            return book.state(of: run.id, at: own) == .underway
        }
    }
}
