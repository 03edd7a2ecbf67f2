import CloudCommands
import CommandSamples
import Contract
import Foundation
import GatewayModel
import Hub
import OutboxService
import Samples
import Synchronization
import TestSupport
import Testing
import Vault

@testable import SignedCommands

@Suite struct `The service of commands` {
    private let old = TestIssuer.ed25519()
    private let new = TestIssuer.p256(keyID: "2026-2")

    private var rotation: String { #"{"type":"rotate-key","key":\#(new.jwk)}"# }
    private static let heartbeat = #"{"type":"heartbeat-interval","seconds":11}"#
    private static let setting = StateRow(key: "heartbeat", content: Array("11".utf8))

    /// Handler of a setting that counts how often it holds.
    private func settings(_ held: Recorder<Void>) -> [CommandKind: SettingHandler] {
        [
            .heartbeatInterval: { _ in
                .change([.put(.commandedSetting, Self.setting)], .done(), hold: { held.add(()) })
            }
        ]
    }

    @Test func `takes a command of a new key that comes right behind the one that brings the key`() async throws
    {
        let rig = try await CommandRig(old)
        try await rig.state.running { _ in
            try await rig.serving {
                rig.inbox.receive(try CommandRig.token(1, rotation, by: old))
                rig.inbox.receive(try CommandRig.token(2, CommandRig.drill, by: new))
                #expect(await rig.performed.wait { $0 == ["c-2"] })
            }
        }
        #expect(try rig.outcome(of: 1)?.reason == nil && rig.outcome(of: 2) == .done())
        // After a restart, too.
        let next = try await CommandRig(old, in: try StateRig(in: rig.state.scratch))
        try await next.state.running { _ in
            try await next.serving {
                next.inbox.receive(try CommandRig.token(3, CommandRig.drill, by: old))
                next.inbox.receive(try CommandRig.token(4, CommandRig.drill, by: new))
                #expect(await next.performed.wait { $0 == ["c-4"] })
            }
        }
    }

    @Test func `has the number, the effect and the receipt of a setting in one transaction`() async throws {
        let held = Recorder<Void>()
        let rig = try await CommandRig(old, settings: settings(held))
        try await rig.state.running { _ in
            try await rig.serving {
                rig.inbox.receive(try CommandRig.token(1, Self.heartbeat, by: old))
                // It was acknowledged when it was durable.
                #expect(try rig.outcome(of: 1) == .done())
                #expect(await held.wait { $0.count == 1 })
            }
        }
        // One write for the start of the memory, and one for all of the command.
        #expect(rig.state.results.values == ["well", "well"])
        #expect(try rig.state.database.rows(of: .commandedSetting) == [Self.setting])
        #expect(try rig.state.database.rows(of: .receipt).count == 1)
        #expect(try rig.state.database.rows(of: .waitingCommand).isEmpty)
        #expect(rig.queue.count == 1)
    }

    @Test func `sends a receipt again that the outbox may not have, under its ID`() async throws {
        let rig = try await CommandRig(old, settings: settings(Recorder()))
        try await rig.state.running { _ in
            try await rig.serving {
                rig.inbox.receive(try CommandRig.token(1, Self.heartbeat, by: old))
                #expect(await eventually { rig.queue.count == 1 })
                rig.service.care()
            }
        }
        // The outbox has written nothing: the row stays.
        let row = try #require(try rig.state.database.rows(of: .receipt).first)
        let next = try await CommandRig(old, in: try StateRig(in: rig.state.scratch))
        try await next.state.running { _ in
            try await next.serving { #expect(await eventually { next.queue.count == 1 }) }
        }
        #expect(next.queue.takeChanges().rows.map { $0.envelope.id.description } == [row.key])
        #expect(try next.state.database.rows(of: .receipt) == [row])
    }

    @Test func `does nothing that a failing disk does not take, but what only ends something`() async throws {
        let held = Recorder<Void>()
        let scratch = try ScratchDirectory()
        let state = try StateRig(in: scratch, directory: scratch.file("nowhere").path)
        let rig = try await CommandRig(old, in: state, settings: settings(held))
        try await rig.state.running { _ in
            try await rig.serving {
                for (number, command) in [
                    Self.heartbeat, CommandRig.drill, rotation, CommandRig.leave,
                ].enumerated() {
                    rig.inbox.receive(try CommandRig.token(number + 1, command, by: old))
                }
                #expect(await rig.performed.wait { $0 == ["c-4"] })
                #expect(await eventually { rig.queue.count == 4 })
            }
        }
        #expect(held.values.isEmpty)
        #expect(state.results.values.allSatisfy { $0.contains("No such file") })
    }

    @Test func `does what only ends something at once while the disk hangs, and writes it down later`()
        async throws
    {
        let held = Recorder<Void>()
        let rig = try await CommandRig(old, settings: settings(held))
        try await rig.serving {
            rig.inbox.receive(try CommandRig.token(1, Self.heartbeat, by: old))
            let begin = ContinuousClock.now
            for number in 2...9 { rig.inbox.receive(try CommandRig.token(number, CommandRig.drill, by: old)) }
            rig.inbox.receive(try CommandRig.token(10, CommandRig.leave, by: old))
            #expect(await rig.performed.wait { $0 == ["c-10"] })
            // One wait for the disk, and not one for each command.
            #expect(begin.duration(to: .now) < DiskQueue.standardLimit * 2)
            // The first answer of the setting says that it may still be done; it is, with the disk.
            #expect(held.values.isEmpty)
            try await rig.state.running { _ in
                #expect(await held.wait { $0.count == 1 })
                #expect(await eventually { (try? rig.outcome(of: 10)) == .done() })
                let (first, second) = (try rig.outcome(of: 1), try rig.outcome(of: 2))
                #expect(first == .done() && second?.reason == .notKept)
            }
        }
    }

    @Test func `is interrupted by a kill in a command, which is not done again`() async throws {
        let rig = try await CommandRig(old)
        let tokens = [
            try CommandRig.token(1, CommandRig.drill, by: old),
            try CommandRig.token(2, CommandRig.leave, by: old),
        ]
        // As a kill leaves them: used up, and with their copies.
        try await rig.state.running { _ in
            for (number, token) in tokens.enumerated() {
                guard case .fresh(let command) = rig.register.judge(token) else { continue }
                rig.register.put(
                    rig.register.changes(recording: command, nil) + [
                        .put(.waitingCommand, StateRow(key: StateChange.key(Int64(number)), content: token))
                    ])
            }
        }
        let next = try await CommandRig(old, in: try StateRig(in: rig.state.scratch))
        try await next.state.running { _ in
            try await next.serving {
                #expect(await next.performed.wait { $0 == ["c-2"] }, "what only ends something is done again")
                next.inbox.receive(tokens[0])
                #expect(await eventually { next.queue.count == 3 })
            }
        }
        #expect(try next.outcome(of: 1)?.reason == .interrupted && next.outcome(of: 2) == .done())
        #expect(try next.state.database.rows(of: .waitingCommand).isEmpty)
    }
}
