/// Reads received bytes from front to back, little-endian as all of GATT is. Never reads past the end.
public struct ByteReader: Sendable {
    private let bytes: [UInt8]
    private var position = 0

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Bytes not yet read.
    public var left: Int { bytes.count - position }

    /// The byte that is read next, and stays; nil at the end.
    public var next: UInt8? { left > 0 ? bytes[position] : nil }

    /// - Parameter field: its name in the specification, for the error.
    public mutating func uint8(_ field: String) throws(DecodeError) -> UInt8 {
        try need(1, field)
        defer { position += 1 }
        return bytes[position]
    }

    public mutating func uint16(_ field: String) throws(DecodeError) -> UInt16 {
        try need(2, field)
        defer { position += 2 }
        return UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8
    }

    public mutating func uint24(_ field: String) throws(DecodeError) -> UInt32 {
        try need(3, field)
        let low = try uint16(field)
        return UInt32(low) | UInt32(try uint8(field)) << 16
    }

    public mutating func uint32(_ field: String) throws(DecodeError) -> UInt32 {
        try need(4, field)
        let low = try uint16(field)
        return UInt32(low) | UInt32(try uint16(field)) << 16
    }

    public mutating func uint64(_ field: String) throws(DecodeError) -> UInt64 {
        try need(8, field)
        let low = try uint32(field)
        return UInt64(low) | UInt64(try uint32(field)) << 32
    }

    public mutating func int8(_ field: String) throws(DecodeError) -> Int8 {
        Int8(bitPattern: try uint8(field))
    }

    public mutating func int16(_ field: String) throws(DecodeError) -> Int16 {
        Int16(bitPattern: try uint16(field))
    }

    public mutating func int24(_ field: String) throws(DecodeError) -> Int32 {
        Int32(bitPattern: try uint24(field) << 8) >> 8
    }

    public mutating func int32(_ field: String) throws(DecodeError) -> Int32 {
        Int32(bitPattern: try uint32(field))
    }

    public mutating func bytes(_ count: Int, _ field: String) throws(DecodeError) -> [UInt8] {
        try need(count, field)
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// All that was not yet read; nothing is left after it.
    public mutating func rest() -> [UInt8] {
        defer { position = bytes.count }
        return Array(bytes[position...])
    }

    private func need(_ count: Int, _ field: String) throws(DecodeError) {
        guard left >= count else { throw .truncated(field: field, needed: count, left: left) }
    }
}

/// Why received bytes cannot be read. Names no value: bytes of a wearable are personal data.
public enum DecodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes end inside a field.
    case truncated(field: String, needed: Int, left: Int)
    /// A field is whole but is not what this format has there.
    case unexpected(field: String, expected: String)
    /// A value that the field cannot have, and that makes the rest worthless.
    case outOfRange(field: String)
    /// Text that is not UTF-8.
    case notUTF8(field: String)
    /// The sender's check sum is not that of the bytes before it.
    case checksum(field: String)
    /// No decoder reads this characteristic.
    case unknown(BluetoothUUID)

    public var description: String {
        switch self {
        case .truncated(let field, let needed, let left):
            "\(field) needs \(needed) byte(s), \(left) left"
        case .unexpected(let field, let expected):
            "\(field) is not \(expected)"
        case .outOfRange(let field):
            "\(field) is outside the range of its specification"
        case .notUTF8(let field):
            "\(field) is not UTF-8 text"
        case .checksum(let field):
            "\(field) does not match the bytes it covers"
        case .unknown(let uuid):
            "characteristic \(uuid) has no decoder"
        }
    }
}

/// A code on the wire: one of those the specification lists, or one it reserves and a later revision may
/// give a meaning. Unknown codes are kept, not refused.
public enum OpenCode<Known: RawRepresentable & Hashable & Sendable>: Hashable, Sendable
where Known.RawValue: Hashable & Sendable {
    case known(Known)
    case other(Known.RawValue)

    public init(_ raw: Known.RawValue) {
        self = Known(rawValue: raw).map(Self.known) ?? .other(raw)
    }

    public var rawValue: Known.RawValue {
        switch self {
        case .known(let code): code.rawValue
        case .other(let raw): raw
        }
    }

    /// Nil where the code is none that the specification lists.
    public var known: Known? {
        if case .known(let code) = self { code } else { nil }
    }
}
