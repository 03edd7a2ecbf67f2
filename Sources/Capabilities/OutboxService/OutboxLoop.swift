package import Consent
import Contract
package import GatewayModel
import Hub
import RealTime
package import Vault

/// The loop of the outbox's thread, turn by turn. Made, used and dropped on that thread.
package final class OutboxLoop {
    /// Interval between two attempts at a disk that failed: a full disk may have room again; a removed disk stays away.
    private static let pause = Duration.seconds(1)
    /// Longest interval between two attempts at replacing a damaged file. Each attempt may write as much as there is
    /// room for, so the interval doubles each time, to spare a worn card.
    private static let longestPause = Duration.seconds(3_600)

    package let path: String
    private let marks: StateMarks?
    package let delivery: OutboxDelivery
    package var queue: OutboundQueue { delivery.queue }
    package let limits: OutboxWriter.Limits
    package let gap: OutboxDatabase.GapMessage
    package let report: (OutboxWriter.Report) -> Void
    package let ballast: Ballast
    /// Nil if the log is synced in the turn.
    package let syncer: OutboxSyncer?
    /// Holds messages while the disk holds up the loop; nil where nobody writes them there.
    package let spill: OutboxSpill?
    /// Nil if it is not known.
    package let diskRoom: () -> DiskRoom?

    package private(set) var database: OutboxDatabase?
    /// Base of the first file that was opened. It also translates the places in memory to those of a replacement file.
    private var base: Int64?
    /// The reason for which the file cannot be used: it is replaced before anything else is done.
    private var damage: DiskFailure?
    /// Number of files that took the place of a damaged one.
    package private(set) var generation = 0
    private var replacementPause = OutboxLoop.pause
    /// Whether the queue was told of the messages of the earlier run. It is told once, however often the file is
    /// opened.
    private var isLoaded = false
    /// Whether a failure of the disk was reported, and its end was not.
    private var isFailing = false
    /// The disk was full: the file may not grow until there is room again.
    package var isShort = false
    package var lastWrite: BootInstant?
    /// The last write of rows. A write of deletions alone keeps no reading waiting.
    package var lastRows: BootInstant?
    /// The last sync. A power cut loses the writes since then.
    package var lastSync: BootInstant?
    package var isUnsynced = false
    package var isSyncUrgent = false
    /// Earliest instant of the next write after a failure.
    private var retryAt: BootInstant?
    /// The last failure did not concern reading.
    private var isReadable = false
    package var agedAt: BootInstant?
    package var sizedAt: BootInstant?
    /// Due also at the start: messages whose consent ended while the gateway was down, or just before a kill, are
    /// deleted then.
    package var isPurgeDue = true
    /// Deletions by purges that were not reported yet, by the disclosure that the messages would have made.
    package var purged: [Disclosure: Int] = [:]
    package var purges: [OutboxWriter.Purge] = []
    package var errands: [OutboxWriter.Errand] = []
    /// The grants in force, according to the written part of the ledger.
    package var open: Set<LedgerSequence>
    /// Grants with a reported end. The report may not be written yet.
    package var toldEnded: [LedgerSequence] = []

    /// - Parameters:
    ///   - syncer: syncs the log on a thread of its own; nil if the log is synced in the turn.
    ///   - spill: messages of an earlier run are taken over from it.
    ///   - diskRoom: room on the disk with `path`; nil: as the kernel reports it.
    package init(
        path: String, delivery: OutboxDelivery, limits: OutboxWriter.Limits, marks: StateMarks? = nil,
        open: Set<LedgerSequence>,
        syncer: OutboxSyncer? = nil, spill: OutboxSpill? = nil, diskRoom: (() -> DiskRoom?)? = nil,
        gap: @escaping OutboxDatabase.GapMessage, report: @escaping (OutboxWriter.Report) -> Void
    ) {
        (self.path, self.delivery, self.limits, self.open) = (path, delivery, limits, open)
        (self.gap, self.report, self.marks) = (gap, report, marks)
        (self.syncer, self.spill) = (syncer, spill)
        self.diskRoom = diskRoom ?? { try? DiskRoom(around: path) }
        ballast = Ballast(at: path + ".ballast")
    }

    /// - Parameters:
    ///   - now: start of the turn.
    ///   - isLast: nothing is postponed any more.
    /// - Returns: instant of the next turn unless a request comes before; nil: only a request needs a turn.
    package func turn(
        at now: BootInstant, purging new: [OutboxWriter.Purge] = [],
        errands asked: [OutboxWriter.Errand] = [], isLast: Bool = false
    ) -> BootInstant? {
        purges += new
        errands += asked
        if !new.isEmpty {
            purged.merge(delivery.purgeWithheld(), uniquingKeysWith: +)
            isPurgeDue = true
        }
        // A request is not kept waiting, and causes no additional copy of a damaged file.
        if damage == nil, !(new.isEmpty && asked.isEmpty) { retryAt = nil }
        if let retryAt, !isLast, now < retryAt {
            refuseWhatIsAsked()
            return readMeanwhile(at: now, until: retryAt)
        }
        isReadable = false
        do throws(DiskFailure) {
            let database = try opened()
            // Deletion comes before any read: a message too old to be kept is too old to be sent.
            let failure = try change(database, at: now, isLast: isLast)
            // Reading follows even if the change failed: it needs no room, and messages that were read and sent make
            // room. One page a turn: live messages to write do not wait for a backlog to be read.
            if let request = queue.takePageRequest() { try read(request, from: database) }
            isReadable = true
            let unreadable = database.takeUnreadable()
            if unreadable > 0 { report(.unreadable(unreadable)) }
            if let failure { throw failure }
            retryAt = nil
            if try hasRoom(in: database) { tellThatItWorks() }
            return nextWrite(after: now)
        } catch {
            let isFirstOfDamage = error.isDamage && damage == nil
            let next = recover(from: error)
            // Waiting messages are still written to another file: there is no next turn.
            return isLast && isFirstOfDamage ? turn(at: now, isLast: true) : next
        }
    }

    /// Makes all changes of the database.
    /// - Returns: the failure that prevented some of them; the database can be read all the same.
    /// - Throws: the damage of the database.
    private func change(
        _ database: OutboxDatabase, at now: BootInstant, isLast: Bool
    ) throws(DiskFailure) -> DiskFailure? {
        do throws(DiskFailure) {
            do throws(DiskFailure) {
                try work(in: database, at: now, isLast: isLast)
            } catch {
                guard error.isFull else { throw error }
                try makeWay(in: database, at: now)
                try work(in: database, at: now, isLast: isLast)
            }
            return nil
        } catch {
            guard !error.isDamage else { throw error }
            return error
        }
    }

    private func work(in database: OutboxDatabase, at now: BootInstant, isLast: Bool) throws(DiskFailure) {
        try purge(in: database, at: now)
        try write(to: database, at: now, isLast: isLast)
        try carryOutErrands(in: database, at: now)
        try age(in: database, at: now)
    }

    /// Reads stored messages for sending while the disk accepts no writes.
    private func readMeanwhile(at now: BootInstant, until retry: BootInstant) -> BootInstant? {
        guard isReadable, let database, let request = queue.takePageRequest() else { return retry }
        do throws(DiskFailure) {
            try read(request, from: database)
        } catch {
            isReadable = false
            return error.isDamage ? recover(from: error) : retry
        }
        return queue.wantsPage ? now : retry
    }

    package func close() {
        do throws(DiskFailure) {
            try database?.close()
        } catch {
            tell(error)
        }
    }

    private func opened() throws(DiskFailure) -> OutboxDatabase {
        if let database { return database }
        if let damage { try replace(because: damage) }
        let database = try OutboxDatabase(at: path, base: base, marks: marks)
        if let loss = database.loss { report(.lost(loss)) }
        if isLoaded {
            let there = try database.rows(among: queue.held)
            queue.replaced(holding: there, stored: database.count)
        } else {
            try takeOver(into: database)
            try load(database)
        }
        (self.database, base) = (database, database.base)
        return database
    }

    /// Takes over the messages that waited for the disk at the last end. If they cannot be read, the others are sent.
    private func takeOver(into database: OutboxDatabase) throws(DiskFailure) {
        guard let spill else { return }
        var waiting = (rows: [Outbox.Row](), unreadable: 0)
        do throws(DiskFailure) {
            waiting = try spill.earlier()
        } catch {
            guard !error.isFull else { throw error }
            report(.unread(because: error.description))
        }
        guard waiting.rows.count + waiting.unreadable > 0 else { return }
        if waiting.unreadable > 0 { report(.unread(because: "\(waiting.unreadable) rows cannot be read")) }
        try database.takeOver(waiting.rows)
        try tellingDamage { () throws(DiskFailure) in try spill.discardEarlier() }
    }

    /// Empties the file of the messages that waited, once the outbox has them all.
    package func settleSpill() throws(DiskFailure) {
        try tellingDamage { () throws(DiskFailure) in try spill?.settle(queue.isDurable) }
    }

    /// A damaged file of the messages that waited is set aside. It is no damage of the outbox.
    private func tellingDamage(_ body: () throws(DiskFailure) -> Void) throws(DiskFailure) {
        do throws(DiskFailure) {
            try body()
        } catch {
            guard error.isDamage else { throw error }
            report(.unread(because: error.description))
        }
    }

    /// Reads all rows before the queue is told of any: if a part cannot be read, all are read again.
    private func load(_ database: OutboxDatabase) throws(DiskFailure) {
        let (alarms, receipts) = (try database.alarms(), try database.receipts())
        queue.loaded(alarms: alarms, stored: database.count, receipts: receipts)
        isLoaded = true
        report(.loaded(stored: database.count))
    }

    private func replace(because damage: DiskFailure) throws(DiskFailure) {
        generation += 1
        let salvage = try OutboxDatabase.replace(at: path, at: Clock.wall(), marks: marks)
        (self.damage, replacementPause) = (nil, Self.pause)
        // The grants in force are recorded again if they were lost. Otherwise their end would not be reported.
        isPurgeDue = true
        report(.replaced(salvage, because: damage))
    }

    // MARK: Failure

    private func tell(_ failure: DiskFailure) {
        isFailing = true
        report(.disk(failure))
    }

    private func tellThatItWorks() {
        guard isFailing else { return }
        isFailing = false
        report(.disk(nil))
    }

    private func recover(from failure: DiskFailure) -> BootInstant? {
        tell(failure)
        refuseWhatIsAsked()
        if failure.isFull { beShort() }
        // The failed operation may have taken long.
        let now = Clock.boot()
        if failure.isDamage, damage == nil {
            try? database?.close()
            (database, damage, retryAt) = (nil, failure, nil)
            return now
        }
        retryAt = now.advanced(by: damage == nil ? Self.pause : replacementPause)
        if damage != nil { replacementPause = min(replacementPause * 2, Self.longestPause) }
        return retryAt
    }

    /// Refuses the requests. Purges after a change of the ledger are carried out when the disk works again.
    private func refuseWhatIsAsked() {
        open = purges.last { $0.open != nil }?.open ?? open
        answerPurges(nil)
        for errand in errands {
            switch errand {
            case .count(_, let done), .erase(_, let done): done(nil)
            }
        }
        errands = []
    }
}
