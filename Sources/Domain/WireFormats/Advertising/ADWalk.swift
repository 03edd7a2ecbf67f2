/// Position of one AD structure in the advertising data (Core 5.4, Vol 3, Part C, 11).
public struct ADStructure: Hashable, Sendable {
    public let type: ADType
    /// Range of its data in the bytes that were walked, without length and type.
    public let content: Range<Int>
}

/// Iterator over the AD structures of advertising data, front to back. It copies nothing.
///
///     var walk = ADWalk()
///     while let structure = try walk.next(in: data) { … data.extracting(structure.content) … }
///
/// A length of 0 ends the data early: the rest is padding.
public struct ADWalk: Sendable {
    private var position = 0

    public init() {}

    /// Returns the next structure, or nil at the end. An error also ends the walk, because no length gives the start of
    /// another structure.
    /// - Parameter data: the same bytes in each call.
    public mutating func next(in data: Span<UInt8>) throws(DecodeError) -> ADStructure? {
        guard position < data.count else { return nil }
        let length = Int(data[position])
        let start = position + 1
        guard length > 0 else {
            position = data.count
            return nil
        }
        guard data.count - start >= length else {
            position = data.count
            throw .truncated(field: "AD structure", needed: length, left: data.count - start)
        }
        position = start + length
        return ADStructure(type: ADType(rawValue: data[start]), content: start + 1..<position)
    }
}

/// Type of an AD structure (Assigned Numbers, 2.3 "Common Data Types"). Unknown codes are kept.
public struct ADType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let flags = ADType(rawValue: 0x01)
    public static let serviceData16 = ADType(rawValue: 0x16)
    public static let appearance = ADType(rawValue: 0x19)
    public static let manufacturerData = ADType(rawValue: 0xFF)
}
