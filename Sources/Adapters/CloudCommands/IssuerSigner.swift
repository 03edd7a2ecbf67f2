import Crypto
import FoundationEssentials
public import GatewayModel

/// The private key of an issuer: for whoever writes the cloud side, and never on a gateway.
public struct IssuerSigner: Sendable {
    private enum Key: Sendable {
        case ed25519(Curve25519.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
    }

    private let key: Key
    /// As the key names itself.
    public let keyID: String

    /// - Parameter bytes: a private JWK: of Ed25519 (RFC 8037) or P-256, with `d` and `kid`.
    public init(jwk bytes: [UInt8]) throws(PinnedKey.Fault) {
        guard let json = try? StrictJSON(bytes), case .object = json else {
            throw PinnedKey.Fault(description: "saw no JSON object, expected a private JWK")
        }
        guard let d = json.text("d").flatMap({ Base64URL.decode($0) }), let keyID = json.text("kid") else {
            throw PinnedKey.Fault(
                description: "saw no d or no kid, expected a private JWK: the public one cannot sign")
        }
        self.keyID = keyID
        do {
            switch (json.text("kty"), json.text("crv")) {
            case ("OKP", "Ed25519"):
                key = .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: d))
            case ("EC", "P-256"): key = .p256(try P256.Signing.PrivateKey(rawRepresentation: d))
            default: throw PinnedKey.Fault(description: "")
            }
        } catch {
            throw PinnedKey.Fault(
                description: "saw no private key of Ed25519 (kty OKP) or P-256 (kty EC), expected one of them")
        }
    }

    /// Makes a key of Ed25519 (RFC 8037). Its `kid` is the beginning of the public key, so that no two have the same.
    public static func newKey() -> (privateJWK: String, publicJWK: String) {
        let key = Curve25519.Signing.PrivateKey()
        let x = Base64URL.encode(key.publicKey.rawRepresentation)
        let members = #""crv":"Ed25519","kid":"\#(x.prefix(11))","kty":"OKP","x":"\#(x)""#
        return (#"{\#(members),"d":"\#(Base64URL.encode(key.rawRepresentation))"}"#, "{\(members)}")
    }

    /// The claims of a command.
    ///
    /// - Parameter command: the JSON of `cmd`; an object.
    /// - Throws: where it is none that a gateway would read.
    public static func claims(
        of command: [UInt8], from issuer: IssuerID, to gateway: GatewayID, by: String?, sequence: Int64,
        id: String, at now: WallTime, life: Duration
    ) throws(PinnedKey.Fault) -> [UInt8] {
        let seen = "the command is no JSON object such as {\"type\": \"drill\", \"person\": \"maria\"}"
        do throws(StrictJSON.Fault) {
            guard case .object = try StrictJSON(command) else { throw .malformed(at: 0, expected: "an object") }
        } catch {
            throw PinnedKey.Fault(description: "\(seen): \(error)")
        }
        let issued = now.millisecondsSince1970 / 1_000
        let name = by.map { #""by":\#(quoted($0)),"# } ?? ""
        let claims =
            #"{"aud":"\#(gateway)",\#(name)"cmd":\#(String(decoding: command, as: UTF8.self)),"#
            + #""exp":\#(issued + life.components.seconds),"iat":\#(issued),"iss":"\#(issuer)","#
            + #""jti":\#(quoted(id)),"seq":\#(sequence)}"#
        return Array(claims.utf8)
    }

    /// A text as JSON has it; texts always encode.
    static func quoted(_ text: String) -> String {
        (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    /// A command, signed: claims as they are, whether or not a gateway would take them.
    public func sign(claims: [UInt8]) throws -> [UInt8] { try sign(claims: claims, as: CommandToken.type) }

    func sign(claims: [UInt8], as type: String) throws -> [UInt8] {
        let algorithm = if case .ed25519 = key { "EdDSA" } else { "ES256" }
        let quoted = keyID.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let header = #"{"alg":"\#(algorithm)","kid":"\#(quoted)","typ":"\#(type)"}"#
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(claims)
        let signature: Data =
            switch key {
            case .ed25519(let key): try key.signature(for: Array(signed.utf8))
            case .p256(let key): try key.signature(for: Array(signed.utf8)).rawRepresentation
            }
        return Array("\(signed).\(Base64URL.encode(signature))".utf8)
    }
}

/// A party's word that readings for it are to be sealed with another key, signed by the party itself: the cloud
/// passes it on and cannot make one.
public struct PartyKeyChange: Hashable, Sendable {
    public let person: PersonID
    public let party: PartyID
    public let key: ThirdParty.SealingKey
    /// Of Ed25519, over `words`.
    private let signature: [UInt8]

    init(_ members: inout Members) throws(CommandRefusal) {
        person = try members.name("person")
        party = try members.name("party")
        key = try CloudCommand.sealingKey(try members.take("sealing_key"))
        signature = try members.parsed("signature", expected: "64 bytes as base64url without padding") { text in
            Base64URL.decode(text).flatMap { $0.count == 64 ? $0 : nil }
        }
    }

    /// What the party signs, in ASCII: the key it had, so that an old word cannot bring an old key back.
    func words(at gateway: GatewayID, after old: ThirdParty.SealingKey?) -> [UInt8] {
        let lines = [
            "trackme-party-key", gateway.text, person.text, party.text, old?.id.text ?? "-", key.id.text,
            Base64URL.encode(key.bytes),
        ]
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// Whether the party that the person granted something signed it, at this gateway, for the key it has now.
    public func isSigned(by party: ThirdParty, at gateway: GatewayID) -> Bool {
        guard party.id == self.party, let signer = party.signingKey,
            let publicKey = try? Curve25519.Signing.PublicKey(rawRepresentation: signer.bytes)
        else { return false }
        return publicKey.isValidSignature(signature, for: words(at: gateway, after: party.sealingKey))
    }
}
