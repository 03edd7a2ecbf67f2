import Store
public import WebPages

/// Stores of the third parties.
public struct PartyStores: Sendable {
    public let parties: PartyStore
    public let requests: PartyRequestStore
    public let shared: SharedStore
    public let subscriptions: SubscriptionStore

    public init(
        parties: PartyStore, requests: PartyRequestStore,
        shared: SharedStore, subscriptions: SubscriptionStore
    ) {
        (self.parties, self.requests) = (parties, requests)
        (self.shared, self.subscriptions) = (shared, subscriptions)
    }
}

/// Pages and API of third parties.
public struct PartyPages: Sendable {
    private let parts: SiteParts
    private let stores: PartyStores
    private let tokens: TokenService
    private let requests: RequestService
    private let webhooks: WebhookParts

    public init(
        parts: SiteParts, stores: PartyStores, tokens: TokenService, requests: RequestService,
        webhooks: WebhookParts
    ) {
        (self.parts, self.stores, self.tokens) = (parts, stores, tokens)
        (self.requests, self.webhooks) = (requests, webhooks)
    }

    /// Access of the programs, for further capabilities.
    public var access: PartyAccess { PartyAccess(service: tokens) }

    public var routes: [Route] {
        let access = access
        return CompanyPages(parts: parts, parties: stores.parties).routes + TokenAPI(service: tokens).routes
            + PartyKeyAPI(parties: stores.parties, access: access, clock: parts.clock).routes
            + RequestAPI(
                requests: stores.requests, service: requests, access: access, clock: parts.clock
            ).routes
            + SharedAPI(
                shared: stores.shared, subscriptions: stores.subscriptions, access: access, clock: parts.clock
            ).routes
            + SubscriptionAPI(
                subscriptions: stores.subscriptions, access: access, webhooks: webhooks, parts: parts
            ).routes
            + SharingPages(
                parts: parts, requests: stores.requests, service: requests
            ).routes
    }

    /// Values of `aud` in assertions for a server.
    public static func audiences(of origin: WebOrigin) -> Set<String> {
        [origin.text, origin.text + TokenAPI.path]
    }
}
