/// Text that comes from the air or from another program, made fit for a terminal.
package enum Shown {
    /// Without what moves cursors and turns text around, and not too long.
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

    /// Columns as wide as their longest entry, two spaces between; the first row is the heading.
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
