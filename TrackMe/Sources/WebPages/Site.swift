import Accounts
public import GatewayModel
import HTML
public import Logging
import PageSecurity
public import Store

/// Address of the server as browsers write it: `https://trackme.example`.
public struct WebOrigin: Hashable, Sendable {
    public let text: String
    /// Host, with its port where it is not the usual one.
    public let authority: String

    /// Nil for anything but `https://` with a host and perhaps a port, or `http://` with a loopback host.
    public init?(_ text: String) {
        guard let colon = text.firstRange(of: "://"), text == text.lowercased() else { return nil }
        let (scheme, authority) = (text[..<colon.lowerBound], text[colon.upperBound...])
        let host =
            authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        let port = authority.dropFirst(host.count)
        guard !host.isEmpty, authority.utf8.count <= 253,
            authority.utf8.allSatisfy({
                $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "@")
            }),
            port.isEmpty || port.hasPrefix(":") && UInt16(port.dropFirst()).map({ $0 > 0 }) == true
        else { return nil }
        switch scheme {
        case "https": break
        case "http" where ["localhost", "127.0.0.1", "[::1]"].contains(host): break
        default: return nil
        }
        (self.text, self.authority) = (text, String(authority))
    }

    /// Host without its port.
    public var host: String {
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else { return authority }
        return String(authority[..<colon])
    }

    public var isSecure: Bool { text.hasPrefix("https") }
}

/// Answers requests: checks first, then the route. It names no HTTP library.
public struct Site: Sendable {
    private let origin: WebOrigin
    private let table: RouteTable
    private let sessions: AccountStore
    private let cookies: SessionCookies
    private let security: SecurityHeaders
    private let clock: @Sendable () -> WallTime
    private let logger: Logger

    public init(
        origin: WebOrigin, routes: [Route], sessions: AccountStore, logger: Logger,
        clock: @escaping @Sendable () -> WallTime
    ) {
        self.origin = origin
        table = RouteTable(routes)
        (self.sessions, self.logger, self.clock) = (sessions, logger, clock)
        cookies = SessionCookies(isSecure: origin.isSecure)
        security = SecurityHeaders(trustedTypes: nil, isStrictTransport: origin.isSecure)
    }

    /// Returns the bytes of a body that the resource takes.
    public func largestBody(of method: String, path: String) -> Int {
        guard case .route(let route, _) = table.match(WebRequest.Method(rawValue: method), path) else {
            return WebRequest.largestBody
        }
        return route.largestBody
    }

    private static let checks: Set<String> = ["/health", "/ready"]

    public func answer(_ request: WebRequest) async -> WebAnswer {
        var (answer, isAsset) = (WebAnswer(status: 500), false)
        switch table.match(request.method, request.path) {
        case .none: answer = refusal(Problem(.notFound, "check the path"), .page, request)
        case .otherMethod(let style, let allowed):
            answer = refusal(Problem(.methodNotAllowed, "use a method of the field Allow"), style, request)
            // RFC 9110 section 15.5.6.
            let names = allowed.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.rawValue] }
            answer.headers.append(("Allow", names.joined(separator: ", ")))
        case .route(let route, let parameters):
            isAsset = route.pattern.hasPrefix("/assets/")
            do {
                answer = try await self.answer(request, route, parameters)
            } catch let problem as Problem {
                answer = refusal(problem, route.style, request)
                isAsset = false
            } catch {
                logger.error("a page failed", metadata: ["route": "\(route.pattern)", "error": "\(error)"])
                answer = refusal(
                    Problem(.failed, "try again; the server's log has the reason"), route.style, request)
                isAsset = false
            }
        }
        answer.headers += security.fields(for: isAsset ? .asset : .page)
        return answer
    }

    private func answer(
        _ request: WebRequest, _ route: Route, _ parameters: [String: String]
    ) async throws -> WebAnswer {
        // The checks of a supervisor ask by whatever address it has.
        guard request.headers["host"]?.lowercased() == origin.authority || Self.checks.contains(route.pattern)
        else {
            throw Problem(.foreignHost, "open the server by its own address")
        }
        guard let query = FormFields(request.query.utf8) else {
            throw Problem(.badRequest, "the query cannot be read")
        }
        guard route.access != .program else {
            return try await route.answer(
                RouteContext(
                    request: request, parameters: parameters, query: query, form: .none, session: nil,
                    account: nil, formToken: "", language: .english))
        }
        let cookie = request.headers["cookie"]
        let token = cookies.session.token(in: cookie)
        var found: (session: Session, account: Account)?
        if let token { found = try await sessions.session(token.id) }
        if let known = found, !known.session.isValid(at: clock(), as: known.account.role) { found = nil }
        if route.access != .everybody, found == nil {
            guard route.style == .page else { throw Problem(.notSignedIn, "sign in first") }
            return .redirect(to: Places.signIn)
        }
        if case .role(let role) = route.access, found?.account.role != role {
            throw Problem(.notAllowed, "the account has no such role")
        }
        // A visitor gets a token as well: a form of a foreign page cannot sign anybody in or register them.
        let visitor = found == nil ? cookies.visitor.token(in: cookie) : nil
        let own = found == nil ? visitor : token
        var form = FormFields.none
        if request.method == .post {
            if route.style == .api { try checkProgram(request) } else { form = try checkedForm(request, own) }
        }
        let current = own ?? SessionToken()
        let context = RouteContext(
            request: request, parameters: parameters, query: query, form: form, session: found?.session,
            account: found?.account, formToken: current.formToken,
            language: found?.account.language
                ?? PersonProfile.Language(accepted: request.headers["accept-language"]))
        var answer = try await route.answer(context)
        if found == nil, visitor == nil, route.style == .page, !route.pattern.hasPrefix("/assets/") {
            answer.setCookies(cookies.visitor.setting(current))
        }
        return answer
    }

    private func checkedForm(_ request: WebRequest, _ token: SessionToken?) throws(Problem) -> FormFields {
        let site = request.headers["sec-fetch-site"]
        guard request.headers["origin"] == origin.text, site == nil || site == "same-origin" else {
            throw Problem(.notAllowed, "the form is not of this server")
        }
        let type = request.headers["content-type"]?.lowercased().prefix { $0 != ";" }
        guard type == "application/x-www-form-urlencoded", let form = FormFields(request.body) else {
            throw Problem(.badRequest, "the form cannot be read")
        }
        guard let token, token.acceptsForm(form["token"]) else {
            throw Problem(.notAllowed, "the form is of another session: go back and load the page again")
        }
        return form
    }

    /// A program with the session of an account has no form token. A form of a foreign page cannot send the header of the
    /// key, and a script of one needs a permission for it that this server gives nobody (Fetch Standard, CORS).
    private func checkProgram(_ request: WebRequest) throws(Problem) {
        let (origin, site) = (request.headers["origin"], request.headers["sec-fetch-site"])
        guard origin == nil || origin == self.origin.text, site == nil || site == "same-origin" else {
            throw Problem(.notAllowed, "the request is of another site")
        }
        guard request.headers["idempotency-key"] != nil else {
            throw Problem(.badRequest, "expected an Idempotency-Key of 1 to 64 characters")
        }
    }

    private func refusal(_ problem: Problem, _ style: Route.Style, _ request: WebRequest) -> WebAnswer {
        guard style == .page, !request.path.hasPrefix("/api/") else { return problem.answer }
        return .page(
            ErrorPage(language: PersonProfile.Language(accepted: request.headers["accept-language"])).page(
                problem),
            status: problem.kind.status)
    }
}
