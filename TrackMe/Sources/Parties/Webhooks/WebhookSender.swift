import Background
import HTTPTransfers
public import ServiceLifecycle

/// POSTs to third parties. Names lead to addresses of the public internet alone, by HTTPS alone, without redirections, within
/// bounds of time and size.
public final class WebhookSender: WebhookTransport, Service {
    private static let connectLimit = Duration.seconds(5)
    /// Longest time of an attempt.
    public static let attemptLimit = Duration.seconds(15)

    private let sender: RequestSender
    private let allowsLoopback: Bool

    /// Reads the authorities. Blocking I/O.
    ///
    /// - Parameters:
    ///   - caFile: PEM; nil for the authorities of the system.
    ///   - allowsLoopback: for tests on this machine alone; then `http://127.0.0.1` is taken as well.
    ///   - attemptLimit: longest time of an attempt.
    public init(
        caFile: String? = nil, allowsLoopback: Bool = false, attemptLimit: Duration = attemptLimit
    ) throws {
        sender = try RequestSender(
            name: "webhooks", material: TLSMaterial(caFile: caFile),
            addresses: AddressRule(allowsLoopback: allowsLoopback), connectLimit: Self.connectLimit,
            attemptLimit: attemptLimit)
        self.allowsLoopback = allowsLoopback
    }

    public func accepts(_ url: String) -> Bool { endpoint(url) != nil }

    private func endpoint(_ url: String) -> Endpoint? {
        guard let endpoint = try? Endpoint(url), endpoint.isEncrypted || allowsLoopback else { return nil }
        return endpoint
    }

    public func post(
        _ body: [UInt8], headers: [(name: String, value: String)], to url: String
    ) async -> Subscription.Outcome {
        guard let endpoint = endpoint(url) else { return .noResponse }
        let request = HTTPRequest(
            method: .post, endpoint: endpoint,
            headers: [HTTPRequest.Header(name: "Content-Type", value: "application/json")]
                + headers.map { HTTPRequest.Header(name: $0.name, value: $0.value) }, body: body)
        switch await sender.send(request) {
        case .response(let response):
            // Seconds; a date is left to the table of waits.
            let wanted = response.retryAfter.flatMap { Int64($0) }.map {
                Duration.seconds(min(max($0, 0), 86_400))
            }
            return .response(status: response.status, retryAfter: wanted)
        case .failure: return .noResponse
        }
    }

    public func run() async throws { try await sender.run() }
}
