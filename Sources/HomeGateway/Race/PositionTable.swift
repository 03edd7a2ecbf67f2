import Contract
import GatewayModel
import RunBeacon

/// Where a runner is, as the command line is told it.
struct PositionRow: Codable, Hashable, Sendable {
    var run: String
    var bib: Int
    /// Metres from the start; nil without a course, or off it.
    var distance: Int?
    /// Seconds.
    var perKilometre: Int?
    var next: String?
    /// RFC 3339, when the next checkpoint is likely to be reached, and ± seconds of that.
    var expected: String?
    var bound: Int64?
    /// Seconds since it was measured.
    var age: Int64
    var flags: [String]

    init(_ position: RunnerPosition, of owner: Enrolment, at now: BootInstant) {
        (run, bib) = (owner.run.text, owner.bib.number)
        distance = position.distance.map { Int($0.rounded()) }
        perKilometre = position.secondsPerKilometre.map { Int($0.rounded()) }
        next = position.next?.checkpoint.text
        expected = position.next?.time.rfc3339
        bound = position.next.map { ($0.bound.boundMilliseconds + 999) / 1_000 }
        age = max(0, position.measured.boot.duration(to: now).wholeMilliseconds / 1_000)
        flags = position.flags.map(\.rawValue).sorted()
    }

    /// The same, however long ago it was.
    var ageless: PositionRow {
        var row = self
        row.age = 0
        return row
    }
}

/// Where runners are, for people. Pure.
struct PositionTable {
    let rows: [PositionRow]

    /// Empty where nobody is known to be anywhere.
    var lines: [String] {
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

    /// `5:41 min/km`
    static func pace(_ seconds: Int) -> String {
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest) min/km"
    }

    /// `2 leap, 1 late`; in the order of the alphabet.
    static func words(on refused: [RunnerTrack.Refusal: Int]) -> String {
        refused.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
            .joined(separator: ", ")
    }
}

extension RaceStatus {
    func positionRows(at now: BootInstant) -> [PositionRow] {
        located.map { PositionRow($0.position, of: $0.owner, at: now) }
    }

    /// For `status`: nothing where no position came.
    func positionLines(at now: BootInstant) -> [String] {
        guard !located.isEmpty || !refusedPositions.isEmpty else { return [] }
        let refused =
            refusedPositions.isEmpty
            ? "" : "; not used since the start: \(PositionTable.words(on: refusedPositions))"
        return ["positions: of \(located.count) runners\(refused)"]
            + PositionTable(rows: Array(positionRows(at: now).prefix(Self.mostPositions))).lines
    }

    /// A screen holds them; homegateway standings has all.
    private static let mostPositions = 10
}
