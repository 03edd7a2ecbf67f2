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
            + splits.map { $0.name(among: points).uppercased() }
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
        let last = row.splits.last.map { $0.point.name(among: points) }
        switch row.state {
        case .expected: return "not heard"
        case .running, .finished: return last ?? "-"
        case .left: return last.map { "left after \($0)" } ?? "left"
        case .didNotStart, .didNotFinish, .disqualified: return row.state.rawValue.uppercased()
        }
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
