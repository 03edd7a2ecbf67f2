/// Why the settings cannot be used. The gateway does not start on any of these.
public enum SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be read; the reason says what to do.
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
