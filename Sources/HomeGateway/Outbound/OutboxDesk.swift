import Consent
import Contract
import GatewayModel
import RealTime
import Vault

/// What the outbox's thread does, turn by turn. Made, used and dropped on that thread.
final class OutboxDesk {
    /// Between two attempts at a disk that failed: a full one may have room again, a torn-out one not.
    private static let pause = Duration.seconds(1)
    /// The most there is between two attempts at replacing a damaged file, each of which may write all there is room
    /// for: twice as long each time, so that a worn card is not worn out by them.
    private static let longestPause = Duration.seconds(3_600)
    /// How often the age of what is kept is looked at.
    private static let ageing = Duration.seconds(3_600)

    private let path: String
    private let queue: OutboundQueue
    private let limits: OutboxWriter.Limits
    private let gap: OutboxDatabase.GapMessage
    private let report: (OutboxWriter.Report) -> Void

    private var database: OutboxDatabase?
    /// Of the first file that was opened: by it memory's places are found in one that has taken its place, too.
    private var base: Int64?
    /// Why the file cannot be used: it is replaced before anything else is done.
    private var damage: DiskFailure?
    private var replacementPause = OutboxDesk.pause
    /// The queue knows what an earlier run left: it is told once, however often the file is opened.
    private var isLoaded = false
    /// That the disk fails was told, and not yet that it works again.
    private var isFailing = false
    private var lastWrite: BootInstant?
    /// What only deletes keeps no reading waiting.
    private var lastRows: BootInstant?
    /// A power cut would take what was written since.
    private var lastSync: BootInstant?
    private var isUnsynced = false
    private var isSyncUrgent = false
    /// After a failure: nothing is tried before.
    private var retryAt: BootInstant?
    private var agedAt: BootInstant?
    private var sizedAt: BootInstant?
    /// Also at the start: what lost its consent while the gateway was down, or just before a kill, goes now.
    private var isPurgeDue = true
    /// What the purges deleted that nobody was told of yet, by what it would have given away.
    private var purged: [Disclosure: Int] = [:]
    private var purges: [OutboxWriter.Purge] = []
    private var errands: [OutboxWriter.Errand] = []
    /// The grants in force, by what is written of the ledger.
    private var open: Set<LedgerSequence>
    /// Their end was told, in a message that may not be written yet.
    private var toldEnded: [LedgerSequence] = []

    init(
        path: String, queue: OutboundQueue, limits: OutboxWriter.Limits, open: Set<LedgerSequence>,
        gap: @escaping OutboxDatabase.GapMessage, report: @escaping (OutboxWriter.Report) -> Void
    ) {
        (self.path, self.queue, self.limits, self.open) = (path, queue, limits, open)
        (self.gap, self.report) = (gap, report)
    }

    /// - Parameters:
    ///   - now: when it begins.
    ///   - isLast: nothing is put off any more.
    /// - Returns: until when there is nothing to do unless somebody asks; nil for as long as that takes.
    func turn(
        at now: BootInstant, purging new: [OutboxWriter.Purge] = [],
        errands asked: [OutboxWriter.Errand] = [], isLast: Bool = false
    ) -> BootInstant? {
        purges += new
        errands += asked
        if !new.isEmpty {
            for envelope in queue.purgeWithheld() { purged[envelope.disclosure, default: 0] += 1 }
            isPurgeDue = true
        }
        // Whoever asks is not kept waiting; a damaged file is not copied the more often for it.
        if damage == nil, !(new.isEmpty && asked.isEmpty) { retryAt = nil }
        if let retryAt, !isLast, now < retryAt {
            refuseWhatIsAsked()
            return retryAt
        }
        do throws(DiskFailure) {
            let database = try opened()
            try purge(in: database)
            try write(to: database, at: now, isLast: isLast)
            try carryOutErrands(in: database)
            // Before anything is read: what is too old to be kept is too old to be sent.
            try age(in: database, at: now)
            // One page a turn: what is live and has to be written does not wait for a backlog to be read.
            if let request = queue.takePageRequest() { try read(request, from: database) }
            retryAt = nil
            tellThatItWorks()
            return nextWrite(after: now)
        } catch {
            let isFirstOfDamage = error.isDamage && damage == nil
            let next = recover(from: error)
            // What waits is written to another file still: there is no next turn.
            return isLast && isFirstOfDamage ? turn(at: now, isLast: true) : next
        }
    }

