import Foundation
import Glibc

/// Programs, as they were built beside the tests.
public enum BuiltProgram {
    public static let homegateway = path(of: "homegateway")
    public static let trackme = path(of: "trackme")

    private static func path(of program: String) -> String {
        // The test bundle is the running program, or is loaded by one; either way it lies where the
        // products do.
        let running = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let named = CommandLine.arguments.map { URL(filePath: $0).deletingLastPathComponent() }
        let found = ([running] + named).map { $0.appending(path: program).path }
        return found.first { access($0, X_OK) == 0 } ?? "\(program) is not beside the tests"
    }

    /// Result of a program that has ended.
    public struct Answer: Sendable, CustomStringConvertible {
        public let code: Int32
        public let output: String
        public let errors: String

        public var description: String { "exit \(code)\n\(output)\n\(errors)" }
    }

    /// Runs `homegateway WORDS` to its end.
    public static func run(_ words: [String]) async throws -> Answer {
        try await answer(of: [homegateway] + words)
    }

    /// Runs any program to its end.
    ///
    /// - Parameter input: lines of its standard input, which ends after them; nil for one that stays open.
    public static func answer(
        of words: [String], environment: [String: String] = [:], input: [String]? = nil
    ) async throws -> Answer {
        let child = try TiedChild(words, environment: environment)
        if let input {
            for line in input { child.write(line) }
            child.closeInput()
        }
        let code = try await child.exitCode()
        return Answer(
            code: code, output: child.output.values.joined(separator: "\n"),
            errors: child.errors.values.joined(separator: "\n"))
    }
}
