import GatewayModel
import Linking
import Logging
import PartiesLite
import PartyPages
import PartyService
import SQLDatabase
import ServerSettings
import ServiceLifecycle
import StoreLite
import WebPages
import Webhooks

/// The parts of the third parties.
struct Companies {
    let parties: PartiesLite
    let tokens: PartyTokensLite
    let requests: PartyRequestsLite
    let shared: SharedLite
    private let subscriptions: SubscriptionsLite
    /// Of the pages, which send test calls, and of the duties.
    private let sender: WebhookSender

    /// Blocking I/O.
    init(file: DatabasePool, settings: ServerSettings) throws {
        (parties, tokens) = (PartiesLite(file: file), PartyTokensLite(file: file))
        (requests, shared) = (PartyRequestsLite(file: file), SharedLite(file: file))
        subscriptions = SubscriptionsLite(file: file)
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
