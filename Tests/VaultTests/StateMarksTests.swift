import Consent
import Contract
import Foundation
import GatewayModel
import Samples
import TestSupport
import Testing

@testable import Vault

@Suite struct `What is known of the files of a state directory` {
    private let scratch: ScratchDirectory
    init() throws { scratch = try ScratchDirectory() }

    private func marks(boot: String = "b-1") -> StateMarks { StateMarks(in: scratch.url.path, boot: boot) }
    private var file: URL { scratch.file("state.marks") }

    @Test func `outlives a restart, each store on a line of its own`() throws {
        let first = marks()
        for round in 1...5 {
            first.note("outbox.sqlite", Int64(round), durable: 3, detail: "17")
            first.note("ledger.jsonl", Int64(10 * round), detail: "abc")
        }
        let second = marks()
        #expect(second.damage == nil)
        #expect(second["outbox.sqlite"] == StateMarks.Mark(sequence: 5, durable: 3, detail: "17", boot: "b-1"))
        #expect(second["ledger.jsonl"]?.sequence == 50 && second["another"] == nil)
        #expect(try Data(contentsOf: file).count == 512)
    }

    @Test func `tells a loss, and a power cut from damage`() {
        marks().note("history.sqlite", 9, durable: 4)
        #expect(marks().loss(of: "history.sqlite", found: 9) == nil)
        #expect(marks().loss(of: "history.sqlite", found: 10) == nil)
        #expect(marks().loss(of: "history.sqlite", found: 7) == .damage(changes: 2))
        #expect(marks(boot: "b-2").loss(of: "history.sqlite", found: 7) == .powerCut(changes: 2))
        #expect(marks(boot: "b-2").loss(of: "history.sqlite", found: 3) == .damage(changes: 6))
        #expect(marks().loss(of: "another", found: 0) == nil)
    }

    @Test func `is told to be damaged, whatever byte is wrong, and the other lines still count`() throws {
        let first = marks()
        first.note("one", 1)
        first.note("two", 2)
        let whole = try Data(contentsOf: file)
        for place in 0..<256 {
            var bytes = whole
            bytes[place] ^= 1
            try bytes.write(to: file)
            let found = marks()
            #expect(found.damage != nil && found["one"] == nil && found["two"]?.sequence == 2)
            #expect(marks().damage == nil, "it was written anew")
        }
        try whole.prefix(300).write(to: file)
        #expect(marks().damage != nil)
        #expect(marks()["one"]?.sequence == 1)
    }

    @Test func `is begun anew where there is something else in its place`() throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        let found = marks()
        #expect(found.damage != nil)
        found.note("one", 1)
        #expect(marks()["one"]?.sequence == 1)
    }
}

@Suite struct `A file with a checksum` {
    private let scratch: ScratchDirectory
    private let marks: StateMarks
    private let file: StateFile<[String: Int]>
    init() throws {
        scratch = try ScratchDirectory()
        marks = StateMarks(in: scratch.url.path, boot: "b-1")
        file = StateFile(path: scratch.file("a.json").path, marks: marks)
    }

    private var path: URL { scratch.file("a.json") }

    /// Damages it, and expects that this is told once, with nothing left in its place.
    private func expectDamage(_ what: String, _ change: (Data) throws -> Void) throws {
        try file.save(["one": 1])
        try change(Data(contentsOf: path))
        let failure = #expect(throws: DiskFailure.self, "\(what)") { try file.load() }
        #expect(failure?.isDamage == true, "\(what)")
        #expect(try file.load() == nil, "\(what)")
    }

    @Test func `is damaged by every cut and by every byte that is changed`() throws {
        try file.save(["one": 1])
        let size = try Data(contentsOf: path).count
        for length in 0..<size {
            try expectDamage("cut to \(length)") { try $0.prefix(length).write(to: path) }
        }
        for place in 0..<size {
            try expectDamage("byte \(place)") {
                var bytes = $0
                bytes[place] ^= 4
                try bytes.write(to: path)
            }
        }
    }

    @Test func `is damaged where it is gone or a directory, and not where it was removed`() throws {
        try expectDamage("gone") { _ in try FileManager.default.removeItem(at: path) }
        try expectDamage("a directory") { _ in
            try FileManager.default.removeItem(at: path)
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
        }
        let checked = CheckedFile(path: path.path, marks: marks)
        try checked.save([1])
        try checked.remove()
        #expect(try checked.load() == nil)
    }

