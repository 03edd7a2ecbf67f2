package import ControlContract
package import GatewayModel
package import PageSecurity

/// Decides on each request before its page or act: host, method, origin, session, role, form, limit, in this order. Pure.
package struct Gatekeeper: Sendable {
    /// Fields of a request that decide on its admission. The address of the peer is not among them.
    package struct Visit: Sendable {
        package var method: String
        package var host, origin, fetchSite, cookie: String?
        /// Field `token` of a form.
        package var formToken: String?

        package init(method: String, host: String?) {
            (self.method, self.host) = (method, host)
        }
    }

    /// Goal of a request.
    package enum Goal: Hashable, Sendable {
        /// Style, script or the page for a code: they name nobody.
        case open
        /// The form with a code.
        case pairing
        /// Page or stream with the state that the session may see.
        case page
        /// Page or stream of a race: for organisers, and for everybody where the settings open it.
        case race
        /// Act that the gateway may admit from these roles. One without a limit is obeyed however often it comes.
        case act(roles: Set<ControlSession.Role>, isLimited: Bool)

        fileprivate var isPost: Bool {
            switch self {
            case .open, .page, .race: false
            case .pairing, .act: true
            }
        }
    }

    package enum Decision: Hashable, Sendable {
        case refused(RequestGuard.Refusal)
        /// Admitted without a session. The answer says nothing of the house.
        case open
        /// Admitted to the pages of races without a session, as one of the spectators.
        case spectator
        /// No session, an ended one or a revoked one. The answer is the page for a code.
        case needsPairing
        case wrongRole
        /// The form is from another session, or has no token.
        case foreignForm
        case tooManyActs
        case admitted(Admission)
    }

    package struct Admission: Hashable, Sendable {
        package let session: ControlSession
        package let id: SessionID
        /// For the forms of the page.
        package let formToken: String
        /// The file of sessions has to be written.
        package let writes: Bool
    }

    private let requests: RequestGuard
    private let cookie: SessionCookie
    private let showsRaces: Bool
    private var limiter = ActRateLimiter()
    package private(set) var store: SessionStore

    /// - Parameter showsRaces: whether visitors without a session see the pages of races.
    package init(isSecure: Bool, names: [String], store: SessionStore, showsRaces: Bool = false) {
        self.showsRaces = showsRaces
        requests = RequestGuard(isSecure: isSecure, names: names)
        cookie = .console(isSecure: isSecure)
        self.store = store
    }

    package mutating func decide(on visit: Visit, to goal: Goal, at now: Moment) -> Decision {
        let refusal = requests.refusal(
            method: visit.method, host: visit.host, origin: visit.origin, fetchSite: visit.fetchSite)
        if let refusal { return .refused(refusal) }
        guard goal.isPost == (visit.method == "POST") else { return .refused(.method) }
        switch goal {
        case .open, .pairing: return .open
        case .page: return admission(of: visit, at: now.wall).map { .admitted($0) } ?? .needsPairing
        case .race:
            let admission = admission(of: visit, at: now.wall)
            if let admission, admission.session.role == .organiser { return .admitted(admission) }
            if showsRaces { return .spectator }
            return admission == nil ? .needsPairing : .wrongRole
        case .act(let roles, let isLimited):
            guard let admission = admission(of: visit, at: now.wall) else { return .needsPairing }
            guard roles.contains(admission.session.role) else { return .wrongRole }
            guard cookie.token(in: visit.cookie)?.acceptsForm(visit.formToken) == true else {
                return .foreignForm
            }
            guard !isLimited || limiter.take(admission.id, at: now.boot) else { return .tooManyActs }
            return .admitted(admission)
        }
    }

    /// Adds a paired device. Returns the value of `Set-Cookie`.
    package mutating func pair(
        _ token: SessionToken, for session: ControlSession, at now: WallTime
    ) throws(SessionStore.Failure) -> String {
        if let removed = try store.add(token, for: session, at: now) { limiter.remove(removed.id) }
        return cookie.setting(token)
    }

    /// Ends a session. Its next request needs a pairing.
    package mutating func revoke(_ short: String) throws(SessionStore.Failure) {
        limiter.remove(try store.revoke(short).id)
    }

    private mutating func admission(of visit: Visit, at now: WallTime) -> Admission? {
        guard let token = cookie.token(in: visit.cookie), let used = store.use(token, at: now) else {
            return nil
        }
        return Admission(session: used.session, id: token.id, formToken: token.formToken, writes: used.writes)
    }
}
