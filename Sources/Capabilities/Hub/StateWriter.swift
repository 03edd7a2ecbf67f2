package import Consent
import Contract
package import ControlContract
package import GatewayModel
import Logging
import RealTime
package import SOSLocal
import Synchronization
package import Vault

/// Writer of the state that survives a restart, on a thread of its own: a disk that hangs delays nobody who waits to
/// cancel an alarm.
///
/// It writes the open alarms, the ledger of consent and `state.sqlite`. From any thread; no call waits.
package final class StateWriter: Sendable {
    package typealias RecordsAnswer = @Sendable (Result<[AlarmRecord], DiskFailure>) -> Void
    package typealias ErasedAnswer = @Sendable (Result<AlarmRecordStore.Erased, DiskFailure>) -> Void
    /// Receives the end of the ledger after a write, or the failure of the disk.
    package typealias Kept = @Sendable (Result<LedgerMark, DiskFailure>) -> Void
    /// Receives nil when the changes are durable, or the failure of the disk; then nothing has changed.
    package typealias Committed = @Sendable (DiskFailure?) -> Void

    private enum Task: Sendable {
        case alarms(SOSSnapshot)
        case record(Alarm)
        case decisions([ConsentEntry], done: Kept)
        case put([StateChange])
        case commit([StateChange], done: Committed)
        case erase([StateChange], done: Committed)
        case recordsOf(PersonID, done: RecordsAnswer)
        case eraseRecords(PersonID, sparing: Set<AlarmID>, done: ErasedAnswer)
        /// The writes that the disk did not take.
        case again

        /// Each of these holds all of the one before it.
        enum State: Equatable {
            case alarms
            case record(AlarmID)
        }

        var state: State? {
            switch self {
            case .alarms: .alarms
            case .record(let alarm): .record(alarm.id)
            default: nil
            }
        }
    }

    private let tasks: Worker<Task>
    private let disk: Disk

    /// - Parameters:
    ///   - ledger: the file of the decisions about consent.
    ///   - alarms: the file of the open alarms.
    ///   - onResult: called after each write, with nil where it succeeded: the file, or nil for the files of the open
    ///     alarms and of consent.
    init(
        ledger: LedgerFile, alarms: AlarmStateFile, database: StateDatabase, boot: String,
        onResult: @escaping @Sendable (_ file: StateFileName?, DiskFailure?) -> Void
    ) throws {
        let disk = Disk(ledger: ledger, alarms: alarms, database: database, boot: boot, onResult: onResult)
        self.disk = disk
        tasks = try Worker("disk") { tasks, _ in for task in Self.worthDoing(tasks) { disk.perform(task) } }
    }

    /// - Parameter damage: gives the health board and the log, which get each failure of the disk and its end.
    package convenience init(
        ledger: LedgerFile, alarms: AlarmStateFile, database: StateDatabase, boot: String,
        reportingTo damage: StateDamage
    ) throws {
        try self.init(ledger: ledger, alarms: alarms, database: database, boot: boot) { file, failure in
            let condition = HealthCondition(.storageUnavailable, subject: file?.rawValue)
            let isNews = damage.health.set(condition, failure != nil)
            if isNews, let failure { damage.log.error("the disk fails", metadata: ["reason": "\(failure)"]) }
        }
    }

    /// Repeats writes that failed: an alarm that has ended must not come back with the next start.
    /// Cheap; call it now and then.
    package func retry() {
        if disk.hasUnwritten { tasks.put(.again) }
    }

    /// Keeps the present state of the alarms for a restart.
    package func keep(_ snapshot: SOSSnapshot) {
        tasks.put(.alarms(snapshot))
    }

    /// Records the course of an alarm, for good.
    package func record(_ alarm: Alarm) {
        tasks.put(.record(alarm))
    }

    /// Appends entries to the ledger; without any, answers with the end of what is written.
    ///
    /// - Parameter done: called on the disk thread when they are durable, or with why they are not yet.
    package func keep(_ entries: [ConsentEntry], done: @escaping Kept) {
        tasks.put(.decisions(entries, done: done))
    }

    /// Changes rows of `state.sqlite`. Where the disk does not take them they are written again later.
    package func put(_ changes: [StateChange]) {
        guard !changes.isEmpty else { return }
        tasks.put(.put(changes))
    }

    /// Changes rows of `state.sqlite` in one transaction, once.
    ///
    /// - Parameter done: called on the disk thread when the changes are durable, or with the failure.
    package func commit(_ changes: [StateChange], done: @escaping Committed) {
        tasks.put(.commit(changes, done: done))
    }

    /// Removes rows of `state.sqlite` in one transaction, and overwrites them in its log, too.
    ///
    /// - Parameter done: called on the disk thread when nothing of the rows is left, or with the failure.
    package func erase(_ changes: [StateChange], done: @escaping Committed) {
        tasks.put(.erase(changes, done: done))
    }

    /// A person's alarms, the oldest first; answered on the disk thread.
    package func records(of person: PersonID, done: @escaping RecordsAnswer) {
        tasks.put(.recordsOf(person, done: done))
    }

    /// Erases a person's alarms but those that are open; answered on the disk thread.
    package func eraseRecords(of person: PersonID, sparing open: Set<AlarmID>, done: @escaping ErasedAnswer) {
        tasks.put(.eraseRecords(person, sparing: open, done: done))
    }

    /// Keeps the state of the broadcasters for a restart.
    package func keep(_ memories: [BeaconMemory]) {
        put([.clear(.broadcaster)] + memories.map(\.change))
    }

    /// Keeps the marks of the stored records that were reported.
    package func keep(_ marks: SeenRecords.Marks) {
        put([.clear(.seenRecord)] + marks.map { .put(.seenRecord, $0.key.text, $0.value) })
    }

    /// Service of the thread.
    ///
    /// - Parameter keepLast: keeps the last states, before the thread is told to end.
    package func service(keepLast: @escaping @Sendable () -> Void) -> ThreadService {
        ThreadService(
            run: run,
            stop: { [self] in
                keepLast()
                stop()
            })
    }

    func run() async throws {
        try await tasks.run()
        disk.close()
    }

    func stop() { tasks.stop() }

    /// Of several states only the last: after a disk that hung, the ones before are history. The alarms come first; the
    /// record of an alarm stays before the open alarms, so that a record over a restart of the machine shows it.
    private static func worthDoing(_ tasks: [Task]) -> [Task] {
        let last = tasks.enumerated().filter { index, task in
            guard let state = task.state else { return true }
            return tasks.lastIndex { $0.state == state } == index
        }.map(\.element)
        // An alarm that begins after an erasure must not be recorded before it.
        let isErasing = last.contains { if case .eraseRecords = $0 { true } else { false } }
        guard !isErasing else { return last }
        return last.filter { $0.state != nil } + last.filter { $0.state == nil }
    }
}

