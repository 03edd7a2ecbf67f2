public import Accounts
public import GatewayModel
public import HTML
public import PageSecurity

/// One resource of the server, with the right that it asks for.
public struct Route: Sendable {
    public enum Access: Hashable, Sendable {
        /// Visitors too.
        case everybody
        /// A POST of the style `api` comes from a program with the session: it needs an idempotency key in place of a form
        /// token.
        case signedIn
        case role(AccountRole)
        /// Programs. Cookies count for nothing, so a POST needs no form token; the route itself checks the access token or
        /// the signature of the request.
        case program
    }

    /// Form of its errors.
    public enum Style: Hashable, Sendable { case page, api }

    public let method: WebRequest.Method
    /// `/data/{link}/{kind}`: a name in braces stands for one segment.
    public let pattern: String
    public let access: Access
    public let style: Style
    /// Bytes of a body.
    public let largestBody: Int
    let answer: @Sendable (RouteContext) async throws -> WebAnswer

    /// - Parameter answer: called after the checks of the host, the session and the right; for a POST of a browser also
    ///   after those of the origin and the form token.
    public init(
        _ method: WebRequest.Method, _ pattern: String, access: Access, style: Style = .page,
        largestBody: Int = WebRequest.largestBody,
        answer: @escaping @Sendable (RouteContext) async throws -> WebAnswer
    ) {
        (self.method, self.pattern, self.access, self.style) = (method, pattern, access, style)
        (self.largestBody, self.answer) = (largestBody, answer)
    }

    /// Serves a file to everybody.
    public init(_ asset: Asset) {
        self.init(.get, asset.place.text, access: .everybody) { _ in
            .text(asset.bytes, type: asset.kind.mediaType)
        }
    }
}

/// What a route knows of its request.
public struct RouteContext: Sendable {
    public let request: WebRequest
    /// Segments in the place of names in braces, decoded.
    public let parameters: [String: String]
    public let query: FormFields
    /// Fields of a POST.
    public let form: FormFields
    /// Nil for a visitor.
    public let session: Session?
    public let account: Account?
    /// Token of the hidden field in forms of the answer.
    public let formToken: String
    public let language: PersonProfile.Language

    public func parameter(_ name: String) throws(Problem) -> String {
        guard let value = parameters[name] else { throw Problem(.notFound, "the path lacks a segment") }
        return value
    }

    /// Account of a route that asks for a session.
    public func signedIn() throws(Problem) -> Account {
        guard let account else { throw Problem(.notSignedIn, "sign in first") }
        return account
    }
}

/// Routes by path. Patterns without names in braces come first.
public struct RouteTable: Sendable {
    enum Match {
        case route(Route, parameters: [String: String])
        /// The path has routes of other methods.
        case otherMethod(Route.Style, allowed: [WebRequest.Method])
        case none
    }

    public let routes: [Route]
    private let segments: [[Substring]]

    public init(_ routes: [Route]) {
        self.routes = routes.sorted { !$0.pattern.contains("{") && $1.pattern.contains("{") }
        segments = self.routes.map { $0.pattern.split(separator: "/", omittingEmptySubsequences: true) }
    }

    func match(_ method: WebRequest.Method?, _ path: String) -> Match {
        guard path.hasPrefix("/"), path.utf8.count <= 1_024, !path.hasSuffix("/") || path == "/" else {
            return .none
        }
        let asked = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let wanted = path == "/" ? [] : Array(asked)
        var others: [Route] = []
        for (route, segments) in zip(routes, segments) where segments.count == wanted.count {
            guard let parameters = Self.parameters(of: segments, in: wanted) else { continue }
            if route.method == method { return .route(route, parameters: parameters) }
            others.append(route)
        }
        return others.last.map { .otherMethod($0.style, allowed: others.map(\.method)) } ?? .none
    }

    private static func parameters(of pattern: [Substring], in path: [Substring]) -> [String: String]? {
        var result: [String: String] = [:]
        for (segment, asked) in zip(pattern, path) {
            if segment.hasPrefix("{") {
                guard !asked.isEmpty, let value = PercentCoding.decode(Array(asked.utf8), plusIsSpace: false)
                else {
                    return nil
                }
                result[String(segment.dropFirst().dropLast())] = value
            } else if segment != asked {
                return nil
            }
        }
        return result
    }
}
