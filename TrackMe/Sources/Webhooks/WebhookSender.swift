import GatewayModel
import HTTPTransfers
public import Parties
public import PartyService
import RealTime
public import ServiceLifecycle
import Synchronization

/// POSTs by libcurl on a thread of its own. Names lead to addresses of the public internet alone, by HTTPS alone, without
/// redirections, within bounds of time and size.
public final class WebhookSender: WebhookTransport, Service {
    private static let connectLimit = Duration.seconds(5)
    private static let attemptLimit = Duration.seconds(15)

    private enum Command: Sendable {
        case start(Int, HTTPRequest, CheckedContinuation<Subscription.Outcome, Never>)
        case cancel(Int)
        case stop
    }

    private struct State {
        var number = 0
        var isStopped = false
    }

    private let material: TLSMaterial
    private let addresses: AddressRule
    private let allowsLoopback: Bool
    private let mailbox: Mailbox<Command>
    private let state = Mutex(State())

    /// Reads the authorities. Blocking I/O.
    ///
    /// - Parameters:
    ///   - caFile: PEM; nil for the authorities of the system.
    ///   - allowsLoopback: for tests on this machine alone; then `http://127.0.0.1` is taken as well.
    public init(caFile: String? = nil, allowsLoopback: Bool = false) throws {
        material = try TLSMaterial(caFile: caFile)
        addresses = AddressRule(allowsLoopback: allowsLoopback)
        self.allowsLoopback = allowsLoopback
        mailbox = try Mailbox()
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
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isStopped = state.withLock { state in
                    if !state.isStopped { mailbox.put(.start(number, request, continuation)) }
                    return state.isStopped
                }
                if isStopped { continuation.resume(returning: .noResponse) }
            }
        } onCancel: {
            mailbox.put(.cancel(number))
        }
    }

    public func run() async throws {
        let fault = Mutex<TransferError?>(nil)
        let thread = try NamedThread("webhooks") { [self] in
            do throws(TransferError) { loop(try TransferSet()) } catch { fault.withLock { $0 = error } }
        }
        await withTaskCancellationOrGracefulShutdownHandler {
            await thread.finished()
        } onCancelOrGracefulShutdown: { [self] in
            state.withLock { state in
                state.isStopped = true
                mailbox.put(.stop)
            }
        }
        if let error = fault.withLock(\.self) { throw error }
    }

    private func loop(_ transfers: TransferSet) {
        var waiting: [Int: CheckedContinuation<Subscription.Outcome, Never>] = [:]
        while true {
            for command in mailbox.take().values {
                switch command {
                case .start(let number, let request, let continuation):
                    if start(number, request, transfers) {
                        waiting[number] = continuation
                    } else {
                        continuation.resume(returning: .noResponse)
                    }
                case .cancel(let number):
                    transfers.cancel(number)
                    waiting.removeValue(forKey: number)?.resume(returning: .noResponse)
                case .stop:
                    for number in waiting.keys { transfers.cancel(number) }
                    for continuation in waiting.values { continuation.resume(returning: .noResponse) }
                    return
                }
            }
            for (number, outcome) in transfers.advance() {
                waiting.removeValue(forKey: number)?.resume(returning: Self.outcome(outcome))
            }
            transfers.wait(mailbox.wakeup, upTo: .seconds(60))
        }
    }

    private func start(_ number: Int, _ request: HTTPRequest, _ transfers: TransferSet) -> Bool {
        do throws(TransferError) {
            let transfer = try Transfer(
                request, number: number, material: material, connectLimit: Self.connectLimit,
                attemptLimit: Self.attemptLimit, addresses: addresses)
            try transfers.start(transfer)
            return true
        } catch {
            return false
        }
    }

    private static func outcome(_ outcome: HTTPOutcome) -> Subscription.Outcome {
        switch outcome {
        case .response(let response):
            // Seconds; a date is left to the table of waits.
            let wanted = response.retryAfter.flatMap { Int64($0) }.map {
                Duration.seconds(min(max($0, 0), 86_400))
            }
            return .response(status: response.status, retryAfter: wanted)
        case .failure: return .noResponse
        }
    }
}
