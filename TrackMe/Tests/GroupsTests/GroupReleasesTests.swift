import Accounts
import Foundation
import GatewayModel
import Groups
import Logging
import SQLDatabase
import Store
import StoreSamples
import Testing

/// Weekly tables.
struct GroupReleasesTests {
    private static let area = GroupTrial.areas[0]

    @Test func `a table has each bucket of each cell, with noise over the exact counts`() async throws {
        let trial = try GroupTrial()
        try await trial.file.add(CrowdPerson.sameCell(90, in: Self.area), in: GroupTrial.week)
        #expect(
            try await trial.releases(noise: "table").release(
                GroupTrial.week, of: GroupTrial.areas, by: .margin, at: GroupTrial.due))
        let rows = try #require(try await trial.table()).rows
        #expect(rows.count == 3 * 16 * 3)
        // The same noise over nobody.
        var numbers = DerivedNumbers(of: "table")
        let noise = TableNoise(for: GroupTrial.areas, using: &numbers).rows(over: Tally())
        for row in noise where row.kind == .heartRate {
            let found = try #require(rows.first { $0.cell == row.cell })
            let isFull = row.cell == GroupCell(area: Self.area, age: AgeBand(age: 70), gender: .female)
            #expect(found.exact == (isFull ? 90 : 0))
            let exact = zip(found.counts, row.counts).map { $0 - $1 }
            // 45 to 93 by 6: 81 and 87 lie in one range, 80 to 88, and nobody lies above 100.
            #expect(exact == (isFull ? [10, 10, 10, 10, 10, 10, 20, 10, 0] : [Int](repeating: 0, count: 9)))
        }
        #expect(try trial.count("SELECT count(*) FROM group_counted WHERE tables = 1") == 90)
    }

    @Test func `late readings change nothing, and no table is written twice`() async throws {
        let trial = try GroupTrial()
        try await trial.file.add(CrowdPerson.sameCell(20, in: Self.area), in: GroupTrial.week)
        #expect(try await trial.release())
        let before = try await trial.table()
        try await trial.file.add(CrowdPerson.sameCell(20, in: Self.area, from: 5_000), in: GroupTrial.week)
        #expect(try await trial.release() == false)
        #expect(try await trial.table() == before)
        #expect(try trial.count("SELECT max(tables) FROM group_counted") == 1)
        for sql in [
            "UPDATE group_cell SET bucket1 = 0", "DELETE FROM group_cell", "DELETE FROM group_floor",
            "DELETE FROM group_release",
        ] {
            await #expect(throws: DatabaseError.self) {
                try await trial.file.write { try $0.execute(sql: sql) }
            }
        }
    }

    @Test func `a person is counted from the Monday after the consent on, with three days of readings`()
        async throws
    {
        let trial = try GroupTrial()
        try await trial.file.add(
            CrowdPerson.sameCell(10, in: Self.area, from: 1_000), in: GroupTrial.week,
            since: GroupTrial.week.begin.later(1))
        try await trial.file.add(
            CrowdPerson.sameCell(10, in: Self.area, from: 2_000), in: GroupTrial.week, days: 2)
        try await trial.file.add(CrowdPerson.sameCell(10, in: Self.area, from: 3_000), in: GroupTrial.week)
        try await trial.release()
        #expect(try await trial.exact() == 10)
    }

    @Test func `who has withdrawn the consent, the policy or the link is not counted`() async throws {
        let trial = try GroupTrial()
        try await trial.file.add(CrowdPerson.sameCell(10, in: Self.area), in: GroupTrial.week)
        #expect(try await trial.members.countOut(AccountID(1_000), at: GroupTrial.due))
        try await trial.file.write { db in
            try db.execute(
                sql: """
                    UPDATE link SET state = 'ended' WHERE id = 1001;
                    INSERT INTO policy VALUES ('crowd-1002', 'me', 'data-policy', 0, 0, 1);
                    UPDATE group_member SET area = 'elsewhere' WHERE account = 1003;
                    """)
        }
        try await trial.release()
        #expect(try await trial.exact() == 6)
        #expect(try await trial.members.tables(of: AccountID(1_000)) == 0)
        #expect(try await trial.members.tables(of: AccountID(1_009)) == 1)
    }

    @Test func `a release that breaks off leaves nothing, and the next one a whole table`() async throws {
        let trial = try GroupTrial()
        try await trial.file.add(CrowdPerson.sameCell(20, in: Self.area), in: GroupTrial.week)
        // The disk fails in the middle of the table.
        try trial.file.addFault(
            "BEFORE INSERT", on: "group_floor", when: "new.kind = 'glucose' AND new.age = '60-64'")
        await #expect(throws: DatabaseError.self) { try await trial.release() }
        for table in ["group_release", "group_cell", "group_floor", "group_counted"] {
            #expect(try trial.count("SELECT count(*) FROM \(table)") == 0)
        }
        try trial.file.removeFault(of: "group_floor")
        let again = try trial.reopened()
        #expect(try await again.release())
        #expect(try again.count("SELECT count(*) FROM group_cell") == 3 * 16 * 3 * 4)
        #expect(try again.count("SELECT count(*) FROM group_floor") == 3 * 16 * 3 * 4)
    }

    @Test func `of two servers that race one publishes`() async throws {
        let trial = try GroupTrial()
        try await trial.file.add(CrowdPerson.sameCell(20, in: Self.area), in: GroupTrial.week)
        let nodes = try [trial, trial.reopened(), trial.reopened(), trial.reopened()]
        let published = try await withThrowingTaskGroup(of: Bool.self) { group in
            for node in nodes { group.addTask { try await node.release() } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(published == 1)
        let tables = try await nodes.tables()
        #expect(Set(tables).count == 1)
        #expect(try trial.count("SELECT count(*) FROM group_cell") == 3 * 16 * 3 * 4)
        #expect(try trial.count("SELECT max(tables) FROM group_counted") == 1)
    }

    @Test func `20,000 persons are counted within the errors that the answers state`() async throws {
        let trial = try GroupTrial()
        let crowd = CrowdPerson.mixed(20_000, in: GroupTrial.areas, seed: "20,000 persons of the store")
        try await trial.file.add(crowd, in: GroupTrial.week)
        #expect(
            try await trial.releases(noise: "20,000").release(
                GroupTrial.week, of: GroupTrial.areas, by: .margin, at: GroupTrial.due))
        let table = try #require(try await trial.table())
        for area in GroupTrial.areas {
            let question = try GroupQuestion(kind: .heartRate, areas: [area], ages: nil, genders: nil)
            guard case .figures(let figures) = GroupAnswer(question, of: table).outcome else {
                Issue.record("\(area) is refused")
                continue
            }
            let rates = crowd.filter { $0.profile.area == area }.map(\.rate).sorted()
            #expect(abs(figures.count.value - Double(rates.count)) <= 2 * figures.count.error)
            let mean = try #require(figures.mean)
            #expect(abs(mean.value - rates.reduce(0, +) / Double(rates.count)) <= mean.error)
            let median = try #require(figures.quantiles[50])
            #expect(abs(median.value - rates[rates.count / 2]) <= median.error)
        }
    }

    @Test func `the loop publishes a week once, after its days of waiting`() async throws {
        let trial = try GroupTrial()
        func loop(_ now: WallTime, areas: [AreaName] = GroupTrial.areas) -> ReleaseLoop {
            ReleaseLoop(
                store: trial.releases, areas: areas, rule: .letter, wait: .seconds(3 * 86_400),
                logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), clock: { now })
        }
        #expect(try await loop(GroupTrial.due, areas: []).releaseDue() == nil)
        #expect(try await loop(GroupTrial.due.later(-1)).releaseDue()?.description == "2026-11-09")
        #expect(try await loop(GroupTrial.due).releaseDue() == GroupTrial.week)
        #expect(try await loop(GroupTrial.due.later(600)).releaseDue() == nil)
        #expect(
            try await trial.releases.releases(most: 5)
                == [
                    WeekRelease(week: GroupTrial.week, released: GroupTrial.due, rule: .letter),
                    WeekRelease(
                        week: Week("2026-11-09")!, released: GroupTrial.due.later(-1), rule: .letter),
                ])
    }
}

extension [GroupTrial] {
    fileprivate func tables() async throws -> [WeekTable] {
        var tables: [WeekTable] = []
        for node in self {
            if let table = try await node.table() { tables.append(table) }
        }
        return tables
    }
}
