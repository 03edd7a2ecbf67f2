internal import Crypto
internal import FoundationEssentials
public import GatewayModel

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
