import Accounts
import CloudCommands
import GatewayModel
import PartyService
import Settings
import WebPages

/// Keys of the server, and its address.
struct Secrets {
    let signer: IssuerSigner
    let sealer: IdentitySealer
    let webhookSigner: WebhookSigner
    let origin: WebOrigin

    /// Blocking I/O.
    init(_ settings: TrackMeSettings) throws {
        guard let origin = WebOrigin(settings.origin) else {
            throw ServerFault(
                "origin: saw \(settings.origin), expected https://HOST, or http://localhost:PORT on this machine alone: "
                    + "correct it in the settings")
        }
        self.origin = origin
        do {
            signer = try IssuerSigner(jwk: Array(try settings.issuerKeyFile.text().utf8))
        } catch {
            throw ServerFault("issuer_key_file: \(error). Make one: trackme keys")
        }
        guard let key = Base64URL.decode(try settings.masterKeyFile.text()),
            let sealer = IdentitySealer(masterKey: key)
        else {
            throw ServerFault("master_key_file: expected 32 bytes as base64url. Make one: trackme keys")
        }
        guard let webhookSigner = WebhookSigner(masterKey: key) else {
            throw ServerFault(
                "master_key_file: no key for webhooks can be derived from it. Make one: trackme keys")
        }
        (self.sealer, self.webhookSigner) = (sealer, webhookSigner)
    }
}

/// Reason for which the server cannot start, with the remedy.
struct ServerFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
