import Consent
import Contract
import Foundation
import GRDB
import GatewayModel
import HomeGateway
import OutboxService
import RealTime
import Samples
import TestSupport
import Testing
import Vault

/// A disk that holds the outbox's thread up is a thread that takes no turn: the watch writes meanwhile.
@Suite struct `The watch over messages that wait for a slow disk` {
    private static let late = Duration.seconds(1)

    /// One run of the gateway, as far as the outbox goes.
    private final class Run {
        let queue: OutboundQueue
        let sending: OutboxDelivery
        let spill: OutboxSpill
        let watch: OutboxWatch
        let words = Recorder<DeskRig.Word>()
        private let folder: URL
        private let settles: Bool
        private(set) lazy var loop = OutboxLoop(
            path: folder.appending(path: "outbox.sqlite").path, delivery: sending,
            limits: OutboxWriter.Limits(group: .seconds(1), quota: 1 << 30, age: .seconds(86_400 * 36_500)),
            open: [],
            spill: settles ? spill : nil,
            gap: {
                .gap($0, of: $1, id: Sample.id(9_999), at: Sample.moment(0).wall, topics: Sample.topics)
            },
            report: { [words] in words.add(DeskRig.Word($0)) })

        /// - Parameter settles: the loop knows the file of the messages that wait.
        init(in folder: URL, settles: Bool = true) throws {
            (self.folder, self.settles) = (folder, settles)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let gate = ConsentGate(ledger: ConsentLedger(persons: [Sample.maria]))
            _ = try gate.record(
                ConsentDecision(
                    person: Sample.maria, subject: .dataPolicy, verdict: .accepted, by: "test",
                    means: .commandLine, at: Clock.wall()))
            queue = OutboundQueue(gate: gate)
            sending = OutboxDelivery(queue)
            spill = OutboxSpill(at: folder.appending(path: "waiting.sqlite").path, now: Clock.wall)
            watch = OutboxWatch(queue, spill: spill, wakeup: try Wakeup())
        }

        func enqueue(_ numbers: Int...) {
            for number in numbers { queue.enqueue(Sample.cleared(number)) }
        }

        @discardableResult
        func look(after wait: Duration) -> BootInstant? { watch.look(at: Clock.boot().advanced(by: wait)) }

        func turn() { _ = loop.turn(at: Clock.boot(), isLast: true) }

        /// Ids of the messages, in the order in which they are offered.
        func offered() -> [MessageID] {
            sending.connected()
            turn()
            var ids: [MessageID] = []
            while let message = sending.next() {
                ids.append(message.value.id)
                sending.acknowledged(message.value.id)
            }
            return ids
        }

        /// The process ends: nothing is written any more.
        func kill() { spill.close() }
    }

    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func rows(in folder: URL) throws -> Int {
        let queue = try DatabaseQueue(path: folder.appending(path: "waiting.sqlite").path)
        defer { try? queue.close() }
        return try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM message") ?? -1 }
    }

    @Test func `there is no count before the messages of earlier runs are read`() throws {
        try inFolder { folder in
            let run = try Run(in: folder)
            run.enqueue(1)
            #expect(run.queue.unsent == nil)
            run.turn()
            #expect(run.queue.unsent == 1)
        }
    }

    @Test func `a kill loses no message that waited, and the next run sends them in order`() throws {
        try inFolder { folder in
            let first = try Run(in: folder)
            first.enqueue(1, 2)
            first.look(after: Self.late)
            first.enqueue(3)
            first.look(after: Self.late)
            first.kill()
            let second = try Run(in: folder)
            second.turn()
            #expect(second.queue.count == 3)
            #expect(try rows(in: folder) == 0)
            second.enqueue(4)
            #expect(second.offered() == [1, 2, 3, 4].map { Sample.id($0) })
        }
    }

