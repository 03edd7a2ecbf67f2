import CommandSamples
import Foundation
import GatewayModel
import Logging
import RealTime
import Samples
import Settings
import TestSupport
import Testing

@testable import Alarms
@testable import CloudCommands
@testable import Consent
@testable import Contract
@testable import HomeGateway
@testable import Hub
@testable import OutboxService
@testable import SettingsService
@testable import SignedCommands
@testable import Vault

@Suite struct `The service of commands` {
    private let scratch: ScratchDirectory
    private let old = TestIssuer.ed25519()
    private let new = TestIssuer.p256(keyID: "2026-2")

    init() throws { scratch = try ScratchDirectory() }

    /// Its disk is `keep`; whatever it is asked is done.
    private func service(keep: @escaping @Sendable (CommandJournal) -> Bool) async throws -> CommandService {
        let gate = ConsentGate(ledger: ConsentLedger(persons: []))
        var book = CommandJournal()
        book.begin(at: WallTime(millisecondsSince1970: 0))
        let signer = ReceiptSigner(
            identity: GatewayIdentity(makingOneFor: Sample.topics.gateway), gate: gate,
            queue: OutboundQueue(gate: gate), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let file = CommandInboxFile(stateDirectory: scratch.url.path)
        let done: CommandHandler = { _ in .done() }
        return CommandService(
            verifier: try await .house12(old), book: book,
            inbox: try CommandInbox(file: file, earlier: [], onResult: { _ in }), disk: try DiskQueue("test"),
            receipts: signer, poison: .none, clock: .assumedRight, keep: keep,
            handlers: Dictionary(uniqueKeysWithValues: CommandKind.allCases.map { ($0, done) }))
    }

    private func token(_ number: Int, _ command: String, by issuer: TestIssuer) throws -> [UInt8] {
        let now = Int64(Date().timeIntervalSince1970)
        let claims = TestClaims.with {
            ($0.issued, $0.expires, $0.sequence, $0.id) = ("\(now)", "\(now + 300)", "\(number)", "c-\(number)")
            $0.command = command
        }
        return Array(try issuer.token(claims).utf8)
    }

    private var rotation: String { #"{"type":"rotate-key","key":\#(new.jwk)}"# }

    /// Runs it on `messages`, which are all there before the first is done.
    private func run(
        _ service: CommandService, _ messages: [[UInt8]], until isDone: () async -> Bool
    ) async throws {
        async let keeping: Void = service.inbox.run()
        for message in messages { service.receive(message) }
        async let running: Void = service.run()
        #expect(await isDone())
        service.inbox.close()
        try await running
        service.inbox.stop()
        try await keeping
    }

    @Test func `takes a command of a new key that comes right behind the one that brings the key`() async throws
    {
        let books = Recorder<CommandJournal>()
        let service = try await service {
            books.add($0)
            return true
        }
        let messages = [
            try token(1, rotation, by: old), try token(2, #"{"type":"drill","person":"maria"}"#, by: new),
        ]
        try await run(service, messages) {
            await books.wait { $0.last?.entry(named: "c-2")?.outcome != nil }
        }
        #expect(books.values.last?.entries.map(\.outcome) == [.done(Self.rotated), .done()])
    }

    @Test func `says that a rotation is not written down where the disk takes it no more`() async throws {
        let books = Recorder<CommandJournal>()
        // The command itself is taken by the disk, else it would not be done at all.
        let service = try await service { book in
            defer { books.add(book) }
            return books.values.isEmpty
        }
        try await run(service, [try token(1, rotation, by: old)]) {
            await books.wait { $0.last?.entry(named: "c-1")?.outcome != nil }
        }
        let outcome = try #require(books.values.last?.entries.first?.outcome)
        #expect(outcome.reason == nil && outcome.detail?.hasPrefix(Self.rotated) == true)
        #expect(outcome.detail?.contains("IT IS NOT WRITTEN DOWN") == true)
    }

    private static let rotated =
        "commands of this issuer are taken by the new key, and no longer by the one before"
}

extension CommandJournal {
    fileprivate func entry(named id: String) -> Entry? { entries.first { $0.id == id } }
}
