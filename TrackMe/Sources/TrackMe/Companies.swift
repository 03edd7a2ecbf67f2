import GatewayModel
import Houses
import Logging
import Parties
import SQLDatabase
import ServerSettings
import ServiceLifecycle
import Store
import WebPages

/// The parts of the third parties.
struct Companies {
    let parties: PartyStore
    let tokens: PartyTokenStore
    let requests: PartyRequestStore
    let shared: SharedStore
    private let subscriptions: SubscriptionStore
    /// Of the pages, which send test calls, and of the duties.
    private let sender: WebhookSender

    /// Blocking I/O.
    init(file: DatabasePool, settings: ServerSettings) throws {
        (parties, tokens) = (PartyStore(file: file), PartyTokenStore(file: file))
        (requests, shared) = (PartyRequestStore(file: file), SharedStore(file: file))
        subscriptions = SubscriptionStore(file: file)
        sender = try WebhookSender(allowsLoopback: settings.webhooksToLoopback)
    }

    private func requestService(
        _ secrets: Secrets, issuer: IssuerID, clock: @escaping @Sendable () -> WallTime
    ) -> RequestService {
        RequestService(
            requests: requests, sealer: secrets.sealer, signer: CommandSigner(secrets.signer, as: issuer),
            clock: clock)
    }

    func pages(parts: SiteParts, secrets: Secrets, issuer: IssuerID) -> PartyPages {
        PartyPages(
            parts: parts,
            stores: PartyStores(
                parties: parties, requests: requests, shared: shared,
                subscriptions: subscriptions),
            tokens: TokenService(
                parties: parties, tokens: tokens, audiences: PartyPages.audiences(of: secrets.origin),
                clock: parts.clock),
            requests: requestService(secrets, issuer: issuer, clock: parts.clock),
            webhooks: WebhookParts(transport: sender, signer: secrets.webhookSigner))
    }

    /// Service of each server.
    var sending: any Service { sender }

    /// Duties of one server at a time. They stop before the sender that they use: services end in the reverse order.
    func services(
        secrets: Secrets, settings: ServerSettings, logger: Logger, clock: @escaping @Sendable () -> WallTime
    ) -> [any Service] {
        [
            WithdrawalLoop(
                requests: requestService(secrets, issuer: settings.issuer, clock: clock),
                operatorName: settings.operatorName, logger: logger),
            WebhookLoop(
                subscriptions: subscriptions, transport: sender, signer: secrets.webhookSigner, logger: logger,
                clock: clock),
        ]
    }
}
