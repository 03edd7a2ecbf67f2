import Consent
import Contract
import GatewayModel
import RealTime
import SOSLocal
import Synchronization
import Vault

/// What survives a restart, written on a thread of its own: a disk that hangs holds up nobody who waits to
/// cancel an alarm.
final class Keeper: Sendable {
    private enum Task: Sendable {
        case probe
        case spool
        case alarms(SOSSnapshot)
        /// What of them the disk did not take.
        case alarmsAgain
        case record(Alarm)
        case decisions([ConsentDecision], done: @Sendable (DiskFailure?) -> Void)
        case beacons([BeaconMemory])

        /// Each of these holds all of the one before it.
        enum State: Equatable {
            case alarms, beacons
            case record(AlarmID)
        }

        var state: State? {
            switch self {
            case .alarms: .alarms
            case .record(let alarm): .record(alarm.id)
            case .beacons: .beacons
            case .probe, .spool, .decisions, .alarmsAgain: nil
            }
        }
    }

    private let spool: Spool
    private let unsent: @Sendable () -> [Envelope]
    /// Called with nil when the disk took what it was given.
    private let onResult: @Sendable (DiskFailure?) -> Void
    private let tasks: Worker<Task>
    /// What an earlier run left behind and is not sent yet.
    private let restored = Mutex<Set<MessageID>>([])
    private let unsaved: Unsaved

    /// The state of the alarms that the disk did not take.
    private final class Unsaved: Sendable {
        private let value = Mutex<SOSSnapshot?>(nil)

        var snapshot: SOSSnapshot? { value.withLock { $0 } }

        func save(_ snapshot: SOSSnapshot, to file: AlarmStateFile) -> DiskFailure? {
            let failure = Keeper.failure { () throws(DiskFailure) in try file.save(snapshot) }
            value.withLock { $0 = failure == nil ? nil : snapshot }
            return failure
        }
    }

    init(
        spool: Spool, journal: ConsentJournal, alarms: AlarmStateFile, records: AlarmJournal,
        beacons: BeaconMemories, boot: String, unsent: @escaping @Sendable () -> [Envelope],
        onResult: @escaping @Sendable (DiskFailure?) -> Void
    ) throws {
        self.spool = spool
        self.unsent = unsent
        self.onResult = onResult
        let unsaved = Unsaved()
        self.unsaved = unsaved
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
                case .probe:
                    onResult(Self.failure { () throws(DiskFailure) in try spool.probe() })
                case .spool:
                    onResult(Self.failure { () throws(DiskFailure) in try spool.save(unsent()) })
                case .decisions(let decisions, let done):
                    let failure = Self.failure { () throws(DiskFailure) in try journal.append(decisions) }
                    onResult(failure)
                    done(failure)
                case .beacons(let memories):
                    onResult(Self.failure { () throws(DiskFailure) in try beacons.save(memories) })
                }
            }
        }
    }

    /// What of the last run is in the queue again.
    func restored(_ envelopes: [Envelope]) {
        restored.withLock { $0 = Set(envelopes.map(\.id)) }
    }

    /// A message has left the queue for good. When the last restored one has, the file goes too: what was
    /// sent must not be sent again after a crash weeks later.
    func settled(_ id: MessageID) {
        let isLast = restored.withLock { $0.remove(id) != nil && $0.isEmpty }
        if isLast { rewrite() }
    }

    /// Tells whether the disk takes anything.
    func probe() {
        tasks.put(.probe)
    }

    /// The file is to hold what is unsent now, and nothing that was deleted.
    func rewrite() {
        tasks.put(.spool)
    }

    /// Tries again what the disk did not take: an alarm that has ended must not come back with the next start.
    /// Cheap; call it now and then.
    func retry() {
        if unsaved.snapshot != nil { tasks.put(.alarmsAgain) }
    }

    /// What of the alarms must outlive the gateway, as of now.
    func keep(_ snapshot: SOSSnapshot) {
        tasks.put(.alarms(snapshot))
    }

    /// How an alarm goes, for good.
    func record(_ alarm: Alarm) {
        tasks.put(.record(alarm))
    }

    /// Of several states only the last: after a disk that hung, the ones before are history.
    private static func worthDoing(_ tasks: [Task]) -> [Task] {
        tasks.enumerated().filter { index, task in
            guard let state = task.state else { return true }
            return tasks.lastIndex { $0.state == state } == index
        }.map(\.element)
    }

    /// - Parameter done: called on the disk thread when they are durable, or with why they are not.
    func keep(_ decisions: [ConsentDecision], done: @escaping @Sendable (DiskFailure?) -> Void) {
        tasks.put(.decisions(decisions, done: done))
    }

    /// What is to be known of advertising wearables after a restart. From any thread; returns at once.
    func keep(_ memories: [BeaconMemory]) {
        tasks.put(.beacons(memories))
    }

    /// At the end of a stop, by whoever ends it.
    func keepUnsent() throws(DiskFailure) -> Int {
        let unsent = unsent()
        try spool.save(unsent)
        return unsent.count
    }

    func run() async throws {
        try await tasks.run()
    }

    func stop() {
        tasks.stop()
    }

    private static func failure(_ body: () throws(DiskFailure) -> Void) -> DiskFailure? {
        do throws(DiskFailure) {
            try body()
            return nil
        } catch {
            return error
        }
    }
}
