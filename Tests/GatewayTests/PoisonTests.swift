import Foundation
import GatewayModel
import Logging
import Synchronization
import TestSupport
import Testing

@testable import HomeGateway
@testable import Hub
@testable import RealTime
@testable import Vault

/// A directory in memory: the recorder refuses a disk.
private final class MemoryDirectory {
    let url = URL(filePath: "/dev/shm/homegateway-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }
    deinit { try? FileManager.default.removeItem(at: url) }

    var path: String { url.appending(path: "handling").path }
}

@Suite struct `The flight recorder` {
    private let directory: MemoryDirectory

    init() throws { directory = try MemoryDirectory() }

    /// A mapping that is let go without `end` is what a process leaves that dies.
    private func die(in slot: FlightRecorder.Slot, of bytes: [UInt8]) throws {
        try FlightRecorder(path: directory.path).begin(slot, bytes)
    }

    @Test func `tells the next start what was being handled`() throws {
        for (slot, bytes) in [
            (FlightRecorder.Slot.message, Array("[[[".utf8)), (.command, []),
            (.request, Array(repeating: 7, count: 4_000)),
            (.message, Array(repeating: 9, count: FlightRecorder.room)),
        ] {
            try die(in: slot, of: bytes)
            #expect(try FlightRecorder(path: directory.path).found == [.init(slot: slot, bytes: bytes)])
            // Once.
            #expect(try FlightRecorder(path: directory.path).found == [])
        }
    }

    @Test func `keeps the beginning of an input that is longer than its room`() throws {
        try die(in: .message, of: Array(repeating: 9, count: FlightRecorder.room + 5))
        #expect(try FlightRecorder(path: directory.path).found.first?.bytes.count == FlightRecorder.room)
    }

    @Test func `tells nothing of what was handled to its end`() throws {
        let recorder = try FlightRecorder(path: directory.path)
        for slot in FlightRecorder.Slot.allCases {
            recorder.begin(slot, Array("a".utf8))
            recorder.end(slot)
        }
        recorder.begin(.request, Array("b".utf8))
        #expect(
            try FlightRecorder(path: directory.path).found == [.init(slot: .request, bytes: Array("b".utf8))])
        // A process that still maps the old file harms nobody.
        recorder.end(.request)
    }

    @Test func `tells of each request that had no reply`() throws {
        let guarded = PoisonGuard(
            recordingAt: directory.path, file: SetAsideFile(stateDirectory: "/nowhere"),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { _ in }
        let requests = (0..<FlightRecorder.requestsAtOnce + 2).map { Array("request \($0)".utf8) }
        var recordings = requests.map { guarded.record(request: $0) }
        // A reply, and a request whose handler has gone.
        recordings[3].end()
        recordings.remove(at: 4)
        let found = try FlightRecorder(path: directory.path).found
        #expect(found.allSatisfy { $0.slot == .request })
        let open = requests.prefix(FlightRecorder.requestsAtOnce).enumerated().filter {
            ![3, 4].contains($0.offset)
        }
        #expect(Set(found.map(\.bytes)) == Set(open.map(\.element)))
        withExtendedLifetime(recordings) {}
    }

    @Test func `begins anew whatever its file holds`() throws {
        try die(in: .message, of: Array("a".utf8))
        let whole = try Data(contentsOf: URL(filePath: directory.path))
        var generator = SystemRandomNumberGenerator()
        var files = [Data(), whole.prefix(100), whole.dropLast(), Data(repeating: 0xFF, count: whole.count)]
        for _ in 0..<100 {
            var flipped = whole
            for _ in 0..<8 { flipped[Int.random(in: 0..<4_200, using: &generator)] = .random(in: 0...255) }
            files.append(flipped)
        }
        for file in files {
            try? FileManager.default.removeItem(atPath: directory.path)
            try file.write(to: URL(filePath: directory.path))
            let recorder = try FlightRecorder(path: directory.path)
            #expect(recorder.found.count < FlightRecorder.Slot.allCases.count + FlightRecorder.requestsAtOnce)
            recorder.begin(.command, [1])
        }
        // Neither a link nor a pipe is followed or waited for.
        try FileManager.default.removeItem(atPath: directory.path)
        try FileManager.default.createSymbolicLink(atPath: directory.path, withDestinationPath: "/etc/passwd")
        #expect(try FlightRecorder(path: directory.path).found == [])
        try FileManager.default.removeItem(atPath: directory.path)
        #expect(mkfifo(directory.path, 0o600) == 0)
        #expect(try FlightRecorder(path: directory.path).found == [])
    }

    @Test func `is refused where it cannot be made`() throws {
        #expect(throws: SystemCallError.self) {
            try FlightRecorder(path: "/dev/shm/no-such-directory/handling")
        }
        #expect(throws: SystemCallError.self) { try FlightRecorder(path: "/proc/handling") }
    }
}

