import Accounts
import Contract
import GatewayModel
import HTML
import PageSecurity
import Store

/// API of the records beside the readings: `docs/api/openapi.yaml` describes it.
struct PersonRecords: Sendable {
    /// Gaps of one answer: a house joins the readings that it drops.
    static let mostGaps = 1_000

    let parts: SiteParts

    var routes: [Route] {
        [
            Route(.get, "/api/v1/people/{link}/gaps", access: .signedIn, style: .api, answer: gaps),
            Route(.get, "/api/v1/people/{link}/notices", access: .signedIn, style: .api, answer: notices),
            Route(.get, "/api/v1/people/{link}/devices", access: .signedIn, style: .api, answer: devices),
            Route(.get, "/api/v1/people/{link}/summaries", access: .signedIn, style: .api, answer: summaries),
        ]
    }

    private func gaps(_ context: RouteContext) async throws -> WebAnswer {
        let link = try await parts.openLink(context)
        try await parts.recordLook(.program, context, of: link)
        let (from, to) = try Self.span(context, now: parts.clock())
        let gaps = try await parts.stores.records.gaps(
            of: link.subject, try Self.kind(context), from: from, to: to, most: Self.mostGaps)
        return .json(Array(#"{"gaps":[\#(gaps.map(Self.json).joined(separator: ","))]}"#.utf8))
    }

    private func notices(_ context: RouteContext) async throws -> WebAnswer {
        let link = try await parts.openLink(context)
        try await parts.recordLook(.program, context, of: link)
        let before = try context.query["before"].map { text throws(Problem) -> MessageID in
            guard let id = MessageID(text) else { throw Problem(.badRequest, "before is no UUID") }
            return id
        }
        let notices = try await parts.stores.records.notices(of: link.subject, before: before, most: 100)
        return .json(Array(#"{"notices":[\#(notices.map(Self.json).joined(separator: ","))]}"#.utf8))
    }

    private func devices(_ context: RouteContext) async throws -> WebAnswer {
        let link = try await parts.openLink(context)
        try await parts.recordLook(.program, context, of: link)
        let state = try await parts.stores.records.state(of: link.subject.gateway)
        let devices = try await parts.stores.records.devices(of: link.subject)
        let low = Set(
            (state?.conditions ?? []).filter { $0.code == HealthCode.batteryLow.rawValue }.compactMap(\.subject)
        )
        let rows = devices.map { device in
            let kinds = device.kinds.map { JSONText.quoted($0.rawValue) }.joined(separator: ",")
            return #"{"battery_low":\#(low.contains(device.device.text)),"device":"\#(device.device)","#
                + #""kinds":[\#(kinds)],"last_reading":\#(Self.json(device.lastReading))}"#
        }
        let now = parts.clock()
        let house =
            state.map {
                #"{"last_seen":\#(Self.json($0.lastSeen)),"present":\#($0.isPresent(at: now)),"#
                    + #""unsent":\#($0.unsent),"version":\#(JSONText.quoted($0.version))}"#
            } ?? "null"
        return .json(Array(#"{"devices":[\#(rows.joined(separator: ","))],"house":\#(house)}"#.utf8))
    }

    private func summaries(_ context: RouteContext) async throws -> WebAnswer {
        let link = try await parts.openLink(context)
        try await parts.recordLook(.program, context, of: link)
        guard let kind = try Self.kind(context) else { throw Problem(.badRequest, "kind is missing") }
        let (from, to) = try Self.span(context, now: parts.clock())
        let minutes = context.query["minutes"].map { Int($0) } ?? 60
        guard let minutes, (1...1_440).contains(minutes) else {
            throw Problem(.badRequest, "minutes is not from 1 to 1440")
        }
        guard (to.millisecondsSince1970 - from.millisecondsSince1970) / 60_000 / Int64(minutes) <= 2_200 else {
            throw Problem(.badRequest, "the time has more than 2200 spans: ask for longer spans")
        }
        let summaries = try await parts.stores.samples.summaries(
            of: link.subject, kind, from: from, to: to, minutes: minutes)
        let rows = summaries.map { summary in
            #"{"count":\#(summary.count),"from":"\#(summary.begin.rfc3339)","max":\#(summary.max),"#
                + #""mean":\#(summary.mean),"min":\#(summary.min)}"#
        }
        return .json(
            Array(
                (#"{"summaries":[\#(rows.joined(separator: ","))],"#
                    + #""unit":\#(JSONText.quoted(kind.coding.unit))}"#).utf8))
    }

    // MARK: Query

    private static func kind(_ context: RouteContext) throws(Problem) -> QuantityKind? {
        guard let text = context.query["kind"] else { return nil }
        guard let kind = QuantityKind(rawValue: text) else { throw Problem(.badRequest, "kind is unknown") }
        return kind
    }

    /// `from` and `to`; without them the last day.
    private static func span(_ context: RouteContext, now: WallTime) throws(Problem) -> (WallTime, WallTime) {
        func time(_ name: String, _ usual: WallTime) throws(Problem) -> WallTime {
            guard let text = context.query[name] else { return usual }
            guard let time = WallTime(rfc3339: text) else {
                throw Problem(.badRequest, "from or to is no time of RFC 3339 with an offset")
            }
            return time
        }
        let to = try time("to", now)
        let from = try time("from", to.advanced(by: .seconds(-86_400)))
        guard from < to else { throw Problem(.badRequest, "from is not before to") }
        return (from, to)
    }

    // MARK: Rows

    static func json(_ gap: StoredGap) -> String {
        #"{"dropped":\#(gap.dropped),"from":"\#(gap.from.rfc3339)","id":"\#(gap.id)","kept":\#(gap.kept),"#
            + #""kind":"\#(gap.kind.rawValue)","reason":\#(gap.reason.map { JSONText.quoted($0.rawValue) } ?? "null"),"#
            + #""to":"\#(gap.to.rfc3339)"}"#
    }

    static func json(_ notice: StoredNotice) -> String {
        #"{"id":"\#(notice.id)","matter":\#(JSONText.quoted(notice.matter)),"phase":"\#(notice.phase.rawValue)","#
            + #""text":{"en":\#(JSONText.quoted(notice.text.en)),"it":\#(JSONText.quoted(notice.text.it))},"#
            + #""time":"\#(notice.time.rfc3339)","topic":\#(JSONText.quoted(notice.topic))}"#
    }

    private static func json(_ time: WallTime?) -> String { time.map { #""\#($0.rfc3339)""# } ?? "null" }
}
