import Crypto
import FoundationEssentials
public import GatewayModel
import JSONReading

/// SHA-256 of an input: nothing of the input itself is kept.
public struct InputDigest: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// - Parameter bytes: the input, or its beginning where it is longer than is recorded.
    public init(of bytes: some Collection<UInt8>) {
        description = Base64URL.encode(Array(SHA256.hash(data: Data(bytes))))
    }

    init(_ text: String) { description = text }
}

/// The inputs in whose handling the gateway died, and how often: one JSON object a line. Blocking I/O.
///
/// A line that cannot be read is left out: at worst its input is tried once more.
public struct SetAsideFile: Sendable {
    private struct Line: Codable {
        var sha256: String
        var deaths: Int
        /// Of the last death's discovery, milliseconds since 1970.
        var at: Int64
    }

    public struct Entry: Hashable, Sendable {
        public let digest: InputDigest
        public var deaths: Int
        public var at: WallTime

        public init(digest: InputDigest, deaths: Int, at: WallTime) {
            (self.digest, self.deaths, self.at) = (digest, deaths, at)
        }
    }

    /// The oldest go first. A gateway that dies of more inputs than these has other troubles.
    static let most = 256

    public let path: String

    /// - Parameter stateDirectory: absolute.
    public init(stateDirectory: String) {
        path = stateDirectory + "/set-aside.jsonl"
    }

    /// The oldest first.
    public func load() throws(DiskFailure) -> [Entry] {
        try (DurableFile.read(path) ?? []).split(separator: UInt8(ascii: "\n")).compactMap { bytes in
            guard let line: Line = JSONLine.read(bytes), (1...1_000).contains(line.deaths) else { return nil }
            return Entry(
                digest: InputDigest(line.sha256), deaths: line.deaths,
                at: WallTime(millisecondsSince1970: line.at))
        }
    }

    /// Durable when it returns.
    public func save(_ entries: [Entry]) throws(DiskFailure) {
        let lines = entries.suffix(Self.most).flatMap { entry in
            JSONLine.bytes(
                Line(
                    sha256: entry.digest.description, deaths: entry.deaths,
                    at: entry.at.millisecondsSince1970)) + [UInt8(ascii: "\n")]
        }
        try DurableFile.replace(path, with: lines)
    }
}
