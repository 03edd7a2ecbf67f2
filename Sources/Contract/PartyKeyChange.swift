public import GatewayModel

/// That a third party's readings are to be sealed with another key from now on. It holds only by the party's own
/// signature over `statement`: neither the cloud nor the broker can bring in a key of theirs.
public struct PartyKeyChange: Hashable, Sendable {
    public let gateway: GatewayID
    public let party: PartyID
    /// The key in force: an old word, said again, would bring back an old key.
    public let replaced: KeyID
    public let key: ThirdParty.SealingKey

    public init(gateway: GatewayID, party: PartyID, replacing replaced: KeyID, with key: ThirdParty.SealingKey)
    {
        (self.gateway, self.party, self.replaced, self.key) = (gateway, party, replaced, key)
    }

    /// What the party signs; none of its lines can hold a line break.
    public var statement: [UInt8] {
        let lines = [
            "trackme-party-key-v1", gateway.text, party.text, replaced.text, key.id.text,
            Base64URL.text(key.bytes),
        ]
        return Array(lines.joined(separator: "\n").utf8)
    }
}
