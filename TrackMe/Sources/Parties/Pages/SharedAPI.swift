import GatewayModel
import PageSecurity
import Store
import WebPages

/// Log of the copies for a third party, for its programs.
struct SharedAPI: Sendable {
    private static let most = 1_000
    /// Bytes of the payloads of one answer, as a rule; one copy more may follow.
    private static let bytes = 2_097_152

    static let path = "/api/v1/party/shared"

    let shared: SharedStore
    let subscriptions: SubscriptionStore
    let access: PartyAccess
    let clock: @Sendable () -> WallTime

    var routes: [Route] {
        [Route(.get, Self.path, access: .program, style: .api, answer: read)]
    }

    private func read(_ context: RouteContext) async throws -> WebAnswer {
        let party = try await access.party(context)
        guard let after = Int64(context.query["after"] ?? "0"), after >= 0 else {
            throw Problem(.badRequest, "after is no number of the log")
        }
        guard let limit = Int(context.query["limit"] ?? "100"), (1...Self.most).contains(limit) else {
            throw Problem(.badRequest, "limit is not from 1 to 1000")
        }
        let messages = try await shared.read(
            of: party.id, after: after, most: limit, bytes: Self.bytes, at: clock())
        let next = messages.last?.number ?? after
        // A company whose endpoint fails may still poll: it learns of the suspension here.
        let suspended = try await subscriptions.subscriptions(of: party.id).filter { $0.state == .suspended }
        let ids = suspended.map(\.id.description).joined(separator: ",")
        let json =
            #"{"messages":[\#(messages.map(\.json).joined(separator: ","))],"next":\#(next)"#
            + #","suspended_subscriptions":[\#(ids)]}"#
        return .json(Array(json.utf8))
    }
}
