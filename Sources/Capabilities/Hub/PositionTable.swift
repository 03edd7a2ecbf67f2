import Contract
package import GatewayModel
package import RunBeacon

/// Position of a runner, for the command line.
package struct PositionRow: Codable, Hashable, Sendable {
    package var run: String
    package var bib: Int
    /// Metres from the start; nil without a course, or off it.
    package var distance: Int?
    /// Seconds per kilometre.
    package var perKilometre: Int?
    package var next: String?
    /// Expected time at the next checkpoint (RFC 3339), and its error bound in seconds.
    package var expected: String?
    package var bound: Int64?
    /// Seconds since the measurement.
    package var age: Int64
    package var flags: [String]

    package init(_ position: RunnerPosition, of owner: Enrolment, at now: BootInstant) {
        (run, bib) = (owner.run.text, owner.bib.number)
        distance = position.distance.map { Int($0.rounded()) }
        perKilometre = position.secondsPerKilometre.map { Int($0.rounded()) }
        next = position.next?.checkpoint.text
        expected = position.next?.time.rfc3339
        bound = position.next.map { ($0.bound.boundMilliseconds + 999) / 1_000 }
        age = max(0, position.measured.boot.duration(to: now).wholeMilliseconds / 1_000)
        flags = position.flags.map(\.rawValue).sorted()
    }

    /// Copy without the age, for comparison.
    package var ageless: PositionRow {
        var row = self
        row.age = 0
        return row
    }
}

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
