import Crypto
import FoundationEssentials

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
        let key = SymmetricKey(size: .bits256)
        let context = Array(user.text.utf8)
        let wrapped = try AES.GCM.seal(
            key.withUnsafeBytes { Array($0) }, using: master, authenticating: context)
        let box = try AES.GCM.seal(try JSONEncoder().encode(identity), using: key, authenticating: context)
        guard let wrappedKey = wrapped.combined, let bytes = box.combined else { throw Fault() }
        return SealedIdentity(wrappedKey: Array(wrappedKey), box: Array(bytes))
    }

    public func open(_ sealed: SealedIdentity, of user: UserName) throws(Fault) -> Identity {
        let context = Array(user.text.utf8)
        do {
            let key = try AES.GCM.open(
                try AES.GCM.SealedBox(combined: sealed.wrappedKey), using: master, authenticating: context)
            let bytes = try AES.GCM.open(
                try AES.GCM.SealedBox(combined: sealed.box), using: SymmetricKey(data: key),
                authenticating: context)
            return try JSONDecoder().decode(Identity.self, from: bytes)
        } catch {
            throw Fault()
        }
    }
}
