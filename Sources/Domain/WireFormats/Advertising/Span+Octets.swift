/// Fields of received bytes in place, without a copy.
///
/// Like every subscript of a span these trap beyond the end: `need` stands before each group of them.
extension Span where Element == UInt8 {
    /// - Parameter field: its name in the specification, for the error.
    func need(_ needed: Int, at offset: Int = 0, _ field: StaticString) throws(DecodeError) {
        let left = count - offset
        guard left >= needed else {
            throw .truncated(field: field.description, needed: needed, left: Swift.max(left, 0))
        }
    }

    func littleUInt16(at offset: Int) -> UInt16 {
        UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
    }

    func littleUInt32(at offset: Int) -> UInt32 {
        UInt32(littleUInt16(at: offset)) | UInt32(littleUInt16(at: offset + 2)) << 16
    }

    func bigUInt16(at offset: Int) -> UInt16 {
        UInt16(self[offset]) << 8 | UInt16(self[offset + 1])
    }

    func bigUInt32(at offset: Int) -> UInt32 {
        UInt32(bigUInt16(at: offset)) << 16 | UInt32(bigUInt16(at: offset + 2))
    }

    func bigUInt64(at offset: Int) -> UInt64 {
        UInt64(bigUInt32(at: offset)) << 32 | UInt64(bigUInt32(at: offset + 4))
    }

    func sint8(at offset: Int) -> Int8 { Int8(bitPattern: self[offset]) }

    /// A copy of `range`, for what is kept beyond the span's life.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
            for offset in range { buffer.initializeElement(at: offset - range.lowerBound, to: self[offset]) }
            initialized = range.count
        }
    }
}
