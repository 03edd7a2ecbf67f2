/// Free text that someone wrote, as it may go to a voice and to a console.
///
/// Control characters could move a terminal's cursor; `<`, `[` and their like are markup to espeak-ng;
/// and nobody listens to more than two lines.
struct SafeText: Hashable, Sendable {
    private static let limit = 160
    private static let markup: Set<Unicode.Scalar> = ["<", ">", "[", "]", "{", "}", "|", "\\"]

    /// Nil where nothing is left.
    let text: String?

    init(_ raw: String) {
        var kept = String.UnicodeScalarView()
        for scalar in raw.unicodeScalars.prefix(Self.limit) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                kept.append(" ")
            default: if !Self.markup.contains(scalar) { kept.append(scalar) }
            }
        }
        let words = String(kept).split(separator: " ")
        text = words.isEmpty ? nil : words.joined(separator: " ")
    }
}
