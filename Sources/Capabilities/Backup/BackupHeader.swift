import Ciphers
import Crypto
import FoundationEssentials
import GatewayModel
import JSONReading

/// Beginning of a backup file, in clear: three lines of text. Pure.
///
///     HomeGateway backup 1
///     {"check":"…","chunk":65536,"made":1764172800000,"n":131072,"p":1,"r":8,"salt":"…","version":"0.1.0"}
///     SHA-256 of the two lines before, with their line breaks, in hexadecimal digits
///
/// The third line tells damage from wrong words. It proves nothing about the author: each chunk after the header is sealed with
/// the header as associated data.
struct BackupHeader: Sendable {
    static let format = 1
    static let title = "HomeGateway backup "
    /// Bytes that hold every header.
    static let mostBytes = 1024
    /// Bytes of a chunk before it is sealed.
    static let chunk = 65_536
    static let saltLength = 16

    private struct Facts: Codable {
        let check: String
        let chunk: Int
        let made: Int64
        let n, p, r: UInt64
        let salt: String
        let version: String
    }

    let made: Int64
    let version: String
    let cost: ScryptCost
    let salt: [UInt8]
    /// Second half of the derived bytes: tells whether words are the right ones.
    let check: [UInt8]
    /// The header as it stands in the file.
    let bytes: [UInt8]

    init(made: Int64, version: String, cost: ScryptCost, salt: [UInt8], check: [UInt8]) {
        (self.made, self.version, self.cost, self.salt, self.check) = (made, version, cost, salt, check)
        let facts = Facts(
            check: Hexadecimal.text(check), chunk: Self.chunk, made: made, n: cost.n, p: cost.p, r: cost.r,
            salt: Hexadecimal.text(salt), version: version)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Numbers and texts always encode.
        let json = (try? encoder.encode(facts)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let lines = "\(Self.title)\(Self.format)\n\(json)\n"
        bytes = Array((lines + Self.digest(lines) + "\n").utf8)
    }

    /// - Parameter beginning: the first `mostBytes` bytes of the file, or all of it.
    init(parsing beginning: [UInt8]) throws(BackupFault) {
        let lines = beginning.split(
            separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
        guard beginning.starts(with: Self.title.utf8) else {
            throw BackupFault("this is no backup of HomeGateway: expected a file that homegateway backup wrote")
        }
        guard lines.count == 4 else { throw Self.damaged }
        let texts = lines.prefix(3).map { String(decoding: $0, as: UTF8.self) }
        guard texts[2] == Self.digest("\(texts[0])\n\(texts[1])\n") else { throw Self.damaged }
        guard let format = Int(texts[0].dropFirst(Self.title.utf8.count)) else { throw Self.damaged }
        guard format == Self.format else {
            throw BackupFault(
                "saw a backup of the form \(format), expected \(Self.format): install the version of homegateway that made it, or a later one"
            )
        }
        guard let facts = try? JSONReader.decode(Facts.self, from: lines[1], limit: Self.mostBytes),
            facts.chunk == Self.chunk, let cost = ScryptCost(n: facts.n, r: facts.r, p: facts.p),
            let salt = Hexadecimal.bytes(facts.salt), salt.count == Self.saltLength,
            let check = Hexadecimal.bytes(facts.check), check.count == 32
        else { throw Self.damaged }
        (made, version, self.cost, self.salt, self.check) = (facts.made, facts.version, cost, salt, check)
        bytes = Array(texts.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
    }

    private static var damaged: BackupFault {
        BackupFault(
            "the beginning of the file is damaged or was changed: take another copy of this backup, or an earlier one"
        )
    }

    private static func digest(_ text: String) -> String {
        Hexadecimal.text(Array(SHA256.hash(data: Array(text.utf8))))
    }
}

/// Bytes as lower-case hexadecimal digits.
enum Hexadecimal {
    static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.map { UInt8(String(Unicode.Scalar($0)), radix: 16) }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let values = digits.compactMap(\.self)
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}

/// Key of a backup, and the sealing of its chunks. Pure.
///
/// The key belongs to one file, because its salt is random. So a counter is nonce enough: 11 bytes of the chunk's number, and
/// one byte that is 1 for the last chunk (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár, 2015). A chunk that was
/// moved, left out or cut off does not open.
struct ChunkCipher: Sendable {
    static let tag = 16

    private let key: AES256Key
    private let header: [UInt8]
    private let cipher = OpenSSLCipher()

    /// Makes the header of a new file, and its key. Blocks for about a second.
    static func new(
        _ words: BackupWords, made: Int64, version: String, cost: ScryptCost = .standard
    ) throws(BackupFault) -> (header: BackupHeader, cipher: ChunkCipher) {
        var random = SystemRandomNumberGenerator()
        let salt = (0..<BackupHeader.saltLength).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let (key, check) = try derive(words, cost, salt)
        let header = BackupHeader(made: made, version: version, cost: cost, salt: salt, check: check)
        return (header, ChunkCipher(key: key, header: header.bytes))
    }

    private init(key: AES256Key, header: [UInt8]) { (self.key, self.header) = (key, header) }

    /// Blocks for about a second. Errors: the words are not those of the file.
    init(_ words: BackupWords, of header: BackupHeader) throws(BackupFault) {
        let (key, check) = try Self.derive(words, header.cost, header.salt)
        guard check == header.check else {
            throw BackupFault(
                "the words are not those of this backup: they are in the list, and another word or order is meant. Nothing was changed"
            )
        }
        (self.key, self.header) = (key, header.bytes)
    }

    private static func derive(
        _ words: BackupWords, _ cost: ScryptCost, _ salt: [UInt8]
    ) throws(BackupFault) -> (key: AES256Key, check: [UInt8]) {
        guard let bytes = cost.derive(from: words.bytes, salt: salt, count: 64),
            let key = AES256Key(Array(bytes.prefix(32)))
        else {
            throw BackupFault(
                "there is not enough memory: \(cost.memory >> 20) MiB are needed; stop other programs")
        }
        return (key, Array(bytes.suffix(32)))
    }

    func seal(_ plain: [UInt8], number: UInt64, isLast: Bool) throws(BackupFault) -> [UInt8] {
        guard
            let sealed = cipher.seal(
                plain, key: key, nonce: Self.nonce(number, isLast), associatedData: header)
        else { throw BackupFault("OpenSSL cannot encrypt: reinstall libssl3") }
        return sealed
    }

    /// Nil where the chunk is another one, or damaged.
    func open(_ sealed: [UInt8], number: UInt64, isLast: Bool) -> [UInt8]? {
        cipher.open(sealed, key: key, nonce: Self.nonce(number, isLast), associatedData: header)
    }

    private static func nonce(_ number: UInt64, _ isLast: Bool) -> [UInt8] {
        [0, 0, 0] + stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
            + [isLast ? 1 : 0]
    }
}
