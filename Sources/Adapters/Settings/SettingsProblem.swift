/// One mistake in the settings file: where, which key, what was seen, what is expected, what to do.
public struct SettingsProblem: Hashable, Sendable, CustomStringConvertible {
    public let file: String
    /// From 1. Of what is missing: the line of the section that should hold it.
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
