public import PartyService
public import Store
public import WebPages

/// Pages and API of third parties.
public struct PartyPages: Sendable {
    private let parts: SiteParts
    private let parties: any PartyStore
    private let tokens: TokenService

    public init(parts: SiteParts, parties: any PartyStore, tokens: TokenService) {
        (self.parts, self.parties, self.tokens) = (parts, parties, tokens)
    }

    public var routes: [Route] {
        let access = PartyAccess(service: tokens)
        return CompanyPages(parts: parts, parties: parties).routes + TokenAPI(service: tokens).routes
            + PartyKeyAPI(parties: parties, access: access, clock: parts.clock).routes
    }

    /// Values of `aud` in assertions for a server.
    public static func audiences(of origin: WebOrigin) -> Set<String> {
        [origin.text, origin.text + TokenAPI.path]
    }
}