    @Test func `of an earlier version is accepted once`() throws {
        try Data(#"{"one":1}"#.utf8).write(to: path)
        #expect(try file.load() == ["one": 1])
        try file.save(["one": 2])
        try Data(#"{"one":1}"#.utf8).write(to: path)
        #expect(throws: DiskFailure.self) { try file.load() }
    }

    @Test func `of lines is mended, and what is sound stays`() throws {
        let lines = CheckedLines(path: scratch.file("b.jsonl").path, marks: marks)
        try lines.replace(with: ["one", "two", "three"].flatMap { CheckedLine.seal(Array($0.utf8)) })
        #expect(try lines.mend() == nil)
        let whole = try Data(contentsOf: scratch.file("b.jsonl"))
        for place in whole.indices {
            var bytes = whole
            bytes[place] ^= 1
            try bytes.write(to: scratch.file("b.jsonl"))
            #expect(try lines.mend() != nil, "byte \(place)")
            try lines.replace(with: Array(whole))
        }
        for length in 0..<whole.count {
            try whole.prefix(length).write(to: scratch.file("b.jsonl"))
            #expect(try lines.mend() != nil, "cut to \(length)")
            #expect(try lines.mend() == nil, "once")
            try lines.replace(with: Array(whole))
        }
        try lines.replace(with: [])
        #expect(try lines.mend() == nil && lines.load().isEmpty)
    }
}

@Suite struct `The lock of a state directory` {
    @Test func `keeps a second one off, tells whose it is, and is given up with its holder`() throws {
        let scratch = try ScratchDirectory()
        var first = try StateLock.take(in: scratch.url.path)
        #expect(first != nil)
        let held = #expect(throws: StateLock.Held.self) {
            try StateLock.take(in: scratch.url.path, within: .milliseconds(60))
        }
        #expect(held?.pid == getpid())
        #expect(held?.description.contains("\(getpid())") == true)
        first = nil
        #expect(try StateLock.take(in: scratch.url.path, within: .zero) != nil)
    }

    @Test func `needs no file that can be written, and no directory that exists`() throws {
        let scratch = try ScratchDirectory()
        try FileManager.default.createDirectory(
            at: scratch.file("gateway.lock"), withIntermediateDirectories: false)
        let first = try StateLock.take(in: scratch.url.path)
        #expect(first != nil)
        #expect(throws: StateLock.Held.self) { try StateLock.take(in: scratch.url.path, within: .zero) }
        #expect(try StateLock.take(in: scratch.file("nowhere").path) == nil)
        withExtendedLifetime(first) {}
    }
}

@Suite struct `A store that is behind its mark` {
    private let scratch: ScratchDirectory
    private let marks: StateMarks
    init() throws {
        scratch = try ScratchDirectory()
        marks = StateMarks(in: scratch.url.path, boot: "b-1")
    }

    private func openLedger() throws -> (file: LedgerFile, found: LedgerFile.Found) {
        try LedgerFile.open(
            in: scratch.url.path, of: LedgerDirectory.house, at: ConsentSample.wall(0), marks: marks)
    }

    private func decide(_ consent: inout ConsentLedger, _ verdict: ConsentDecision.Verdict, in file: LedgerFile)
        throws
    {
        let decision = ConsentDecision(
            .policy(.dataPolicy, verdict), for: ConsentSample.maria, by: "Maria", means: .commandLine,
            at: ConsentSample.wall(1))
        try file.append(consent.record(decision), at: ConsentSample.wall(1))
    }

    private func flaws(_ found: LedgerFile.Found) -> [LedgerFlaw] {
        if case .damage(let flaws, _, _) = found { flaws } else { [] }
    }

    @Test func `is a ledger of which nothing is left`() throws {
        var consent = ConsentLedger(persons: [ConsentSample.maria])
        try decide(&consent, .accepted, in: openLedger().file)
        #expect(try flaws(openLedger().found).isEmpty)
        for name in ["ledger.jsonl", "ledger.head"] {
            try FileManager.default.removeItem(at: scratch.file(name))
        }
        #expect(try flaws(openLedger().found) == [.behind(line: -1, ofAtLeast: 1)])
        guard case .nothing = try openLedger().found else {
            Issue.record("told twice")
            return
        }
    }

