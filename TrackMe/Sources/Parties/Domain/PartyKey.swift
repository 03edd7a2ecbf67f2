public import GatewayModel

/// Public key of Ed25519 by which a party signs its token requests (RFC 8037).
public struct PartyKey: Hashable, Sendable {
    /// `kid`: 1 to 100 printable ASCII characters.
    public let id: String
    /// RFC 7638, SHA-256: the same key has the same thumbprint under each `kid`.
    public let thumbprint: String
    /// Canonical JWK.
    public let jwk: String
    public let added: WallTime

    public init(id: String, thumbprint: String, jwk: String, added: WallTime) {
        (self.id, self.thumbprint, self.jwk, self.added) = (id, thumbprint, jwk, added)
    }
}

/// Keys of a party. A party exchanges a key without an interruption: it adds the new one, and then ends the old one.
public struct PartyKeySet: Hashable, Sendable {
    public enum Fault: String, Error, Hashable, Sendable {
        /// A key of this `kid`, or this key under another `kid`, is there.
        case known
        case tooMany
        case unknown
        /// A party without a key could never sign again.
        case last
    }

    /// Two for an exchange, and two spare ones for a second system.
    public static let most = 4

    public private(set) var keys: [PartyKey]

    public init(_ keys: [PartyKey]) { self.keys = keys }

    public func key(_ id: String) -> PartyKey? { keys.first { $0.id == id } }

    public mutating func add(_ key: PartyKey) throws(Fault) {
        guard keys.allSatisfy({ $0.id != key.id && $0.thumbprint != key.thumbprint }) else { throw .known }
        guard keys.count < Self.most else { throw .tooMany }
        keys.append(key)
    }

    public mutating func end(_ id: String) throws(Fault) {
        guard key(id) != nil else { throw .unknown }
        guard keys.count > 1 else { throw .last }
        keys.removeAll { $0.id == id }
    }
}
