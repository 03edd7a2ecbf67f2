/// Text from the radio or from another program, cleaned for a terminal.
package enum Shown {
    /// Returns the text without control and formatting characters, shortened to a maximum length.
    package static func text(_ text: String, most: Int = 40) -> String {
        let kept = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                false
            default: true
            }
        }
        return String(String(String.UnicodeScalarView(kept)).prefix(most))
    }

    /// Returns the lines of a table. A column is as wide as its longest cell; the first row is the heading.
    package static func table(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    package static func list(_ words: [String], orElse nothing: String = "-") -> String {
        words.isEmpty ? nothing : words.joined(separator: ", ")
    }
}
