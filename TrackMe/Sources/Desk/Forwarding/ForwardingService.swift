import Background
import CAP
public import GatewayModel
import HTTPTransfers
public import Logging
public import ServiceLifecycle
import Synchronization

/// Hands the calls of the desk on to one outside service over HTTPS, each message until the service has answered.
///
/// A call is forwarded by state that lies in the database, so a kill at any point loses and doubles nothing: the message goes
/// out again under its key. The requests run on a thread of their own; intake and the desk wait for none of them.
public final class ForwardingService: Service {
    /// Outside service, and the caller of it.
    public struct Target: Sendable {
        public var url: String
        /// PEM; nil for the authorities of the system.
        public var caFile: String?
        /// Token of RFC 6750.
        public var token: String
        public var sender: String
        public var addresses: [String]
        public var operatorName: String
        public var language: PersonProfile.Language
        /// 4 s: a handshake needs one or two.
        public var connectLimit = Duration.seconds(4)
        /// Until the whole answer is there.
        public var attemptLimit = Duration.seconds(10)

        public init(
            url: String, caFile: String?, token: String, sender: String, addresses: [String],
            operatorName: String, language: PersonProfile.Language
        ) {
            (self.url, self.caFile, self.token, self.sender) = (url, caFile, token, sender)
            (self.addresses, self.operatorName, self.language) = (addresses, operatorName, language)
        }
    }

    /// Requests under way. A service that hangs holds each for the limit of an attempt.
    private static let mostUnderWay = 32
    /// Interval of rounds without a signal: a wait for a dispatcher or for the next attempt is over.
    private static let roundInterval = Duration.seconds(1)
    /// Between two questions whether a person has the call, as a gateway asks.
    private static let questionInterval = Duration.seconds(3)

    private struct UnderWay {
        var attempts: Set<CallID> = []
        var questions: Set<CallID> = []
        var asked: [CallID: ContinuousClock.Instant] = [:]

        var hasRoom: Bool { attempts.count + questions.count < ForwardingService.mostUnderWay }
    }

    private let store: ForwardingStore
    private let hub: DeskHub
    private let endpoint: Endpoint
    private let sender: RequestSender
    private let writer: CallCAP
    private let clock: @Sendable () -> WallTime
    private let logger: Logger
    private let underWay = Mutex(UnderWay())

