/// Numbers in few bytes: small ones take one (LEB128), signed ones by zigzag, as in Protocol Buffers.
struct PackedBytes {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func put(varint value: UInt64) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(value))
    }

    mutating func put(signed value: Int64) {
        put(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    /// Least significant byte first.
    mutating func put(fixed value: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    mutating func put(text: String) {
        put(varint: UInt64(text.utf8.count))
        bytes += text.utf8
    }
}

/// Reads what `PackedBytes` wrote; nil wherever that ends too early or cannot be.
struct PackedReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { offset == bytes.count }
    var remaining: Int { bytes.count - offset }

    mutating func byte() -> UInt8? {
        guard offset < bytes.count else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let next = byte() else { return nil }
            // Of the tenth byte one bit is left.
            guard shift < 63 || next <= 1 else { return nil }
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
        }
        return nil
    }

    mutating func signed() -> Int64? {
        varint().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    /// How many of something follow that takes a byte each at least.
    mutating func count() -> Int? {
        varint().flatMap { $0 <= UInt64(remaining) ? Int($0) : nil }
    }

    mutating func fixed<Value: FixedWidthInteger & UnsignedInteger>(_: Value.Type) -> Value? {
        var value: Value = 0
        for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
            guard let next = byte() else { return nil }
            value |= Value(next) << shift
        }
        return value
    }

    mutating func text() -> String? {
        guard let count = count() else { return nil }
        defer { offset += count }
        return String(validating: bytes[offset..<offset + count], as: UTF8.self)
    }
}
