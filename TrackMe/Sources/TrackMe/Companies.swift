import GatewayModel
import Linking
import PartiesLite
import PartyPages
import PartyService
import StoreLite
import WebPages

/// The parts of the third parties.
struct Companies {
    let parties: PartiesLite
    let tokens: PartyTokensLite
    let requests: PartyRequestsLite
    let shared: SharedLite

    init(file: LiteFile) {
        (parties, tokens) = (PartiesLite(file: file), PartyTokensLite(file: file))
        (requests, shared) = (PartyRequestsLite(file: file), SharedLite(file: file))
    }

    func pages(parts: SiteParts, secrets: Secrets, issuer: IssuerID) -> PartyPages {
        PartyPages(
            parts: parts,
            stores: PartyStores(parties: parties, requests: requests, codes: requests, shared: shared),
            tokens: TokenService(
                parties: parties, tokens: tokens, audiences: PartyPages.audiences(of: secrets.origin),
                clock: parts.clock),
            requests: RequestService(
                requests: requests, sealer: secrets.sealer, signer: CommandSigner(secrets.signer, as: issuer),
                clock: parts.clock))
    }
}
