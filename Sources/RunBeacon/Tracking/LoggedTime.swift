public import GatewayModel

/// What the log of passings says of the time for as long as nothing else has told it: it is later than what was written
/// last, and some runs had begun by then.
public struct LoggedTime: Hashable, Sendable {
    /// The latest time of day that was known; nil where none ever was.
    private let latest: WallTime?
    private let at: BootInstant
    /// Of each run, the latest time that was told in it, known or not.
    private let timed: [RunID: WallTime]

    /// - Parameter at: what the boot clock showed at `latest`; its zero where that was in an earlier start of the machine.
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

    /// Runs of which something was timed go on until it is known that they are over, whatever the clock says: it may be early
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
