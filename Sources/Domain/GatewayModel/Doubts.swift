/// Reasons to doubt a measured value: as its sensor states them, or as the values beside it show.
///
/// A doubtful value is a reading like any other: kept, sent, shown with its doubts. It never confirms an alarm alone.
public struct Doubts: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    // Of an oximeter (Pulse Oximeter Service 1.0, Measurement Status and Device and Sensor Status).
    public static let questionable = Doubts(rawValue: 1 << 0)
    public static let signalIrregularity = Doubts(rawValue: 1 << 1)
    public static let poorSignal = Doubts(rawValue: 1 << 2)
    public static let lowPerfusion = Doubts(rawValue: 1 << 3)
    public static let erraticSignal = Doubts(rawValue: 1 << 4)
    public static let questionablePulse = Doubts(rawValue: 1 << 5)
    public static let interference = Doubts(rawValue: 1 << 6)

    // Of a cuff (Blood Pressure Service 1.1, Measurement Status).
    public static let bodyMovement = Doubts(rawValue: 1 << 7)
    public static let looseCuff = Doubts(rawValue: 1 << 8)
    public static let wrongPosition = Doubts(rawValue: 1 << 9)
    /// A finding as well: a cuff measures less surely where the heart beats unevenly, and a doctor wants to know.
    public static let irregularPulse = Doubts(rawValue: 1 << 10)

    // As `DoubtFinder` finds them.
    /// A heart rate that its own intervals between beats contradict.
    public static let contradictsBeats = Doubts(rawValue: 1 << 11)
    /// The same by a factor of two: each beat counted twice, or each second one.
    public static let miscountedBeats = Doubts(rawValue: 1 << 12)
    /// It lies further from the value before than a body changes in the time.
    public static let jump = Doubts(rawValue: 1 << 13)

    /// Words of the contract, in the order in which they are listed there.
    private static let table: [(doubt: Doubts, word: String)] = [
        (.questionable, "questionable"), (.signalIrregularity, "signal-irregularity"),
        (.poorSignal, "poor-signal"), (.lowPerfusion, "low-perfusion"), (.erraticSignal, "erratic-signal"),
        (.questionablePulse, "questionable-pulse"), (.interference, "interference"),
        (.bodyMovement, "body-movement"), (.looseCuff, "loose-cuff"), (.wrongPosition, "wrong-position"),
        (.irregularPulse, "irregular-pulse"), (.contradictsBeats, "contradicts-beats"),
        (.miscountedBeats, "miscounted-beats"), (.jump, "jump"),
    ]

    public static let everyWord = table.map(\.word)

    public var words: [String] { Self.table.filter { contains($0.doubt) }.map(\.word) }

    /// A word that is not known makes the value questionable: some doubt is meant.
    public init(words: some Sequence<String>) {
        self = words.reduce(into: []) { doubts, word in
            doubts.formUnion(Self.table.first { $0.word == word }?.doubt ?? .questionable)
        }
    }

    /// Without the jump, which the values that follow confirm or refute; the others hold for the value itself.
    public var ofValue: Doubts { subtracting(.jump) }
}

extension Doubts: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(words: try [String](from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        try words.encode(to: encoder)
    }
}
