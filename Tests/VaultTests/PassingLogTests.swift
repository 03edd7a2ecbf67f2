import Contract
import ControlContract
import Foundation
import GatewayModel
import RunBeacon
import Samples
import TestSupport
import Testing
import Vault

@Suite struct `The log of passings` {
    private let scratch: ScratchDirectory
    private var directory: String { scratch.url.path }
    private var path: String { directory + "/passings.jsonl" }

    init() throws { scratch = try ScratchDirectory() }

    private func open(boot: String = "b-1") throws -> (log: PassingLog, report: PassingReport) {
        try PassingLog.open(in: directory, of: RaceSample.box, boot: boot)
    }

    private func entry(_ number: Int, at seconds: Double = 0) -> PassingLog.Entry {
        PassingLog.Entry(.passing(RaceSample.record(number)), made: Sample.moment(seconds))
    }

    private func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
    private func write(_ bytes: some Sequence<UInt8>) throws { try Data(bytes).write(to: URL(filePath: path)) }

    @Test func `gives back what was told, with the instants of the clock that nobody sets`() throws {
        var (log, empty) = try open()
        #expect(empty.records.isEmpty && empty.end == nil)
        let mark = ClockMark(
            at: Sample.moment(3).boot, offset: 1_780_000_000_000_000_123, bound: .milliseconds(395),
            source: .gps)
        try log.append([PassingLog.Entry(.start, made: Sample.moment(0)), entry(1)])
        try log.append([entry(2), PassingLog.Entry(.clock(mark), made: Sample.moment(3))])
        let report = try open().report
        #expect(report.records == [RaceSample.record(1), RaceSample.record(2)])
        #expect(report.marks == ["b-1": [mark]])
        #expect(report.flaws.isEmpty && report.torn == 0 && report.end?.sequence == 3)
    }

