import Contract
package import GatewayModel
package import RunBeacon

/// Standings of a run for programs: one JSON object, with times in milliseconds. `homegateway standings --json` prints it,
/// and `RaceDocument` holds it.
package struct StandingsDocument: Codable, Sendable {
    package struct Row: Codable, Hashable, Sendable {
        package let rank: Int?
        package let bib: Int
        package internal(set) var name: String?
        package let category: String?
        package let wave: String
        /// A `Standing.State`.
        package let state: String
        /// Name of the farthest point that was passed.
        package let at: String?
        package let distanceM: Double?
        package let gunMs, netMs, gapMs, boundMs: Int64?
        package let isUndecided: Bool
        package internal(set) var splits: [Split]

        package init(_ row: Standing, points: [RunPoint]) {
            (rank, bib, name, category) = (row.rank, row.bib.number, row.name, row.category)
            (wave, state, isUndecided) = (row.wave.text, row.state.rawValue, row.isUndecided)
            at = row.splits.last.map { $0.point.name(among: points) }
            (distanceM, gunMs, netMs) = (row.distance, row.gun?.wholeMilliseconds, row.net?.wholeMilliseconds)
            (gapMs, boundMs) = (row.gap?.wholeMilliseconds, row.bound?.boundMilliseconds)
            splits = row.splits.map(Split.init)
        }
    }

    package struct Split: Codable, Hashable, Sendable {
        package let checkpoint: String
        package let order: Int
        /// RFC 3339 in UTC.
        package let time: String
        package let gunMs: Int64
        package let netMs, boundMs, netBoundMs: Int64?
        /// A `Passing.Method`.
        package let method: String
        /// Id of the passing that counts; nil for spectators.
        package internal(set) var passing: String?

        init(_ split: RunBeacon.Split) {
            (checkpoint, order, time) = (split.point.checkpoint.text, split.point.order, split.time.rfc3339)
            (gunMs, netMs) = (split.gun.wholeMilliseconds, split.net?.wholeMilliseconds)
            (boundMs, netBoundMs) = (split.bound?.boundMilliseconds, split.netBound?.boundMilliseconds)
            (method, passing) = (split.method.rawValue, split.passing.description)
        }
    }

    package let run: String
    /// A `StandingsBasis`.
    package let by: String
    package internal(set) var rows: [Row]
    package let vitals: RunnerVitals?

    /// - Parameter points: all of the run.
    package init(
        _ run: RunID, by basis: StandingsBasis, _ rows: [Standing], points: [RunPoint],
        _ vitals: RunnerVitals? = nil
    ) {
        (self.run, by, self.vitals) = (run.text, basis.rawValue, vitals)
        self.rows = rows.map { Row($0, points: points) }
    }
}
