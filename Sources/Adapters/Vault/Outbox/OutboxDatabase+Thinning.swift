public import Consent
public import Contract
import GRDB
public import GatewayModel

extension OutboxDatabase {
    /// Rows looked at in one thinning: some 8 MB of readings, so that the writer is back within a second.
    public static let stretch = 20_000
    /// Where the disk has no room: the log of one thinning takes less than 2 MB, and no more is given up than is needed.
    public static let shortStretch = 4_000

    /// How far apart the readings of one person and kind come to stand, finest first; then none stays.
    static let spacings: [Duration] = [.seconds(60), .seconds(900)]

    private struct Candidate {
        let place: Int64
        /// What it gives away: of one series, or of one runner.
        let disclosure: Disclosure
        let arrived: WallTime
    }

    /// The message that tells one recipient of a gap in their readings.
    public typealias GapMessage = (SampleGap, SampleSeries) -> Envelope

    /// Makes room: of the oldest readings one a minute stays for each person and kind; where they stand so
    /// already, one a quarter of an hour, and then none. Each series that lost readings gets a gap record in
    /// their place, a runner's positions none: each tells of its own moment alone. Alarms, gaps, receipts and passings
    /// are never touched.
    ///
    /// - Parameters:
    ///   - held: rows that are on their way or about to be, and stay.
    ///   - stretch: how many of the oldest are looked at.
    ///   - message: tells of a gap.
    /// - Returns: how many readings were given up; 0 where there are none left to give.
    public func thin(
        sparing held: Set<Outbox.Place>, among stretch: Int = OutboxDatabase.stretch, message: GapMessage
    ) throws(DiskFailure) -> Int {
        try giveUp(reason: .quota, sparing: held, among: stretch, message: message) { Self.victims(among: $0) }
    }

    /// Gives up readings that arrived before `limit`, with a gap record in their place.
    ///
    /// - Returns: how many; call it again until it is 0.
    public func expire(
        before limit: WallTime, sparing held: Set<Outbox.Place>,
        message: GapMessage
    ) throws(DiskFailure) -> Int {
        try giveUp(reason: .age, sparing: held, among: Self.stretch, message: message) { candidates in
            candidates.filter { $0.arrived < limit }
        }
    }

    private func giveUp(
        reason: SampleGap.Reason, sparing held: Set<Outbox.Place>, among stretch: Int,
        message: GapMessage, choose: ([Candidate]) -> [Candidate]
    ) throws(DiskFailure) -> Int {
        let (dropped, rows) = try DiskFailure.translating("making room in", path) { [base] in
            try write { db in
                let candidates = try Self.oldest(stretch, in: db).filter { !held.contains($0.place - base) }
                let victims = choose(candidates)
                let delete = try db.cachedStatement(sql: "DELETE FROM message WHERE place = ?")
                for victim in victims { try delete.execute(arguments: [victim.place]) }
                let insert = try db.cachedStatement(sql: OutboxRow.insert)
                let gaps = Self.gaps(victims, of: candidates, reason)
                for (gap, series, place) in gaps {
                    let row = Outbox.Row(place: place - base, envelope: message(gap, series))
                    try OutboxRow.write(row, with: insert, base: base)
                }
                return (victims.count, gaps.count)
            }
        }
        changed(by: rows - dropped)
        return dropped
    }

    private static func oldest(_ stretch: Int, in db: Database) throws -> [Candidate] {
        let cursor = try Row.fetchCursor(
            db,
            sql: """
                SELECT place, id, person, kind, party, epoch, run, bib, arrived FROM message WHERE retention = 'sample'
                ORDER BY place LIMIT ?
                """, arguments: [stretch])
        var candidates: [Candidate] = []
        while let row = try cursor.next() {
            guard let place = row.number(0), let id = row.id(1),
                let disclosure = series(row)?.disclosure ?? runner(row)
            else { continue }
            let arrived = row.number(8).map { WallTime(millisecondsSince1970: $0) } ?? id.wall
            candidates.append(Candidate(place: place, disclosure: disclosure, arrived: arrived))
        }
        return candidates
    }

    private static func series(_ row: Row) -> SampleSeries? {
        guard let person = row.text(2).flatMap({ PersonID($0) }),
            let kind = row.text(3).flatMap(DataKind.init)
        else { return nil }
        let party = row.text(4).flatMap { PartyID($0) }
        let epoch = row.number(5).map { LedgerSequence($0) }
        let recipient = party.flatMap { party in epoch.map { SampleSeries.Recipient.party(party, $0) } }
        return SampleSeries(of: person, data: kind, for: recipient ?? .cloud)
    }

    private static func runner(_ row: Row) -> Disclosure? {
        guard let run = row.text(6).flatMap({ RunID($0) }),
            let bib = row.int(7).flatMap({ Bib($0) })
        else { return nil }
        return .runner(run, bib)
    }

    /// By the finest spacing that makes room at all.
    private static func victims(among candidates: [Candidate]) -> [Candidate] {
        for spacing in spacings {
            let victims = victims(among: candidates, spacing)
            // Less than a tenth is no room: the next call would find the same stretch again.
            if victims.count * 10 > candidates.count { return victims }
        }
        return candidates
    }

    /// Of each interval the last reading stays.
    private static func victims(among candidates: [Candidate], _ interval: Duration) -> [Candidate] {
        struct Bucket: Hashable {
            let disclosure: Disclosure
            let number: Int64
        }
        var taken: Set<Bucket> = []
        // From the end: the last of each interval stays.
        return candidates.reversed().filter { candidate in
            let number = candidate.arrived.millisecondsSince1970 / interval.wholeMilliseconds
            return !taken.insert(Bucket(disclosure: candidate.disclosure, number: number)).inserted
        }.reversed()
    }

    /// One for each series, at the place of the last that was given up.
    private static func gaps(
        _ victims: [Candidate], of candidates: [Candidate], _ reason: SampleGap.Reason
    ) -> [(gap: SampleGap, series: SampleSeries, place: Int64)] {
        let all = Dictionary(grouping: candidates, by: \.disclosure)
        return Dictionary(grouping: victims, by: \.disclosure).compactMap { disclosure, dropped in
            guard let series = disclosure.series, let last = dropped.last else { return nil }
            let times = dropped.map(\.arrived)
            let (from, to) = (times.min() ?? last.arrived, times.max() ?? last.arrived)
            let between = all[disclosure]?.count { from <= $0.arrived && $0.arrived <= to } ?? dropped.count
            let gap = SampleGap(
                from: from, to: to, dropped: dropped.count, kept: between - dropped.count, reason: reason)
            return (gap, series, last.place)
        }
    }
}
