import CloudCommands
import Consent
import Foundation
import GatewayModel
import HomeGateway
import Hub
import Logging
import ModelSamples
import SOSLocal
import Samples
import Settings
import TestSupport
import Testing
import Vault

@testable import SignedCommands

@Suite struct `The gateway's own key` {
    private let scratch: ScratchDirectory
    private let file: IdentityFile

    init() throws {
        scratch = try ScratchDirectory()
        file = IdentityFile(stateDirectory: scratch.url.path)
    }

    @Test func `is made once, for its own eyes alone`() throws {
        #expect(try file.loadIfAny() == nil)
        let (seed, origin) = try file.load()
        #expect(isMade(origin) && seed.count == GatewayIdentity.seedLength)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try file.load()
        #expect(isKept(again.origin) && again.seed == seed)
        #expect(try file.loadIfAny() == seed)
    }

    private func isMade(_ origin: IdentityFile.Origin) -> Bool {
        if case .made = origin { true } else { false }
    }
    private func isKept(_ origin: IdentityFile.Origin) -> Bool {
        if case .kept = origin { true } else { false }
    }

    private func write(_ content: String, to name: String = "identity.key") throws {
        try Data(content.utf8).write(to: scratch.file(name))
    }

    private func wholeKey() throws -> String {
        try String(contentsOf: scratch.file("identity.key"), encoding: .utf8)
    }

    @Test func `is restored from its copy, whatever is wrong with one of the two`() throws {
        let seed = try file.load().seed
        let whole = try wholeKey()
        let other = whole.hasPrefix("0") ? "1" : "0"
        for name in ["identity.key", "identity-copy.key"] {
            for content in ["", "nonsense", String(whole.dropLast(9)), other + whole.dropFirst()] {
                try write(content, to: name)
                let (found, origin) = try file.load()
                guard case .restored(let damage) = origin else {
                    Issue.record("\(content) in \(name): \(origin)")
                    continue
                }
                #expect(found == seed && damage.isDamage && damage.asidePath != nil)
                #expect(isKept(try file.load().origin))
            }
        }
    }

    @Test func `is another one where both are damaged, and the old ones are kept beside`() throws {
        let seed = try file.load().seed
        for name in ["identity.key", "identity-copy.key"] { try write("nonsense", to: name) }
        let (found, origin) = try file.load()
        var isRenewed = false
        if case .renewed = origin { isRenewed = true }
        #expect(isRenewed, "\(origin)")
        #expect(found != seed)
        #expect(try asides(of: "identity.key").count == 1)
        let again = try file.load()
        #expect(isKept(again.origin) && again.seed == found)
    }

    @Test func `that an earlier version wrote, or that comes from a backup, counts, and the copy follows it`()
        throws
    {
        _ = try file.load()
        let old = [UInt8](repeating: 0xAB, count: 32)
        try write(String(repeating: "ab", count: 32) + "\n")
        #expect(try file.load().seed == old)
        try write("nonsense")
        #expect(try file.load().seed == old)
    }

    @Test func `that others may read is closed to them`() throws {
        let seed = try file.load().seed
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        #expect(try file.load().seed == seed)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `of which few damaged files are kept`() throws {
        for _ in 0..<5 {
            _ = try file.load()
            try write("nonsense")
        }
        _ = try file.load()
        #expect(try asides(of: "identity.key").count <= 3)
    }

    private func asides(of name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).filter {
            $0.hasPrefix("\(name).damaged-")
        }
    }

    @Test func `where none can be kept is told apart from one that is bad`() {
        #expect {
            try IdentityFile(stateDirectory: "/nonexistent/state").load()
        } throws: { ($0 as? IdentityFile.Unusable)?.isDisk == true }
    }

    @Test func `that the disk does not give is told apart from one that is bad`() throws {
        // Reading the first page of a process's own memory is an I/O error.
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "/proc/self/mem")
        #expect {
            try file.load()
        } throws: { error in
            guard let error = error as? IdentityFile.Unusable else { return false }
            return error.isDisk && error.description.contains("Input/output error")
        }
    }

    @Test func `signs receipts that its public part verifies, and no other's`() async throws {
        let identity = try #require(
            GatewayIdentity(gateway: GatewayID(sample: "house-12"), seed: [UInt8](repeating: 7, count: 32)))
        let claims = Array(#"{"iss":"house-12"}"#.utf8)
        let receipt = try identity.sign(claims: claims)
        let check = try await ReceiptCheck(jwk: Array(identity.publicJWK.utf8))
        #expect(try check.claims(of: receipt) == claims)
        let other = GatewayIdentity(makingOneFor: GatewayID(sample: "house-12"))
        let stranger = try await ReceiptCheck(jwk: Array(other.publicJWK.utf8))
        #expect(throws: CommandRefusal.self) { try stranger.claims(of: receipt) }
        for length in 0..<receipt.count {
            #expect(throws: CommandRefusal.self) { try check.claims(of: Array(receipt.prefix(length))) }
        }
    }
}

