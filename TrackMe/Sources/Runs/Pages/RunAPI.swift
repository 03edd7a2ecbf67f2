import Contract
import GatewayModel
import RunBeacon
import WebPages

/// Runs as JSON, for everybody.
struct RunAPI: Sendable {
    private static let mostRuns = 200

    let parts: RunParts
    let frames: RunFrames

    var routes: [Route] {
        [
            Route(.get, "/api/v1/runs", access: .everybody, style: .api, answer: list),
            Route(.get, "/api/v1/runs/{run}", access: .everybody, style: .api, answer: run),
        ]
    }

    private func list(_ context: RouteContext) async throws -> WebAnswer {
        let runs = try await parts.service.runs.runs(most: Self.mostRuns).map {
            RunJSON.text($0, parts.site.clock())
        }
        return .json(Array(#"{"runs":[\#(runs.joined(separator: ","))]}"#.utf8))
    }

    private func run(_ context: RouteContext) async throws -> WebAnswer {
        let shown = try await frames.shown(context)
        let rows = shown.picture.rows.map { row in
            var members = [#""bib":\#(row.bib)"#, #""state":"\#(row.state.rawValue)""#]
            if let name = row.name { members.append(#""name":\#(JSONText.quoted(name))"#) }
            if let rank = row.rank { members.append(#""rank":\#(rank)"#) }
            if let lost = shown.picture.lost[row.bib] { members.append(#""tracker_lost":"\#(lost.rfc3339)""#) }
            if let place = shown.picture.places[row.bib] {
                members.append(#""distance_m":\#(Int(place.distance.rounded()))"#)
                members.append(#""is_located":\#(place.isLocated)"#)
            }
            for vital in shown.picture.vitals[row.bib] ?? [] {
                let name = vital.kind == .heartRate ? "heart_rate" : "energy_kj"
                members.append(
                    #""\#(name)":{"time":"\#(vital.time.rfc3339)","value":\#(Int(vital.value.rounded()))}"#)
            }
            let splits = row.splits.map { split in
                #"{"checkpoint":"\#(split.point.checkpoint)","gun_ms":\#(Self.milliseconds(split.gun)),"#
                    + (split.bound.map { #""bound_ms":\#(Self.milliseconds($0)),"# } ?? "")
                    + #""order":\#(split.point.order),"time":"\#(split.time.rfc3339)"}"#
            }
            members.append(#""splits":[\#(splits.joined(separator: ","))]"#)
            return "{" + members.joined(separator: ",") + "}"
        }
        return .json(
            Array(
                #"{"run":\#(RunJSON.text(shown.run, parts.site.clock())),"runners":[\#(rows.joined(separator: ","))]}"#
                    .utf8))
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        let (seconds, rest) = duration.components
        return seconds * 1_000 + rest / 1_000_000_000_000_000
    }
}
