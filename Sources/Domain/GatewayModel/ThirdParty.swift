/// Whoever asks for a person's data, as the person was shown them when they answered.
///
/// Its keys are bytes here: nothing in the domain computes with them.
public struct ThirdParty: Hashable, Sendable {
    /// The key that readings for this party are sealed with (HPKE, RFC 9180).
    public struct SealingKey: Hashable, Sendable {
        public static let length = 32

        /// How the party tells its keys apart.
        public let id: KeyID
        /// A public key of X25519 (RFC 7748).
        public let bytes: [UInt8]

        /// Nil unless `bytes` are 32.
        public init?(id: KeyID, bytes: [UInt8]) {
            guard bytes.count == Self.length else { return nil }
            (self.id, self.bytes) = (id, bytes)
        }
    }

    /// The key with which the party itself may ask for another sealing key: nobody else's word changes it.
    public struct SigningKey: Hashable, Sendable {
        public static let length = 32

        /// A public key of Ed25519 (RFC 8032).
        public let bytes: [UInt8]

        /// Nil unless `bytes` are 32.
        public init?(bytes: [UInt8]) {
            guard bytes.count == Self.length else { return nil }
            self.bytes = bytes
        }
    }

    /// Characters that fit on a line of a small screen.
    public static let nameLength = 1...100

    public let id: PartyID
    /// For people.
    public let name: String
    /// Nil where readings go to it unsealed.
    public let sealingKey: SealingKey?
    /// Nil where its sealing key stays what it is.
    public let signingKey: SigningKey?

    /// Nil unless `name` is plain text of `nameLength`.
    public init?(id: PartyID, name: String, sealingKey: SealingKey? = nil, signingKey: SigningKey? = nil) {
        guard PlainText.holds(name, Self.nameLength) else { return nil }
        (self.id, self.name, self.sealingKey, self.signingKey) = (id, name, sealingKey, signingKey)
    }

    /// The same with another sealing key.
    public func sealing(with key: SealingKey) -> ThirdParty {
        ThirdParty(checked: id, name, key, signingKey)
    }

    private init(checked id: PartyID, _ name: String, _ sealing: SealingKey?, _ signing: SigningKey?) {
        (self.id, self.name, sealingKey, signingKey) = (id, name, sealing, signing)
    }
}

/// The name of a key, as its owner wrote it (`kid` of RFC 7517): 1 to 64 characters out of letters, digits and
/// `-._~`, which fits the thumbprint of RFC 7638.
public struct KeyID: Hashable, Sendable, CustomStringConvertible {
    public static let form = "1 to 64 characters out of letters, digits and -._~"

    public let text: String

    /// Nil where `text` is not of `form`.
    public init?(_ text: String) {
        let others = "-._~".utf8
        guard (1...64).contains(text.utf8.count),
            text.utf8.allSatisfy({ byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || others.contains(byte)
            })
        else { return nil }
        self.text = text
    }

    public var description: String { text }
}
