public import Accounts
public import GatewayModel
public import PageSecurity

/// Accounts of users. An invitation of an account ends with each new password of the operator, and with `disable`.
public protocol AccountStore: Sendable {
    /// - Throws: `StoreFault.nameTaken`.
    func add(_ account: NewAccount) async throws -> AccountID
    func account(named user: UserName) async throws -> Account?
    func account(_ id: AccountID) async throws -> Account?
    /// Sorted by user name.
    func accounts() async throws -> [Account]
    func setLanguage(_ language: PersonProfile.Language, of account: AccountID) async throws
    func setHash(_ hash: PasswordHash, of account: AccountID) async throws
    /// Replaces the password, removes the passkeys and ends every session of the account, in one commit: somebody else may
    /// have had it.
    func reset(_ hash: PasswordHash, of account: AccountID, at now: WallTime) async throws
    /// As `reset`, and lets the holder of a secret choose the next password until a time. An earlier invitation of the account ends.
    ///
    /// - Parameters:
    ///   - hash: of a password that nobody knows.
    ///   - now: the time from which the invitation holds.
    func invite(
        _ account: AccountID, by invitation: Invitation, hash: PasswordHash, at now: WallTime
    ) async throws
    /// Account of an invitation with the `RandomSecret.hash`. Nil for none, after its end, and while the account is disabled.
    func invited(by secret: [UInt8], at now: WallTime) async throws -> Account?
    /// As `reset`, with the user's own agreement; ends the invitation in the same commit. Returns false if `invited` has no account.
    func accept(
        _ secret: [UInt8], hash: PasswordHash, agreement: AgreementConsent
    ) async throws -> Bool
    func endInvitations(before time: WallTime) async throws
    /// Lets nobody sign in to the account, and ends every session of it in the same commit. Its links, passkeys and data stay. One that
    /// is disabled already keeps its time.
    func disable(_ account: AccountID, at now: WallTime) async throws
    /// Lets the user sign in again.
    func enable(_ account: AccountID) async throws
    func setIdentity(_ identity: SealedIdentity, of account: AccountID) async throws
    /// Sets the name of a time zone of IANA; nil for that of the server.
    func setZone(_ zone: String?, of account: AccountID) async throws
    /// Removes the account with its sealed identity, its sessions, its links and the commands that name its user, and queues
    /// a withdrawal for each link in the same commit. Readings belong to the house and stay until no account is linked to
    /// their person; then everything of that person goes.
    func remove(
        _ account: AccountID, at now: WallTime,
        withdraw: @escaping @Sendable (_ link: Link, _ sequence: Int64) throws -> OutgoingCommand
    ) async throws
}

/// Signed-in browsers.
public protocol SessionStore: Sendable {
    func open(_ session: Session) async throws
    /// Session and account; nil for an unknown session, and while the account is disabled.
    func session(_ id: SessionID) async throws -> (session: Session, account: Account)?
    /// Newest first.
    func sessions(of account: AccountID) async throws -> [Session]
    func end(_ session: SessionID) async throws
    /// Ends the session of the account whose ID begins so. Sessions of others are not touched.
    func end(short: String, of account: AccountID) async throws
    func endOthers(than session: SessionID, of account: AccountID) async throws
    func endSessions(before time: WallTime) async throws

    /// Makes a browser known to an account, by its sign-in now.
    ///
    /// - Returns: `own` if the browser is known to an account already, else `fresh`: the secret for its cookie.
    func remember(
        _ own: SessionToken, or fresh: SessionToken, of account: AccountID, at now: WallTime
    ) async throws -> SessionToken
    /// Returns whether the account has signed in with the browser within `BrowserID.lifetime`.
    func knows(_ browser: BrowserID, of account: AccountID, at now: WallTime) async throws -> Bool
    func forgetBrowsers(of account: AccountID, except browser: BrowserID?) async throws
    /// Forgets the browsers with an older last sign-in.
    func forgetBrowsers(before time: WallTime) async throws
}
