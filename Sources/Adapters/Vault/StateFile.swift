import FoundationEssentials
import JSONReading

/// One value that outlives the gateway: a JSON file with a checksum, replaced as a whole. Blocking I/O.
public struct StateFile<Content: Codable & Sendable>: Sendable {
    public var path: String { file.path }
    private let file: CheckedFile

    /// - Parameters:
    ///   - path: absolute.
    ///   - marks: of its directory; nil for a reader that changes nothing.
    public init(path: String, marks: StateMarks? = nil) {
        file = CheckedFile(path: path, marks: marks)
    }

    /// Nil where nothing was saved.
    ///
    /// - Throws: `DiskFailure`. Where the content is not as it was saved, it `isDamage`, and the file was set aside.
    public func load() throws(DiskFailure) -> Content? {
        guard let bytes = try file.load() else { return nil }
        guard let content = try? JSONReader.decode(Content.self, from: bytes, limit: DurableFile.largest) else {
            throw try file.damage("cannot be understood")
        }
        return content
    }

    /// The saved value for a reader that changes nothing: a damaged file stays where it is, and counts as none.
    public func peek() throws(DiskFailure) -> Content? {
        try file.peek().flatMap { try? JSONReader.decode(from: $0, limit: DurableFile.largest) }
    }

    /// Durable when it returns.
    public func save(_ content: Content) throws(DiskFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(content) else {
            throw DiskFailure("\(path): what was to be saved is no JSON", isForbidden: false, isDamage: false)
        }
        try file.save([UInt8](bytes))
    }
}
