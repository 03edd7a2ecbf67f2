import Contract
import ControlContract
import GatewayModel
import Hub
import RunBeacon

/// Table of the standings for people. Pure.
struct StandingsLines {
    let rows: [Standing]
    /// All points of the run.
    let points: [RunPoint]
    /// Whether there is a column for each point.
    let showsSplits: Bool
    /// Time in the columns of the points. A runner that was not heard at the start has no net time.
    var basis = StandingsBasis.gun

    var lines: [String] {
        guard !rows.isEmpty else { return ["no runners"] }
        let splits = showsSplits ? points : []
        let heading =
            ["RANK", "BIB", "NAME", "CATEGORY", "AT"]
            + splits.map { Self.name(of: $0, in: points).uppercased() }
            + ["GUN", "NET", "GAP", "SURE TO"]
        let table = Shown.table([heading] + rows.map { cells($0, splits) })
        let notes =
            rows.contains(where: \.isUndecided)
            ? ["~ closer to the runner before than the error bounds of both times: only a camera can decide"]
            : []
        return table + notes
    }

    private func cells(_ row: Standing, _ splits: [RunPoint]) -> [String] {
        let times = splits.map { point in
            row.splits.first { $0.point == point }.flatMap { basis == .net ? $0.net : $0.gun }
                .map(Self.time) ?? "-"
        }
        return [
            row.rank.map { "\($0)\(row.isUndecided ? "~" : "")" } ?? "-", "\(row.bib)",
            row.name.map { Shown.text($0) } ?? "-", row.category.map { Shown.text($0, most: 16) } ?? "-",
            place(row),
        ] + times + [
            row.gun.map(Self.time) ?? "-", row.net.map(Self.time) ?? "-",
            row.gap.map { Self.gap($0) } ?? "-",
            row.bound.map { "±\(Self.tenths($0)) s" } ?? (row.gun == nil ? "-" : "no clock"),
        ]
    }

    private func place(_ row: Standing) -> String {
        let last = row.splits.last.map { Self.name(of: $0.point, in: points) }
        switch row.state {
        case .expected: return "not heard"
        case .running, .finished: return last ?? "-"
        case .left: return last.map { "left after \($0)" } ?? "left"
        }
    }

    /// Name of a point, with its number where the runners pass the checkpoint several times: `lap 3`.
    static func name(of point: RunPoint, in points: [RunPoint]) -> String {
        let isOne = !points.contains { $0.checkpoint == point.checkpoint && $0.order != point.order }
        return isOne ? point.checkpoint.text : "\(point.checkpoint) \(point.order)"
    }

    /// Time in tenths, `1:23:45.6`: no time here is more exact.
    static func time(_ duration: Duration) -> String {
        let milliseconds = duration.wholeMilliseconds
        let (seconds, tenths) = (milliseconds.magnitude / 1_000, milliseconds.magnitude % 1_000 / 100)
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        return "\(milliseconds < 0 ? "-" : "")\(hours):\(two(minutes)):\(two(seconds % 60)).\(tenths)"
    }

    private static func gap(_ duration: Duration) -> String {
        let seconds = Double(duration.wholeMilliseconds) / 1_000
        guard abs(seconds) < 60 else { return (duration > .zero ? "+" : "") + time(duration) }
        return "\(seconds < 0 ? "-" : "+")\(tenths(.milliseconds(duration.wholeMilliseconds.magnitude)))"
    }

    /// Bound in tenths, rounded up: a shorter one would not hold.
    private static func tenths(_ duration: Duration) -> String {
        let tenths = (duration.boundMilliseconds + 99) / 100
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// Standings for programs: one JSON object with times in milliseconds.
struct ShownStandings: Encodable {
    private struct Row: Encodable {
        let rank: Int?
        let bib: Int
        let name: String?
        let category: String?
        let wave: String
        let state: String
        let at: String?
        let distanceM: Double?
        let gunMs, netMs, gapMs, boundMs: Int64?
        let isUndecided: Bool
        let splits: [Point]
    }

    private struct Point: Encodable {
        let checkpoint: String
        let order: Int
        let time: String
        let gunMs: Int64
        let netMs, boundMs, netBoundMs: Int64?
        let method: Passing.Method
    }

    private let run: String
    private let by: String
    private let rows: [Row]
    private let vitals: RunnerVitals?

    /// - Parameter points: all of the run.
    init(
        _ run: RunID, by basis: StandingsBasis, _ rows: [Standing], points: [RunPoint], _ vitals: RunnerVitals?
    ) {
        (self.run, by, self.vitals) = (run.text, basis.rawValue, vitals)
        self.rows = rows.map { row in
            Row(
                rank: row.rank, bib: row.bib.number, name: row.name, category: row.category,
                wave: row.wave.text,
                state: row.state.rawValue,
                at: row.splits.last.map { StandingsLines.name(of: $0.point, in: points) },
                distanceM: row.distance, gunMs: row.gun?.wholeMilliseconds, netMs: row.net?.wholeMilliseconds,
                gapMs: row.gap?.wholeMilliseconds, boundMs: row.bound?.boundMilliseconds,
                isUndecided: row.isUndecided,
                splits: row.splits.map { split in
                    Point(
                        checkpoint: split.point.checkpoint.text, order: split.point.order,
                        time: split.time.rfc3339, gunMs: split.gun.wholeMilliseconds,
                        netMs: split.net?.wholeMilliseconds, boundMs: split.bound?.boundMilliseconds,
                        netBoundMs: split.netBound?.boundMilliseconds, method: split.method)
                })
        }
    }

    var json: String { ExportJSON.text(self) }
}
