/// The stable id of one message: a UUID of version 7 (RFC 9562), so that ids sort by time of making.
///
/// A consumer that sees an id twice keeps one. Redelivery carries the same id.
public struct MessageID: Hashable, Codable, Sendable, CustomStringConvertible {
    public let description: String

    /// - Parameters:
    ///   - wall: the time of making, its milliseconds become the first 48 bits.
    ///   - random: where the other 74 bits come from.
    public init(wall: WallTime, using random: inout some RandomNumberGenerator) {
        let time = UInt64(bitPattern: wall.millisecondsSince1970) & 0xFFFF_FFFF_FFFF
        let high = time << 16 | 0x7000 | random.next() & 0x0FFF
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        self.init(high: high, low: low)
    }

    /// Nil unless `text` is a UUID in its 36-character form.
    public init?(_ text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            groups.allSatisfy({ $0.utf8.allSatisfy { byte in byte < 0x80 } && $0.allSatisfy(\.isHexDigit) })
        else { return nil }
        self.description = text.lowercased()
    }

    /// Another id that belongs to this one: the same for the same `purpose`, for what one message causes
    /// besides itself.
    public func derived(_ purpose: StaticString) -> MessageID {
        // FNV-1a over the purpose; only the last 48 bits, which are random, so version and time stay.
        let hash = purpose.withUTF8Buffer { bytes in
            bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        let node = UInt64(description.suffix(12), radix: 16) ?? 0
        let mixed = String((node ^ hash) & 0xFFFF_FFFF_FFFF, radix: 16)
        return MessageID(
            text: description.dropLast(12) + String(repeating: "0", count: 12 - mixed.count) + mixed)
    }

    private init(text: String) {
        description = text
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = MessageID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a UUID")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    private init(high: UInt64, low: UInt64) {
        func hex(_ value: UInt64, _ digits: Int) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: digits - text.count) + text
        }
        self.description = [
            hex(high >> 32, 8), hex(high >> 16 & 0xFFFF, 4), hex(high & 0xFFFF, 4), hex(low >> 48, 4),
            hex(low & 0xFFFF_FFFF_FFFF, 12),
        ].joined(separator: "-")
    }
}
