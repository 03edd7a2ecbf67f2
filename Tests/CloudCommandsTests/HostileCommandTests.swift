import CommandSamples
import Foundation
import HostileInput
import RunBeacon
import TestSupport
import Testing

@testable import CloudCommands

/// Inputs of broken or hostile senders: an answer, an error, and never the end of the process.
@Suite(.serialized) struct `Hostile input` {
    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private static func examples(_ folder: String) throws -> [[UInt8]] {
        try FileManager.default.contentsOfDirectory(
            at: Repository.root.appending(path: "docs/contract/examples/\(folder)"),
            includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
    }

    @Test func `on the topic of commands ends nothing`() async throws {
        let issuer = TestIssuer.ed25519()
        let verifier = try await CommandVerifier.house12(issuer)
        let seeds = [
            try issuer.token(), try issuer.token(TestClaims.with { $0.command = #"{"type":"abort"}"# }),
        ]
        Campaign("command-token").run(
            seeds: Self.bytes(seeds), words: Mutator.jsonWords + [".", "..", "=", "-_"]
        ) {
            _ = verifier.judge($0, at: CommandVerifier.testTime, CommandJournal())
        }
    }

    /// A cloud whose keys were stolen.
    @Test func `in signed commands ends nothing`() throws {
        let seeds = try Self.examples("command")
        try #require(seeds.count > 5)
        Campaign("command-claims").run(seeds: seeds) { bytes in
            guard let claims = try? CommandClaims(bytes) else { return }
            if case .run(.create(let plan)) = claims.command { _ = try? Run(plan) }
        }
    }
}
