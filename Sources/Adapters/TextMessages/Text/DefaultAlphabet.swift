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
