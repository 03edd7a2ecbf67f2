public import Accounts
public import GatewayModel
public import Houses
import PageSecurity
public import Store

/// Parts that the routes of the pages share.
public struct SiteParts: Sendable {
    public let stores: Stores
    public let links: LinkService
    public let hub: LiveHub
    public let hasher: any PasswordHasher
    public let sealer: IdentitySealer
    public let cookies: SessionCookies
    public let clock: @Sendable () -> WallTime
    /// Monotonic clock for the limits of attempts.
    public let bootClock: @Sendable () -> BootInstant
    /// Calendar of the server's time zone until a time.
    public let calendar: @Sendable (WallTime) -> LocalCalendar
    public let zones: TimeZones
    public let gate: AttemptGate
    /// Nil for a server whose address is not a name: browsers make no passkeys for it.
    public let passkeys: RelyingParty?
    /// Waits until a time of the monotonic clock.
    public let wait: @Sendable (BootInstant) async -> Void

    /// - Parameter wait: until a time of `bootClock`.
    public init(
        stores: Stores, links: LinkService, hub: LiveHub, hasher: any PasswordHasher, sealer: IdentitySealer,
        cookies: SessionCookies, clock: @escaping @Sendable () -> WallTime,
        bootClock: @escaping @Sendable () -> BootInstant,
        calendar: @escaping @Sendable (WallTime) -> LocalCalendar, zones: TimeZones = .none,
        gate: AttemptGate = AttemptGate(), passkeys: RelyingParty? = nil,
        wait: @escaping @Sendable (BootInstant) async -> Void
    ) {
        (self.stores, self.links, self.hub, self.hasher) = (stores, links, hub, hasher)
        (self.sealer, self.cookies, self.clock) = (sealer, cookies, clock)
        (self.bootClock, self.calendar, self.zones) = (bootClock, calendar, zones)
        (self.gate, self.passkeys, self.wait) = (gate, passkeys, wait)
    }

    /// Routes of the pages and of the API.
    public var routes: [Route] {
        [Route(PageFiles.style), Route(PageFiles.readings), Route(PageFiles.livePart)]
            + AgreementPage().routes + SignInPages(parts: self).routes
            + RegistrationPages(parts: self).routes + InvitationPages(parts: self).routes
            + DataPages(parts: self).routes
            + LinkPages(parts: self).routes + SessionPages(parts: self).routes
            + AccountPages(parts: self).routes + PersonAPI(parts: self).routes
            + HousePages(parts: self).routes + ExportPages(parts: self).routes
            + PersonRecords(parts: self).routes
            + (passkeys.map {
                PasskeyPages(parts: self, party: $0).routes + PasskeySignIn(parts: self, party: $0).routes
            } ?? [])
    }

    /// Calendar of the account's time zone until now.
    public func calendar(of context: RouteContext) -> LocalCalendar { calendar(of: context.account) }

    func calendar(of account: Account?) -> LocalCalendar {
        let now = clock()
        return account?.zone.flatMap { zones.calendar(now, $0) } ?? calendar(now)
    }

    /// Counts a look at the data of a person. The answer follows after its commit.
    func recordLook(_ manner: DataView.Manner, _ context: RouteContext, of link: Link) async throws {
        try await stores.views.record(
            manner, by: try context.signedIn().id, of: link.subject, at: clock())
    }

    /// Link of the path, of the account of the session, and only while the person's yes holds.
    public func openLink(_ context: RouteContext) async throws -> Link {
        let account = try context.signedIn()
        guard let id = LinkID(try context.parameter("link")),
            let link = try await stores.links.link(id, of: account.id), link.state == .linked
        else { throw Problem(.notFound, "the account has no such link") }
        return link
    }

