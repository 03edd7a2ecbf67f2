import Crypto
public import GatewayModel

/// ID that an authenticator gave a passkey.
public struct PasskeyID: Hashable, Sendable {
    /// Bytes (WebAuthn Level 3 section 4, "Credential ID").
    public static let lengths = 16...1_023

    public let bytes: [UInt8]

    public init?(_ bytes: [UInt8]) {
        guard Self.lengths.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Hash in 16 hexadecimal digits: for the form that removes it, and for the audit log.
    public var short: String {
        SHA256.hash(data: bytes).prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// Name that the user gave a passkey.
public struct PasskeyName: Hashable, Sendable {
    public static let length = 40

    public let text: String

    /// Nil unless the text has 1 to 40 characters that can be seen.
    public init?(_ text: String) {
        guard PlainText.holds(text, 1...Self.length) else { return nil }
        self.text = text
    }
}

/// Key pair of a user's device: it signs her in without a password. The server has the public key.
public struct Passkey: Hashable, Sendable {
    public static let mostOfAccount = 10

    public let id: PasskeyID
    public let account: AccountID
    public let key: PasskeyKey
    public let name: PasskeyName
    /// Number of signatures as the device counts them. 0 for a device that does not.
    public let counter: UInt32
    public let added: WallTime
    /// Newest sign-in.
    public let used: WallTime?

    public init(
        id: PasskeyID, account: AccountID, key: PasskeyKey, name: PasskeyName, counter: UInt32,
        added: WallTime, used: WallTime? = nil
    ) {
        (self.id, self.account, self.key, self.name) = (id, account, key, name)
        (self.counter, self.added, self.used) = (counter, added, used)
    }
}

/// Change of the passkeys of an account, in the audit log. The raw value is the beginning of its line.
public enum PasskeyChange: String, CaseIterable, Hashable, Sendable {
    case added = "passkey added"
    case removed = "passkey removed"
    /// With the password that the operator replaced.
    case reset = "passkey removed with the password"
    /// A sign-in was refused, since the counter of the device was not ahead of that in the store.
    case copied = "passkey refused for its counter"
}