    func close() {
        do throws(DiskFailure) {
            try database?.close()
        } catch {
            tell(error)
        }
    }

    private func opened() throws(DiskFailure) -> OutboxDatabase {
        if let database { return database }
        if let damage { try replace(because: damage) }
        let database = try OutboxDatabase(at: path, base: base)
        if isLoaded {
            let there = try database.rows(among: queue.held)
            queue.replaced(holding: there, stored: database.count)
        } else {
            try load(database)
        }
        (self.database, base) = (database, database.base)
        return database
    }

    /// All is read before the queue is told of any: where a part cannot be read, it is all read again.
    private func load(_ database: OutboxDatabase) throws(DiskFailure) {
        let (alarms, receipts) = (try database.alarms(), try database.receipts())
        queue.loaded(alarms: alarms, stored: database.count, receipts: receipts)
        isLoaded = true
        report(.loaded(stored: database.count))
    }

    private func replace(because damage: DiskFailure) throws(DiskFailure) {
        let salvage = try OutboxDatabase.replace(at: path, at: Clock.wall())
        (self.damage, replacementPause) = (nil, Self.pause)
        // The grants in force are to be noted where they were lost, or their end would not be told.
        isPurgeDue = true
        report(.replaced(salvage, because: damage))
    }

    private func purge(in database: OutboxDatabase) throws(DiskFailure) {
        guard isPurgeDue else { return }
        open = purges.last { $0.open != nil }?.open ?? open
        let underway = queue.underway
        let deleted = try database.purge(notCounting: underway.places) { queue.mayLeave($0) }
        purged.merge(deleted, uniquingKeysWith: +)
        queue.diskHolds(database.count)
        try tellEnded(underway.shares, in: database)
        isPurgeDue = false
        answerPurges(purged.values.reduce(0, +))
        purged = [:]
    }

    private func tellEnded(
        _ underway: [Disclosure: [MessageID]], in database: OutboxDatabase
    ) throws(DiskFailure) {
        // Of what was underway some may be acknowledged by now, and the disk not know it yet.
        let sent = queue.sentLately
        for epoch in try database.ended(besides: open) where !toldEnded.contains(epoch) {
            let known = try database.lastSent(by: epoch)
            let remains = GrantRemains(
                epoch: epoch, purged: purged.filter { $0.key.epoch == epoch }.values.reduce(0, +),
                lastSent: known.merging(sent[epoch] ?? [:]) { _, newer in newer },
                underway: underway.filter { $0.key.epoch == epoch }.values.flatMap(\.self))
            toldEnded.append(epoch)
            report(.grantEnded(remains))
        }
    }

    private func answerPurges(_ deleted: Int?) {
        for purge in purges { purge.done(deleted) }
        purges = []
    }

    /// After what waited was written: on the disk is then all there is.
    private func carryOutErrands(in database: OutboxDatabase) throws(DiskFailure) {
        while let errand = errands.first {
            switch errand {
            case .count(let person, let done): done(try database.count(of: person))
            case .erase(let person, let done):
                let undurable = queue.forget(readingsOf: person).count
                let deleted = try database.purge { !$0.disclosure.tellsReadings(of: person) }
                queue.diskHolds(database.count)
                done(deleted.values.reduce(undurable, +))
            }
            errands.removeFirst()
        }
    }