    /// Reads the authorities. Blocking I/O.
    ///
    /// - Throws: `TransferError` where the target cannot be used; nothing is sent.
    public init(
        _ target: Target, store: ForwardingStore, hub: DeskHub, logger: Logger,
        clock: @escaping @Sendable () -> WallTime
    ) throws {
        let endpoint = try Endpoint(target.url)
        guard endpoint.isEncrypted else {
            throw TransferError.unusableSetting("url begins with http://, expected https://host/path")
        }
        guard TLSMaterial.isToken(target.token) else {
            throw TransferError.unusableFile(
                "token_file does not hold a token; expected one line of at most 4096 letters, digits and -._~+/=, "
                    + "without 'Bearer' before it")
        }
        (self.endpoint, self.store, self.hub) = (endpoint, store, hub)
        (self.clock, self.logger) = (clock, logger)
        writer = CallCAP(
            caller: try Caller(sender: target.sender, addresses: target.addresses, needsAddresses: true),
            operatorName: target.operatorName, language: target.language)
        sender = try RequestSender(
            name: "forwarding", material: TLSMaterial(caFile: target.caFile, token: target.token),
            connectLimit: target.connectLimit, attemptLimit: target.attemptLimit)
    }

    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.sender.run() }
            group.addTask { await self.runRounds() }
            // The requests end with the server. An error of their thread ends it.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Sends a message with the status `Test`, without data about a person, which a service disregards. Not beside `run`.
    /// - Returns: the reason for which the service does not take it; nil if it does.
    public func test() async throws -> String? {
        let now = clock()
        let message = CAPMessage(
            identifier: "test.\(now.millisecondsSince1970)", sender: writer.caller.sender,
            sent: CAPTime.text(now), status: .test, type: .alert, source: writer.operatorName,
            addresses: writer.caller.addresses, note: "Test of the connection by the desk; disregard.")
        let request = request(message.xml, key: message.identifier)
        async let requests: Void = sender.run()
        let outcome = await sender.send(request)
        sender.stop()
        try await requests
        return switch outcome {
        case .failure(let reason, _): reason
        case .response(let response): response.isSuccess ? nil : response.failure(of: endpoint)
        }
    }

    private func runRounds() async {
        await cancelWhenGracefulShutdown {
            let (rounds, round) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            await withDiscardingTaskGroup { group in
                group.addTask { for await _ in self.hub.signals() { round.yield(()) } }
                group.addTask {
                    while !Task.isCancelled {
                        round.yield(())
                        try? await Task.sleep(for: Self.roundInterval)
                    }
                    round.finish()
                }
                for await _ in rounds {
                    for call in await self.dueCalls() {
                        group.addTask {
                            if await self.attempt(call) { round.yield(()) }
                        }
                    }
                    for answer in await self.dueQuestions() {
                        group.addTask { await self.ask(answer) }
                    }
                }
                group.cancelAll()
            }
        }
    }

    // MARK: Messages

    /// Calls to attempt now. Each is marked as under way.
    private func dueCalls() async -> [CallID] {
        do {
            let due = try await store.dueForwardings(at: clock(), most: 2 * Self.mostUnderWay)
            return underWay.withLock { state in
                due.filter { state.hasRoom && state.attempts.insert($0).inserted }
            }
        } catch {
            report(error, "forwardings cannot be read")
            return []
        }
    }

    /// Returns whether the next message of the call may be due at once.
    private func attempt(_ call: CallID) async -> Bool {
        defer { underWay.withLock { _ = $0.attempts.remove(call) } }
        do {
            let attempt = try await store.beginForwarding(of: call, at: clock()) { [writer] in
                writer.document($1, of: $0)
            }
            guard let attempt else { return false }
            let outcome = await sender.send(
                request(attempt.body, key: CallCAP.key(of: attempt.message, in: attempt.call)))
            // The server ends: the message goes out again under its key when it is back.
            guard !Task.isCancelled else { return false }
            let meaning = meaning(of: outcome, to: attempt)
            try await store.end(attempt, meaning, at: clock())
            hub.changed()
            if case .failed = meaning { return false }
            return true
        } catch {
            report(error, "a call is not handed on")
            return false
        }
    }

    private func request(_ body: [UInt8], key: String) -> HTTPRequest {
        HTTPRequest(
            method: .post, endpoint: endpoint,
            headers: [
                HTTPRequest.Header(name: "Content-Type", value: "application/cap+xml; charset=utf-8"),
                Self.accept,
                HTTPRequest.Header(name: "Idempotency-Key", value: key),
            ], body: body)
    }

    private static let accept = HTTPRequest.Header(
        name: "Accept", value: "application/json, application/cap+xml, application/xml")

    private func meaning(of outcome: HTTPOutcome, to attempt: ForwardingAttempt) -> CallForwarding.Outcome {
        switch outcome {
        case .failure(let reason, let mayHaveArrived):
            return .failed(reason: reason, mayHaveArrived: mayHaveArrived)
        case .response(let response) where !response.isSuccess:
            return .failed(reason: response.failure(of: endpoint), mayHaveArrived: true)
        case .response(let response):
            switch Answer(response, to: CallCAP.incident(of: attempt.call), isDrill: attempt.isDrill) {
            case .accepted(let by): return .accepted(by: by)
            case .refused(let reason):
                return .failed(reason: "\(endpoint.host): \(reason)", mayHaveArrived: true)
            case .ignored(let reason): warn(reason, attempt.call)
            case .silent: break
            }
            guard response.status == 201 || response.status == 202, let location = response.location else {
                return .handedOver(answerAt: nil)
            }
            let place = endpoint.following(location: location)
            if place == nil { warn("a Location that is not at the address of the service", attempt.call) }
            return .handedOver(answerAt: place?.url)
        }
    }

    private func warn(_ reason: String, _ call: CallID) {
        logger.warning(
            "an answer of the outside service counts by its status alone",
            metadata: ["reason": "\(reason)", "gateway": "\(call.gateway)"])
    }

    // MARK: Questions

    private func dueQuestions() async -> [AwaitedAnswer] {
        do {
            let awaited = try await store.awaitedAnswers(at: clock(), most: 256)
            let now = ContinuousClock.now
            return underWay.withLock { state in
                let calls = Set(awaited.map(\.call))
                state.asked = state.asked.filter { calls.contains($0.key) }
                return awaited.filter { answer in
                    let last = state.asked[answer.call]
                    guard last.map({ $0.duration(to: now) >= Self.questionInterval }) ?? true, state.hasRoom,
                        state.questions.insert(answer.call).inserted
                    else { return false }
                    state.asked[answer.call] = now
                    return true
                }
            }
        } catch {
            report(error, "awaited answers cannot be read")
            return []
        }
    }

    private func ask(_ awaited: AwaitedAnswer) async {
        defer { underWay.withLock { _ = $0.questions.remove(awaited.call) } }
        // The address was held to the origin of the service when it came; the settings may name another one since.
        guard let place = endpoint.following(location: awaited.url) else { return }
        let outcome = await sender.send(
            HTTPRequest(method: .get, endpoint: place, headers: [Self.accept], wantsFreshConnection: false))
        guard case .response(let response) = outcome, response.isSuccess,
            case .accepted(let by) = Answer(
                response, to: CallCAP.incident(of: awaited.call), isDrill: awaited.isDrill)
        else { return }
        do {
            try await store.markAcceptedOutside(awaited.call, by: by, at: clock())
            hub.changed()
        } catch {
            report(error, "an answer of the outside service is not kept")
        }
    }

    private func report(_ error: any Error, _ message: Logger.Message) {
        guard !(error is CancellationError) else { return }
        logger.error(message, metadata: ["error": "\(error)"])
    }
}
