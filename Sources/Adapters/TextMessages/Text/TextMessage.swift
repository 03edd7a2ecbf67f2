/// Text for one recipient: sentences in order of importance, as many as fit.
///
/// The rule of cutting: sentences are taken in their order as long as the whole stays within `partLimit`. The
/// first one that does not fit is cut at the end of a word and given "..." if something of it remains, and left
/// out if it must be whole, as a link; later ones that still fit are taken. So person, event, time and place
/// are never lost to an advice.
struct TextMessage: Hashable, Sendable {
    struct Sentence: Hashable, Sendable {
        let text: String
        /// Half of it would be worth nothing.
        let isWhole: Bool

        init(_ text: String, isWhole: Bool = false) {
            self.text = DefaultAlphabet.simplified(text)
            self.isWhole = isWhole
        }
    }

    /// 3: 459 characters, or 201 of another alphabet. A part takes a modem 2 to 5 s and costs as much as a text.
    private static let partLimit = 3
    /// Less of a sentence than this says nothing.
    private static let leastRest = 12

    let text: String
    let isShortened: Bool

    init(_ sentences: [Sentence]) {
        var text = ""
        var isShortened = false
        for sentence in sentences where !sentence.text.isEmpty {
            let gap = text.isEmpty ? "" : " "
            if Self.fits(text + gap + sentence.text) {
                text += gap + sentence.text
                continue
            }
            isShortened = true
            if !sentence.isWhole, let rest = Self.cut(sentence.text, behind: text + gap) { text += gap + rest }
        }
        self.text = text
        self.isShortened = isShortened
    }

    private static func fits(_ text: String) -> Bool { TextSize(text).parts <= partLimit }

    private static func cut(_ text: String, behind head: String) -> String? {
        var rest = Substring(text)
        while !rest.isEmpty, !fits(head + rest + "...") { rest = rest.dropLast() }
        // Back to the end of a word, where there is one not far back.
        if let space = rest.lastIndex(of: " "), rest.distance(from: rest.startIndex, to: space) >= leastRest {
            rest = rest[..<space]
        }
        return rest.count >= leastRest ? rest + "..." : nil
    }
}

/// The GSM 7-bit default alphabet, 3GPP TS 23.038 section 6.2.1, and its extension, 6.2.1.1.
enum DefaultAlphabet {
    private static let basic = Set(
        "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡"
            + "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà")
    private static let extended = Set("^{}\\[~]|€")

    /// Marks that say the same in the alphabet: one curly quote is not to halve the room of a whole text.
    /// Letters stay as they are; a name is written as its bearer writes it.
    private static let plain: [Character: String] = [
        "’": "'", "‘": "'", "`": "'", "´": "'", "“": "\"", "”": "\"", "„": "\"", "«": "\"", "»": "\"",
        "–": "-", "—": "-", "‐": "-", "‑": "-", "…": "...", "•": "-", "·": "-", "\u{A0}": " ", "\u{202F}": " ",
        "\u{2009}": " ", "\t": " ", "\n": " ", "\r": " ", "\r\n": " ", "º": "", "°": "", "ª": "",
    ]

    /// How many septets a character takes; nil where the alphabet has none for it.
    static func septets(_ character: Character) -> Int? {
        if basic.contains(character) { return 1 }
        return extended.contains(character) ? 2 : nil
    }

    /// With plain marks, on one line, its accented letters in one code point each where the alphabet has them.
    static func simplified(_ text: String) -> String {
        var result = ""
        for character in text {
            if let plain = plain[character] {
                result += plain
            } else if let index = basic.firstIndex(of: character) {
                // Equal by canonical equivalence, and the precomposed one.
                result.append(basic[index])
            } else if !character.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                result.append(character)
            }
        }
        return result
    }
}

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
