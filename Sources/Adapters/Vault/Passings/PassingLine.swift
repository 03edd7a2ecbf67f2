import GatewayModel
import RunBeacon

/// One line of the log of passings: a JSON object with its members in order, its number, and the hash of the line
/// before.
///
/// Wall times are in milliseconds since 1970; instants of the boot clock and bounds are in nanoseconds.
struct PassingLine: Codable {
    enum What: String, Codable {
        /// The program started. The next lines belong to this boot of the machine.
        case start
        /// The state of the clock changed.
        case clock
        case passing
    }

    struct Body: Codable {
        var id: MessageID
        var run: RunID
        var checkpoint: CheckpointID
        var bib: Bib
        var order: Int?
        var time: Int64
        var first: Int64
        var last: Int64
        var bound: Int64?
        var passageBound: Int64
        /// Instants of the boot clock.
        var nearestAt: BootInstant
        var firstAt: BootInstant
        var lastAt: BootInstant
        var hits: Int
        var rssi: Int8
        var method: Passing.Method
        var flags: [Passing.Flag]

        enum CodingKeys: String, CodingKey {
            case id, run, checkpoint, bib, order, time, first, last, bound, hits, rssi, method, flags
            case passageBound = "passage_bound"
            case nearestAt = "nearest_at"
            case firstAt = "first_at"
            case lastAt = "last_at"
        }
    }

    struct Clock: Codable {
        var source: ClockSource
        var bound: Int64?
        /// Nanoseconds of the wall clock since 1970 minus those of the boot clock.
        var offset: Int64
    }

    var seq: Int64
    /// SHA-256 of the line before, without its line break; zeros in the first.
    var prev: String
    var what: What
    /// ID of the box.
    var box: GatewayID
    /// Boot ID of the machine, and its boot clock when the line was created.
    var boot: String
    var at: BootInstant
    /// Wall time as known then.
    var wall: Int64
    /// In a passing: the state of the clock when the passing was reported. In a line about the clock: its new state.
    var clock: Clock?
    var passing: Body?

    var bytes: [UInt8] { JSONLine.bytes(self) }

    /// Returns nil if the bytes are not a line of this version.
    init?(_ bytes: some Collection<UInt8>) {
        guard let line: PassingLine = JSONLine.read(bytes), (0...Int64(1 << 53)).contains(line.seq) else {
            return nil
        }
        self = line
    }

    /// - Parameter entry: content of the line. Its number and hash follow from `end`.
    init(_ entry: PassingLog.Entry, after end: PassingLog.End, box: GatewayID, boot: String) {
        (seq, prev, self.box, self.boot) = (end.seq + 1, end.hash, box, boot)
        (at, wall) = (entry.made.boot, entry.made.wall.millisecondsSince1970)
        switch entry.what {
        case .start: what = .start
        case .clock(let mark): (what, clock) = (.clock, Clock(mark))
        case .passing(let record):
            (what, passing) = (.passing, Body(record))
            clock = Clock(
                source: record.passing.clock.source,
                bound: record.passing.clock.bound?.wholeNanoseconds,
                offset: record.passing.time.millisecondsSince1970 &* 1_000_000 &- record.nearest.nanoseconds)
        }
    }

    /// Valid ranges: eleven days in nanoseconds, and the years up to 9999. The gateway writes no values outside them.
    private static let bounds = Int64(0)...1_000_000_000_000_000
    private static let times = Int64(0)...253_402_300_799_999

    /// Passing of this line; nil for other lines.
    var record: RecordedPassing? {
        guard let passing, let clock,
            [passing.bound ?? 0, passing.passageBound, clock.bound ?? 0].allSatisfy(Self.bounds.contains),
            [passing.time, passing.first, passing.last].allSatisfy(Self.times.contains)
        else { return nil }
        let told = Passing(
            id: passing.id, run: passing.run, checkpoint: passing.checkpoint, gateway: box, bib: passing.bib,
            order: passing.order, time: WallTime(millisecondsSince1970: passing.time),
            first: WallTime(millisecondsSince1970: passing.first),
            last: WallTime(millisecondsSince1970: passing.last),
            clock: ClockState(source: clock.source, bound: clock.bound.map { .nanoseconds($0) }),
            bound: passing.bound.map { .nanoseconds($0) }, hits: passing.hits, strongest: passing.rssi,
            method: passing.method, flags: Set(passing.flags))
        return RecordedPassing(
            told, boot: boot, nearest: passing.nearestAt, first: passing.firstAt, last: passing.lastAt,
            passageBound: .nanoseconds(passing.passageBound))
    }

    /// Clock mark of a line about the clock; nil for other lines, and for an impossible offset or bound.
    var mark: ClockMark? {
        guard what == .clock, let clock, clock.offset.magnitude < 5_000_000_000_000_000_000,
            Self.bounds.contains(clock.bound ?? 0)
        else { return nil }
        return ClockMark(
            at: at, offset: clock.offset, bound: clock.bound.map { .nanoseconds($0) }, source: clock.source)
    }
}

extension PassingLine.Clock {
    init(_ mark: ClockMark) {
        self.init(source: mark.source, bound: mark.bound?.wholeNanoseconds, offset: mark.offset)
    }
}

extension PassingLine.Body {
    init(_ record: RecordedPassing) {
        let told = record.passing
        self.init(
            id: told.id, run: told.run, checkpoint: told.checkpoint, bib: told.bib, order: told.order,
            time: told.time.millisecondsSince1970, first: told.first.millisecondsSince1970,
            last: told.last.millisecondsSince1970, bound: told.bound?.wholeNanoseconds,
            passageBound: record.passageBound.wholeNanoseconds, nearestAt: record.nearest,
            firstAt: record.first, lastAt: record.last, hits: told.hits, rssi: told.strongest,
            method: told.method, flags: told.flags.sorted { $0.rawValue < $1.rawValue })
    }
}
