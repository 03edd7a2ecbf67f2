import GatewayModel
import Glibc
import RealTime

/// Connects through a child process, and starts another one where it has ended. The daemon's side of
/// `BrokerSessionProcess`. Used on the mqtt thread alone.
///
/// A message is acknowledged by the broker's PUBACK alone. Where the child ends first, all that it was given counts as
/// unacknowledged, and goes out again under the same id.
final class SessionProcess: Connector {
    /// Time beyond the child's own limits after which it counts as hung.
    private static let margin = Duration.seconds(5)
    /// For the goodbye (`ServedConnection`), and the end of the process.
    private static let stopLimit = Duration.milliseconds(1_000)
    private static let tick = Duration.seconds(1)
    /// Of the unit's protocol and of socket activation: the daemon's own. The last is set below.
    private static let withheldVariables: Set<String> = [
        "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES",
        "SWIFT_BACKTRACE",
    ]

    private let program: String
    private let settings: BrokerSettings
    private let subscriptions: [String]
    private let host: any ConnectionHost
    private var child: (process: SpawnedProcess, stream: FrameStream)?

    /// One attempt.
    private struct Course {
        let startedAt: BootInstant
        var connectedAt: BootInstant?
        /// Messages that may be with the child at once; 0 before the broker took the connection.
        var window = 0
        /// Given to the child and not answered.
        var underway: [MessageID: BootInstant] = [:]
        /// The outbox had nothing more when it was last asked.
        var isSourceEmpty = false
        var stopAskedAt: BootInstant?

        /// Whether the child has exceeded its own limits.
        func isOverdue(at now: BootInstant) -> Bool {
            if let stopAskedAt { return stopAskedAt.duration(to: now) > SessionProcess.stopLimit }
            guard connectedAt != nil else {
                // A look-up, and the library's own after it (`BrokerConnection.open`).
                return startedAt.duration(to: now) > SessionPolicy.connectLimit * 2 + SessionProcess.margin
            }
            let limit = SessionPolicy.acknowledgementLimit + SessionProcess.margin
            return underway.values.contains { $0.duration(to: now) > limit }
        }
    }

    private enum Failure: Error {
        case stream(FrameStream.Failure)
        case hung
    }

    /// - Parameter program: runs `BrokerSessionProcess.run` where its first argument is `BrokerSessionProcess.argument`.
    init(
        program: String, settings: BrokerSettings, subscriptions: [String], host: any ConnectionHost
    ) {
        self.program = program
        self.settings = settings
        self.subscriptions = subscriptions
        self.host = host
    }

    func attempt(_ broker: BrokerEndpoint, _ manner: BrokerConnection.Manner) -> Attempt {
        let stream: FrameStream
        do throws(SystemCallError) {
            stream = try childStream()
        } catch {
            return Attempt(ending: .lost("no process for the broker session: \(error)"))
        }
        var course = Course(startedAt: Clock.boot())
        let will = manner.mayWill ? settings.will() : nil
        stream.put(
            FrameToSession.attempt(broker, manner, will: will.map { Publication($0) }).body)
        let ending: Ending
        do throws(Failure) {
            ending = try serve(stream, &course)
        } catch {
            ending = buryChild(error)
        }
        if course.connectedAt != nil { host.connectionLost() }
        return Attempt(ending: ending, connectedAt: course.connectedAt)
    }

    func finish() {
        guard let child else { return }
        self.child = nil
        shutdown(child.stream.descriptor, Int32(SHUT_RDWR))
        _ = child.process.waitForEnd(upTo: Self.stopLimit)
    }

    // MARK: The child