@Suite struct `An input that ended the gateway` {
    private let memory: MemoryDirectory
    private let scratch: ScratchDirectory
    private let raised = Recorder<HealthCondition>()

    init() throws {
        memory = try MemoryDirectory()
        scratch = try ScratchDirectory()
    }

    private func start() -> PoisonGuard {
        PoisonGuard(
            recordingAt: memory.path, file: SetAsideFile(stateDirectory: scratch.url.path),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { [raised] in raised.add($0) }
    }

    private func die(in slot: FlightRecorder.Slot, of bytes: [UInt8]) throws {
        try FlightRecorder(path: memory.path).begin(slot, bytes)
    }

    private let poison = Array("[[[".utf8)

    @Test func `is reported and refused at the next start, and at every start from then on`() throws {
        #expect(!start().isSetAside(.message, poison))
        #expect(raised.values.isEmpty)
        try die(in: .message, of: poison)
        _ = start()
        #expect(raised.values == [HealthCondition(.inputSetAside, subject: "broker-message")])
        for _ in 0..<3 {
            let guardian = start()
            #expect(guardian.isSetAside(.message, poison))
            #expect(guardian.isSetAside(.command, poison))
            #expect(!guardian.isSetAside(.message, poison + [0]))
        }
    }

    @Test func `is refused at the control socket after the second death alone`() throws {
        try die(in: .request, of: poison)
        #expect(!start().isSetAside(.request, poison))
        try die(in: .request, of: poison)
        #expect(start().isSetAside(.request, poison))
        #expect(raised.values.allSatisfy { $0.subject == "control-request" })
    }

    @Test func `is recorded only while it is handled`() async throws {
        let guardian = start()
        #expect(guardian.handle(.message, poison) { 7 } == 7)
        let result = await guardian.handle(.command, poison) {
            await Task.yield()
            return 8
        }
        #expect(result == 8)
        guardian.handle(.message, poison) {
            // Another process looks at the file now, as the next start would.
            #expect((try? FlightRecorder(path: memory.path))?.found == [.init(slot: .message, bytes: poison)])
        }
    }

    @Test func `is forgotten where the file of these is damaged, and the start goes on`() throws {
        try die(in: .message, of: poison)
        _ = start()
        let file = scratch.file("set-aside.jsonl")
        let whole = try Data(contentsOf: file)
        for damaged in [
            Data(), whole.prefix(9), Data(repeating: 0x5B, count: 513), Data(repeating: 0, count: 99),
        ] {
            try damaged.write(to: file)
            #expect(!start().isSetAside(.message, poison))
        }
        try (Data("[[[\n{}\n".utf8) + whole).write(to: file)
        #expect(start().isSetAside(.message, poison))
    }

    @Test func `makes room for the newest`() throws {
        let now = WallTime(millisecondsSince1970: 1_000)
        var entries: [SetAsideFile.Entry] = []
        let digests = (0..<300).map { InputDigest(of: [UInt8($0 & 255), UInt8($0 >> 8)]) }
        for digest in digests { entries = PoisonGuard.counting([digest], in: entries, at: now) }
        entries = PoisonGuard.counting([digests[100]], in: entries, at: now)
        let file = SetAsideFile(stateDirectory: scratch.url.path)
        try file.save(entries)
        let kept = try file.load()
        #expect(kept.count == 256)
        #expect(kept.last == .init(digest: digests[100], deaths: 2, at: now))
        #expect(kept.first?.digest == digests[44])
    }
}
