package import Consent
import Contract
package import GatewayModel
import Logging
import RealTime
package import SOSLocal
import Synchronization
package import Vault

/// Writer of the state that survives a restart, on a thread of its own: a disk that hangs delays nobody who waits to
/// cancel an alarm.
package final class StateWriter: Sendable {
    package typealias RecordsAnswer = @Sendable (Result<[AlarmRecord], DiskFailure>) -> Void
    package typealias ErasedAnswer = @Sendable (Result<AlarmJournal.Erased, DiskFailure>) -> Void

    private enum Task: Sendable {
        case alarms(SOSSnapshot)
        /// The part that the disk did not take.
        case alarmsAgain
        case record(Alarm)
        case decisions([ConsentEntry], done: Kept)
        /// The part that the disk did not take.
        case decisionsAgain
        case beacons([BeaconMemory])
        case told(SeenRecords.Marks)
        case recordsOf(PersonID, done: RecordsAnswer)
        case eraseRecords(PersonID, sparing: Set<AlarmID>, done: ErasedAnswer)

        /// Each of these holds all of the one before it.
        enum State: Equatable {
            case alarms, beacons, told
            case record(AlarmID)
        }

        var state: State? {
            switch self {
            case .alarms: .alarms
            case .record(let alarm): .record(alarm.id)
            case .beacons: .beacons
            case .told: .told
            case .decisions, .decisionsAgain, .alarmsAgain, .recordsOf, .eraseRecords: nil
            }
        }
    }

    /// Receives the end of the ledger after a write, or the failure of the disk.
    package typealias Kept = @Sendable (Result<LedgerMark, DiskFailure>) -> Void

    private let tasks: Worker<Task>
    private let unsaved: Unsaved
    private let ledger: LedgerFile

    /// The state of the alarms that the disk did not take.
    private final class Unsaved: Sendable {
        private let value = Mutex<SOSSnapshot?>(nil)

        var snapshot: SOSSnapshot? { value.withLock { $0 } }

        func save(_ snapshot: SOSSnapshot, to file: AlarmStateFile) -> DiskFailure? {
            let failure = StateWriter.failure { () throws(DiskFailure) in try file.save(snapshot) }
            value.withLock { $0 = failure == nil ? nil : snapshot }
            return failure
        }
    }

    /// - Parameter damage: gives the health board and the log, which get each failure of the disk and its end.
    package init(
        ledger: LedgerFile, alarms: AlarmStateFile, records: AlarmJournal, beacons: BeaconMemories,
        told: SeenRecords.File, boot: String, reportingTo damage: StateDamage
    ) throws {
        let onResult: @Sendable (DiskFailure?) -> Void = { failure in
            let isNews = damage.health.set(HealthCondition(.storageUnavailable), failure != nil)
            if isNews, let failure { damage.log.error("the disk fails", metadata: ["reason": "\(failure)"]) }
        }
        let unsaved = Unsaved()
        (self.unsaved, self.ledger) = (unsaved, ledger)
        tasks = try Worker("disk") { tasks, _ in
            for task in Self.worthDoing(tasks) {
                switch task {
                case .alarms(let snapshot):
                    onResult(unsaved.save(snapshot, to: alarms))
                case .alarmsAgain:
                    // On this thread, where none that is newer can come between.
                    if let snapshot = unsaved.snapshot { onResult(unsaved.save(snapshot, to: alarms)) }
                case .record(let alarm):
                    let record = AlarmRecord(alarm, boot: boot)
                    onResult(Self.failure { () throws(DiskFailure) in try records.append([record]) })
                case .decisions(let entries, let done):
                    let result = Self.append(entries, to: ledger)
                    onResult(result.failure)
                    done(result)
                case .decisionsAgain: onResult(Self.append([], to: ledger).failure)
                case .beacons(let memories):
                    onResult(Self.failure { () throws(DiskFailure) in try beacons.save(memories) })
                case .told(let marks):
                    let lines = Dictionary(marks.map { ($0.key.text, $0.value) }) { first, _ in first }
                    onResult(Self.failure { () throws(DiskFailure) in try told.save(lines) })
                case .recordsOf(let person, let done):
                    done(
                        Self.result { () throws(DiskFailure) in
                            try records.load().records.reversed().filter { $0.person == person.text }
                        })
                case .eraseRecords(let person, let open, let done):
                    done(
                        Self.result { () throws(DiskFailure) in try records.erase(person, sparing: open) })
                }
            }
        }
    }

    /// Repeats writes that failed: an alarm that has ended must not come back with the next start.
    /// Cheap; call it now and then.
    package func retry() {
        if unsaved.snapshot != nil { tasks.put(.alarmsAgain) }
        if ledger.hasUnwritten { tasks.put(.decisionsAgain) }
    }

    /// Keeps the present state of the alarms for a restart.
    package func keep(_ snapshot: SOSSnapshot) {
        tasks.put(.alarms(snapshot))
    }

    /// How an alarm goes, for good.
    package func record(_ alarm: Alarm) {
        tasks.put(.record(alarm))
    }

    /// Of several states only the last: after a disk that hung, the ones before are history.
    private static func worthDoing(_ tasks: [Task]) -> [Task] {
        tasks.enumerated().filter { index, task in
            guard let state = task.state else { return true }
            return tasks.lastIndex { $0.state == state } == index
        }.map(\.element)
    }

    /// - Parameter done: called on the disk thread when they are durable, or with why they are not yet.
    package func keep(_ entries: [ConsentEntry], done: @escaping Kept) {
        tasks.put(.decisions(entries, done: done))
    }

    /// A person's alarms, the oldest first; answered on the disk thread.
    package func records(of person: PersonID, done: @escaping RecordsAnswer) {
        tasks.put(.recordsOf(person, done: done))
    }

    /// Erases a person's alarms but those that are open; answered on the disk thread.
    package func eraseRecords(of person: PersonID, sparing open: Set<AlarmID>, done: @escaping ErasedAnswer) {
        tasks.put(.eraseRecords(person, sparing: open, done: done))
    }

    /// Keeps the state of the broadcasters for a restart. From any thread; returns at once.
    package func keep(_ memories: [BeaconMemory]) {
        tasks.put(.beacons(memories))
    }

    /// Keeps the marks of the stored records that were reported. From any thread; returns at once.
    package func keep(_ marks: SeenRecords.Marks) {
        tasks.put(.told(marks))
    }

    /// Service of the thread.
    ///
    /// - Parameter keepLast: keeps the last states, before the thread is told to end.
    package func service(keepLast: @escaping @Sendable () -> Void) -> ThreadService {
        ThreadService(
            run: tasks.run,
            stop: { [tasks] in
                keepLast()
                tasks.stop()
            })
    }

    private static func append(
        _ entries: [ConsentEntry], to ledger: LedgerFile
    ) -> Result<LedgerMark, DiskFailure> {
        do throws(DiskFailure) {
            return .success(try ledger.append(entries, at: Clock.wall()))
        } catch {
            return .failure(error)
        }
    }

    private static func failure(_ body: () throws(DiskFailure) -> Void) -> DiskFailure? {
        guard case .failure(let failure) = result(body) else { return nil }
        return failure
    }

    private static func result<Value>(_ body: () throws(DiskFailure) -> Value) -> Result<Value, DiskFailure> {
        do throws(DiskFailure) {
            return .success(try body())
        } catch {
            return .failure(error)
        }
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