    private func write(to database: OutboxDatabase, at now: BootInstant, isLast: Bool) throws(DiskFailure) {
        repeat {
            let isDue =
                queue.isWriteUrgent || queue.hasManySettled || isPast(lastWrite, now, by: limits.group)
                || queue.hasUnwritten && isPast(lastRows, now, by: Outbox.gathering)
            guard isDue || isLast || !errands.isEmpty, queue.hasUnwritten || queue.hasSettled else { break }
            try commit(to: database, at: now)
        } while isLast
        // What tells of it stands before: a kill in between has it told twice, under one id.
        if !toldEnded.isEmpty, !queue.hasUnwritten {
            try database.forget(toldEnded)
            toldEnded = []
        }
        guard isUnsynced, isLast || isSyncUrgent || isPast(lastSync, now, by: limits.group) else { return }
        try database.sync()
        (isUnsynced, isSyncUrgent, lastSync) = (false, false, now)
    }

    private func commit(to database: OutboxDatabase, at now: BootInstant) throws(DiskFailure) {
        isSyncUrgent = isSyncUrgent || queue.isSyncUrgent
        let changes = queue.takeChanges()
        do throws(DiskFailure) {
            try database.carryOut(changes)
        } catch {
            queue.notWritten()
            throw error
        }
        lastWrite = now
        queue.written(stored: database.count)
        for (gap, recipient) in queue.takeGaps() { queue.enqueue(gap: self.gap(gap, recipient)) }
        guard !changes.rows.isEmpty else { return }
        lastRows = now
        isUnsynced = true
        // To look costs as much as to write, and what comes meanwhile is little beside any quota.
        guard isPast(sizedAt, now, by: limits.group) else { return }
        sizedAt = now
        try makeRoom(in: database)
    }

    private func isPast(_ last: BootInstant?, _ now: BootInstant, by wait: Duration) -> Bool {
        last.map { $0.duration(to: now) >= wait } ?? true
    }

    /// Until when what is left can wait.
    private func nextWrite(after now: BootInstant) -> BootInstant? {
        if queue.isWriteUrgent || queue.hasManySettled || queue.wantsPage { return now }
        let waits = [
            isUnsynced ? (lastSync, limits.group) : nil,
            queue.hasUnwritten ? (lastRows, Outbox.gathering) : nil,
            queue.hasSettled ? (lastWrite, limits.group) : nil,
        ]
        return waits.compactMap { $0.map { last, wait in last?.advanced(by: wait) ?? now } }.min()
    }

    private func read(
        _ request: Outbox.PageRequest, from database: OutboxDatabase
    ) throws(DiskFailure) {
        do throws(DiskFailure) {
            let (rows, last, isEnd) = try database.page(request)
            queue.read(rows, upTo: last, isEnd: isEnd, for: request)
        } catch {
            queue.notRead(request)
            throw error
        }
    }

    // MARK: Room

    private func makeRoom(in database: OutboxDatabase) throws(DiskFailure) {
        let size = try database.size()
        guard size > limits.quota else {
            // With some distance: a thinning gives room for a while only.
            if size < limits.quota / 10 * 9 { report(.roomLeft) }
            return
        }
        let dropped = try database.thin(sparing: queue.held, message: gap)
        queue.diskHolds(database.count)
        report(.gaveUp(dropped, .quota))
    }

    private func age(in database: OutboxDatabase, at now: BootInstant) throws(DiskFailure) {
        guard isPast(agedAt, now, by: Self.ageing) else { return }
        agedAt = now
        let wall = Clock.wall()
        let limit = WallTime(
            millisecondsSince1970: wall.millisecondsSince1970 - limits.age.wholeMilliseconds)
        while case let dropped = try database.expire(before: limit, sparing: queue.held, message: gap),
            dropped > 0
        {
            queue.diskHolds(database.count)
            report(.gaveUp(dropped, .age))
        }
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
        // A disk may have taken its time to fail.
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

    /// Those that have brought news of the ledger are carried out when the disk works again.
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

extension Disclosure {
    /// The grant by which it goes; nil for what needs none.
    fileprivate var epoch: LedgerSequence? {
        if case .share(_, _, _, let epoch) = self { epoch } else { nil }
    }
}
