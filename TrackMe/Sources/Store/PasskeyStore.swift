public import Accounts
public import GatewayModel
public import Passkeys

/// Passkeys of accounts. Each change is in the audit log, in the same commit.
public protocol PasskeyStore: Sendable {
    func add(_ passkey: Passkey) async throws -> PasskeyAddition
    func passkey(_ id: PasskeyID) async throws -> Passkey?
    /// Oldest first.
    func passkeys(of account: AccountID) async throws -> [Passkey]
    /// Numbers of passkeys of the accounts that have any.
    func counts() async throws -> [AccountID: Int]
    /// Records a sign-in by a verified signature.
    ///
    /// - Parameters:
    ///   - counter: of the device, in the signature.
    ///   - challenged: time of the challenge, which is newer than that of every earlier sign-in by the passkey.
    func use(
        _ id: PasskeyID, counter: UInt32, challenged: WallTime, at now: WallTime
    ) async throws -> PasskeyUse
    /// Removes the passkey of the account with this `PasskeyID.short`. Returns false for none.
    func remove(short: String, of account: AccountID, at now: WallTime) async throws -> Bool
    /// Newest first.
    func changes(
        of account: AccountID, most: Int
    ) async throws -> [(change: PasskeyChange, at: WallTime)]
}

/// Result of an addition.
public enum PasskeyAddition: Hashable, Sendable {
    case done
    /// A passkey with this ID is in the store, of this account or another one.
    case exists
    /// The account has `Passkey.mostOfAccount`.
    case tooMany
}

/// Result of a sign-in by a passkey.
public enum PasskeyUse: Hashable, Sendable {
    case done
    /// The challenge is not newer than that of an earlier sign-in, or the passkey is gone.
    case repeated
    /// The counter is not ahead of that in the store: there may be a copy of the passkey (WebAuthn Level 3 section 6.1.1).
    case copied
}
