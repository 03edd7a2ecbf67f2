package import GatewayModel
import Hub
import RealTime
package import Vault

// How room is made for what is new, and what is done where there is none.
extension OutboxLoop {
    /// How often the age of what is kept is looked at.
    private static let ageing = Duration.seconds(3_600)

    /// After a write: within the quota, and within what the disk has left.
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
        // Where there is nothing to give, it is the disk that is short, and not the outbox that gives up.
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

    /// What is done with is deleted in the room that the log has; that makes room for rows in the file. While memory has
    /// room for what is new, nothing else is given up.
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

    /// How many rows may be written now: on a full disk as many as the file has room for as it is. At the end all: what
    /// is not written then is lost.
    package func rowLimit(in database: OutboxDatabase, isLast: Bool) throws(DiskFailure) -> Int {
        if isShort { restoreBallast(on: diskRoom()) }
        guard isShort, !isLast else { return Outbox.rowsSize }
        return min(Outbox.rowsSize, try database.roomInside())
    }

    /// Whether what comes next can be written.
    package func hasRoom(in database: OutboxDatabase) throws(DiskFailure) -> Bool {
        guard isShort else { return true }
        guard !queue.hasUnwritten else { return false }
        return try database.roomInside() > 0
    }

    /// Where there is room again for more than the ballast. Without one, the next full disk may keep even what is done
    /// with from being deleted.
    private func restoreBallast(on disk: DiskRoom?) {
        guard let disk, disk.free >= 2 * Ballast.size else { return }
        isShort = false
        guard let isThere = try? ballast.isThere, !isThere else { return }
        try? ballast.restore()
    }
}
