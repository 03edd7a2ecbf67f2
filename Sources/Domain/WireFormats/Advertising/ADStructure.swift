/// One AD structure, where it lies in the advertising data (Core 5.4, Vol 3, Part C, 11).
public struct ADStructure: Hashable, Sendable {
    public let type: ADType
    /// Its data, without length and type: offsets in the bytes that were walked.
    public let content: Range<Int>
}

/// Walks the AD structures of advertising data front to back, copying nothing.
///
///     var walk = ADWalk()
///     while let structure = try walk.next(in: data) { … data.extracting(structure.content) … }
///
/// A length of 0 ends the data early: what follows is padding.
public struct ADWalk: Sendable {
    private var position = 0

    public init() {}

    /// The next structure; nil at the end. After an error the walk has ended too: no length tells where
    /// another structure would begin.
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
