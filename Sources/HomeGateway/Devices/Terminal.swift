import Glibc
import RealTime

/// The person at the keyboard, where there is one.
enum Terminal {
    /// Someone can read the question and type the answer.
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks on standard error, so that standard output stays what was asked for. Blocks.
    /// - Returns: what was typed, without spaces around it; nil at the end of input.
    static func ask(_ question: String) -> String? {
        let bytes = Array((question + " ").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        guard let line = readLine() else { return nil }
        return String(line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// Yes only where it was typed.
    static func confirms(_ question: String) -> Bool {
        guard let answer = ask(question + " [y/N]") else { return false }
        return ["y", "yes"].contains(answer.lowercased())
    }
}

/// Text that comes from the air or from another program, made fit for a terminal.
enum Shown {
    /// On standard output at once, also into a pipe: what is said on standard error keeps its place between.
    static func line(_ text: String) {
        StandardStream.output.write(text)
    }

    /// Without what moves cursors and turns text around, and not too long.
    static func text(_ text: String, most: Int = 40) -> String {
        let kept = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                false
            default: true
            }
        }
        return String(String(String.UnicodeScalarView(kept)).prefix(most))
    }

    /// Columns as wide as their longest entry, two spaces between; the first row is the heading.
    static func table(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    static func list(_ words: [String], orElse nothing: String = "-") -> String {
        words.isEmpty ? nothing : words.joined(separator: ", ")
    }
}
