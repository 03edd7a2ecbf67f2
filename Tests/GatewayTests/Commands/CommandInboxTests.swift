import Foundation
import GatewayModel
import Glibc
import Samples
import Synchronization
import TestSupport
import Testing

@testable import Alarms
@testable import HomeGateway
@testable import Hub
@testable import RealTime
@testable import SettingsService
@testable import SignedCommands
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

    private func take(_ message: String, _ inbox: CommandInbox) -> Bool {
        inbox.take(Array(message.utf8)) { true }
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
            #expect(take("a.b.c", inbox) && take("d.e.f", inbox))
            let kept = try file.load()
            #expect(kept == [Array("a.b.c".utf8), Array("d.e.f".utf8)])
            var arrivals = inbox.arrivals.makeAsyncIterator()
            let first = try #require(await arrivals.next())
            #expect(first.copy == .kept && first.token == Array("a.b.c".utf8))
            inbox.finish(first)
        }
        #expect(try file.load() == [Array("d.e.f".utf8)])
        // The next run goes on with it.
        let next = try inbox()
        var arrivals = next.arrivals.makeAsyncIterator()
        #expect(await arrivals.next()?.token == Array("d.e.f".utf8))
    }

    @Test func `writes nothing down that does not hold, and asks that only where there is room`() async throws {
        try await running(try inbox()) { inbox in
            for number in 0..<CommandInbox.room { #expect(inbox.take(Array("\(number)".utf8)) { false }) }
            var arrivals = inbox.arrivals.makeAsyncIterator()
            #expect(await arrivals.next()?.copy == .notTried)
            #expect(
                !inbox.take(Array("a.b.c".utf8)) {
                    Issue.record("asked")
                    return true
                })
            let kept = try file.load()
            #expect(kept.isEmpty)
        }
    }

    @Test func `keeps for the next run what comes after the last one it gives`() async throws {
        try await running(try inbox()) { inbox in
            inbox.close()
            #expect(take("a.b.c", inbox))
            var arrivals = inbox.arrivals.makeAsyncIterator()
            #expect(await arrivals.next() == nil)
        }
        #expect(try file.load() == [Array("a.b.c".utf8)])
    }

    @Test func `tells what became of a write, and nothing where there was none`() async throws {
        let results = Recorder<String>()
        let nowhere = CommandInboxFile(stateDirectory: scratch.file("nowhere").path)
        let inbox = try CommandInbox(file: nowhere, earlier: []) { results.add($0?.description ?? "well") }
        try await running(inbox) { inbox in
            #expect(take("a.b.c", inbox))
            var arrivals = inbox.arrivals.makeAsyncIterator()
            let arrival = try #require(await arrivals.next())
            #expect(arrival.copy == .late)
            inbox.finish(arrival)
        }
        #expect(results.values.count == 1 && results.values.first?.contains("No such file") == true)
    }

    @Test func `waits a moment for a disk that hangs, and then for nobody until it has answered`() async throws
    {
        // Whoever opens a pipe that nobody reads waits.
        #expect(mkfifo(file.path, 0o600) == 0)
        let answers = Recorder<Void>()
        // Time stands still, so that nothing but the hanging disk keeps it from waiting again.
        let inbox = try CommandInbox(
            file: file, earlier: [], now: { Sample.moment(0).boot }, onResult: { _ in answers.add(()) })
        try await running(inbox) { inbox in
            var arrivals = inbox.arrivals.makeAsyncIterator()
            for message in ["a.b.c", "d.e.f", "d.e.f"] {
                #expect(take(message, inbox))
                #expect(await arrivals.next()?.copy == .late)
            }
            // Open until all is written: a pipe without a reader would end the process of the tests.
            let reader = open(file.path, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            #expect(reader >= 0)
            #expect(await answers.wait { !$0.isEmpty })
            #expect(unlink(file.path) == 0)
            #expect(take("g.h.i", inbox))
            #expect(await arrivals.next()?.copy == .kept)
            // What was on its way to the disk is there by now: the one that was waited for, and no other.
            var written = [UInt8](repeating: 0, count: 100)
            let count = read(reader, &written, written.count)
            let lines = String(decoding: written.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n")
            #expect(lines.count == 1 && lines.first?.hasPrefix("a.b.c #") == true, "\(lines)")
            let kept = try file.load()
            #expect(kept == [Array("g.h.i".utf8)])
        }
    }

    @Test func `waits for the disk so long in a second, whatever comes`() async throws {
        // Each look at the clock is a quarter of a second later: so long each wait seems.
        let time = Mutex(0.0)
        let inbox = try CommandInbox(
            file: file, earlier: [],
            now: {
                time.withLock { time in
                    time += 0.25
                    return Sample.moment(time).boot
                }
            }, onResult: { _ in })
        try await running(inbox) { inbox in
            var arrivals = inbox.arrivals.makeAsyncIterator()
            for (number, copy) in [CommandInbox.Copy.kept, .late, .late].enumerated() {
                #expect(take("a.b.\(number)", inbox))
                #expect(await arrivals.next()?.copy == copy, "\(number)")
            }
            time.withLock { $0 += 1 }
            #expect(take("d.e.f", inbox))
            #expect(await arrivals.next()?.copy == .kept)
            let kept = try file.load()
            #expect(kept == [Array("a.b.0".utf8), Array("d.e.f".utf8)])
        }
    }

    @Test func `has room for so many and no more, until some are done`() async throws {
        try await running(try inbox()) { inbox in
            for number in 0..<CommandInbox.room { #expect(take("a.b.\(number)", inbox)) }
            #expect(!take("a.b.c", inbox))
            var arrivals = inbox.arrivals.makeAsyncIterator()
            inbox.finish(try #require(await arrivals.next()))
            #expect(take("a.b.c", inbox))
        }
    }
}

@Suite struct `Waiting for a disk` {
    @Test func `has so much in any second, however it is spent`() {
        var budget = WaitBudget()
        func left(at second: Double) -> Duration? { budget.remaining(at: Sample.moment(second).boot) }
        func wait(_ start: Double, _ end: Double) {
            budget.recordWait(from: Sample.moment(start).boot, to: Sample.moment(end).boot)
        }
        #expect(left(at: 10) == .milliseconds(200))
        wait(10, 10.05)
        #expect(left(at: 10.5) == .milliseconds(150))
        wait(10.5, 10.65)
        #expect(left(at: 10.7) == nil && left(at: 11.049) == nil)
        #expect(left(at: 11.05) == .milliseconds(50))
        #expect(left(at: 11.65) == .milliseconds(200))
        // One that took longer than it was to.
        wait(20, 23)
        #expect(left(at: 23.9) == nil)
        #expect(left(at: 24) == .milliseconds(200))
    }
}

@Suite struct `Receipts that nobody is owed` {
    @Test func `are so many at once, and then one a minute`() {
        var limiter = ReceiptRateLimiter()
        func taken(at second: Double, of tries: Int) -> Int {
            (0..<tries).reduce(0) { count, _ in
                count + (limiter.takeToken(at: Sample.moment(second).boot) ? 1 : 0)
            }
        }
        #expect(taken(at: 0, of: 100) == 20)
        #expect(taken(at: 59, of: 100) == 0)
        #expect(taken(at: 60, of: 100) == 1)
        #expect(taken(at: 125, of: 100) == 1)
        #expect(taken(at: 86_400, of: 100) == 20)
    }
}