extension StateWriter {
    /// The files, on the thread of the writer.
    private final class Disk: Sendable {
        private struct Unwritten {
            var alarms: SOSSnapshot?
            var changes: [StateChange] = []
        }

        private let ledger: LedgerFile
        private let alarms: AlarmStateFile
        private let database: StateDatabase
        private let records: AlarmRecordStore
        private let boot: String
        private let onResult: @Sendable (StateFileName?, DiskFailure?) -> Void
        private let unwritten = Mutex(Unwritten())

        init(
            ledger: LedgerFile, alarms: AlarmStateFile, database: StateDatabase, boot: String,
            onResult: @escaping @Sendable (StateFileName?, DiskFailure?) -> Void
        ) {
            (self.ledger, self.alarms, self.database) = (ledger, alarms, database)
            records = AlarmRecordStore(database)
            (self.boot, self.onResult) = (boot, onResult)
        }

        var hasUnwritten: Bool {
            ledger.hasUnwritten || unwritten.withLock { $0.alarms != nil || !$0.changes.isEmpty }
        }

        func perform(_ task: Task) {
            switch task {
            case .alarms(let snapshot): save(snapshot)
            case .record(let alarm):
                put(records.changes(recording: AlarmRecord(alarm, boot: boot)))
            case .decisions(let entries, let done): done(append(entries))
            case .put(let changes): put(changes)
            case .commit(let changes, let done): done(write(changes))
            case .erase(let changes, let done): done(write(changes) ?? removeTraces())
            case .recordsOf(let person, let done):
                done(
                    Result { () throws(DiskFailure) in
                        try records.load().reversed().filter { $0.person == person.text }
                    })
            case .eraseRecords(let person, let open, let done):
                // Else the rows that wait would come back.
                put([])
                done(
                    Result { () throws(DiskFailure) in
                        try records.erase(person, sparing: open)
                    })
            case .again: repeatWrites()
            }
        }

        func close() {
            database.close()
        }

        private func repeatWrites() {
            // On this thread, where none that is newer can come between.
            if let snapshot = unwritten.withLock(\.alarms) { save(snapshot) }
            if ledger.hasUnwritten { _ = append([]) }
            put([])
        }

        private func save(_ snapshot: SOSSnapshot) {
            var failure: DiskFailure?
            do throws(DiskFailure) {
                try alarms.save(snapshot)
            } catch {
                failure = error
            }
            unwritten.withLock { $0.alarms = failure == nil ? nil : snapshot }
            onResult(nil, failure)
        }

        private func append(_ entries: [ConsentEntry]) -> Result<LedgerMark, DiskFailure> {
            // A question for the end alone proves nothing about the disk.
            let isWrite = !entries.isEmpty || ledger.hasUnwritten
            do throws(DiskFailure) {
                let mark = try ledger.append(entries, at: Clock.wall())
                if isWrite { onResult(nil, nil) }
                return .success(mark)
            } catch {
                onResult(nil, error)
                return .failure(error)
            }
        }

        /// Writes the changes behind those that the disk has not taken yet.
        private func put(_ changes: [StateChange]) {
            let waiting = unwritten.withLock { unwritten in
                for change in changes { unwritten.changes.add(change) }
                return unwritten.changes
            }
            guard !waiting.isEmpty else { return }
            if apply(waiting) == nil { unwritten.withLock { $0.changes = [] } }
        }

        private func write(_ changes: [StateChange]) -> DiskFailure? {
            let waiting = unwritten.withLock(\.changes)
            let failure = apply(waiting + changes)
            if failure == nil { unwritten.withLock { $0.changes = [] } }
            return failure
        }

        private func removeTraces() -> DiskFailure? {
            do throws(DiskFailure) {
                try database.removeTraces()
                return nil
            } catch {
                return error
            }
        }

        private func apply(_ changes: [StateChange]) -> DiskFailure? {
            do throws(DiskFailure) {
                try database.apply(changes)
                onResult(.state, nil)
                return nil
            } catch {
                onResult(.state, error)
                return error
            }
        }
    }
}
