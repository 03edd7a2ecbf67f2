public import HTML

/// Answer to a request, of any route.
public struct WebAnswer: Sendable {
    public enum Content: Sendable {
        case bytes([UInt8])
        /// Sends events until it is told to end. The server asks for signs of life.
        case stream(EventStream)
        /// Sends the pieces of a file. Its task is cancelled when the reader is gone.
        case file(@Sendable (_ send: Send) async throws -> Void)
    }

    /// Sends a piece of a body, and returns when there is room for the next.
    public typealias Send = (_ bytes: [UInt8]) async throws -> Void

    public let status: Int
    public var headers: [(name: String, value: String)]
    public let content: Content

    public init(status: Int, headers: [(name: String, value: String)] = [], content: Content = .bytes([])) {
        (self.status, self.headers, self.content) = (status, headers, content)
    }

    public static func page(_ page: Page, status: Int = 200) -> WebAnswer {
        text(page.bytes, type: "text/html; charset=utf-8", status: status)
    }

    public static func text(_ bytes: [UInt8], type: String, status: Int = 200) -> WebAnswer {
        WebAnswer(status: status, headers: [("Content-Type", type)], content: .bytes(bytes))
    }

    public static func json(_ bytes: [UInt8], status: Int = 200) -> WebAnswer {
        text(bytes, type: "application/json", status: status)
    }

    /// Sends the browser to another page by GET.
    public static func redirect(to place: HTML.Place) -> WebAnswer {
        WebAnswer(status: 303, headers: [("Location", place.text)])
    }

    /// A file that is written while it is sent.
    public static func file(
        type: String, _ file: @escaping @Sendable (_ send: Send) async throws -> Void
    ) -> WebAnswer {
        WebAnswer(status: 200, headers: [("Content-Type", type)], content: .file(file))
    }

    /// Server-sent events. A proxy must not collect them.
    ///
    /// - Parameter run: takes its events from `queue`, and returns after the last.
    public static func events<News>(
        _ queue: EventQueue<News>, _ run: @escaping @Sendable (_ send: Send) async throws -> Void
    ) -> WebAnswer {
        events(EventStream(run: run) { queue.signal($0) })
    }

    /// Server-sent events of a page that looks for changes itself. A proxy must not collect them.
    ///
    /// - Parameter run: returns soon after `isOver` is true.
    public static func events(
        _ run: @escaping @Sendable (_ send: Send, _ isOver: @Sendable () -> Bool) async throws -> Void
    ) -> WebAnswer {
        let end = StreamEnd()
        return events(
            EventStream { send in
                try await run(send) { end.isReached }
            } signal: { signal in
                if signal == .end { end.reach() }
            })
    }

    /// Server-sent events. A proxy must not collect them.
    public static func events(_ stream: EventStream) -> WebAnswer {
        WebAnswer(
            status: 200, headers: [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")],
            content: .stream(stream))
    }
}

/// Problem of the API (RFC 9457). `type` is a word of the list of `docs/api/openapi.yaml`.
public struct Problem: Error, Hashable, Sendable {
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case badRequest = "bad-request"
        case notSignedIn = "not-signed-in"
        /// There is no access token, or not a valid one.
        case badToken = "bad-token"
        case notAllowed = "not-allowed"
        case notFound = "not-found"
        case methodNotAllowed = "method-not-allowed"
        /// The request contradicts an earlier one.
        case conflict
        case foreignHost = "foreign-host"
        case busy
        case failed

        var status: Int {
            switch self {
            case .badRequest: 400
            case .notSignedIn, .badToken: 401
            case .notAllowed: 403
            case .notFound: 404
            case .methodNotAllowed: 405
            case .conflict: 409
            case .foreignHost: 421
            case .busy: 429
            case .failed: 500
            }
        }

        var title: String {
            switch self {
            case .badRequest: "The request cannot be read"
            case .notSignedIn: "There is no session"
            case .badToken: "There is no valid access token"
            case .notAllowed: "The session has no right to this"
            case .notFound: "There is no such resource"
            case .methodNotAllowed: "The resource has no such method"
            case .conflict: "The request contradicts an earlier one"
            case .foreignHost: "The host is not a name of this server"
            case .busy: "Too many requests"
            case .failed: "The server failed"
            }
        }
    }

    public let kind: Kind
    public let detail: String

    public init(_ kind: Kind, _ detail: StaticString) { (self.kind, self.detail) = (kind, detail.description) }

    /// - Parameter reason: sentence that may repeat values of the request, and nothing else.
    public init(_ kind: Kind, reason: String) { (self.kind, detail) = (kind, String(reason.prefix(500))) }

    public var answer: WebAnswer {
        let json =
            #"{"detail":\#(JSONText.quoted(detail)),"status":\#(kind.status),"title":\#(JSONText.quoted(kind.title)),"#
            + #""type":"urn:trackme:problem:\#(kind.rawValue)"}"#
        var answer = WebAnswer.text(Array(json.utf8), type: "application/problem+json", status: kind.status)
        // RFC 6750 section 3.
        if kind == .badToken { answer.headers.append(("WWW-Authenticate", #"Bearer error="invalid_token""#)) }
        return answer
    }
}
