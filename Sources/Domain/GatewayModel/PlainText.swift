/// Rule for a text from outside that is shown to a person: one line, without characters that move, hide or
/// reverse the text beside them.
public enum PlainText {
    /// - Parameter length: in characters.
    public static func holds(_ text: String, _ length: ClosedRange<Int>) -> Bool {
        // Nearly every text is printable ASCII, of which a byte is a character.
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
            return length.contains(text.utf8.count) && text.utf8.contains { $0 != 0x20 }
        }
        // A character may be made of many scalars; the sum has a bound as well.
        guard text.unicodeScalars.count <= length.upperBound * 4, length.contains(text.count) else {
            return false
        }
        return text.unicodeScalars.allSatisfy(isPlain)
            && !text.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
    }

    /// Returns the text without characters that are not plain, at most 60 characters: for an error message.
    static func shown(_ text: String) -> String {
        String(String(String.UnicodeScalarView(text.unicodeScalars.prefix(240).filter(isPlain))).prefix(60))
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        // Joiners belong to the spelling of some languages; all others of these change the direction or hide.
        case .format: scalar.value == 0x200C || scalar.value == 0x200D
        default: true
        }
    }
}
