import Foundation
import GatewayModel
import Glibc
import Synchronization
import Testing

@testable import HomeGateway
@testable import RealTime
@testable import Vault

@Suite struct `The inbox of commands` {
    private let scratch: ScratchDirectory
    private let file: CommandInboxFile

    init() throws {
        scratch = try ScratchDirectory()
        file = CommandInboxFile(stateDirectory: scratch.url.path)
    }

    private func inbox() throws -> CommandInbox {
        try CommandInbox(file: file, earlier: try file.load()) { _ in }
    }

    private func running(_ inbox: CommandInbox, _ body: (CommandInbox) async throws -> Void) async throws {
        async let disk: Void = inbox.run()
        try await body(inbox)
        inbox.close()
        inbox.stop()
        try await disk
    }

    @Test func `has what it took on the disk before it says so, until it is done`() async throws {
        try await running(try inbox()) { inbox in
            #expect(inbox.take(Array("a.b.c".utf8)) && inbox.take(Array("d.e.f".utf8)))
            let kept = try file.load()
            #expect(kept == [Array("a.b.c".utf8), Array("d.e.f".utf8)])
            var arrivals = inbox.arrivals.makeAsyncIterator()
            let first = try #require(await arrivals.next())
            #expect(first.isKept && first.token == Array("a.b.c".utf8))
            inbox.finish(first)
        }
        #expect(try file.load() == [Array("d.e.f".utf8)])
        // The next run goes on with it.
        let next = try inbox()
        var arrivals = next.arrivals.makeAsyncIterator()
        #expect(await arrivals.next()?.token == Array("d.e.f".utf8))
    }

    @Test func `writes nothing down that cannot be a command`() async throws {
        try await running(try inbox()) { inbox in
            for rubbish in ["", "{}", "a.b.c\n", String(repeating: "A", count: 20_000)] {
                #expect(inbox.take(Array(rubbish.utf8)))
            }
            let kept = try file.load()
            #expect(kept.isEmpty)
        }
    }

    @Test func `waits a moment for a disk that hangs, and then for nobody`() async throws {
        // Whoever opens a pipe that nobody reads waits.
        #expect(mkfifo(file.path, 0o600) == 0)
        let inbox = try CommandInbox(file: file, earlier: []) { _ in }
        // Open until all is written: a pipe without a reader would end the process of the tests.
        let reader = Mutex<Int32>(-1)
        defer { close(reader.withLock { $0 }) }
        try await running(inbox) { inbox in
            #expect(inbox.take(Array("a.b.c".utf8)))
            var arrivals = inbox.arrivals.makeAsyncIterator()
            #expect(await arrivals.next()?.isKept == false)
            // That it did not wait again shows in what is on its way to the disk: nothing more.
            for _ in 0..<5 { #expect(inbox.take(Array("d.e.f".utf8))) }
            for _ in 0..<5 { #expect(await arrivals.next()?.isKept == false) }
            reader.withLock { $0 = open(file.path, O_RDONLY | O_NONBLOCK) }
            #expect(reader.withLock { $0 } >= 0)
        }
    }

    @Test func `has room for so many and no more, until some are done`() async throws {
        try await running(try inbox()) { inbox in
            for number in 0..<CommandInbox.room { #expect(inbox.take(Array("a.b.\(number)".utf8))) }
            #expect(!inbox.take(Array("a.b.c".utf8)))
            var arrivals = inbox.arrivals.makeAsyncIterator()
            inbox.finish(try #require(await arrivals.next()))
            #expect(inbox.take(Array("a.b.c".utf8)))
        }
    }
}

@Suite struct `Receipts that nobody is owed` {
    @Test func `are so many at once, and then one a minute`() {
        var allowance = ReceiptAllowance()
        func taken(at second: Double, of tries: Int) -> Int {
            (0..<tries).reduce(0) { count, _ in count + (allowance.take(at: Sample.moment(second).boot) ? 1 : 0)
            }
        }
        #expect(taken(at: 0, of: 100) == 20)
        #expect(taken(at: 59, of: 100) == 0)
        #expect(taken(at: 60, of: 100) == 1)
        #expect(taken(at: 125, of: 100) == 1)
        #expect(taken(at: 86_400, of: 100) == 20)
    }
}
