import ConsoleAccess
import Web

/// Answers `GET /metrics` at an address of its own on loopback, for a Prometheus on the same box.
///
/// The kernel lets no other machine reach it, and a proxy in front of the pages does not either. The Host of the request
/// is checked as for the pages: a page of another origin in a browser of the box reads nothing.
struct MetricsServer: Sendable {
    static let path = "/metrics"

    private let requests = RequestGuard(isSecure: false, names: [])
    private let metrics: @Sendable () -> HouseMetrics

    /// - Parameter metrics: returns the present metrics; called on a thread of the server.
    init(_ metrics: @escaping @Sendable () -> HouseMetrics) { self.metrics = metrics }

    /// Listens from now on.
    ///
    /// - Parameter address: 127.0.0.1 or [::1] with a port.
    func listen(at address: String) throws -> WebServer {
        var limits = WebServer.Limits()
        // A scraper keeps one connection, and a person looks with another.
        (limits.connections, limits.reserved, limits.body) = (8, 0, 0)
        return try WebServer(addresses: [address], identity: nil, limits: limits, handle: answer)
    }

    func answer(_ request: WebRequest) -> WebReply {
        let refusal = requests.refusal(
            method: request.method, host: request.host, origin: request.origin, fetchSite: request.fetchSite)
        if let refusal { return Self.refused(refusal.status) }
        guard request.method != "POST" else { return Self.refused(405) }
        guard request.path == Self.path else { return Self.refused(404) }
        return WebReply(
            status: 200, headers: [("Content-Type", HouseMetrics.contentType), ("Cache-Control", "no-store")],
            body: .bytes(Array(metrics().text.utf8)))
    }

    private static func refused(_ status: Int) -> WebReply {
        WebReply(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")],
            body: .bytes(Array("\(status)\n".utf8)))
    }
}
