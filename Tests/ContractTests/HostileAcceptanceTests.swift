import Contract
import Foundation
import HostileInput
import TestSupport
import Testing

/// Inputs of broken or hostile senders: an answer, an error, and never the end of the process.
@Suite(.serialized) struct `Hostile input` {
    private static let alarm = "0190c3a2-0000-7000-8000-000000000000"

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private static func examples(_ folder: String) throws -> [[UInt8]] {
        try FileManager.default.contentsOfDirectory(
            at: Repository.root.appending(path: "docs/contract/examples/\(folder)"),
            includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
    }

    @Test func `on the topic of acceptances ends nothing`() throws {
        let seeds =
            try Self.examples("accepted") + Self.bytes([#"{"alarm": "\#(Self.alarm)", "by": "Operator 7"}"#])
        Campaign("acceptance").run(seeds: seeds) { _ = try? Acceptance(payload: $0) }
    }
}
