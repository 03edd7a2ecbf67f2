/// Commands that were acknowledged to the broker and are not done yet: a line each, on disk before the broker hears
/// that they need not be sent again. Blocking I/O; one thread at a time.
public struct CommandInboxFile: Sendable {
    public let path: String

    /// - Parameter stateDirectory: absolute.
    public init(stateDirectory: String) {
        path = stateDirectory + "/commands.inbox"
    }

    /// Durable when it returns.
    ///
    /// - Parameter token: without a line break.
    public func append(_ token: [UInt8]) throws(DiskFailure) {
        // It begins with a line break: after a torn last line the first new one must not be lost with it.
        try DurableFile.append([UInt8(ascii: "\n")] + token + [UInt8(ascii: "\n")], to: path)
    }

    /// In the order in which they came.
    public func load() throws(DiskFailure) -> [[UInt8]] {
        try (DurableFile.read(path) ?? []).split(separator: UInt8(ascii: "\n")).map(Array.init)
    }

    /// These are left; none is no file.
    public func replace(with tokens: [[UInt8]]) throws(DiskFailure) {
        guard !tokens.isEmpty else { return try DurableFile.remove(path) }
        try DurableFile.replace(path, with: tokens.flatMap { $0 + [UInt8(ascii: "\n")] })
    }
}