    /// Does something for the person of the path. The store refuses an account that may not act for the person.
    public func act<Result>(
        _ context: RouteContext, _ body: (_ link: Link) async throws -> Result
    ) async throws -> Result {
        let link = try await openLink(context)
        do { return try await body(link) } catch StoreFault.notLinked {
            throw Problem(
                .notAllowed, "the link lets the account look only: end it and ask to act for the person")
        }
    }

    /// Asks at home for a fact about the person of a link. Two presses, or two accounts at once, are one question.
    ///
    /// - Throws: `StoreFault.notLinked`.
    public func ask(for kind: FactKind, of link: Link, _ context: RouteContext) async throws {
        do {
            try await links.ask(for: kind, of: link.subject, by: try context.signedIn(), in: stores.facts)
        } catch StoreFault.factAsked {
        } catch StoreFault.tooManyFactRequests {
            throw Problem(.busy, "the person was asked as often as possible in a day")
        }
    }

    /// Ends the sharing of a fact about the person of a link.
    ///
    /// - Throws: `StoreFault.notLinked`.
    public func end(_ kind: FactKind, of link: Link, _ context: RouteContext) async throws {
        _ = try await links.end(kind, of: link.subject, by: try context.signedIn(), in: stores.facts)
    }

    enum Verdict { case good, wrong, tooMany }

    /// Checks the password that the user of a session has entered again.
    func verify(_ text: String?, of account: Account) async -> Verdict {
        let attempt = Attempt.signedIn(account, "password")
        guard gate.begin(attempt, at: bootClock()) else { return .tooMany }
        var isGood = false
        if let password = Password(entered: text ?? "") {
            isGood = await hasher.verify(password, against: account.hash, in: attempt.lane)
        }
        gate.end(attempt, isGood: isGood)
        return isGood ? .good : .wrong
    }

    /// Browser of the cookie. Nil if the account has not signed in there.
    func knownBrowser(_ context: RouteContext, of account: Account?) async throws -> BrowserID? {
        guard let account, let token = cookies.browser.token(in: context.request.headers["cookie"]),
            try await stores.accounts.knows(BrowserID(token), of: account.id, at: clock())
        else { return nil }
        return BrowserID(token)
    }

    /// Signs the account out of all other browsers, which are not known to it any more.
    func signOutOthers(_ context: RouteContext) async throws {
        guard let session = context.session else { return }
        try await stores.accounts.endOthers(than: session.id, of: session.account)
        try await stores.accounts.forgetBrowsers(
            of: session.account,
            except: cookies.browser.token(in: context.request.headers["cookie"]).map { BrowserID($0) })
    }

    /// Opens a session, remembers the browser, and sends it to the person's data, or a dispatcher to the desk.
    func signIn(
        _ account: AccountID, as role: AccountRole = .person, _ context: RouteContext
    ) async throws -> WebAnswer {
        let (token, fresh) = (SessionToken(), SessionToken())
        let own = cookies.browser.token(in: context.request.headers["cookie"])
        // A secret that this server has not made may be known to somebody else.
        let kept = try await stores.accounts.remember(own ?? fresh, or: fresh, of: account, at: clock())
        try await stores.accounts.open(
            Session(
                id: token.id, account: account, created: clock(),
                agent: context.request.headers["user-agent"] ?? ""))
        var answer = WebAnswer.redirect(to: Places.first(of: role))
        answer.setCookies(
            cookies.session.setting(token, for: Session.lifetime(of: role)),
            cookies.browser.setting(kept, for: BrowserID.lifetime), cookies.visitor.clearing)
        return answer
    }
}

/// Time zones that an account can choose.
public struct TimeZones: Sendable {
    public static let none = TimeZones(names: []) { _, _ in nil }

    /// Names of IANA, sorted.
    public let names: [String]
    /// Calendar of a zone until a time; nil for an unknown one.
    public let calendar: @Sendable (WallTime, String) -> LocalCalendar?

    public init(names: [String], calendar: @escaping @Sendable (WallTime, String) -> LocalCalendar?) {
        (self.names, self.calendar) = (names, calendar)
    }
}
