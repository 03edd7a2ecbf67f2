import Settings
import Testing

/// Whatever the bytes are, the answer is settings or an error, never a trap. Seeded: a failure repeats.
@Suite struct SettingsGarbageTests {
    private static let pieces =
        [
            "[", "]", "[[", "]]", "{", "}", ".", ",", "=", "\"", "'", "\"\"\"", "'''", "\n", "\r\n", "\r", " ",
            "#",
            "person", "gateway", "broker", "sos", "id", "port", "1", "-", "1e9", "nan", "inf", "true",
            "1979-05-27T07:32:00Z", "\\", "\\u0041", "\\x", "è", "\u{FEFF}", "\u{2028}", "\u{1}", "[gateway]\n",
            "[[person]]\n", "id = \"a\"\n", "\u{A0}", "_", ":",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0x00]]

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func randomBytesAreAnswered(seed: UInt64) {
        var random = SplitMix64(state: seed)
        for _ in 0..<500 {
            let count = Int.random(in: 0...64, using: &random)
            _ = settingsComplaints((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func randomPiecesOfTOMLAreAnswered(seed: UInt64) {
        var random = SplitMix64(state: seed)
        for _ in 0..<2000 {
            let count = Int.random(in: 0...24, using: &random)
            _ = settingsComplaints((0..<count).flatMap { _ in Self.pieces.randomElement(using: &random) ?? [] })
        }
    }

    @Test func everyBeginningOfASoundFileIsAnswered() {
        let bytes = Array(SettingsSample().text.utf8)
        for count in 0...bytes.count { _ = settingsComplaints(Array(bytes.prefix(count))) }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func aSoundFileWithDamagedBytesIsAnswered(seed: UInt64) {
        var random = SplitMix64(state: seed)
        let sound = Array(SettingsSample().text.utf8)
        for _ in 0..<200 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = settingsComplaints(bytes)
        }
    }
}

/// Steele, Lea, Flood 2014: small, and the same on every machine.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
