import Crypto
import Foundation
import GatewayModel
import Parties
import PartiesLite
import PartyPages
import SiteSamples
import Store
import StoreLite
import WebPages

/// A site with the pages and the API of third parties.
struct PartySite {
    let trial: TrialSite
    let parties: PartiesLite

    init() async throws {
        trial = try await TrialSite(migrations: AuditLog.migrations + PartiesLite.migrations) { parts, file in
            PartyPages(parts: parts, parties: PartiesLite(file: file)).routes
        }
        parties = PartiesLite(file: trial.file)
    }
}

/// A company's key pair.
struct CompanyKey {
    let key = Curve25519.Signing.PrivateKey()
    let id: String

    var jwk: String {
        let x = Base64URL.encode(Array(key.publicKey.rawRepresentation))
        return #"{"kty":"OKP","crv":"Ed25519","kid":"\#(id)","x":"\#(x)"}"#
    }
}
