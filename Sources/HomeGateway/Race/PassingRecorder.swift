import GatewayModel
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
    /// What the disk has not taken is held up to here, some 20 MB; then the oldest is not in the log.
    static let capacity = 20_000

    /// How the log is.
    enum Health: Hashable, Sendable {
        case written
        case failing(reason: String)
    }

    private enum Task {
        case keep(PassingLog.Entry)
        /// Try again what the disk did not take.
        case again
    }

    private let desk: PassingDesk
    private let worker: Worker<Task>

    /// - Parameters:
    ///   - log: where it ends, as `PassingLog.open` found it; nil where it could not be opened.
    ///   - open: opens it, where that failed; on the recorder's thread.
    ///   - onKept: takes each passing once, in the order they were kept, as soon as it is durable or its patience is
    ///     over; on the recorder's thread or that of `tick`. Must return at once.
    ///   - onHealth: each change; on the same threads.
    init(
        _ log: PassingLog?, open: @escaping @Sendable () throws(DiskFailure) -> PassingLog,
        onKept: @escaping @Sendable (RecordedPassing) -> Void,
        onHealth: @escaping @Sendable (Health) -> Void
    ) throws(SystemCallError) {
        let desk = PassingDesk(log, open, onKept, onHealth)
        self.desk = desk
        worker = try Worker("passings", bound: Self.capacity) { tasks, dropped in
            desk.write(tasks.compactMap { if case .keep(let entry) = $0 { entry } else { nil } }, dropped)
        }
    }

    /// Runs until `stop`, and until what was kept before is written. Once.
    func run() async throws(SystemCallError) { try await worker.run() }

    func stop() { worker.stop() }

    /// From any thread, at once.
    func keep(_ record: RecordedPassing, made: Moment = Clock.moment()) {
        desk.wait(for: record, since: made.boot)
        worker.put(.keep(PassingLog.Entry(.passing(record), made: made)))
    }

    /// A word about the clock, or that the program started; from any thread, at once.
    func note(_ what: PassingLog.Entry.What, made: Moment = Clock.moment()) {
        worker.put(.keep(PassingLog.Entry(what, made: made)))
    }

    /// Once a second: hands on what waits too long for the disk, and lets it try again.
    func tick(at now: BootInstant = Clock.boot()) {
        desk.handOn(overdueAt: now)
        if desk.isFailing { worker.put(.again) }
    }
}

/// What the recorder's thread and those who give it passings share.
private final class PassingDesk: Sendable {
    /// Of the recorder's thread alone.
    private struct Disk {
        var log: PassingLog?
        var unwritten: [PassingLog.Entry] = []
    }

    private struct Waiting {
        let record: RecordedPassing
        let since: BootInstant
    }

    private let disk: Mutex<Disk>
    private let waiting = Mutex<[Waiting]>([])
    private let health = Mutex(PassingRecorder.Health.written)
    private let open: @Sendable () throws(DiskFailure) -> PassingLog
    private let onKept: @Sendable (RecordedPassing) -> Void
    private let onHealth: @Sendable (PassingRecorder.Health) -> Void

    init(
        _ log: PassingLog?, _ open: @escaping @Sendable () throws(DiskFailure) -> PassingLog,
        _ onKept: @escaping @Sendable (RecordedPassing) -> Void,
        _ onHealth: @escaping @Sendable (PassingRecorder.Health) -> Void
    ) {
        disk = Mutex(Disk(log: log))
        (self.open, self.onKept, self.onHealth) = (open, onKept, onHealth)
    }

    var isFailing: Bool { health.withLock { $0 != .written } }

    func wait(for record: RecordedPassing, since now: BootInstant) {
        waiting.withLock { $0.append(Waiting(record: record, since: now)) }
    }

    func handOn(overdueAt now: BootInstant) {
        let overdue = handOn { $0.since.duration(to: now) >= PassingRecorder.patience }
        guard overdue > 0 else { return }
        tell(.failing(reason: "the disk has taken nothing for \(PassingRecorder.patience)"))
    }

    /// Blocks for as long as the disk does. Written or not, they are handed on then: a disk that fails stops no timing.
    func write(_ entries: [PassingLog.Entry], _ dropped: Int) {
        let health = disk.withLock { disk in carryOut(entries, dropped, &disk) }
        let ids = Set(entries.compactMap(\.passing?.passing.id))
        handOn { ids.contains($0.record.passing.id) }
        tell(health)
    }

    private func carryOut(
        _ entries: [PassingLog.Entry], _ dropped: Int, _ disk: inout Disk
    ) -> PassingRecorder.Health {
        disk.unwritten += entries
        let surplus = max(0, disk.unwritten.count - PassingRecorder.capacity)
        disk.unwritten.removeFirst(surplus)
        do throws(DiskFailure) {
            if disk.log == nil { disk.log = try open() }
            try disk.log?.append(disk.unwritten)
            disk.unwritten = []
            let lost = dropped + surplus
            return lost == 0
                ? .written
                : .failing(reason: "\(lost) lines had no room while the disk took none, and are not in the log")
        } catch {
            return .failing(reason: error.description)
        }
    }

    @discardableResult
    private func handOn(_ isDone: (Waiting) -> Bool) -> Int {
        let done = waiting.withLock { waiting in
            let done = waiting.filter(isDone)
            waiting.removeAll(where: isDone)
            return done
        }
        for waiting in done { onKept(waiting.record) }
        return done.count
    }

    private func tell(_ new: PassingRecorder.Health) {
        let isNew = health.withLock { health in
            defer { health = new }
            return health != new
        }
        if isNew { onHealth(new) }
    }
}
