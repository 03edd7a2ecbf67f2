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
