/// Beginnings of manufacturer data that are looked for, compiled once. Asked of each advertisement: allocates nothing.
public struct ManufacturerPrefixes: Sendable {
    public struct Prefix: Hashable, Sendable {
        /// Company identifier (Assigned Numbers, 7.1).
        public let company: UInt16
        /// What follows it.
        public let bytes: [UInt8]

        public init(company: UInt16, bytes: [UInt8]) {
            (self.company, self.bytes) = (company, bytes)
        }
    }

    private let prefixes: [Prefix]
    /// Of `bytes`, the longest first: the longer beginning says more.
    private let lengths: [Int]
    private var candidates: [UInt64: [Int]] = [:]

    public var isEmpty: Bool { prefixes.isEmpty }

    public init(_ prefixes: [Prefix]) {
        self.prefixes = prefixes
        lengths = Set(prefixes.map(\.bytes.count)).sorted(by: >)
        for (index, prefix) in prefixes.enumerated() {
            candidates[Self.hash(prefix.company, prefix.bytes.span, 0..<prefix.bytes.count), default: []]
                .append(index)
        }
    }

    /// Which one `content` begins with: its place in what was given; nil for none.
    /// - Parameter content: of an AD structure 0xFF, from the company identifier on.
    public func index(of content: Span<UInt8>) -> Int? {
        guard content.count >= 2 else { return nil }
        let company = content.littleUInt16(at: 0)
        for length in lengths where content.count >= 2 + length {
            guard let found = candidates[Self.hash(company, content, 2..<2 + length)] else { continue }
            for index in found where isPrefix(prefixes[index], of: content, company, length) { return index }
        }
        return nil
    }

    private func isPrefix(_ prefix: Prefix, of content: Span<UInt8>, _ company: UInt16, _ length: Int) -> Bool {
        guard prefix.company == company, prefix.bytes.count == length else { return false }
        for offset in 0..<length where prefix.bytes[offset] != content[2 + offset] { return false }
        return true
    }

    /// FNV-1a: only finds candidates, which are then compared.
    private static func hash(_ company: UInt16, _ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        var hash = 0xcbf2_9ce4_8422_2325 ^ UInt64(company)
        for offset in range { hash = (hash ^ UInt64(bytes[offset])) &* 0x100_0000_01b3 }
        return hash
    }
}
