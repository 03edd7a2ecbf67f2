public import Parties
import PartyService
import Store
public import WebPages

/// Access of programs of third parties by their tokens.
public struct PartyAccess: Sendable {
    let service: TokenService

    /// Party of the token.
    public func party(_ context: RouteContext) async throws -> Party {
        guard let token = context.request.bearerToken, let party = try await service.party(of: token) else {
            throw Problem(.badToken, "get a token at /oauth/token")
        }
        return party
    }

    public static func checkJSON(_ context: RouteContext) throws(Problem) {
        let type = context.request.headers["content-type"]?.lowercased().prefix { $0 != ";" }
        guard type == "application/json" else { throw Problem(.badRequest, "expected application/json") }
    }

    /// Key under which the same request is carried out once.
    public static func idempotencyKey(_ context: RouteContext) throws(Problem) -> String {
        guard let key = context.request.headers["idempotency-key"],
            NewPartyRequest.keyLength.contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw Problem(.badRequest, "expected an Idempotency-Key of 1 to 64 characters") }
        return key
    }
}
