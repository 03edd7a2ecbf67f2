public import HTTPTransfers
import RealTime
public import ServiceLifecycle
import Synchronization

/// Sends HTTP requests by libcurl on a thread of its own, side by side, each within bounds of time and size.
public final class RequestSender: Service {
    private enum Command: Sendable {
        case start(Int, HTTPRequest, CheckedContinuation<HTTPOutcome, Never>)
        case cancel(Int)
        case stop
    }

    private struct State {
        var number = 0
        var isStopped = false
    }

    private static let stopped = HTTPOutcome.failure(reason: "the server ends", mayHaveArrived: true)

    private let name: String
    private let material: TLSMaterial
    private let addresses: AddressRule?
    private let connectLimit, attemptLimit: Duration
    private let mailbox: Mailbox<Command>
    private let state = Mutex(State())

    /// - Parameters:
    ///   - name: of the thread, at most 15 bytes.
    ///   - addresses: rule for the addresses of peers; nil for every address.
    ///   - connectLimit: until the connection stands, TLS included.
    ///   - attemptLimit: until the whole answer is there.
    public init(
        name: String, material: TLSMaterial, addresses: AddressRule? = nil, connectLimit: Duration,
        attemptLimit: Duration
    ) throws {
        (self.name, self.material, self.addresses) = (name, material, addresses)
        (self.connectLimit, self.attemptLimit) = (connectLimit, attemptLimit)
        mailbox = try Mailbox()
    }

    /// Returns the outcome of one attempt. A cancelled task ends the attempt.
    public func send(_ request: HTTPRequest) async -> HTTPOutcome {
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
                if isStopped { continuation.resume(returning: Self.stopped) }
            }
        } onCancel: {
            mailbox.put(.cancel(number))
        }
    }

    public func run() async throws {
        let fault = Mutex<TransferError?>(nil)
        let thread = try NamedThread(name) { [self] in
            do throws(TransferError) { loop(try TransferSet()) } catch { fault.withLock { $0 = error } }
        }
        await withTaskCancellationOrGracefulShutdownHandler {
            await thread.finished()
        } onCancelOrGracefulShutdown: { [self] in
            stop()
        }
        guard let error = fault.withLock(\.self) else { return }
        // Without the thread nobody answers those that wait.
        stop()
        for case .start(_, _, let continuation) in mailbox.take().values {
            continuation.resume(returning: Self.stopped)
        }
        throw error
    }

    /// Ends the requests and `run`.
    public func stop() {
        state.withLock { state in
            state.isStopped = true
            mailbox.put(.stop)
        }
    }

    private func loop(_ transfers: TransferSet) {
        var waiting: [Int: CheckedContinuation<HTTPOutcome, Never>] = [:]
        while true {
            for command in mailbox.take().values {
                switch command {
                case .start(let number, let request, let continuation):
                    if let failure = start(number, request, transfers) {
                        continuation.resume(returning: failure)
                    } else {
                        waiting[number] = continuation
                    }
                case .cancel(let number):
                    transfers.cancel(number)
                    waiting.removeValue(forKey: number)?.resume(returning: Self.stopped)
                case .stop:
                    for number in waiting.keys { transfers.cancel(number) }
                    for continuation in waiting.values { continuation.resume(returning: Self.stopped) }
                    return
                }
            }
            for (number, outcome) in transfers.advance() {
                waiting.removeValue(forKey: number)?.resume(returning: outcome)
            }
            transfers.wait(mailbox.wakeup, upTo: .seconds(60))
        }
    }

    /// Returns the reason for which the attempt could not even begin; nil if it runs.
    private func start(_ number: Int, _ request: HTTPRequest, _ transfers: TransferSet) -> HTTPOutcome? {
        do throws(TransferError) {
            let transfer = try Transfer(
                request, number: number, material: material, connectLimit: connectLimit,
                attemptLimit: attemptLimit, addresses: addresses)
            try transfers.start(transfer)
            return nil
        } catch {
            return .failure(reason: "\(error)", mayHaveArrived: false)
        }
    }
}
