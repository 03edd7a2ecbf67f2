import Accounts
import Contract
import GatewayModel
import HTML
import PageSecurity
import Store

/// API for the person of a session: `docs/api/openapi.yaml` describes it.
struct PersonAPI: Sendable {
    static let most = 1_000

    let parts: SiteParts

    var routes: [Route] {
        [
            Route(.get, "/health", access: .everybody, style: .api) { _ in
                // A read of the store: a server without its disk is not healthy.
                _ = try await parts.stores.links.openCommandCount()
                return .json(Array(#"{"status":"ok"}"#.utf8))
            },
            Route(.get, "/api/v1/me", access: .signedIn, style: .api, answer: me),
            Route(.get, "/api/v1/people/{link}/latest", access: .signedIn, style: .api, answer: latest),
            Route(.get, "/api/v1/people/{link}/samples", access: .signedIn, style: .api, answer: samples),
        ]
    }

    private func me(_ context: RouteContext) async throws -> WebAnswer {
        let account = try context.signedIn()
        let links = try await parts.stores.links.links(of: account.id).map { link in
            #"{"gateway":"\#(link.subject.gateway)","id":\#(link.id),"person":"\#(link.subject.person)","#
                + #""role":"\#(link.role.rawValue)","state":"\#(link.state.rawValue)"}"#
        }
        return .json(
            Array(
                #"{"links":[\#(links.joined(separator: ","))],"user":\#(JSONText.quoted(account.user.text))}"#
                    .utf8
            ))
    }

    private func latest(_ context: RouteContext) async throws -> WebAnswer {
        let link = try await parts.openLink(context)
        try await parts.recordLook(.program, context, of: link)
        let values = try await parts.stores.samples.latest(of: link.subject).map { value in
            #"{"device":"\#(value.device)","kind":"\#(value.kind.rawValue)","time":"\#(value.time.rfc3339)","#
                + #""unit":\#(JSONText.quoted(value.kind.coding.unit)),"value":\#(value.value)}"#
        }
        return .json(Array(#"{"values":[\#(values.joined(separator: ","))]}"#.utf8))
    }

    /// Paged by the id: `after` of the next page is the last id of this one.
    private func samples(_ context: RouteContext) async throws -> WebAnswer {
        let link = try await parts.openLink(context)
        try await parts.recordLook(.program, context, of: link)
        let kind = try context.query["kind"].map { text throws(Problem) -> QuantityKind in
            guard let kind = QuantityKind(rawValue: text) else { throw Problem(.badRequest, "kind is unknown") }
            return kind
        }
        let after = try context.query["after"].map { text throws(Problem) -> MessageID in
            guard let id = MessageID(text) else { throw Problem(.badRequest, "after is no UUID") }
            return id
        }
        let limit = try context.query["limit"].map { text throws(Problem) -> Int in
            guard let limit = Int(text), (1...Self.most).contains(limit) else {
                throw Problem(.badRequest, "limit is not from 1 to 1000")
            }
            return limit
        }
        let samples = try await parts.stores.samples.samples(
            of: link.subject, kind, after: after, most: limit ?? Self.most)
        let rows = samples.map { sample in
            #"{"device":"\#(sample.device)","id":"\#(sample.id)","kind":"\#(sample.kind.rawValue)","#
                + #""time":"\#(sample.time.rfc3339)","unit":\#(JSONText.quoted(sample.kind.coding.unit)),"#
                + #""value":\#(sample.value)}"#
        }
        return .json(Array(#"{"samples":[\#(rows.joined(separator: ","))]}"#.utf8))
    }
}