    @Test func `is an older ledger in the place of one with a withdrawal`() throws {
        var consent = ConsentLedger(persons: [ConsentSample.maria])
        let file = try openLedger().file
        try decide(&consent, .accepted, in: file)
        let names = ["ledger.jsonl", "ledger.head"]
        let older = try names.map { try Data(contentsOf: scratch.file($0)) }
        try decide(&consent, .withdrawn, in: file)
        for (name, bytes) in zip(names, older) { try bytes.write(to: scratch.file(name)) }
        #expect(try flaws(openLedger().found) == [.behind(line: 1, ofAtLeast: 2)])
    }

    @Test func `is an unreadable ledger too: it is set aside and another is begun`() throws {
        var consent = ConsentLedger(persons: [ConsentSample.maria])
        try decide(&consent, .accepted, in: openLedger().file)
        try FileManager.default.removeItem(at: scratch.file("ledger.jsonl"))
        try FileManager.default.createDirectory(
            at: scratch.file("ledger.jsonl"), withIntermediateDirectories: false)
        let (file, found) = try openLedger()
        #expect(flaws(found).contains(.unreadableLedger))
        var fresh = ConsentLedger(persons: [ConsentSample.maria])
        try decide(&fresh, .accepted, in: file)
        guard case .entries(let entries, _) = try openLedger().found else {
            Issue.record("no ledger was begun")
            return
        }
        #expect(entries.count == 1)
    }

    @Test func `is a log of passings without its last line, or with another one`() throws {
        func open() throws -> (log: PassingLog, report: PassingReport) {
            try PassingLog.open(in: scratch.url.path, of: RaceSample.box, boot: "b-1", marks: marks)
        }
        var log = try open().log
        try log.append([
            PassingLog.Entry(.passing(RaceSample.record(1)), made: Sample.moment(0)),
            PassingLog.Entry(.passing(RaceSample.record(2)), made: Sample.moment(1)),
        ])
        #expect(try open().report.flaws.isEmpty)
        let file = scratch.file("passings.jsonl")
        let whole = try Data(contentsOf: file)
        let first = try #require(whole.firstIndex(of: 10))
        try whole.prefix(through: first).write(to: file)
        #expect(try open().report.flaws == [.behind(line: 0, ofAtLeast: 1)])
        #expect(try open().report.flaws.isEmpty, "told once")
        try Data().write(to: file)
        #expect(try open().report.flaws == [.behind(line: -1, ofAtLeast: 0)])
    }

    @Test func `is an outbox that was emptied or whose log was cut, and a changed row is not sent`() throws {
        let path = scratch.file("outbox.sqlite").path
        let rig = try StoredOutbox()
        try rig.database.close()
        rig.database = try OutboxDatabase(at: path, marks: marks)
        for number in 1...9 { try rig.enqueue(Sample.envelope(number)) }
        let wal = try Data(contentsOf: URL(filePath: path + "-wal"))
        let main = try Data(contentsOf: URL(filePath: path))

        // As a kill leaves it, in a directory of its own: the first connection is open still.
        func reopened(_ change: (_ path: String) throws -> Void) throws -> OutboxDatabase {
            let folder = scratch.file("copy-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            try FileManager.default.copyItem(
                at: scratch.file("state.marks"), to: folder.appending(path: "state.marks"))
            let copy = folder.appending(path: "outbox.sqlite").path
            try main.write(to: URL(filePath: copy))
            try wal.write(to: URL(filePath: copy + "-wal"))
            try change(copy)
            return try OutboxDatabase(at: copy, marks: StateMarks(in: folder.path, boot: "b-1"))
        }
        #expect(try reopened { _ in }.loss == nil)
        for size in [0, 1, 31, 32, 4_000, wal.count / 2, wal.count - 1] {
            let found = try reopened { try wal.prefix(size).write(to: URL(filePath: $0 + "-wal")) }
            guard case .damage = found.loss else {
                Issue.record("the log was cut to \(size): \(String(describing: found.loss))")
                continue
            }
        }
        let emptied = try reopened {
            try Data().write(to: URL(filePath: $0))
            try FileManager.default.removeItem(atPath: $0 + "-wal")
        }
        #expect(emptied.loss != nil && emptied.count == 0)
    }
}
