/// The same numbers of the same words, in every run: what an id is made of that must not change when its message is
/// told again. FNV-1a, then SplitMix64: for ids, and for no secret.
public struct DerivedNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(of words: String) {
        state = words.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
