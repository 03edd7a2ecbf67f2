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
}
