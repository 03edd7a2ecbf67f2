import GatewayModel
import Hub
import RealTime
import RunBeacon
import Synchronization
import Vault

/// Where the log of passings of a box lies. Blocking I/O.
struct PassingPlace: Sendable {
    /// Absolute.
    let directory: String
    let gateway: GatewayID
    /// This start of the machine.
    let boot: String
    var marks: StateMarks?

    func open(keeping runs: Set<RunID>) throws(DiskFailure) -> (PassingLog, PassingReport) {
        try PassingLog.open(in: directory, of: gateway, boot: boot, keeping: runs, marks: marks)
    }

    func report(of runs: Set<RunID>) throws(DiskFailure) -> PassingReport {
        try PassingReport(of: directory, keeping: runs)
    }
}

/// State shared by the recorder's thread and the threads that give it passings.
final class PassingBuffer: Sendable {
    /// Of the recorder's thread alone.
    private struct Disk {
        var log: PassingLog?
        var unwritten: [PassingLog.Entry] = []
        /// Runs whose earlier passings are asked for, and those of which they will be.
        var asked: Set<RunID> = []
        var expected: Set<RunID> = []
        /// Passings that were read and not asked for yet.
        var read: [RunID: [RecordedPassing]] = [:]

        mutating func note(_ report: PassingReport, of runs: Set<RunID>) {
            for run in runs { read[run] = [] }
            for record in report.datedRecords { read[record.passing.run, default: []].append(record) }
        }
    }

    private struct Waiting {
        let record: RecordedPassing
        let since: BootInstant
    }

    private let disk = Mutex(Disk())
    private let waiting = Mutex<[Waiting]>([])
    private let health = Mutex(PassingRecorder.Health.written)
    /// Another try was asked for, and has not begun.
    private let isAsked = Mutex(false)
    private let place: PassingPlace
    private let onKept: @Sendable (RecordedPassing) -> Void
    private let onRecall: @Sendable (PassingRecorder.Memory) -> Void
    private let onHealth: @Sendable (PassingRecorder.Health) -> Void

    init(
        _ place: PassingPlace, _ onKept: @escaping @Sendable (RecordedPassing) -> Void,
        _ onRecall: @escaping @Sendable (PassingRecorder.Memory) -> Void,
        _ onHealth: @escaping @Sendable (PassingRecorder.Health) -> Void
    ) {
        self.place = place
        (self.onKept, self.onRecall, self.onHealth) = (onKept, onRecall, onHealth)
    }

    func ask(_ runs: Set<RunID>) { disk.withLock { $0.asked.formUnion(runs) } }

    func expect(_ runs: Set<RunID>) { disk.withLock { $0.expected.formUnion(runs) } }

    /// Whether the disk has failed, and nobody has asked since the last try.
    func isToTry() -> Bool {
        guard health.withLock({ $0 != .written }) else { return false }
        return isAsked.withLock { isAsked in
            defer { isAsked = true }
            return !isAsked
        }
    }

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
        isAsked.withLock { $0 = false }
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
            try look(&disk)
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

    /// Opens the log where it is not open yet, and answers the requests for earlier passings.
    private func look(_ disk: inout Disk) throws(DiskFailure) {
        var opened: PassingReport?
        if disk.log == nil {
            let wanted = disk.asked.union(disk.expected)
            let (log, report) = try place.open(keeping: wanted)
            disk.note(report, of: wanted)
            (disk.log, opened) = (log, report)
        }
        let missing = disk.asked.filter { disk.read[$0] == nil }
        if !missing.isEmpty { disk.note(try place.report(of: missing), of: missing) }
        guard opened != nil || !disk.asked.isEmpty else { return }
        let (asked, records) = (disk.asked, disk.asked.flatMap { disk.read.removeValue(forKey: $0) ?? [] })
        disk.asked = []
        onRecall(PassingRecorder.Memory(runs: asked, records: records, opened: opened))
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