@Suite struct `What was set by command` {
    private let scratch: ScratchDirectory
    private let database: StateDatabase

    init() throws {
        scratch = try ScratchDirectory()
        database = StateDatabase(in: scratch.url.path)
    }

    private func settings() -> CommandedSettings {
        CommandedSettings(from: database, Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func `holds after a restart, until somebody writes something else into the settings`() throws {
        #expect(settings().heartbeat(insteadOf: .seconds(60)) == .seconds(60))
        var next = settings().content
        next.heartbeat = .init(value: 11, of: 60)
        try database.apply(next.heartbeatChanges)
        let second = settings()
        #expect(second.heartbeat(insteadOf: .seconds(60)) == .seconds(11))
        #expect(second.heartbeat(insteadOf: .seconds(90)) == .seconds(90))
    }

    private func plan(high: Double) -> SOSPlan {
        let rule = LimitRule(
            kind: .heartRate, side: .high, limit: high,
            confirmation: Confirmation(readings: 3, within: .seconds(2)), hysteresis: 5)
        return SOSPlan(
            person: Sample.maria, rules: [rule], windows: AbortWindows(vitalSign: .seconds(2)),
            ways: EscalationPlan(channels: []))
    }

    private func move(to limits: [LimitSlot: Double]) throws {
        var next = settings().content
        next.keep(LimitMove(.heartRate, limits), insteadOf: plan(high: 131).rules, of: Sample.maria)
        try database.apply(next.limitChanges(of: Sample.maria))
    }

    @Test func `are limits in the place of the settings' own, which are shown`() throws {
        try move(to: [.high: 140])
        for found in [settings(), CommandedSettings(readingFrom: scratch.url.path)] {
            #expect(found.rules(of: plan(high: 131)).map(\.limit) == [140])
            #expect(found.lines(of: plan(high: 131)).first?.contains("high is 140.0 by command, 131.0") == true)
            // Somebody has written another figure into the settings since.
            #expect(found.rules(of: plan(high: 125)).map(\.limit) == [125])
        }
        try move(to: [:])
        #expect(settings().rules(of: plan(high: 131)).map(\.limit) == [131])
    }

    @Test func `is taken over from the file of an earlier version`() throws {
        _ = try scratch.write(
            #"{"heartbeat":{"of":60,"value":120},"limits":{"maria":{"heart-rate":{"high":{"of":131,"value":140}}}}}"#,
            to: "commanded.json")
        let found = settings()
        #expect(found.heartbeat(insteadOf: .seconds(60)) == .seconds(120))
        #expect(found.rules(of: plan(high: 131)).map(\.limit) == [140])
    }

    @Test(arguments: [0, -1, Int64.max, .min]) func `is not taken over outside of today's ranges`(
        _ seconds: Int64
    )
        throws
    {
        _ = try scratch.write(
            #"{"heartbeat":{"of":60,"value":\#(seconds)},"#
                + #""limits":{"maria":{"heart-rate":{"high":{"of":131,"value":925}}}}}"#,
            to: "commanded.json")
        let found = settings()
        #expect(found.heartbeat(insteadOf: .seconds(60)) == .seconds(60))
        #expect(found.rules(of: plan(high: 131)).map(\.limit) == [131])
        #expect(found.lines(of: plan(high: 131)).isEmpty)
    }
}

@Suite struct `A refusal of the ledger` {
    @Test func `has its own word in the contract`() {
        for code in ConsentLedger.Refusal.Code.allCases {
            #expect(CommandRefusal.Reason(rawValue: code.rawValue) != nil, "\(code)")
        }
    }
}
