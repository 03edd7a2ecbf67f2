import CloudCommands
import CommandSamples
import Consent
import Contract
import Foundation
import GatewayModel
import Hub
import Logging
import OutboxService
import RealTime
import Samples
import TestSupport
import Vault

@testable import Settings
@testable import SignedCommands

/// Signed commands over a state directory of their own. `StateRig.running` lets the disk answer.
final class CommandRig: Sendable {
    let state: StateRig
    let register: CommandRegister
    let inbox: CommandInbox
    let service: CommandService
    let queue: OutboundQueue
    /// Commands in the order in which they were performed.
    let performed = Recorder<String>()

    /// - Parameter settings: handlers of the commands on the gateway's own settings.
    init(
        _ issuer: TestIssuer, in state: StateRig? = nil, settings: [CommandKind: SettingHandler] = [:],
        now: @escaping @Sendable () -> BootInstant = Clock.boot
    ) async throws {
        let state = try state ?? StateRig()
        self.state = state
        // Receipts leave a house in which something was accepted once.
        var consent = ConsentLedger(persons: [Sample.maria])
        _ = try consent.record(
            ConsentDecision(
                .policy(.dataPolicy, .accepted), for: Sample.maria, by: "Maria", means: .commandLine,
                at: Sample.moment(0).wall))
        let gate = ConsentGate(ledger: consent)
        queue = OutboundQueue(gate: gate)
        let receipts = ReceiptSigner(
            identity: GatewayIdentity(makingOneFor: Sample.topics.gateway), gate: gate, queue: queue,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        // A database that fails is as one without rows.
        let rows = (try? CommandRows(state.database.rows)) ?? CommandRows()
        var verifier = try await CommandVerifier.house12(issuer)
        verifier.issuers = [try await issuer.pinned().rotated(by: rows.successors)]
        register = CommandRegister(
            verifier: verifier, rows: rows, writer: state.writer, clock: .assumedRight)
        inbox = CommandInbox(register, earlier: rows.waiting, receipts: receipts, poison: .none, now: now)
        let perform: CommandHandler = { [performed] command in
            performed.add(command.name.id)
            return .done()
        }
        service = CommandService(
            register, inbox: inbox, disk: try DiskQueue("test"), receipts: receipts, unsent: rows.receipts,
            poison: .none, settings: settings,
            handlers: Dictionary(uniqueKeysWithValues: CommandKind.allCases.map { ($0, perform) }))
    }

    static func token(_ number: Int, _ command: String, by issuer: TestIssuer) throws -> [UInt8] {
        let now = Int64(Date().timeIntervalSince1970)
        let claims = TestClaims.with {
            ($0.issued, $0.expires, $0.sequence, $0.id) = ("\(now)", "\(now + 300)", "\(number)", "c-\(number)")
            $0.command = command
        }
        return Array(try issuer.token(claims).utf8)
    }

    static let drill = #"{"type":"drill","person":"maria"}"#
    /// It only ends something: it holds whatever the disk does.
    static let leave = #"{"type":"run-leave","run":"walk","bibs":[18]}"#

    /// Runs the inbox, and during `body` no service.
    func receiving(_ body: () async throws -> Void) async throws {
        async let receiving: Void = inbox.run()
        try await body()
        inbox.stop()
        await receiving
    }

    /// Runs the inbox and the service.
    func serving(_ body: () async throws -> Void) async throws {
        try await receiving {
            async let serving: Void = service.run()
            try await body()
            inbox.close()
            try await serving
        }
    }

    func outcome(of number: Int) throws -> CommandJournal.Outcome? {
        try CommandRows(state.database.rows).journal.entries.first { $0.id == "c-\(number)" }?.outcome
    }
}
