import Background
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Rounds of a server` {
    private struct Failure: Error { let number: Int }

    @Test func `a failure does not end them, and the log has it once while it lasts`() async {
        let log = Log()
        let rounds = Rounds(every: .milliseconds(1), "letters are not sent", logger: log.logger)
        let results = Mutex<[Int]>([0, 1, 1, 2, 2, 0, 2])
        await rounds.run {
            guard let result = results.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                throw CancellationError()
            }
            if result > 0 { throw Failure(number: result) }
        }
        #expect(log.lines == [1, 2, 2].map { "error letters are not sent: Failure(number: \($0))" })
    }

    @Test func `a signal begins a round without the rest of the pause`() async {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self)
        let count = Mutex(0)
        await Rounds(every: .seconds(3_600), "letters are not sent", logger: Log().logger).run(on: signals) {
            if count.withLock({
                $0 += 1
                return $0
            }) == 3 {
                throw CancellationError()
            }
            signal.yield()
        }
        #expect(count.withLock(\.self) == 3)
    }

    @Test func `the end of the task ends them`() async {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            await Rounds(every: .seconds(3_600), "letters are not sent", logger: Log().logger).run {
                begin.yield()
            }
        }
        for await _ in begun { break }
        task.cancel()
        await task.value
    }

    @Test(arguments: [false, true]) func `a shutdown ends them`(hearsSignals: Bool) async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let rounds = Rounds(every: .seconds(3_600), "letters are not sent", logger: Log().logger)
        let group = ServiceGroup(
            services: [Letters(rounds: rounds, hearsSignals: hearsSignals) { begin.yield() }],
            logger: Log().logger)
        async let end: Void = group.run()
        for await _ in begun { break }
        await group.triggerGracefulShutdown()
        try await end
    }

    private struct Letters: Service {
        let rounds: Rounds
        let hearsSignals: Bool
        let send: @Sendable () -> Void

        func run() async throws {
            if hearsSignals {
                await rounds.run(on: AsyncStream { _ in }) { send() }
            } else {
                await rounds.run { send() }
            }
        }
    }
}

private final class Log: Sendable {
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock(\.self) }

    var logger: Logger {
        Logger(label: "test") { _ in
            Handler { level, message in self.state.withLock { $0.append("\(level) \(message)") } }
        }
    }

    private struct Handler: LogHandler {
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]
        let add: @Sendable (Logger.Level, String) -> Void

        init(_ add: @escaping @Sendable (Logger.Level, String) -> Void) { self.add = add }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { add(event.level, "\(event.message): \(event.metadata?["error"] ?? "-")") }
    }
}