    @Test func `a message that was written in the end is not doubled`() throws {
        try inFolder { folder in
            let first = try Run(in: folder, settles: false)
            first.enqueue(1, 2)
            first.look(after: Self.late)
            first.turn()
            first.enqueue(3)
            first.look(after: Self.late)
            first.kill()
            let second = try Run(in: folder)
            #expect(second.offered() == [1, 2, 3].map { Sample.id($0) })
        }
    }

    @Test func `messages of a run that has not taken over the earlier ones yet are kept beside them`() throws {
        try inFolder { folder in
            let first = try Run(in: folder)
            first.enqueue(1)
            first.look(after: Self.late)
            first.kill()
            let second = try Run(in: folder)
            second.enqueue(2)
            second.look(after: Self.late)
            #expect(try rows(in: folder) == 2)
            second.kill()
            let third = try Run(in: folder)
            #expect(third.offered() == [1, 2].map { Sample.id($0) })
        }
    }

    @Test func `nothing stays in the file once the outbox has the messages`() throws {
        try inFolder { folder in
            let run = try Run(in: folder)
            run.enqueue(1)
            run.look(after: Self.late)
            #expect(try rows(in: folder) == 1)
            run.turn()
            #expect(try rows(in: folder) == 0)
            let payload = Data(Sample.envelope(1).payload)
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
            where name.hasPrefix("waiting") {
                let bytes = try Data(contentsOf: folder.appending(path: name))
                #expect(bytes.range(of: payload) == nil, "\(name)")
            }
        }
    }

    @Test func `messages of a disk that keeps up are not written twice`() throws {
        try inFolder { folder in
            let run = try Run(in: folder)
            #expect(run.look(after: .zero) == nil)
            run.enqueue(1)
            let next = try #require(run.look(after: .zero))
            #expect(next > Clock.boot() && next <= Clock.boot().advanced(by: OutboxWatch.limit))
            run.turn()
            #expect(run.look(after: Self.late) == nil)
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "waiting.sqlite").path))
        }
    }

    @Test func `calls for help are left to the alarm, which makes them again`() throws {
        try inFolder { folder in
            let run = try Run(in: folder)
            run.queue.enqueue(Sample.cleared(1, lane: .alarm, retention: .certain))
            #expect(run.look(after: Self.late) == nil)
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "waiting.sqlite").path))
        }
    }

    @Test func `a row that cannot be read is told of, and the other messages are sent`() throws {
        try inFolder { folder in
            let first = try Run(in: folder)
            first.enqueue(1, 2)
            first.look(after: Self.late)
            first.kill()
            let queue = try DatabaseQueue(path: folder.appending(path: "waiting.sqlite").path)
            try queue.write { try $0.execute(sql: "UPDATE message SET topic = 'other' WHERE place = 1") }
            try queue.close()
            let second = try Run(in: folder)
            #expect(second.offered() == [Sample.id(2)])
            #expect(second.words.values.contains(.unread))
        }
    }

    @Test func `readings that are erased while they wait are not in the file any more`() throws {
        try inFolder { folder in
            let first = try Run(in: folder)
            first.enqueue(1, 2)
            first.look(after: Self.late)
            let erased = Recorder<Int?>()
            let errand = OutboxWriter.Errand.erase(Sample.maria) { erased.add($0) }
            _ = first.loop.turn(at: Clock.boot(), errands: [errand])
            #expect(erased.values == [2])
            #expect(try rows(in: folder) == 0)
            first.kill()
            #expect(try Run(in: folder).offered().isEmpty)
        }
    }

    @Test func `a damaged file is told of, and the other messages are sent`() throws {
        try inFolder { folder in
            let first = try Run(in: folder)
            first.enqueue(1)
            first.turn()
            first.kill()
            try Data("no database, of more than a few bytes".utf8).write(
                to: folder.appending(path: "waiting.sqlite"))
            let second = try Run(in: folder)
            second.enqueue(2)
            #expect(second.offered() == [1, 2].map { Sample.id($0) })
            #expect(second.words.values.contains(.unread))
            second.enqueue(3)
            second.look(after: Self.late)
            #expect(try rows(in: folder) == 1)
        }
    }
}
