/// How much of a text message a text takes. 3GPP TS 23.040 section 9.2.3.24.1: the header of a concatenated
/// part costs 7 septets or 3 code units.
struct TextSize: Hashable, Sendable {
    enum Alphabet: Hashable, Sendable {
        /// 160 septets in one part, 153 in each of several.
        case gsm
        /// 70 UTF-16 code units in one part, 67 in each of several.
        case ucs2
    }

    let alphabet: Alphabet
    let parts: Int

    init(_ text: String) {
        let units = text.map { DefaultAlphabet.septets($0) }
        if units.contains(nil) {
            alphabet = .ucs2
            parts = Self.parts(text.map { String($0).utf16.count }, alone: 70, each: 67)
        } else {
            alphabet = .gsm
            parts = Self.parts(units.compactMap(\.self), alone: 160, each: 153)
        }
    }

    /// A character is not torn between two parts.
    private static func parts(_ units: [Int], alone: Int, each: Int) -> Int {
        guard units.reduce(0, +) > alone else { return 1 }
        var (parts, used) = (1, 0)
        for unit in units {
            if used + unit > each { (parts, used) = (parts + 1, 0) }
            used += unit
        }
        return parts
    }
}
