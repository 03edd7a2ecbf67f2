import Accounts
import CloudCommands
import Desk
import GatewayModel
import Parties
import ServerSettings
import SettingsReading
import WebPages

/// Keys of the server, and its address.
struct Secrets {
    let signer: IssuerSigner
    let sealer: IdentitySealer
    let callSealer: CallSealer
    let webhookSigner: WebhookSigner
    let origin: WebOrigin
    /// Nil for an origin with the address of a machine.
    let passkeys: RelyingParty?

    /// Blocking I/O.
    init(_ settings: ServerSettings) throws {
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
            let sealer = IdentitySealer(masterKey: key), let callSealer = CallSealer(masterKey: key)
        else {
            throw ServerFault("master_key_file: expected 32 bytes as base64url. Make one: trackme keys")
        }
        guard let webhookSigner = WebhookSigner(masterKey: key) else {
            throw ServerFault(
                "master_key_file: no key for webhooks can be derived from it. Make one: trackme keys")
        }
        (self.sealer, self.callSealer, self.webhookSigner) = (sealer, callSealer, webhookSigner)
        passkeys = RelyingParty(host: origin.host, origin: origin.text, masterKey: key)
    }
}

/// Reason for which the server cannot start, with the remedy.
struct ServerFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension Secrets {
    /// Line of `trackme check`.
    var passkeysLine: String {
        if let passkeys {
            return "passkeys: for \(passkeys.id); with another host in origin they do not sign in"
        }
        return
            "warning: passkeys: browsers make none for \(origin.host). Write a name in origin, such as "
            + (origin.isSecure ? "https://trackme.example" : "http://localhost:8780")
    }
}
