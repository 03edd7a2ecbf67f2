/// FNV-1a of 64 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>): tells contents apart, in every run alike. It protects
/// nothing from a person who wants two contents with one hash.
public struct FNVHash: Sendable {
    public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    public init() {}

    public init(of bytes: some Sequence<UInt8>) { add(bytes) }

    /// Goes on from the hash of something else.
    public init(of bytes: some Sequence<UInt8>, after value: UInt64) {
        self.value = value
        add(bytes)
    }

    public mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

    public mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
    }
}
