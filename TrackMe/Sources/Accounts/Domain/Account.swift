public import GatewayModel

/// Rights of an account beside those of every registered person.
public enum AccountRole: String, CaseIterable, Hashable, Sendable {
    case person
    /// Works at the emergency desk.
    case dispatcher
    /// Looks after the boxes of a fleet.
    case installer
}

/// A registered user.
public struct Account: Hashable, Sendable {
    public let id: AccountID
    public let user: UserName
    public let hash: PasswordHash
    public let identity: SealedIdentity
    public let role: AccountRole
    public let language: PersonProfile.Language
    public let agreement: AgreementConsent
    public let created: WallTime
    /// Name of a time zone of IANA; nil for that of the server.
    public let zone: String?
    /// Since when the operator lets nobody sign in to it; nil where users can.
    public let disabled: WallTime?

    public init(
        id: AccountID, user: UserName, hash: PasswordHash, identity: SealedIdentity, role: AccountRole,
        language: PersonProfile.Language, agreement: AgreementConsent, created: WallTime, zone: String? = nil,
        disabled: WallTime? = nil
    ) {
        (self.id, self.user, self.hash, self.identity, self.role) = (id, user, hash, identity, role)
        (self.language, self.agreement, self.created, self.zone) = (language, agreement, created, zone)
        self.disabled = disabled
    }
}

/// Version of the agreement that a user accepted, and the time.
public struct AgreementConsent: Hashable, Sendable {
    /// Version of the text that a new user accepts. It rises with each change of the text.
    public static let currentVersion = 1

    public let version: Int
    public let at: WallTime

    public init(version: Int, at: WallTime) { (self.version, self.at) = (version, at) }
}

/// Account before the store has given it a number.
public struct NewAccount: Sendable {
    public let user: UserName
    public let hash: PasswordHash
    public let identity: SealedIdentity
    public let role: AccountRole
    public let language: PersonProfile.Language
    public let agreement: AgreementConsent
    public let created: WallTime

    public init(
        user: UserName, hash: PasswordHash, identity: SealedIdentity, role: AccountRole,
        language: PersonProfile.Language, agreement: AgreementConsent, created: WallTime
    ) {
        (self.user, self.hash, self.identity, self.role) = (user, hash, identity, role)
        (self.language, self.agreement, self.created) = (language, agreement, created)
    }
}
