/// Reads received bytes from front to back, little-endian as all of GATT is. Never reads past the end.
public struct ByteReader: Sendable {
    private let bytes: [UInt8]
    private var position = 0

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Bytes not yet read.
    public var left: Int { bytes.count - position }

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

    private func need(_ count: Int, _ field: String) throws(DecodeError) {
        guard left >= count else { throw .truncated(field: field, needed: count, left: left) }
    }
}
