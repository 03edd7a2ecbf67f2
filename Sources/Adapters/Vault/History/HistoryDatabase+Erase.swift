import GRDB
public import GatewayModel

extension HistoryDatabase {
    /// Deletes all that is kept of a person, and overwrites it on the disk.
    ///
    /// - Returns: how many rows were deleted.
    public func erase(_ person: PersonID) throws(DiskFailure) -> Int {
        let theirs =
            series.filter { $0.value.person == person }.map(\.key)
            + locations.filter { $0.value == person }.map(\.key)
        let deleted = try DiskFailure.translating("deleting from", path) {
            try write { db in
                var deleted = 0
                for number in theirs {
                    let all = HistorySlot.places(of: number)
                    for table in ["raw", "minutes", "hours", "stale", "final", "location"] {
                        try db.execute(
                            sql: "DELETE FROM \(table) WHERE place BETWEEN ? AND ?",
                            arguments: [all.lowerBound, all.upperBound])
                        deleted += db.changesCount
                    }
                    try db.execute(sql: "DELETE FROM series WHERE place = ?", arguments: [number])
                    deleted += db.changesCount
                }
                return deleted
            }
        }
        for number in theirs { (series[number], locations[number]) = (nil, nil) }
        if deleted > 0 { try SQLiteFile.removeTraces(queue, at: path) }
        return deleted
    }
}
