import GatewayModel
import Hub
import OutboxService
import RealTime
import RunBeacon
import Synchronization
import Vault

/// Writes the log of passings on a thread of its own, and hands each passing on when it is in it: a power cut takes
/// nothing that was told.
///
/// A disk that fails or hangs stops no timing: after `patience` a passing is handed on all the same, and is written when the
/// disk takes it.
final class PassingRecorder: Sendable {
    /// As long as the outbox waits for its disk.
    static let patience = Duration.seconds(2)
    /// Passings that the disk has not taken are held up to this number, some 20 MB; then the oldest is left out of the log.
    static let capacity = 20_000

    /// How the log is.
    enum Health: Hashable, Sendable {
        case written
        case failing(reason: String)
    }

    /// Content of the log from an earlier run of the program.
    struct Memory: Sendable {
        /// That were asked for.
        let runs: Set<RunID>
        /// Of these runs, each in the order they were told.
        let records: [RecordedPassing]
        /// All other content, where the log was opened now.
        let opened: PassingReport?
    }

    private enum Task {
        case keep(PassingLog.Entry)
        case recall(Set<RunID>)
        /// Write the passings again that the disk did not take.
        case again
    }

    private let buffer: PassingBuffer
    private let worker: Worker<Task>
    private let recalled = Mutex<Set<RunID>>([])

    /// The log is opened with the first line: where nobody runs nothing is read, or written.
    ///
    /// - Parameters:
    ///   - place: of the log.
    ///   - onKept: takes each passing once, in the order they were kept, as soon as it is durable or its patience is
    ///     over; on the recorder's thread or that of `tick`. Must return at once.
    ///   - onRecall: takes each answer to `recall`, and the content of the log when it is opened; on the recorder's thread.
    ///   - onHealth: takes each change; on the threads of `onKept`.
    init(
        in place: PassingPlace, onKept: @escaping @Sendable (RecordedPassing) -> Void,
        onRecall: @escaping @Sendable (Memory) -> Void, onHealth: @escaping @Sendable (Health) -> Void
    ) throws(SystemCallError) {
        let buffer = PassingBuffer(place, onKept, onRecall, onHealth)
        self.buffer = buffer
        worker = try Worker("passings", bound: Self.capacity) { tasks, dropped in
            for case .recall(let runs) in tasks { buffer.ask(runs) }
            buffer.write(tasks.compactMap { if case .keep(let entry) = $0 { entry } else { nil } }, dropped)
        }
    }

    /// Runs until `stop`, and until the passings kept before are written. Once.
    func run() async throws(SystemCallError) { try await worker.run() }

    func stop() { worker.stop() }

    /// From any thread, at once.
    func keep(_ record: RecordedPassing, made: Moment = Clock.moment()) {
        buffer.wait(for: record, since: made.boot)
        worker.put(.keep(PassingLog.Entry(.passing(record), made: made)))
    }

    /// A word about the clock, or that the program started; from any thread, at once.
    func note(_ what: PassingLog.Entry.What, made: Moment = Clock.moment()) {
        worker.put(.keep(PassingLog.Entry(what, made: made)))
    }

    /// Before it runs: these will be asked for, and are read when the log is opened.
    func expect(_ runs: Set<RunID>) { buffer.expect(runs) }

    /// Asks for the logged passings of these runs, each run once. From any thread, at once.
    func recall(_ runs: Set<RunID>) {
        let new = recalled.withLock { recalled in
            defer { recalled.formUnion(runs) }
            return runs.subtracting(recalled)
        }
        if !new.isEmpty { worker.put(.recall(new)) }
    }

    /// Hands on the passings that wait too long for the disk, and has the disk tried again. Called once a second.
    func tick(at now: BootInstant = Clock.boot()) {
        buffer.handOn(overdueAt: now)
        // One at a time: the room for a disk that hangs is for passings.
        if buffer.isToTry() { worker.put(.again) }
    }
}