    @Test func `is lines that anybody can read: times in milliseconds, instants and bounds in nanoseconds`()
        throws
    {
        var (log, _) = try open()
        try log.append([entry(1, at: 9)])
        let zeros = String(repeating: "0", count: 64)
        #expect(
            String(decoding: try bytes(), as: UTF8.self)
                == #"{"at":9000000000,"boot":"b-1","box":"house-12","clock":{"bound":350000000,"#
                + #""offset":1772353800000000000,"source":"gps"},"passing":{"bib":117,"bound":742000000,"#
                + #""checkpoint":"finish","first":1772353794000,"first_at":-6000000000,"flags":[],"hits":61,"#
                + #""id":"\#(Sample.id(1))","last":1772353806000,"last_at":6000000000,"method":"ble-peak","#
                + #""nearest_at":0,"order":1,"passage_bound":640000000,"rssi":-58,"run":"spring-10k","#
                + #""time":1772353800000},"prev":"\#(zeros)","seq":0,"wall":1772353809000,"what":"passing"}"#
                + "\n")
    }

    @Test func `goes on where an earlier run ended, in one chain`() throws {
        var first = try open().log
        try first.append([entry(1)])
        var second = try open(boot: "b-2").log
        try second.append([entry(2)])
        let report = try open().report
        #expect(report.records.map(\.boot) == ["b-1", "b-2"])
        #expect(report.flaws.isEmpty && report.end?.sequence == 1)
    }

    @Test func `torn at any byte by a power cut loses only what was never told, and goes on`() throws {
        var (log, _) = try open()
        try log.append([entry(1)])
        let told = try bytes()
        try log.append([entry(2)])
        let all = try bytes()
        // Each is a start and two syncs: every ninth byte, and those about the line's end.
        for size in told.count..<all.count where (size - told.count) % 9 == 0 || size > all.count - 4 {
            try write(all[..<size])
            // Some file systems fill up with zeros what the power cut kept from them.
            for zeros in [0, 300] where size < all.count - 1 {
                try write(Array(all[..<size]) + [UInt8](repeating: 0, count: zeros))
                var (again, report) = try open()
                #expect(report.records == [RaceSample.record(1)], "at \(size)")
                try again.append([entry(3)])
                let after = try open().report
                #expect(after.flaws.isEmpty && after.records == [RaceSample.record(1), RaceSample.record(3)])
            }
        }
    }

    @Test func `shows a line that was changed, removed, added, moved or doubled`() throws {
        var (log, _) = try open()
        try log.append((1...5).map { entry($0) })
        let lines = try bytes().split(separator: UInt8(ascii: "\n")).map { Array($0) }
        func flaws(_ lines: [[UInt8]]) throws -> [PassingLogFlaw] {
            try write(lines.flatMap { $0 + [UInt8(ascii: "\n")] })
            return try PassingReport(of: directory).flaws
        }
        #expect(try flaws(lines).isEmpty)
        let text = String(decoding: lines[2], as: UTF8.self)
        let changed = Array(text.replacing(#""bib":117"#, with: #""bib":118"#).utf8)
        #expect(changed != lines[2])
        #expect(try flaws([lines[0], lines[1], changed, lines[3], lines[4]]) == [.unlinked(line: 4)])
        #expect(
            try flaws([lines[0], lines[1], lines[3], lines[4]])
                == [.misnumbered(line: 3, saw: 3, expected: 2)])
        #expect(try !flaws([lines[0], lines[2], lines[1], lines[3], lines[4]]).isEmpty)
        #expect(try !flaws([lines[0], lines[1], lines[1], lines[2], lines[3], lines[4]]).isEmpty)
        #expect(
            try flaws([lines[0], Array("rubbish".utf8), lines[2], lines[3], lines[4]]).first
                == .unreadable(line: 2))
    }

    @Test func `is read on behind a line that is damaged, and written on`() throws {
        var (log, _) = try open()
        try log.append((1...3).map { entry($0) })
        var damaged = try bytes()
        damaged[damaged.count / 2] = 0xFF
        try write(damaged)
        var (again, report) = try open()
        #expect(report.records.count == 2 && !report.flaws.isEmpty)
        try again.append([entry(4)])
        let after = try open().report
        #expect(after.flaws == report.flaws && after.records.last == RaceSample.record(4))
    }

    @Test func `does not trap on rubbish, however it begins`() throws {
        var (log, _) = try open()
        try log.append([entry(1)])
        let good = try bytes()
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            var rubbish = good
            for _ in 0..<Int.random(in: 1...4) {
                rubbish[Int.random(in: 0..<rubbish.count - 1)] = UInt8.random(in: 32..<127, using: &random)
            }
            try write(rubbish)
            for passing in try PassingReport(of: directory).passings {
                _ = Shown(passing)
            }
        }
    }

    /// All that is reckoned and written of a passing.
    private struct Shown {
        let texts: [String]
        init(_ passing: Passing) {
            texts = [passing.time.rfc3339, passing.first.rfc3339, passing.last.rfc3339]
        }
    }

    @Test func `knows what may not have reached the outbox, after a kill and after a power cut`() throws {
        var (log, _) = try open()
        try log.append([entry(1, at: 0), entry(2, at: 100), entry(3, at: 155)])
        #expect(
            try open().report.unsure.map(\.passing.id) == [Sample.id(2), Sample.id(3)], "of the last minute")
        var later = try open(boot: "b-2").log
        try later.append([PassingLog.Entry(.start, made: Sample.moment(5))])
        #expect(try open().report.unsure.isEmpty, "another start of the machine has offered them again")
    }

    @Test func `says how late it is at least, and until when something was timed in each run`() throws {
        var (log, empty) = try open()
        #expect(empty.loggedTime(in: "b-1") == LoggedTime())
        func entry(_ record: RecordedPassing) -> PassingLog.Entry {
            PassingLog.Entry(.passing(record), made: Sample.moment(90))
        }
        try log.append([entry(RaceSample.record(1, at: 10)), entry(RaceSample.record(2, at: 5))])
        let (first, later) = (Sample.moment(10), Sample.moment(40))
        let report = try open().report
        #expect(
            report.loggedTime(in: "b-1")
                == LoggedTime(latest: first.wall, at: first.boot, timed: [RaceSample.run: first.wall]))
        #expect(
            report.loggedTime(in: "b-2")
                == LoggedTime(latest: first.wall, timed: [RaceSample.run: first.wall]))
        let offset = later.wall.millisecondsSince1970 * 1_000_000 - later.boot.nanoseconds
        func mark(_ made: Moment, _ bound: Duration?) -> PassingLog.Entry {
            let mark = ClockMark(at: made.boot, offset: offset, bound: bound, source: .ntp)
            return PassingLog.Entry(.clock(mark), made: made)
        }
        let unset = RaceSample.passing(3, at: 60, clock: ClockState(source: .freeRunning, bound: nil))
        let last = Sample.moment(60)
        let undated = RecordedPassing(
            unset, boot: "b-1", nearest: last.boot, first: last.boot, last: last.boot, passageBound: .zero)
        try log.append([
            mark(later, .milliseconds(5)), mark(Sample.moment(80), nil), entry(undated),
        ])
        // Of no run that was asked for.
        let whole = try PassingReport(of: directory, keeping: [])
        #expect(
            whole.loggedTime(in: "b-1")
                == LoggedTime(latest: later.wall, at: later.boot, timed: [RaceSample.run: last.wall]))
    }

    @Test func `loses no line by what somebody does to it while it is written`() throws {
        var (log, _) = try open()
        try log.append([entry(1), entry(2)])
        let text = String(decoding: try bytes(), as: UTF8.self)
        // Cut in the middle of a line, made longer by an editor, and gone.
        let changes: [(text: String?, kept: Int)] = [
            (String(text.dropLast(40)), 1), (text.replacing(#""hits":"#, with: #""hits": "#), 2), (nil, 0),
        ]
        for change in changes {
            var log = log
            if let text = change.text {
                try write(text.utf8)
            } else {
                try FileManager.default.removeItem(atPath: path)
            }
            try log.append([entry(3)])
            try log.append([entry(4)])
            let report = try PassingReport(of: directory)
            #expect(
                report.records == (Array(1...2).prefix(change.kept) + [3, 4]).map { RaceSample.record($0) })
            #expect(!report.flaws.isEmpty && report.torn == 0)
        }
    }

    @Test func `throws where the disk takes nothing, keeps what it had, and takes it again`() throws {
        var (log, _) = try open()
        try log.append([entry(1)])
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: DiskFailure.self) { try log.append([entry(2)]) }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        // As an append leaves it that failed half way.
        try write(try bytes() + Array(#"{"seq":1,"#.utf8))
        try log.append([entry(2)])
        let report = try open().report
        #expect(report.flaws.isEmpty && report.records == [RaceSample.record(1), RaceSample.record(2)])
    }
}
