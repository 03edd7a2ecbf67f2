package import Consent
package import Contract
package import GatewayModel
import Hub
package import RealTime
import Settings
import Synchronization
package import Vault

/// The thread with the database of the outbox: writes new messages, and reads messages to send.
///
/// A disk that hangs holds up this thread and no other.
package final class OutboxWriter: Sendable {
    package struct Limits: Sendable {
        /// Minimum interval between two syncs of the disk. Alarms do not wait for it.
        package let group: Duration
        /// Bytes on the disk above which the oldest readings are thinned.
        package let quota: Int
        /// Readings older than this are deleted.
        package let age: Duration

        package init(group: Duration, quota: Int, age: Duration) {
            self.group = group
            self.quota = quota
            self.age = age
        }
    }

    /// Callback with the number of deleted rows; nil if the disk fails. The rows are deleted when it works again. Until
    /// then they cannot leave either: the gate is asked at the instant of leaving.
    package typealias Purged = @Sendable (Int?) -> Void

    /// Request about one person's messages. It is answered with nil if the disk fails, and has to be repeated then.
    package enum Errand: Sendable {
        /// Counts the waiting messages of every kind.
        case count(PersonID, @Sendable (Int?) -> Void)
        /// Deletes readings and gaps of readings for every recipient; calls for help stay.
        case erase(PersonID, @Sendable (Int?) -> Void)
    }

    /// Request for a purge, made at every decision about consent.
    package struct Purge: Sendable {
        /// The grants in force, according to the written part of the ledger; nil if no new part is written. The end of
        /// a grant is reported once, however often the gateway is restarted in between.
        package let open: Set<LedgerSequence>?
        package let done: Purged

        package init(open: Set<LedgerSequence>?, done: @escaping Purged) {
            self.open = open
            self.done = done
        }
    }

    package enum Report: Sendable {
        /// Messages that an earlier run left behind.
        case loaded(stored: Int)
        /// Nil when the disk accepted the write.
        case disk(DiskFailure?)
        case replaced(OutboxDatabase.Salvage, because: DiskFailure)
        /// Changes that the file had contained and has lost.
        case lost(StateMarks.Loss)
        /// Rows that cannot be read.
        case unreadable(Int)
        /// Why messages that waited for the disk, in a file of their own, cannot be read. The others are sent.
        case unread(because: String)
        /// Number of readings that will never be sent; a gap says so.
        case gaveUp(Int, SampleGap.Reason)
        case roomLeft
        /// No message by this grant leaves any more.
        case grantEnded(GrantRemains)
    }

    private let path: String
    private let delivery: OutboxDelivery
    private let limits: Limits
    private let marks: StateMarks?
    private let gap: @Sendable (SampleGap, SampleSeries) -> Envelope
    private let open: Set<LedgerSequence>
    private let report: @Sendable (Report) -> Void
    private let wakeup: Wakeup
    private let syncer: OutboxSyncer
    private let spill: OutboxSpill
    private let watch: OutboxWatch
    private let isStopping = Atomic(false)
    private let purges = Mutex<[Purge]>([])
    private let errands = Mutex<[Errand]>([])

    /// - Parameters:
    ///   - path: absolute.
    ///   - spillPath: file of the messages that wait while the disk holds the thread up; absolute.
    ///   - watchWork: signalled when the queue needs a watch.
    ///   - open: the grants in force at the start.
    ///   - gap: makes the message that reports a gap.
    ///   - report: called on the thread; must return at once.
    package init(
        path: String, spillPath: String, delivery: OutboxDelivery, wakeup: Wakeup, watchWork: Wakeup,
        limits: Limits, marks: StateMarks? = nil, open: Set<LedgerSequence> = [],
        gap: @escaping @Sendable (SampleGap, SampleSeries) -> Envelope,
        report: @escaping @Sendable (Report) -> Void
    ) throws {
        (self.path, self.delivery, self.limits, self.open) = (path, delivery, limits, open)
        (self.gap, self.report) = (gap, report)
        self.marks = marks
        self.wakeup = wakeup
        syncer = try OutboxSyncer { [wakeup] in wakeup.signal() }
        spill = OutboxSpill(at: spillPath, now: Clock.wall)
        watch = OutboxWatch(delivery.queue, spill: spill, wakeup: watchWork)
    }

    /// The outbox of the gateway, in its state directory.
    package convenience init(
        _ core: GatewayCore, delivery: OutboxDelivery, open: Set<LedgerSequence>,
        report: @escaping @Sendable (Report) -> Void
    ) throws {
        try self.init(
            path: core.stateDirectory + "/outbox.sqlite",
            spillPath: core.stateDirectory + "/outbox-waiting.sqlite", delivery: delivery,
            wakeup: core.outboxWork, watchWork: core.outboxWatch,
            limits: Limits(core.settings().outbox), marks: core.marks, open: open,
            gap: { [gate = core.gate, topics = core.topics] in
                OutboxReporter.gapMessage($0, of: $1, gate, topics)
            }, report: report)
    }

    /// Deletes messages that may no longer leave. From any thread; returns at once.
    package func purge(open: Set<LedgerSequence>? = nil, _ done: @escaping Purged) {
        purges.withLock { $0.append(Purge(open: open, done: done)) }
        wakeup.signal()
    }

    /// From any thread; returns at once.
    package func count(of person: PersonID, _ done: @escaping @Sendable (Int?) -> Void) {
        ask(.count(person, done))
    }

    /// Erases the readings of a person. Messages in flight to the broker are not recalled. From any thread; returns at
    /// once.
    package func erase(readingsOf person: PersonID, _ done: @escaping @Sendable (Int?) -> Void) {
        ask(.erase(person, done))
    }

    private func ask(_ errand: Errand) {
        errands.withLock { $0.append(errand) }
        wakeup.signal()
    }

    package func run() async throws {
        let helpers = [try syncer.start(), try watch.start()]
        defer { stopHelpers() }
        await (try NamedThread("outbox") { [self] in loop() }).finished()
        stopHelpers()
        for helper in helpers { await helper.finished() }
    }

    private func stopHelpers() {
        syncer.stop()
        watch.stop()
    }

    /// Ends the thread when all is written; from any thread.
    package func stop() {
        isStopping.store(true, ordering: .releasing)
        wakeup.signal()
    }

    private func loop() {
        let desk = OutboxLoop(
            path: path, delivery: delivery, limits: limits, marks: marks, open: open, syncer: syncer,
            spill: spill, gap: gap, report: report)
        while true {
            let isLast = isStopping.load(ordering: .acquiring)
            let purges = purges.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            let errands = errands.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            let next = desk.turn(at: Clock.boot(), purging: purges, errands: errands, isLast: isLast)
            if isLast { return desk.close() }
            let wait = next.map { max(.zero, Clock.boot().duration(to: $0)) }
            _ = Poll.wait([Poll.Interest(wakeup.descriptor)], timeout: wait)
            wakeup.drain()
        }
    }
}
