import Alarms
import CloudCommands
import CommandSamples
import Foundation
import GatewayModel
import HomeGateway
import Hub
import OutboxService
import RealTime
import Samples
import SettingsService
import TestSupport
import Testing
import Vault

@testable import SignedCommands

@Suite struct `The inbox of commands` {
    private let issuer = TestIssuer.ed25519()

    /// A command that is performed also where the disk of a busy machine is late.
    private func token(_ number: Int) throws -> [UInt8] {
        try CommandRig.token(number, CommandRig.leave, by: issuer)
    }

    private func copies(_ rig: CommandRig) throws -> [[UInt8]] {
        try rig.state.database.rows(of: .waitingCommand).map(\.content)
    }

    @Test func `has a command that waits on the disk before it says so, until it is done`() async throws {
        let rig = try await CommandRig(issuer)
        try await rig.state.running { _ in
            try await rig.receiving {
                // The first is next: its service writes it down with its effect.
                for number in 1...3 { rig.inbox.receive(try token(number)) }
                let waiting = [try token(2), try token(3)]
                #expect(await eventually { (try? copies(rig)) == waiting })
            }
        }
        // The next run goes on with them.
        let next = try await CommandRig(issuer, in: try StateRig(in: rig.state.scratch))
        try await next.state.running { _ in
            try await next.serving {
                #expect(await next.performed.wait { $0 == ["c-2", "c-3"] })
            }
        }
        #expect(try copies(next).isEmpty)
        #expect(try next.outcome(of: 2) == .done() && next.outcome(of: 3) == .done())
    }

    @Test func `writes nothing down that does not hold`() async throws {
        let rig = try await CommandRig(issuer)
        try await rig.state.running { _ in
            try await rig.receiving {
                for number in 1...9 { rig.inbox.receive(Array("\(number)".utf8)) }
                rig.inbox.receive(try CommandRig.token(1, CommandRig.drill, by: TestIssuer.ed25519()))
            }
        }
        #expect(rig.state.results.values.count { $0 != "well" } == 0)
        #expect(try copies(rig).isEmpty && rig.state.database.rows(of: .command).isEmpty)
    }

    @Test func `keeps for the next run what comes after the last one that is done`() async throws {
        let rig = try await CommandRig(issuer)
        try await rig.state.running { _ in
            try await rig.receiving {
                rig.inbox.close()
                let tokens = [try token(1), try token(2)]
                let begin = ContinuousClock.now
                for token in tokens { rig.inbox.receive(token) }
                // Beyond its budget it returns before the disk of a busy machine has answered.
                let isLate = begin.duration(to: .now) >= WaitBudget.limit
                #expect(try isLate || copies(rig) == tokens)
                #expect(await eventually { (try? copies(rig)) == tokens })
            }
        }
    }

    @Test func `waits a moment for a disk that hangs, and then for nobody until it has answered`() async throws
    {
        // Time stands still, so that nothing but the hanging disk keeps it from waiting again.
        let rig = try await CommandRig(issuer, now: { Sample.moment(0).boot })
        try await rig.receiving {
            // No one is next: each has to be written.
            rig.inbox.close()
            let begin = ContinuousClock.now
            for number in 1...20 { rig.inbox.receive(try token(number)) }
            let waited = begin.duration(to: .now)
            // Waiting for each takes 20 times the limit; the rest is for a busy machine.
            #expect(waited >= WaitBudget.limit && waited < WaitBudget.limit * 10, "\(waited)")
            try await rig.state.running { _ in
                #expect(await eventually { (try? copies(rig).count) == 20 })
            }
        }
    }

    @Test func `has room for so many and no more, until some are done`() async throws {
        let rig = try await CommandRig(issuer)
        try await rig.state.running { _ in
            for number in 1...(CommandInbox.room + 3) { rig.inbox.receive(try token(number)) }
            #expect(rig.queue.count == 3, "each of the last was refused")
            // One reader: two could verify the commands out of their order.
            try await rig.serving {
                #expect(await rig.performed.wait { $0.count == CommandInbox.room })
            }
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
    @Test func `are 20 in any 20 minutes`() {
        var limiter = ReceiptSigner.unowed
        func taken(at second: Double, of tries: Int) -> Int {
            (0..<tries).reduce(0) { count, _ in
                count + (limiter.take(at: Sample.moment(second).boot) ? 1 : 0)
            }
        }
        #expect(taken(at: 0, of: 5) == 5)
        #expect(taken(at: 600, of: 100) == 15)
        #expect(taken(at: 1_199, of: 100) == 0)
        #expect(taken(at: 1_200, of: 100) == 5)
        #expect(taken(at: 86_400, of: 100) == 20)
    }
}
