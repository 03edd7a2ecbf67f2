import SeededRandom

/// Makes hostile inputs out of sound ones, by a seed: the same seed makes the same inputs.
public struct Mutator {
    private var generator: SeededGenerator
    private let seeds: [[UInt8]]
    private let words: [[UInt8]]

    /// - Parameters:
    ///   - seeds: sound inputs; never empty.
    ///   - words: pieces that mean something to the reader.
    public init(seed: UInt64, seeds: [[UInt8]], words: [String] = Mutator.jsonWords) {
        generator = SeededGenerator(seed: seed)
        self.seeds = seeds
        self.words = words.map { Array($0.utf8) }
    }

    public static let jsonWords = [
        "[", "]", "{", "}", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "\\udc00", "null", "true", "-1", "0",
        "1e999", "-0",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1.7976931348623157e308",
        "{\"a\":", "[[",
        "\u{FEFF}", "\u{0}", "\n", "é", "😀",
    ]
    public static let xmlWords = [
        "<", ">", "</", "/>", "<!--", "-->", "<![CDATA[", "]]>", "&", "&amp;", "&#x0;", "&#x110000;",
        "&#55296;", "<?", "?>",
        "<!DOCTYPE a [<!ENTITY b \"c\">]>", "xmlns:", "xmlns=\"\"", "=\"", "'", "<a>", "\u{FEFF}", "\u{0}",
    ]
    public static let tomlWords = [
        "[", "]", "[[", "]]", "{", "}", "=", ".", "\"", "'", "\"\"\"", "'''", "#", "\n", "a.", "a={", "\\u0000",
        "\\UFFFFFFFF",
        "inf", "nan", "-nan", "1979-05-27T07:32:00Z", "0x", "0b2", "1_", "9223372036854775808", "\u{0}", "é",
        "\r",
    ]

    /// How many sizes of repetition there are: 513 levels ended a process once.
    private static let repetitions = [
        2, 3, 8, 31, 32, 33, 64, 127, 128, 129, 255, 256, 511, 512, 513, 514, 1_024, 4_096,
    ]

    public mutating func next() -> [UInt8] {
        var bytes = seeds.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 1...6, using: &generator) { mutate(&bytes) }
        return Array(bytes.prefix(65_536))
    }

    private mutating func place(_ bytes: [UInt8]) -> Int { Int.random(in: 0...bytes.count, using: &generator) }

    private mutating func range(_ bytes: [UInt8]) -> Range<Int> {
        let start = place(bytes)
        return start..<min(bytes.count, start + Int.random(in: 0...40, using: &generator))
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        switch Int.random(in: 0..<13, using: &generator) {
        case 0, 1:
            guard !bytes.isEmpty else { return }
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^=
                1 << UInt8.random(in: 0..<8, using: &generator)
        case 2:
            guard !bytes.isEmpty else { return }
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                in: 0...255, using: &generator)
        case 3: bytes.removeSubrange(range(bytes))
        case 4: bytes = Array(bytes.prefix(place(bytes)))
        case 5:
            let piece = bytes[range(bytes)]
            bytes.insert(contentsOf: piece, at: place(bytes))
        case 6:
            let other = seeds.randomElement(using: &generator) ?? []
            bytes = Array(bytes.prefix(place(bytes)) + other.suffix(place(other)))
        case 7, 8: insertWord(&bytes, times: 1)
        case 9: insertWord(&bytes, times: Self.repetitions.randomElement(using: &generator) ?? 1)
        case 10:
            let noise = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            bytes.insert(contentsOf: noise, at: place(bytes))
        case 11: replaceNumber(&bytes)
        default:
            // A word alone, repeated: no sound input looks like it.
            guard Int.random(in: 0..<8, using: &generator) == 0 else { return insertWord(&bytes, times: 2) }
            bytes = []
            insertWord(&bytes, times: Self.repetitions.randomElement(using: &generator) ?? 1)
        }
    }

    private mutating func insertWord(_ bytes: inout [UInt8], times: Int) {
        guard let word = words.randomElement(using: &generator), word.count * times <= 16_384 else { return }
        bytes.insert(contentsOf: Array(repeatElement(word, count: times).joined()), at: place(bytes))
    }

    /// The digits at or after some place become others, mostly at the end of a range.
    private mutating func replaceNumber(_ bytes: inout [UInt8]) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let start = bytes[place(bytes)...].firstIndex(where: digits.contains) else { return }
        let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
        let numbers = [
            "0", "-1", "255", "256", "65535", "65536", "2147483647", "2147483648", "4294967296",
            "9007199254740993",
            "315575999999999", "999999999999999999", "9223372036854775807", "-9223372036854775808",
            "18446744073709551615",
            "1e18", "1e400", "0.5",
        ]
        bytes.replaceSubrange(start..<end, with: (numbers.randomElement(using: &generator) ?? "").utf8)
    }
}
