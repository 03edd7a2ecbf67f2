/// The words that open a backup. They are generated, printed once, and kept nowhere. Pure.
package struct BackupWords: Sendable {
    /// 1,296 words give 10.34 bits each: seven give 72 bits, each try of which costs 128 MiB and half a second of scrypt.
    static let count = 7
    /// Bits of the words, rounded down: 1,296 is 6^4.
    package static let bits = 72

    package let words: [String]

    /// Generates words with the system's generator of secrets.
    package init(using random: inout some RandomNumberGenerator) {
        words = (0..<Self.count).map { _ in WordList.words.randomElement(using: &random) ?? "" }
    }

    package init() {
        var random = SystemRandomNumberGenerator()
        self.init(using: &random)
    }

    /// Reads words as a person types them: any case, blanks or commas between.
    ///
    /// Errors: another number of words, or a word that is not in the list. They are found without the file.
    package init(parsing text: String) throws(BackupFault) {
        let typed = text.lowercased().split { $0.isWhitespace || $0 == "," }.map(String.init)
        guard typed.count == Self.count else {
            throw BackupFault(
                "saw \(typed.count) words, expected \(Self.count), as homegateway backup printed them: type all of them, with blanks between"
            )
        }
        for (number, word) in typed.enumerated() where !Self.known.contains(word) {
            throw BackupFault(
                "word \(number + 1) is not in the list of words: read it again, letter by letter; each has 3 to 5 letters"
            )
        }
        words = typed
    }

    private static let known = Set(WordList.words)

    package var text: String { words.joined(separator: " ") }

    /// Bytes that the key is derived from.
    var bytes: [UInt8] { Array(text.utf8) }
}
