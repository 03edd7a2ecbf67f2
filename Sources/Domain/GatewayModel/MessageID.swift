/// The stable id of one message: a UUID of version 7 (RFC 9562), so that ids sort by time of making.
///
/// A consumer that sees an id twice keeps one. Redelivery carries the same id, and so does a record that a
/// wearable has stored and gives again: its id begins with the time that the device gave.
public struct MessageID: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The first and the second half, in network order. The text is made where one is asked for.
    public let high, low: UInt64

    /// - Parameters:
    ///   - wall: the time of making, its milliseconds become the first 48 bits.
    ///   - random: where the other 74 bits come from.
    public init(wall: WallTime, using random: inout some RandomNumberGenerator) {
        let time = UInt64(bitPattern: wall.millisecondsSince1970) & 0xFFFF_FFFF_FFFF
        high = time << 16 | 0x7000 | random.next() & 0x0FFF
        low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// When it was made, by its first 48 bits; of an id of another version, any time.
    public var wall: WallTime { WallTime(millisecondsSince1970: Int64(high >> 16)) }

    /// Another id that belongs to this one: the same for the same `purpose`, for a message that another message
    /// causes besides itself.
    public func derived(_ purpose: StaticString) -> MessageID {
        purpose.withUTF8Buffer { changed(by: $0) }
    }

    /// Returns an ID for a message that holds this one and others: the same for the same IDs in the same order.
    public func joined(with others: some Sequence<MessageID>) -> MessageID {
        changed(by: others.flatMap(\.bytes))
    }

    /// Changes the last 48 bits, which are random, so version and time stay.
    private func changed(by bytes: some Sequence<UInt8>) -> MessageID {
        MessageID(high: high, low: low ^ FNVHash(of: bytes).value & 0xFFFF_FFFF_FFFF)
    }

    /// The ID of two halves, of any version.
    public init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}

extension MessageID: Comparable {
    /// In the order of the bytes: by the time of making, where both are of version 7.
    public static func < (left: MessageID, right: MessageID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

// MARK: As bytes

extension MessageID {
    /// The 16 bytes of RFC 9562, in network order.
    public var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
    }

    /// Nil unless there are 16.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let (high, low) = bytes.reduce((UInt64(0), UInt64(0))) { whole, byte in
            (whole.0 << 8 | whole.1 >> 56, whole.1 << 8 | UInt64(byte))
        }
        self.init(high: high, low: low)
    }
}

// MARK: As text

extension MessageID {
    /// Nil unless `text` is a UUID in its 36-character form.
    public init?(_ text: String) {
        guard text.utf8.count == 36 else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for (index, byte) in text.utf8.enumerated() {
            if Self.isHyphen(index) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
            (high, low) = (high << 4 | low >> 60, low << 4 | UInt64(digit))
        }
        self.init(high: high, low: low)
    }

    /// In small letters: `0190c3a2-1234-7000-8000-000000000000`.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { text in
            var (high, low) = (high, low)
            for index in 0..<36 {
                guard !Self.isHyphen(index) else {
                    text[index] = UInt8(ascii: "-")
                    continue
                }
                let digit = UInt8(high >> 60)
                text[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                (high, low) = (high << 4 | low >> 60, low << 4)
            }
            return 36
        }
    }

    /// Where the five groups of digits meet.
    private static func isHyphen(_ index: Int) -> Bool {
        switch index {
        case 8, 13, 18, 23: true
        default: false
        }
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
}
