/// Bytes written as in specifications: `"02 01 06"`.
public func octets(_ text: String) -> [UInt8] {
    text.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0, radix: 16) }
}

/// The same "random" bytes in each run.
public struct SeededBytes {
    private var state: UInt64 = 0x5EED

    public init() {}

    public mutating func byte() -> UInt8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
    }

    public mutating func bytes(upTo limit: UInt8) -> [UInt8] { (0..<byte() % limit).map { _ in byte() } }
}
