public import GatewayModel
public import RunBeacon

/// Content and flaws of the log of passings. Reading it changes nothing.
public struct PassingReport: Sendable {
    /// Readable passings of the requested runs, in order of their lines.
    public let records: [RecordedPassing]
    /// Clock marks by boot ID of the machine.
    public let marks: [String: [ClockMark]]
    /// Empty if all lines are as the gateway wrote them.
    public let flaws: [PassingLogFlaw]
    /// Bytes of an incomplete line at the end: a power cut tore it, or it is being written now.
    public let torn: Int
    /// Number and SHA-256 of the last line; nil if nothing was ever written.
    public let end: (sequence: Int64, hash: String)?
    /// Passings that may not have reached the outbox before the gateway ended. They are to be offered again, under
    /// their IDs.
    public let unsure: [RecordedPassing]
    private let latest: PassingWalk.Dated?
    private let timed: [RunID: WallTime]

    /// - Parameters:
    ///   - directory: absolute; a gateway may be writing there.
    ///   - runs: the passings of these runs are wanted; nil for all.
    public init(of directory: String, keeping runs: Set<RunID>? = nil) throws(DiskFailure) {
        self.init(try PassingWalk(of: PassingLog.path(in: directory), keeping: runs))
    }

    init(_ walk: PassingWalk) {
        (records, marks, flaws, torn, unsure) = (walk.records, walk.marks, walk.flaws, walk.torn, walk.unsure)
        (latest, timed) = (walk.latest, walk.timed)
        end = walk.end.seq < 0 ? nil : (walk.end.seq, walk.end.hash)
    }

    /// Passings for the export. Those that were timed before the clock was set are dated by later clock marks.
    public var passings: [Passing] { records.map { $0.dated(by: marks) } }
    /// The same passings, with their instants of the monotonic clock.
    public var datedRecords: [RecordedPassing] { records.map { $0.redated(by: marks) } }

    /// Returns the latest known times in the whole log, independent of the requested runs.
    /// - Parameter boot: boot ID of the machine.
    public func loggedTime(in boot: String) -> LoggedTime {
        let start = BootInstant(nanoseconds: 0)
        return LoggedTime(
            latest: latest?.time, at: latest.map { $0.boot == boot ? $0.at : start } ?? start, timed: timed)
    }
}
