import FoundationEssentials

/// One value that outlives the gateway: a JSON file, replaced as a whole. Blocking I/O.
public struct StateFile<Content: Codable & Sendable>: Sendable {
    public let path: String

    /// - Parameter path: absolute.
    public init(path: String) {
        self.path = path
    }

    /// Nil where nothing was saved.
    ///
    /// Errors: where the content is none of `Content`, `isDamage`, after the file was put aside under another name.
    public func load() throws(DiskFailure) -> Content? {
        guard let bytes = try DurableFile.read(path) else { return nil }
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)) else {
            let aside = path + ".damaged"
            try DurableFile.move(path, to: aside)
            throw DiskFailure(
                "\(path) cannot be understood; it is kept as \(aside)", isForbidden: false, isDamage: true)
        }
        return content
    }

    /// What was saved, for whoever only looks: a damaged file stays where it is, and is none.
    public func peek() throws(DiskFailure) -> Content? {
        try DurableFile.read(path).flatMap { try? JSONDecoder().decode(Content.self, from: Data($0)) }
    }

    /// Durable when it returns.
    public func save(_ content: Content) throws(DiskFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(content) else {
            throw DiskFailure("\(path): what was to be saved is no JSON", isForbidden: false, isDamage: false)
        }
        try DurableFile.replace(path, with: [UInt8](bytes))
    }
}
