import GatewayModel
import Glibc
import RealTime

/// The process in which libmosquitto and OpenSSL meet the bytes of a broker.
///
/// libmosquitto 2.0.11 aborts on a property that it does not know (`log__printf: Assertion 'mosq' failed`), and a C
/// library may have other ways to end its process. The daemon outlives each of them here: it starts another one, and
/// offers again what was not acknowledged.
public enum BrokerSessionProcess {
    /// The first argument of the program that makes it this process.
    public static let argument = "broker-session"
    /// The number of its end of the socket pair.
    static let descriptor: Int32 = 3
    /// Bytes. A session needs a tenth; above it an allocation fails, and with it the connection or this process.
    private static let dataLimit: UInt64 = 128 << 20

    /// Serves the daemon until it closes its end.
    /// - Returns: the exit code, where the program was not started by the daemon.
    public static func run() -> Int32 {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return EX_USAGE }
        ChildConfinement.apply(dataLimit: dataLimit)
        NamedThread.nameCalling("broker-session")
        let link = DaemonLink(FrameStream(descriptor))
        let (settings, subscriptions) = link.awaitSettings()
        let runner = ConnectionRunner(
            settings: settings, subscriptions: subscriptions, host: link, will: { link.will })
        while true {
            let (broker, manner) = link.awaitAttempt()
            link.report(end: runner.attempt(broker, manner).ending)
        }
    }
}

/// The daemon, as the process of its session sees it. Where the daemon is gone, the process ends at once, in whichever
/// call notices it: nobody is left to whom it could matter.
final class DaemonLink: ConnectionHost {
    /// For how long a receiver may take: it has to give up within a second by itself.
    private static let receiptLimit = Duration.seconds(5)

    private let stream: FrameStream
    private var settings: (BrokerSettings, [String])?
    private var attempt: (broker: BrokerEndpoint, manner: BrokerConnection.Manner)?
    private(set) var will: Publication?
    /// Not sent yet: as many at most as the window has room for.
    private var waiting: [Publication] = []
    private var receipt: InboundReceipt?
    private(set) var stopBy: BootInstant?
    private(set) var isForGood = false

    init(_ stream: FrameStream) {
        self.stream = stream
    }

    func awaitSettings() -> (BrokerSettings, [String]) {
        while true {
            if let settings { return settings }
            waitForFrames(upTo: nil)
        }
    }

    func awaitAttempt() -> (BrokerEndpoint, BrokerConnection.Manner) {
        while true {
            if let attempt {
                self.attempt = nil
                return attempt
            }
            waitForFrames(upTo: nil)
        }
    }

    func report(end ending: Ending) {
        send(.ended(ending))
    }

    // MARK: ConnectionHost

    var wakeDescriptor: Int32 { stream.descriptor }

    func takeWakeup() {
        stream.read()
        do throws(FrameStream.Failure) {
            while let body = try stream.next() {
                guard let frame = FrameToSession(body: body) else { exit(EX_PROTOCOL) }
                handle(frame)
            }
        } catch {
            exit(EX_PROTOCOL)
        }
        if stream.hasEnded { exit(EX_OK) }
    }

    /// The daemon waits for it.
    let nextDue: BootInstant? = nil

    func next() -> Publication? {
        // The acknowledgements of this turn in one write.
        flush()
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    func acknowledged(_ id: MessageID) {
        stream.put(FrameToDaemon.acknowledged(id).body)
    }

    func refused(_ id: MessageID, _ code: ReasonCode, reason: String) {
        send(.refused(id, code, reason: reason))
    }

    /// The daemon learns it from the end of the attempt.
    func connectionLost() {
        waiting = []
    }

    func receive(_ message: InboundMessage) -> InboundReceipt {
        receipt = nil
        send(.message(message))
        let end = Clock.boot().advanced(by: Self.receiptLimit)
        while receipt == nil {
            let left = Clock.boot().duration(to: end)
            guard left > .zero else { return .notKept(reason: "the daemon gave no answer") }
            waitForFrames(upTo: left)
        }
        return receipt ?? .kept
    }

    func report(_ event: BrokerEvent) {
        switch event {
        case .connected(let welcome): send(.connected(welcome))
        case .held(let duration): send(.held(duration))
        case .subscribed(let topic): send(.subscribed(topic: topic))
        case .subscriptionRefused(let topic, let reason):
            send(.subscriptionRefused(topic: topic, reason: reason))
        case .fault(let fault, let count): send(.fault(fault, count: count))
        // Made by the daemon's side of the session.
        case .disconnected, .refused, .sessionTaken: break
        }
    }

    // MARK: Frames

    private func handle(_ frame: FrameToSession) {
        switch frame {
        case .settings(let settings, let subscriptions): self.settings = (settings, subscriptions)
        case .attempt(let broker, let manner, let will):
            // The daemon sends again the messages for a connection that had ended by then.
            waiting = []
            attempt = (broker, manner)
            self.will = will
        case .publication(let publication): waiting.append(publication)
        case .receipt(let receipt): self.receipt = receipt
        case .stop(let isForGood):
            stopBy = Clock.boot()
            self.isForGood = isForGood
        }
    }

    private func waitForFrames(upTo limit: Duration?) {
        _ = Poll.wait([Poll.Interest(stream.descriptor)], timeout: limit)
        takeWakeup()
    }

    private func send(_ frame: FrameToDaemon) {
        stream.put(frame.body)
        flush()
    }

    private func flush() {
        guard (try? stream.flushAll()) != nil else { exit(EX_OK) }
    }

    /// Nothing is written, flushed or freed any more.
    private func exit(_ code: Int32) -> Never {
        _exit(code)
    }
}
