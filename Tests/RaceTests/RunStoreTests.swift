import Foundation
import GatewayModel
import ModelSamples
import RunBeacon
import RunFiles
import Settings
import SettingsSamples
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Hub
@testable import Race

@Suite struct RunStoreTests {
    /// Reports of a store.
    private final class Witness: Sendable {
        let damaged = Mutex(0)
        let disk = Mutex<[Bool]>([])
        let files = Mutex<[Int]>([])

        var reports: RunStore.Reports {
            RunStore.Reports(
                damage: { [self] _ in damaged.withLock { $0 += 1 } },
                disk: { [self] failure in disk.withLock { $0.append(failure == nil) } },
                files: { [self] errors in files.withLock { $0.append(errors.count) } })
        }
    }

    private func store(
        _ sample: RunSample, _ witness: Witness = Witness(), followers: [RunStore.Follow] = []
    ) -> RunStore {
        RunStore(
            folder: RunFolder(path: sample.folder.path) { path in throw RunSample.NoCourse(description: path) },
            stateDirectory: sample.folder.path, reports: witness.reports, followers: followers)
    }

    private func bibs(_ store: RunStore) -> [Int] {
        store.book.enrolments[RunID(sample: "milan")]?.map(\.number).sorted() ?? []
    }

    private let milan = RunID(sample: "milan")
    /// Within the run of the sample.
    private var during: WallTime { get throws { try #require(WallTime(rfc3339: "2026-05-10T10:00:00+02:00")) } }

    private func sample() throws -> RunSample {
        let sample = try RunSample()
        try sample.write(
            RunSample.text(participants: RunSample.participant + "\n[[participants]]\nbib = 18"),
            to: "milan.toml")
        return sample
    }

    @Test func `who has left and who was enrolled is so after a stop at any time`() throws {
        let sample = try sample()
        let first = store(sample)
        #expect(bibs(first) == [17, 18])
        #expect(try first.leave(milan, [#require(Bib(17))], at: during) && first.keep())
        #expect(try first.perform(.enrol(milan, [Entrant(bib: #require(Bib(19)))]), at: during) == true)
        #expect(bibs(store(sample)) == [18, 19])
    }

    @Test func `a run of a command has its course without a file beside it, after a stop too`() throws {
        let sample = try sample()
        let first = store(sample)
        let line = try CourseLine("owntGo|aw@R_Dsb@ox@")
        let rome = RunID(sample: "rome")
        let milan = try #require(first.book.runs[milan])
        let outline = RunOutline(
            title: "Rome", end: milan.end, waves: milan.waves, checkpoints: milan.checkpoints,
            course: .line(line))
        #expect(
            try first.perform(.create(RunPlan(id: rome, outline: outline, entrants: [])), at: during) == true)
        let names = try FileManager.default.contentsOfDirectory(atPath: sample.folder.path)
        for book in [first.book, store(sample).book] { #expect(book.runs[rome]?.course == line.course) }
        #expect(
            names.sorted() == ["milan.toml", "runs-copy.json", "runs.json"], "nothing beside the run files")
        // A reload reads the files alone.
        guard case .success = first.reload() else {
            Issue.record("not reloaded")
            return
        }
        #expect(first.book.runs[rome]?.course == line.course && first.book.warnings.isEmpty)
    }

    @Test func `one damaged file loses nothing, and both lose it without stopping the start`() throws {
        let sample = try sample()
        let first = store(sample)
        #expect(try first.leave(milan, [#require(Bib(17))], at: during) && first.keep())
        try sample.write("{\"layers\":", to: "runs.json")
        let second = Witness()
        #expect(bibs(store(sample, second)) == [18] && second.damaged.withLock { $0 } == 1)
        try sample.write("[]", to: "runs.json")
        try sample.write("", to: "runs-copy.json")
        let third = Witness()
        #expect(bibs(store(sample, third)) == [17, 18] && third.damaged.withLock { $0 } == 2)
        let names = try FileManager.default.contentsOfDirectory(atPath: sample.folder.path)
        #expect(names.contains { $0.hasPrefix("runs.json.damaged-") })
    }

    @Test func `who leaves leaves at once where the disk takes nothing, and nothing else is changed`() throws {
        let sample = try sample()
        let witness = Witness()
        let store = store(sample, witness)
        // A directory of this name cannot be replaced by a file.
        try FileManager.default.removeItem(at: sample.folder.appending(path: "runs.json"))
        try FileManager.default.createDirectory(
            at: sample.folder.appending(path: "runs.json"), withIntermediateDirectories: false)
        #expect(try store.perform(.enrol(milan, [Entrant(bib: #require(Bib(19)))]), at: during) == nil)
        #expect(bibs(store) == [17, 18])
        #expect(try store.leave(milan, [#require(Bib(17))], at: during))
        #expect(!store.keep() && bibs(store) == [18])
        #expect(witness.disk.withLock { $0 } == [true, false, false], "at the start, and twice since")
        try FileManager.default.removeItem(at: sample.folder.appending(path: "runs.json"))
        #expect(try !store.leave(milan, [#require(Bib(17))], at: during), "as it is already")
        #expect(store.keep() && bibs(self.store(sample)) == [18])
    }

    @Test func `a reload takes what is right, and nothing while one file is wrong`() throws {
        let sample = try sample()
        let witness = Witness()
        let milan = milan
        let told = Recorder<[Int]>()
        let store = store(
            sample, witness,
            followers: [{ book in told.add(book.enrolments[milan]?.map(\.number).sorted() ?? []) }])
        try sample.write(RunSample.text(), to: "milan.toml")
        try sample.write("id = 1", to: "rome.toml")
        guard case .failure(let wrong) = store.reload() else {
            Issue.record("a wrong file was taken")
            return
        }
        #expect(wrong.errors.count == 1 && bibs(store) == [17, 18])
        try sample.write(RunSample.text(id: "rome"), to: "rome.toml")
        guard case .success = store.reload() else {
            Issue.record("sound files were not taken")
            return
        }
        #expect(bibs(store) == [17] && store.book.runs.count == 2)
        #expect(told.values == [[17, 18], [17]], "at once, and after each change")
        #expect(witness.files.withLock { $0 } == [0, 1, 0])
    }

    @Test func `a run file that is gone, or has become wrong, takes nobody out of the run`() throws {
        let sample = try sample()
        let first = store(sample)
        #expect(try first.leave(milan, [#require(Bib(17))], at: during) && first.keep())
        try FileManager.default.removeItem(at: sample.folder.appending(path: "milan.toml"))
        guard case .success = first.reload() else {
            Issue.record("a folder without files was not taken")
            return
        }
        #expect(first.book.runs.isEmpty && bibs(first) == [18])
        #expect(bibs(store(sample)) == [18], "after a restart without it")
        try sample.write("id = 1", to: "milan.toml")
        #expect(bibs(store(sample)) == [18], "after a restart with half of it")
        try sample.write(RunSample.text(), to: "milan.toml")
        let last = store(sample)
        #expect(bibs(last).isEmpty && last.book.runs[milan] != nil, "17 has left, and the file has no 18")
    }

    @Test func `a run file that is gone, or has become wrong, takes out nobody whom a command has enrolled`()
        throws
    {
        let sample = try sample()
        let first = store(sample)
        #expect(try first.perform(.enrol(milan, [Entrant(bib: #require(Bib(19)))]), at: during) == true)
        try sample.write("id = 1", to: "milan.toml")
        #expect(bibs(store(sample)) == [17, 18, 19], "after a restart with half of it")
        try FileManager.default.removeItem(at: sample.folder.appending(path: "milan.toml"))
        guard case .success = first.reload() else {
            Issue.record("a folder without files was not taken")
            return
        }
        #expect(first.book.runs.isEmpty && bibs(first) == [17, 18, 19])
        // The file is gone since the machine's own now.
        let now = WallTime(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
        #expect(try first.leave(milan, [#require(Bib(19))], at: now) && first.keep())
        #expect(bibs(first) == [17, 18] && bibs(store(sample)) == [17, 18], "and after a restart without it")
    }

    @Test func `a start takes the sound files and tells of the wrong ones`() throws {
        let sample = try sample()
        try sample.write("id = 1", to: "rome.toml")
        let witness = Witness()
        #expect(bibs(store(sample, witness)) == [17, 18] && witness.files.withLock { $0 } == [1])
    }

    /// From many threads at once: all changes are there, in memory and on the disk, and the last one reported is
    /// in force.
    @Test func `changes from many threads are all done and all told in their order`() async throws {
        let sample = try sample()
        let (milan, during) = (milan, try during)
        let told = Recorder<Int>()
        let store = store(sample, followers: [{ told.add($0.runs[milan]?.participants.count ?? 0) }])
        await withTaskGroup(of: Void.self) { group in
            for number in 100..<140 {
                group.addTask {
                    guard let bib = Bib(number) else { return }
                    _ = try? store.perform(.enrol(milan, [Entrant(bib: bib)]), at: during)
                    guard number.isMultiple(of: 2) else { return }
                    _ = try? store.leave(milan, [bib], at: during)
                    _ = store.keep()
                }
            }
        }
        let expected = [17, 18] + (100..<140).filter { !$0.isMultiple(of: 2) }
        #expect(bibs(store) == expected && bibs(self.store(sample)) == expected)
        #expect(told.values.last == expected.count && told.values.count == 1 + 40 + 20)
    }
}
