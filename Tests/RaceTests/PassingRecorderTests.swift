import Foundation
import GatewayModel
import Glibc
import Hub
import ModelSamples
import RunBeacon
import Samples
import TestSupport
import Testing
import Vault

@testable import Race

@Suite struct `The recorder of passings` {
    private let scratch: ScratchDirectory
    private let kept = Recorder<RecordedPassing>()
    private let health = Recorder<PassingRecorder.Health>()
    private var path: String { scratch.url.path + "/passings.jsonl" }

    init() throws { scratch = try ScratchDirectory() }

    private let memories = Recorder<PassingRecorder.Memory>()

    private func recorder() throws -> PassingRecorder {
        let place = PassingPlace(directory: scratch.url.path, gateway: RaceSample.box, boot: "b-1")
        return try PassingRecorder(in: place, onKept: kept.add, onRecall: memories.add, onHealth: health.add)
    }

    private func running(_ recorder: PassingRecorder, _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await recorder.run() }
            defer { recorder.stop() }
            try await body()
        }
    }

    private func written() throws -> [RecordedPassing] {
        try PassingReport(of: scratch.url.path).records
    }

    @Test func `hands each on once, in order, when it is in the log`() async throws {
        let recorder = try recorder()
        let all = (1...200).map { RaceSample.record($0) }
        try await running(recorder) {
            for record in all {
                recorder.keep(record)
                if record.passing.id == all[100].passing.id { recorder.note(.start) }
            }
            #expect(await kept.wait { $0.count == all.count })
            #expect(kept.values == all)
            let written = try self.written()
            #expect(written == all)
            recorder.tick(at: Sample.moment(1e6).boot)
            #expect(kept.values.count == all.count)
        }
        #expect(health.values.isEmpty)
    }

    @Test func `writes what was given to it before the stop`() async throws {
        let recorder = try recorder()
        try await running(recorder) { for number in 1...50 { recorder.keep(RaceSample.record(number)) } }
        let written = try self.written()
        #expect(written.count == 50)
        #expect(kept.values.count == 50)
    }

    @Test func `goes on with a disk that fails, says so, and writes it all when the disk is back`() async throws
    {
        let recorder = try recorder()
        // Without its directory nothing can be written, and nothing is there to be set aside.
        let directory = URL(filePath: path).deletingLastPathComponent().path
        try FileManager.default.moveItem(atPath: directory, toPath: directory + ".away")
        try await running(recorder) {
            recorder.keep(RaceSample.record(1))
            #expect(await kept.wait { $0.count == 1 }, "timing does not stop")
            #expect(await health.wait { if case .failing = $0.last { true } else { false } })
            try FileManager.default.moveItem(atPath: directory + ".away", toPath: directory)
            recorder.keep(RaceSample.record(2))
            #expect(await health.wait { $0.last == .written })
            let written = try self.written()
            #expect(written == [RaceSample.record(1), RaceSample.record(2)])
            #expect(kept.values.count == 2)
        }
    }

    @Test func `tells what the log says of each run once, and all of it when it is opened`() async throws {
        let (rome, milan) = (RunID(sample: "rome"), RaceSample.run)
        let first = try recorder()
        try await running(first) { for number in 1...3 { first.keep(RaceSample.record(number)) } }
        let second = try recorder()
        try await running(second) {
            second.recall([milan])
            #expect(await memories.wait { $0.count == 2 })
            second.keep(RaceSample.record(4))
            second.recall([milan, rome])
            #expect(await memories.wait { $0.count == 3 })
            second.recall([milan, rome])
            second.recall([RunID(sample: "turin")])
            #expect(await memories.wait { $0.count == 4 })
        }
        // The first is the opening by the first recorder.
        let told = Array(memories.values.dropFirst())
        #expect(told.map { $0.records.map(\.passing.id) } == [(1...3).map { Sample.id($0) }, [], []])
        #expect(told.map { $0.opened?.records.count } == [3, nil, nil])
        // With the instants that they were heard at.
        #expect(told.first?.records == (1...3).map { RaceSample.record($0) })
    }

    /// A pipe without a reader: a writer that opens it waits, as at a disk that does not answer.
    private func hangTheDisk() {
        unlink(path)
        mkfifo(path, 0o600)
    }

    /// Another file takes the pipe's place; then the writer that waits at the pipe goes on.
    /// - Returns: a descriptor to be closed.
    private func letGoOfTheDisk() -> Int32 {
        rename(path, path + ".pipe")
        return open(path + ".pipe", O_RDWR | O_NONBLOCK)
    }

    @Test func `waits two seconds for a disk that hangs, and then for none`() async throws {
        let recorder = try recorder()
        try await running(recorder) {
            recorder.keep(RaceSample.record(0), made: Sample.moment(1))
            #expect(await kept.wait { $0.count == 1 })
            // A file of one line, and then a pipe in its place.
            hangTheDisk()
            let made = Sample.moment(100)
            recorder.keep(RaceSample.record(1), made: made)
            recorder.keep(RaceSample.record(2), made: Sample.moment(101))
            recorder.tick(at: Sample.moment(101.9).boot)
            #expect(kept.values.count == 1)
            recorder.tick(at: Sample.moment(102).boot)
            #expect(kept.values == [RaceSample.record(0), RaceSample.record(1)])
            #expect(health.values.count == 1)
            let reader = letGoOfTheDisk()
            defer { close(reader) }
            #expect(await kept.wait { $0.count == 3 })
            recorder.tick(at: Sample.moment(103).boot)
            #expect(await health.wait { $0.last == .written })
            let written = try self.written()
            #expect(written == [RaceSample.record(1), RaceSample.record(2)])
            #expect(kept.values.count == 3)
        }
    }

    @Test func `has room for all that is timed while a disk hangs for hours`() async throws {
        let recorder = try recorder()
        try await running(recorder) {
            recorder.keep(RaceSample.record(0), made: Sample.moment(0))
            #expect(await kept.wait { $0.count == 1 })
            hangTheDisk()
            recorder.keep(RaceSample.record(1), made: Sample.moment(0))
            // A look each second.
            for second in 1...(2 * PassingRecorder.capacity) {
                recorder.tick(at: Sample.moment(Double(second)).boot)
            }
            recorder.keep(RaceSample.record(2), made: Sample.moment(1e6))
            recorder.tick(at: Sample.moment(1e6 + 3).boot)
            #expect(kept.values == (0...2).map { RaceSample.record($0) })
            let failing = health.values.count
            let reader = letGoOfTheDisk()
            defer { close(reader) }
            #expect(await health.wait { $0.count > failing })
            recorder.tick(at: Sample.moment(1e6 + 4).boot)
            #expect(await health.wait { $0.last == .written })
            #expect(!health.values.contains { "\($0)".contains("had no room") }, "\(health.values)")
            let written = try self.written()
            #expect(written == [RaceSample.record(1), RaceSample.record(2)])
        }
    }
}
