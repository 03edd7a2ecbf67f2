import Contract
import GatewayModel
import Hub
import RunBeacon

/// Standings for programs: one JSON object. Times are milliseconds.
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
