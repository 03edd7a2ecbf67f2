import Consent
import Contract
package import GatewayModel
import Hub
import RealTime
package import Vault

// The work of one turn, on the outbox's thread.
extension OutboxLoop {
    package func purge(in database: OutboxDatabase, at now: BootInstant) throws(DiskFailure) {
        guard isPurgeDue else { return }
        try deleteSettled(in: database, at: now)
        open = purges.last { $0.open != nil }?.open ?? open
        let underway = queue.underway
        let deleted = try database.purge(
            notCounting: underway.places, removesTraces: !purged.isEmpty
        ) { queue.mayLeave($0) }
        purged.merge(deleted, uniquingKeysWith: +)
        queue.diskHolds(database.count)
        try tellEnded(underway.shares, in: database)
        isPurgeDue = false
        answerPurges(purged.values.reduce(0, +))
        purged = [:]
    }

    /// Deletes the rows of finished messages, so that none of them counts as unsent.
    private func deleteSettled(in database: OutboxDatabase, at now: BootInstant) throws(DiskFailure) {
        while queue.hasSettled { try commit(to: database, at: now, rows: 0) }
    }

    private func tellEnded(
        _ underway: [Disclosure: [MessageID]], in database: OutboxDatabase
    ) throws(DiskFailure) {
        // Some messages in flight may be acknowledged already without the disk knowing it.
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

    package func answerPurges(_ deleted: Int?) {
        for purge in purges { purge.done(deleted) }
        purges = []
    }

    /// Carries out the requests. Called after the waiting messages were written: the disk then holds all of them.
    package func carryOutErrands(
        in database: OutboxDatabase, at now: BootInstant
    ) throws(DiskFailure) {
        while let errand = errands.first {
            switch errand {
            case .count(let person, let done): done(try database.count(of: person))
            case .erase(let person, let done):
                let dropped = delivery.forget(readingsOf: person)
                purged.merge(dropped.filter { !$0.key.tellsReadings(of: person) }, uniquingKeysWith: +)
                try deleteSettled(in: database, at: now)
                try settleSpill()
                let deleted = try database.purge(removesTraces: !dropped.isEmpty) {
                    !$0.disclosure.tellsReadings(of: person)
                }
                queue.diskHolds(database.count)
                let inMemory = dropped.filter { $0.key.tellsReadings(of: person) }.values.reduce(0, +)
                done(deleted.values.reduce(inMemory, +))
            }
            errands.removeFirst()
        }
    }

    package func write(to database: OutboxDatabase, at now: BootInstant, isLast: Bool) throws(DiskFailure) {
        repeat {
            let isDue =
                queue.isWriteUrgent || queue.hasManySettled || isPast(lastWrite, now, by: limits.group)
                || queue.hasUnwritten && isPast(lastRows, now, by: Outbox.writeInterval)
            guard isDue || isLast || !errands.isEmpty, queue.hasUnwritten || queue.hasSettled else { break }
            let limit = try rowLimit(in: database, isLast: isLast)
            try commit(to: database, at: now, rows: limit)
            if limit == 0, queue.hasUnwritten { throw database.noRoom() }
        } while isLast || !errands.isEmpty && queue.hasUnwritten
        // The report stands before it: a kill in between sends the report twice, under one id.
        if !toldEnded.isEmpty, !queue.hasUnwritten {
            try database.forget(toldEnded)
            toldEnded = []
        }
        try finishSync(of: database, isLast: isLast)
        guard isUnsynced, isLast || isSyncUrgent || isPast(lastSync, now, by: limits.group) else { return }
        if let syncer, !isLast {
            guard !syncer.isBusy else { return }
            syncer.begin(
                OutboxSyncer.Job(path: path, generation: generation, transaction: database.transaction))
        } else {
            try database.sync()
        }
        (isUnsynced, isSyncUrgent, lastSync) = (false, false, now)
    }

    /// Takes the result of the syncing thread.
    private func finishSync(of database: OutboxDatabase, isLast: Bool) throws(DiskFailure) {
        guard let result = syncer?.takeResult(), result.job.generation == generation else { return }
        if let failure = result.failure {
            isUnsynced = true
            // At the end the log is synced once more.
            if isLast { return }
            throw failure
        }
        database.synced(upTo: result.job.transaction)
    }

    package func commit(to database: OutboxDatabase, at now: BootInstant, rows limit: Int) throws(DiskFailure) {
        isSyncUrgent = isSyncUrgent || queue.isSyncUrgent
        let changes = queue.takeChanges(rows: limit)
        do throws(DiskFailure) {
            try database.carryOut(changes)
        } catch {
            queue.notWritten()
            throw error
        }
        lastWrite = now
        queue.written(stored: database.count)
        for (gap, series) in queue.takeGaps() { queue.enqueue(gap: self.gap(gap, series)) }
        if !changes.rows.isEmpty { (lastRows, isUnsynced) = (now, true) }
        try settleSpill()
        // Measuring the size costs as much as a write, and few messages arrive meanwhile in comparison with any quota.
        guard !changes.rows.isEmpty, isPast(sizedAt, now, by: limits.group) else { return }
        sizedAt = now
        try makeRoom(in: database)
    }

    package func isPast(_ last: BootInstant?, _ now: BootInstant, by wait: Duration) -> Bool {
        last.map { $0.duration(to: now) >= wait } ?? true
    }

    /// Returns the instant until which unwritten messages can wait.
    package func nextWrite(after now: BootInstant) -> BootInstant? {
        if queue.isWriteUrgent || queue.hasManySettled || queue.wantsPage { return now }
        let waits = [
            isUnsynced && syncer?.isBusy != true ? (lastSync, limits.group) : nil,
            queue.hasUnwritten ? (lastRows, Outbox.writeInterval) : nil,
            queue.hasSettled ? (lastWrite, limits.group) : nil,
        ]
        return waits.compactMap { $0.map { last, wait in last?.advanced(by: wait) ?? now } }.min()
    }

    package func read(
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
}

extension Disclosure {
    /// The grant that permits the disclosure; nil if it needs no grant.
    fileprivate var epoch: LedgerSequence? {
        if case .share(_, _, _, let epoch) = self { epoch } else { nil }
    }
}
