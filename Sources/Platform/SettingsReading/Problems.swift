/// Faults of one file. Local to one load, never shared.
public final class Problems {
    public let file: String
    /// Mistakes with their place in the tree, in the order in which they were found.
    public private(set) var findings: [Finding] = []
    public private(set) var warnings: [SettingsProblem] = []

    public init(file: String) {
        self.file = file
    }

    public var errors: [SettingsProblem] { findings.map(\.problem) }

    /// - Parameter place: the entry and key in the tree; nil where no single one can be named.
    public func report(
        _ message: String, key: String, at position: TOMLPosition, in place: Finding.Place? = nil
    ) {
        findings.append(Finding(problem: problem(message, key, position), place: place))
    }

    public func warn(_ message: String, key: String, at position: TOMLPosition) {
        warnings.append(problem(message, key, position))
    }

    private func problem(_ message: String, _ key: String, _ position: TOMLPosition) -> SettingsProblem {
        SettingsProblem(
            file: file, line: position.line, column: position.column, key: key, message: message)
    }
}

/// A mistake, and the place in the tree of the file that it is about.
public struct Finding {
    public struct Place {
        public let section: Section
        /// Path of the section's table from the root of the file.
        public let path: [TOMLStep]
        /// Name of a key of the section, or of a section within it.
        public let key: String
    }

    public let problem: SettingsProblem
    public let place: Place?
}

extension [SettingsProblem] {
    /// As the file reads, from top to bottom.
    public var byLine: [SettingsProblem] {
        sorted { ($0.line, $0.column ?? 0, $0.key) < ($1.line, $1.column ?? 0, $1.key) }
    }
}

extension [Finding] {
    /// As the file reads, from top to bottom.
    public var byLine: [Finding] {
        sorted {
            ($0.problem.line, $0.problem.column ?? 0, $0.problem.key)
                < ($1.problem.line, $1.problem.column ?? 0, $1.problem.key)
        }
    }
}

/// One mistake in the settings file: place, key, observation, expectation, remedy.
public struct SettingsProblem: Hashable, Sendable, CustomStringConvertible {
    public let file: String
    /// From 1. Of a missing key: the line of the section that should hold it.
    public let line: Int
    /// From 1, in code points, where it is known.
    public let column: Int?
    /// With its section, `broker.port`; empty where the whole file is meant.
    public let key: String
    public let message: String

    public init(file: String, line: Int, column: Int?, key: String, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.message = message
    }

    /// `FILE:LINE: key: message`, the form editors and terminals make a link of.
    public var description: String {
        "\(file):\(line): \(key.isEmpty ? "" : "\(key): ")\(message)"
    }
}

/// Why the settings cannot be used. The gateway does not start on any of these.
public enum SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be read; the reason names the remedy.
    case unreadable(path: String, reason: String)
    /// The file is not TOML; only the first place is known.
    case syntax(SettingsProblem)
    /// All that is wrong, by line.
    case problems([SettingsProblem])

    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .syntax(let problem): problem.description
        case .problems(let problems): problems.map(\.description).joined(separator: "\n")
        }
    }
}

extension SettingsError {
    /// The problems, one a line.
    public var lines: [String] { description.split(separator: "\n").map(String.init) }
}
