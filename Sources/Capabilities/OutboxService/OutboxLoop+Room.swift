package import GatewayModel
import Hub
import RealTime
package import Vault

// Makes room for new messages, and handles the lack of room.
extension OutboxLoop {
    /// Interval between checks of the age of stored messages.
    private static let ageing = Duration.seconds(3_600)

    /// Deletes messages after a write until the file is within its quota and within the free space of the disk.
    package func makeRoom(in database: OutboxDatabase) throws(DiskFailure) {
        let disk = diskRoom()
        restoreBallast(on: disk)
        let (used, spare) = (try database.size(), try database.roomInside())
        switch OutboxRoom(quota: limits.quota).verdict(used: used, spare: spare, on: disk) {
        case .ample where !isShort: report(.roomLeft)
        case .ample, .enough: break
        case .beyondQuota: report(.gaveUp(try thin(OutboxDatabase.stretch, in: database), .quota))
        case .beyondReserve: try giveUpSome(in: database)
        }
    }

    private func giveUpSome(in database: OutboxDatabase) throws(DiskFailure) {
        let dropped = try thin(OutboxDatabase.shortStretch, in: database)
        // Without a deletion nothing is reported: the shortage is the disk's, and the outbox gives up no reading.
        if dropped > 0 { report(.gaveUp(dropped, .quota)) }
    }

    private func thin(_ stretch: Int, in database: OutboxDatabase) throws(DiskFailure) -> Int {
        let dropped = try database.thin(sparing: queue.held, among: stretch, message: gap)
        queue.diskHolds(database.count)
        return dropped
    }

    package func age(in database: OutboxDatabase, at now: BootInstant) throws(DiskFailure) {
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

    // MARK: A full disk

    package func beShort() {
        isShort = true
        try? ballast.release()
    }

    /// Deletes finished messages with the room that the log has; that frees rows in the file. No other message is
    /// deleted while memory has room for new ones.
    package func makeWay(in database: OutboxDatabase, at now: BootInstant) throws(DiskFailure) {
        beShort()
        try database.foldLog()
        while queue.hasSettled {
            try commit(to: database, at: now, rows: 0)
            try database.foldLog()
        }
        if queue.isCrowded, try database.roomInside() < OutboxRoom.spareMessages {
            try giveUpSome(in: database)
            try database.foldLog()
        }
    }

    /// Number of rows that may be written now. On a full disk this is the number that fits into the file's present
    /// size. At the end all rows may be written: unwritten rows are then lost.
    package func rowLimit(in database: OutboxDatabase, isLast: Bool) throws(DiskFailure) -> Int {
        if isShort { restoreBallast(on: diskRoom()) }
        guard isShort, !isLast else { return Outbox.rowsSize }
        return min(Outbox.rowsSize, try database.roomInside())
    }

    /// Returns whether the next messages can be written.
    package func hasRoom(in database: OutboxDatabase) throws(DiskFailure) -> Bool {
        guard isShort else { return true }
        guard !queue.hasUnwritten else { return false }
        return try database.roomInside() > 0
    }

    /// Restores the ballast when the disk has room for more than it. Without ballast, a full disk can prevent even the
    /// deletion of finished messages.
    private func restoreBallast(on disk: DiskRoom?) {
        guard let disk, disk.free >= 2 * Ballast.size else { return }
        isShort = false
        guard let isThere = try? ballast.isThere, !isThere else { return }
        try? ballast.restore()
    }
}
