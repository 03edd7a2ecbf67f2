/// IDs of the readings of one program, made so that a store of millions of them keeps each in a byte or two.
///
/// The 74 bits behind the time are a number of 62 bits that is mixed, and 12 bits that follow from it. One ID after the other
/// counts the number up, so a reader that undoes the mixing finds small steps, while the text looks random in every digit. Two
/// IDs of a sequence differ whatever the clock shows; those of two sequences differ by the random number that each begins with.
///
/// An ID tells the next ones until the sequence takes another random number, after `length` IDs at the most. A call for help
/// that must not be guessed takes `MessageID(wall:using:)`.
public struct MessageIDSequence<Random: RandomNumberGenerator & Sendable>: Sendable {
    /// IDs from one random number: some minutes of a box. A store needs 74 bits for each random number between two readings of a
    /// series, and of a series with a reading a minute each third ID follows another one.
    private static var length: Int { 1_024 }

    /// Random numbers, also for IDs that belong to no sequence.
    public var random: Random
    private var number: UInt64 = 0
    private var left = 0

    public init(_ random: Random) { self.random = random }

    /// Returns the next ID, made at `wall`.
    public mutating func next(at wall: WallTime) -> MessageID {
        if left == 0 { (number, left) = (random.next(), Self.length) }
        defer { (number, left) = (number &+ 1, left - 1) }
        return MessageID(wall: wall, number: number & MessageID.numberMask)
    }
}

extension MessageID {
    /// 62 bits.
    fileprivate static let numberMask: UInt64 = 0x3FFF_FFFF_FFFF_FFFF
    /// Two odd numbers, and their inverses in 64 bits.
    private static let (factor, inverse): (UInt64, UInt64) = (0xBF58_476D_1CE4_E5B9, 0x96DE_1B17_3F11_9089)
    private static let checkFactor: UInt64 = 0x94D0_49BB_1331_11EB

    /// The ID of a time and a number of a sequence.
    ///
    /// - Parameter number: below 2^62.
    public init(wall: WallTime, number: UInt64) {
        let number = number & Self.numberMask
        var mixed = number ^ number >> 31
        mixed = mixed &* Self.factor & Self.numberMask
        mixed ^= mixed >> 31
        let time = UInt64(bitPattern: wall.millisecondsSince1970) & 0xFFFF_FFFF_FFFF
        let check = (number &* Self.checkFactor) >> 52
        self.init(high: time << 16 | 0x7000 | check, low: 0x8000_0000_0000_0000 | mixed)
    }

    /// Number of an ID that `init(wall:number:)` may have made; nil for each other one. Time and number give the same ID again.
    public var number: UInt64? {
        guard low >> 62 == 0b10 else { return nil }
        // A shift by half of the bits undoes itself.
        var number = low & Self.numberMask
        number ^= number >> 31
        number = number &* Self.inverse & Self.numberMask
        number ^= number >> 31
        return MessageID(wall: wall, number: number) == self ? number : nil
    }
}
