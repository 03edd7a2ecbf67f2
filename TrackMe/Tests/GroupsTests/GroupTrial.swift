import Accounts
import Foundation
import GatewayModel
import Groups
import Parties
import SQLDatabase
import Store
import StoreSamples
import TestSupport

/// A database with the tables of groups.
struct GroupTrial {
    static let week = Week("2026-11-16")!
    /// A time at which the table of the week is due.
    static let due = week.end.later(3 * 86_400)
    static let areas = ["Milano centro", "Milano <nord> & \"sud\"", "L'Aquila; DROP TABLE"].map {
        AreaName($0)!
    }

    private let database: TestDatabase
    let file: DatabasePool
    let stores: Stores

    init() throws {
        try self.init(
            on: try TestDatabase(
                migrations: Stores.migrations + AuditLog.migrations + PartyStore.migrations
                    + GroupTables.migrations))
    }

    private init(on database: TestDatabase) throws {
        self.database = database
        file = try database.open()
        stores = Stores(in: file)
    }

    /// The same database in the hands of another process.
    func reopened() throws -> GroupTrial { try GroupTrial(on: database) }

    var members: GroupMemberStore { GroupMemberStore(file: file) }
    var groups: PartyGroupStore { PartyGroupStore(file: file) }
    var releases: GroupReleaseStore { GroupReleaseStore(file: file) }

    func releases(noise seed: String) -> GroupReleaseStore {
        GroupReleaseStore(file: file) { DerivedNumbers(of: seed) }
    }

    @discardableResult
    func release(_ rule: GroupRule = .margin) async throws -> Bool {
        try await releases.release(Self.week, of: Self.areas, by: rule, at: Self.due)
    }

    /// Rows of the week's table of heart rates.
    func table() async throws -> WeekTable? {
        let question = try GroupQuestion(
            kind: .heartRate, areas: nil, ages: nil, genders: nil, isEverybody: true)
        let group = PartyGroup(
            id: GroupID(1), party: PartyID("clinic")!, question: question, asked: Self.due, first: nil,
            ended: nil)
        return try await releases.tables(for: group, after: nil, most: 1).first
    }

    /// Persons of the cell of `CrowdPerson.sameCell`.
    func exact() async throws -> Int? {
        let cell = GroupCell(area: Self.areas[0], age: AgeBand(age: 70), gender: .female)
        return try await table()?.rows.first { $0.cell == cell }?.exact
    }

    func count(_ sql: String) throws -> Int {
        try file.readBlocking { try Int.fetchOne($0, sql: sql) ?? -1 }
    }

    func addCompany(_ id: PartyID) async throws {
        let parties = PartyStore(file: file)
        try await parties.add(
            NewParty(
                id: id, vat: try VATNumber("IT00743110157"), name: "Casa di cura \(id)",
                contact: PartyContact("it@clinic.example")!,
                key: PartyKey(id: "1", thumbprint: "print of \(id)", jwk: "{}", added: Self.due),
                applied: Self.due)!)
        _ = try await parties.change(id, by: .approve, as: "operator", at: Self.due)
    }
}

extension GroupProfile {
    static let maria = GroupProfile(birthYear: 1948, gender: .female, area: GroupTrial.areas[0])
}

extension PartyID {
    static let clinic = PartyID("clinic")!
    static let study = PartyID("study")!
}
