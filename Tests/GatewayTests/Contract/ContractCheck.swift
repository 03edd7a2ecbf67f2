import Foundation

@testable import Contract

/// `Tests/Contract/check`: what validators that others wrote make of the contract.
enum ContractCheck {
    struct Answer: Sendable, CustomStringConvertible {
        let code: Int32
        /// One line for each thing that is wrong.
        let problems: [String]
        let errors: [String]

        var description: String { (["exit \(code)"] + problems + errors).joined(separator: "\n") }
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardizedFileURL

    /// The first run makes the checker's Python environment, which takes its time on a small machine.
    static func run(_ words: String...) async throws -> Answer {
        let child = try TiedChild([root.appending(path: "Tests/Contract/check").path] + words)
        let code = try await child.ending.first("the end of the check", within: .seconds(400)) { _ in true }
        return Answer(code: code, problems: child.output.values, errors: child.errors.values)
    }

    /// A message as somebody at the broker sees it.
    struct Seen: Encodable {
        var topic: String
        var payload: String
        var retain: Bool
        var qos = 1

        init(_ envelope: Envelope) {
            topic = envelope.topic
            payload = String(decoding: envelope.payload, as: UTF8.self)
            retain = envelope.isRetained
        }
    }

    static func run(messages: [Seen]) async throws -> Answer {
        let scratch = try ScratchDirectory()
        let lines = try messages.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let file = try scratch.write(lines.joined(separator: "\n"), to: "messages.jsonl")
        return try await run("messages", file.path)
    }
}
