/// What one recipient gets: sentences in order of importance, as many as fit.
///
/// The rule of cutting: sentences are taken in their order as long as the whole stays within `partLimit`. The
/// first one that does not fit is cut at the end of a word and given "..." if something of it remains, and left
/// out if it must be whole, as a link; later ones that still fit are taken. So who, what, when and where
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
    static let partLimit = 3
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
