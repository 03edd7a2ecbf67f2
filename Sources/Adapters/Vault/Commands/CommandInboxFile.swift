/// Commands that were acknowledged to the broker and are not done yet: a line each, on disk before the broker hears
/// that they need not be sent again. Blocking I/O; one thread at a time.
public struct CommandInboxFile: Sendable {
    public var path: String { file.path }
    private let file: CheckedLines

    /// - Parameters:
    ///   - stateDirectory: absolute.
    ///   - marks: of this directory.
    public init(stateDirectory: String, marks: StateMarks? = nil) {
        file = CheckedLines(path: stateDirectory + "/commands.inbox", marks: marks)
    }

    /// Durable when it returns.
    ///
    /// - Parameter token: without a line break.
    public func append(_ token: [UInt8]) throws(DiskFailure) {
        try file.append(CheckedLine.seal(token))
    }

    /// Before anything is appended: sets a damaged file aside, and goes on with the commands that are sound.
    ///
    /// - Returns: the damage; nil where there is none.
    public func mend() throws(DiskFailure) -> DiskFailure? { try file.mend() }

    /// In the order in which they came.
    public func load() throws(DiskFailure) -> [[UInt8]] {
        try file.load().compactMap { $0.map(Array.init) }
    }

    /// These are left; none is no file.
    public func replace(with tokens: [[UInt8]]) throws(DiskFailure) {
        try file.replace(with: tokens.flatMap { CheckedLine.seal($0) })
    }
}
