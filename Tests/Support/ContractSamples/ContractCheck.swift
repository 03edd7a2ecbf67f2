public import Contract
import Foundation
import TestSupport

/// `Tests/Contract/check`: what validators that others wrote make of the contract.
public enum ContractCheck {
    public struct Answer: Sendable, CustomStringConvertible {
        public let code: Int32
        /// One line for each thing that is wrong.
        public let problems: [String]
        public let errors: [String]

        public var description: String { (["exit \(code)"] + problems + errors).joined(separator: "\n") }
    }

    /// The first run makes the checker's Python environment, which takes its time on a small machine.
    public static func run(_ words: String...) async throws -> Answer {
        let child = try TiedChild([Repository.root.appending(path: "Tests/Contract/check").path] + words)
        let code = try await child.ending.first("the end of the check", within: .seconds(400)) { _ in true }
        return Answer(code: code, problems: child.output.values, errors: child.errors.values)
    }

    /// A message as somebody at the broker sees it.
    public struct Seen: Encodable {
        public var topic: String
        public var payload: String
        public var retain: Bool
        public var qos = 1

        public init(_ envelope: Envelope) {
            topic = envelope.topic
            payload = String(decoding: envelope.payload, as: UTF8.self)
            retain = envelope.isRetained
        }
    }

    public static func run(messages: [Seen]) async throws -> Answer {
        let scratch = try ScratchDirectory()
        let lines = try messages.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let file = try scratch.write(lines.joined(separator: "\n"), to: "messages.jsonl")
        return try await run("messages", file.path)
    }
}
