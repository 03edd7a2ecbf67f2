public import GatewayModel
public import RunBeacon

/// What a look at the log of passings finds, changing nothing.
public struct PassingReport: Sendable {
    /// All that could be read, of the runs that were asked for, in the order they were told.
    public let records: [RecordedPassing]
    /// What was known of the clock, by the start of the machine.
    public let marks: [String: [ClockMark]]
    /// Empty where every line is as the gateway wrote it.
    public let flaws: [PassingLogFlaw]
    /// Bytes at the end that are no whole line: a power cut tore it, or it is being written now.
    public let torn: Int
    /// The number and the SHA-256 of the last line; nil where nothing was ever written.
    public let end: (sequence: Int64, hash: String)?
    /// Passings that may not have reached the outbox before the gateway ended: to be offered again, under their ids.
    public let unsure: [RecordedPassing]
    private let latest: PassingWalk.Dated?
    private let timed: [RunID: WallTime]

    /// - Parameters:
    ///   - directory: absolute; a gateway may be writing there.
    ///   - runs: of which the passings are wanted; nil for all.
    public init(of directory: String, keeping runs: Set<RunID>? = nil) throws(DiskFailure) {
        self.init(try PassingWalk(of: PassingLog.path(in: directory), keeping: runs))
    }

    init(_ walk: PassingWalk) {
        (records, marks, flaws, torn, unsure) = (walk.records, walk.marks, walk.flaws, walk.torn, walk.unsure)
        (latest, timed) = (walk.latest, walk.timed)
        end = walk.end.seq < 0 ? nil : (walk.end.seq, walk.end.hash)
    }

    /// As exported: those that were timed before the clock was set are dated by what was learned of it since.
    public var passings: [Passing] { records.map { $0.dated(by: marks) } }
    /// The same, with the instants of the clock that nobody sets.
    public var datedRecords: [RecordedPassing] { records.map { $0.redated(by: marks) } }

    /// What all of it says of the time, whichever runs were asked for.
    /// - Parameter boot: this start of the machine.
    public func loggedTime(in boot: String) -> LoggedTime {
        let start = BootInstant(nanoseconds: 0)
        return LoggedTime(
            latest: latest?.time, at: latest.map { $0.boot == boot ? $0.at : start } ?? start, timed: timed)
    }
}
