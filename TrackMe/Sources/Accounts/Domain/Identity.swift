import Crypto
import FoundationEssentials
public import GatewayModel

/// Data that name the person behind an account. Only sealed in the store.
public struct Identity: Hashable, Codable, Sendable {
    /// Maximum number of characters of a name.
    public static let nameLength = 100

    public let name: String

    /// - Returns: nil unless the name has 1 to 100 characters and no control character.
    public init?(name: String) {
        let words = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !words.isEmpty, words.count <= Self.nameLength, words.utf8.count <= 4 * Self.nameLength,
            words.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        self.name = words
    }
}

/// An identity under a key of its own, and this key under the master key. Without the wrapped key, in a backup too,
/// nobody can open it.
public struct SealedIdentity: Hashable, Sendable {
    public let wrappedKey: [UInt8]
    public let box: [UInt8]

    public init(wrappedKey: [UInt8], box: [UInt8]) { (self.wrappedKey, self.box) = (wrappedKey, box) }
}

/// Seals identities by AES-256-GCM. The master key is a file beside the database, never in it.
public struct IdentitySealer: Sendable {
    /// Bytes of a master key.
    public static let keyLength = 32

    /// Reason why an identity cannot be read.
    public struct Fault: Error, CustomStringConvertible {
        public let description =
            "an identity cannot be opened with this master key. Restore the master key file that belongs to the database."
    }

    private let master: SymmetricKey

    /// - Returns: nil unless the key has 32 bytes.
    public init?(masterKey: [UInt8]) {
        guard masterKey.count == Self.keyLength else { return nil }
        master = SymmetricKey(data: masterKey)
    }

    /// The user name is authenticated: a row's identity cannot be moved to another row.
    public func seal(_ identity: Identity, of user: UserName) throws -> SealedIdentity {
        try seal(Array(try JSONEncoder().encode(identity)), user.text)
    }

    public func open(_ sealed: SealedIdentity, of user: UserName) throws(Fault) -> Identity {
        let bytes = try open(sealed, user.text)
        do { return try JSONDecoder().decode(Identity.self, from: Data(bytes)) } catch { throw Fault() }
    }

    // MARK: Fiscal codes

    /// Look-up value of a fiscal code. Without the master key nobody computes it: there are few enough fiscal codes to
    /// try them all against a hash.
    public func lookUp(_ code: FiscalCode) -> [UInt8] {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: master, info: Array("trackme fiscal code".utf8), outputByteCount: 32)
        return Array(HMAC<SHA256>.authenticationCode(for: Array(code.text.utf8), using: key))
    }

    // MARK: Envelopes

    private func seal(_ bytes: [UInt8], _ context: String) throws -> SealedIdentity {
        let key = SymmetricKey(size: .bits256)
        let context = Array(context.utf8)
        let wrapped = try AES.GCM.seal(
            key.withUnsafeBytes { Array($0) }, using: master, authenticating: context)
        let box = try AES.GCM.seal(bytes, using: key, authenticating: context)
        guard let wrappedKey = wrapped.combined, let box = box.combined else { throw Fault() }
        return SealedIdentity(wrappedKey: Array(wrappedKey), box: Array(box))
    }

    private func open(_ sealed: SealedIdentity, _ context: String) throws(Fault) -> [UInt8] {
        let context = Array(context.utf8)
        do {
            let key = try AES.GCM.open(
                try AES.GCM.SealedBox(combined: sealed.wrappedKey), using: master, authenticating: context)
            return Array(
                try AES.GCM.open(
                    try AES.GCM.SealedBox(combined: sealed.box), using: SymmetricKey(data: key),
                    authenticating: context))
        } catch {
            throw Fault()
        }
    }
}
