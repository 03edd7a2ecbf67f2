/// Encrypts a message so that only the owner of one key can read it. A seam: the domain has no cipher of its own.
public protocol MessageSealer: Sendable {
    /// - Parameter info: what the message belongs to: it opens only for whoever says the same.
    /// - Returns: HPKE (RFC 9180) in one message: the encapsulated key of 32 bytes, the ciphertext, the tag of 16.
    ///   Nil where the key is none that anything can be sealed to.
    func seal(_ plain: [UInt8], to key: ThirdParty.SealingKey, info: [UInt8]) -> [UInt8]?
}
