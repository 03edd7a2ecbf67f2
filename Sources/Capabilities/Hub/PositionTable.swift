package import ControlContract
package import RunBeacon

/// Table of the positions of runners for people. Pure.
package struct PositionTable {
    package let rows: [PositionRow]

    /// Lines of the table; empty without positions.
    package var lines: [String] {
        guard !rows.isEmpty else { return [] }
        let heading = ["RUN", "BIB", "AT", "PACE", "NEXT", "EXPECTED", "SEEN", "DOUBTS"]
        return Shown.table([heading] + rows.map(Self.cells))
    }

    private static func cells(_ row: PositionRow) -> [String] {
        let expected = row.expected.map { time in
            "\(time.onTheClock)\(row.bound.map { " ±\($0) s" } ?? "")"
        }
        return [
            row.run, "\(row.bib)", row.distance.map { "\($0) m" } ?? "-", row.perKilometre.map(pace) ?? "-",
            row.next ?? "-", expected ?? "-", "\(row.age) s ago",
            row.flags.isEmpty ? "-" : row.flags.joined(separator: " "),
        ]
    }

    /// Pace as text: `5:41 min/km`.
    package static func pace(_ seconds: Int) -> String {
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest) min/km"
    }

    /// Counts as text in alphabetical order: `2 leap, 1 late`.
    package static func words(on refused: [RunnerTrack.Refusal: Int]) -> String {
        refused.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
            .joined(separator: ", ")
    }

    package init(rows: [PositionRow]) {
        self.rows = rows
    }
}