    /// Of the child that runs; of a new one where none does.
    private func childStream() throws(SystemCallError) -> FrameStream {
        if let child {
            // It may have ended while nothing was asked of it.
            child.stream.read()
            guard child.stream.hasEnded else { return child.stream }
            finish()
        }
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemCallError("socketpair") }
        defer { close(ends[1]) }
        let stream = FrameStream(ends[0])
        let process = try SpawnedProcess(
            program, named: "homegateway", [BrokerSessionProcess.argument],
            descriptors: [.init(ends[1], as: BrokerSessionProcess.descriptor)], keepsStandardError: true,
            environment: .inherited(without: Self.withheldVariables, and: ["SWIFT_BACKTRACE=enable=no"]),
            blocked: ChildConfinement.signalsOfTheDaemon)
        stream.put(FrameToSession.settings(settings, subscriptions: subscriptions).body)
        child = (process, stream)
        return stream
    }

    /// No data of a broker causes them: a person sent them, or the kernel, for want of memory.
    private static let signalsOfOthers = [SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT]

    private func buryChild(_ failure: Failure) -> Ending {
        guard let child else { return .lost("no process for the broker session") }
        self.child = nil
        let isHung = if case .hung = failure { true } else { false }
        if case .stream(.ended) = failure {} else { child.process.kill() }
        let end = child.process.waitForEnd(upTo: Self.stopLimit)
        if host.isStopping { return .stopped }
        if case .stream(.malformed) = failure {
            return .crashed("the process of the broker session broke its protocol")
        }
        guard !isHung else { return .crashed("the process of the broker session hung, and was killed") }
        if case .signalled(let number) = end, Self.signalsOfOthers.contains(number) {
            return .lost("the process of the broker session was ended from outside, by signal \(number)")
        }
        return .crashed("the process of the broker session \(end)")
    }

    // MARK: One attempt

    private func serve(_ stream: FrameStream, _ course: inout Course) throws(Failure) -> Ending {
        while true {
            push(to: stream, &course)
            stopIfDone(stream, &course)
            do throws(FrameStream.Failure) {
                // The end of a child that is gone is seen below, behind the frames that it had sent.
                try? stream.flush()
                wait(stream, course)
                stream.read()
                while let body = try stream.next() {
                    guard let frame = FrameToDaemon(body: body) else { throw .malformed }
                    if let ending = try handle(frame, stream, &course) { return ending }
                }
                guard !stream.hasEnded else { throw .ended }
            } catch {
                throw .stream(error)
            }
            guard !course.isOverdue(at: Clock.boot()) else { throw .hung }
        }
    }

    private func wait(_ stream: FrameStream, _ course: Course) {
        var timeout = Self.tick
        if course.underway.count < course.window { timeout = host.wait(upTo: timeout, at: Clock.boot()) }
        if let stopBy = host.stopBy {
            timeout = min(timeout, max(Clock.boot().duration(to: stopBy), .milliseconds(20)))
        }
        let ready = Poll.wait(
            [
                Poll.Interest(host.wakeDescriptor),
                Poll.Interest(stream.descriptor, events: stream.hasUnsent ? POLLIN | POLLOUT : POLLIN),
            ], timeout: timeout)
        if ready.readable[0] { host.takeWakeup() }
    }

    private func push(to stream: FrameStream, _ course: inout Course) {
        guard course.stopAskedAt == nil else { return }
        let now = Clock.boot()
        while course.underway.count < course.window {
            guard let publication = host.next() else {
                course.isSourceEmpty = true
                return
            }
            let body = FrameToSession.publication(publication).body
            guard body.count <= FrameStream.longestBody else {
                host.refused(
                    publication.id, .packetTooLarge,
                    reason: "\(ReasonCode.packetTooLarge): \(publication.payload.count) bytes")
                continue
            }
            course.underway[publication.id] = now
            stream.put(body)
        }
        course.isSourceEmpty = false
    }

    /// The drain is the daemon's: it knows when the outbox has nothing more. The child says goodbye.
    private func stopIfDone(_ stream: FrameStream, _ course: inout Course) {
        guard let stopBy = host.stopBy, course.stopAskedAt == nil else { return }
        let isDone = course.connectedAt == nil || course.isSourceEmpty && course.underway.isEmpty
        let now = Clock.boot()
        guard isDone || now >= stopBy else { return }
        stream.put(FrameToSession.stop(forGood: host.isForGood).body)
        course.stopAskedAt = now
    }

    /// - Returns: how the attempt ended, once it has.
    private func handle(
        _ frame: FrameToDaemon, _ stream: FrameStream, _ course: inout Course
    ) throws(FrameStream.Failure) -> Ending? {
        switch frame {
        case .acknowledged(let id):
            if course.underway.removeValue(forKey: id) != nil { host.acknowledged(id) }
        case .refused(let id, let code, let reason):
            if course.underway.removeValue(forKey: id) != nil { host.refused(id, code, reason: reason) }
        case .message(let message):
            guard course.connectedAt != nil, message.payload.count <= InboundRules.packetLimit else {
                throw .malformed
            }
            stream.put(FrameToSession.receipt(host.receive(message)).body)
        case .connected(let welcome):
            course.connectedAt = Clock.boot()
            course.window = InFlight.limit(receiveMaximum: welcome.receiveMaximum)
            host.report(.connected(welcome))
        case .held(let duration): host.report(.held(duration))
        case .subscribed(let topic): host.report(.subscribed(topic: topic))
        case .subscriptionRefused(let topic, let reason):
            host.report(.subscriptionRefused(topic: topic, reason: reason))
        case .fault(let fault, let count): host.report(.fault(fault, count: count))
        case .ended(let ending): return ending
        }
        return nil
    }
}
