/// Contributions of the persons of one week to its table, before the noise. They never leave the program.
public struct Tally: Sendable {
    private var counts: [GroupCell: [GroupKind: [Int]]] = [:]

    public init() {}

    /// Counts a person. At most one bucket of each kind.
    public mutating func add(_ buckets: [GroupKind: Int], in cell: GroupCell) {
        for (kind, bucket) in buckets where (0..<GroupKind.buckets).contains(bucket) {
            counts[cell, default: [:]][kind, default: Tally.empty][bucket] += 1
        }
    }

    static let empty = [Int](repeating: 0, count: GroupKind.buckets)

    func counts(_ cell: GroupCell, _ kind: GroupKind) -> [Int] { counts[cell]?[kind] ?? Self.empty }
}

/// Noise of a whole table, drawn before any person is looked at.
public struct TableNoise: Sendable {
    private struct Row: Sendable {
        let cell: GroupCell
        let kind: GroupKind
        let values: [Int]
    }

    private let rows: [Row]

    /// Draws a value for each bucket of each kind and cell, also for those that no person will be in.
    public init(for areas: [AreaName], using generator: inout some RandomNumberGenerator) {
        var rows: [Row] = []
        for cell in GroupCell.all(of: areas) {
            for kind in GroupKind.allCases {
                let values = (0..<GroupKind.buckets).map { _ in
                    DiscreteLaplace.ofKind.sample(using: &generator)
                }
                rows.append(Row(cell: cell, kind: kind, values: values))
            }
        }
        self.rows = rows
    }

    /// The rows of a table. Persons in other cells are not counted.
    public func rows(over tally: Tally) -> [TableRow] {
        rows.map { row in
            let counts = tally.counts(row.cell, row.kind)
            return TableRow(
                cell: row.cell, kind: row.kind, counts: zip(counts, row.values).map(+),
                exact: counts.reduce(0, +))
        }
    }
}

/// One cell and kind of a weekly table.
public struct TableRow: Hashable, Sendable {
    public let cell: GroupCell
    public let kind: GroupKind
    /// Noisy counts of the buckets; they may be negative.
    public let counts: [Int]
    /// Persons, for the floor of 1,000 alone.
    public let exact: Int

    public init(cell: GroupCell, kind: GroupKind, counts: [Int], exact: Int) {
        (self.cell, self.kind, self.counts, self.exact) = (cell, kind, counts, exact)
    }
}

/// Rule by which a group is accepted.
public enum GroupRule: String, CaseIterable, Hashable, Sendable {
    /// The noisy count is at least 1,001 and the margin, and the true count is above 1,000.
    case margin
    /// The true count is above 1,000: the letter of the requirement. The acceptance itself is exact then.
    case letter
}

/// Published table of one week and kind.
public struct WeekTable: Hashable, Sendable {
    public let week: Week
    public let rule: GroupRule
    /// All rows of one kind.
    public let rows: [TableRow]

    public init(week: Week, rule: GroupRule, rows: [TableRow]) {
        (self.week, self.rule, self.rows) = (week, rule, rows)
    }

    /// Sorted by name.
    public var areas: [AreaName] { Set(rows.map(\.cell.area)).sorted() }
}
