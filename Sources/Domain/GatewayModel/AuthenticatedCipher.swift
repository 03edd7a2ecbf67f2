/// Encryption that also notices a change (AES-256-GCM, NIST SP 800-38D). Behind a protocol, since a store has
/// no cryptography of its own: the gateway hands in an implementation.
public protocol AuthenticatedCipher: Sendable {
    /// - Parameters:
    ///   - nonce: 12 bytes, never twice with one key.
    ///   - associatedData: not kept, and not secret; opening needs the same.
    /// - Returns: the ciphertext and a tag of 16 bytes behind it; nil where the library refuses.
    func seal(
        _ plain: [UInt8], key: AES256Key, nonce: [UInt8], associatedData: [UInt8]
    ) -> [UInt8]?

    /// - Parameter sealed: the ciphertext and the tag of 16 bytes.
    /// - Returns: nil where the tag does not fit: another key, or damaged, moved or forged bytes.
    func open(
        _ sealed: [UInt8], key: AES256Key, nonce: [UInt8], associatedData: [UInt8]
    ) -> [UInt8]?
}

/// A secret of 32 bytes. Does not show itself in a log.
public struct AES256Key: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    public let bytes: [UInt8]

    /// Nil unless there are 32.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    public var description: String { "a key" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Encrypts a message so that only the owner of one key can read it. A seam: the domain has no cipher of its own.
public protocol MessageSealer: Sendable {
    /// - Parameter info: context of the message: it opens only with the same context.
    /// - Returns: HPKE (RFC 9180) in one message: the encapsulated key of 32 bytes, the ciphertext, the tag of 16.
    ///   Nil where the key is none that anything can be sealed to.
    func seal(_ plain: [UInt8], to key: ThirdParty.SealingKey, info: [UInt8]) -> [UInt8]?
}
