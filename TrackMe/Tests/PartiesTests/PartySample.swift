import Accounts
import ContractReading
import Foundation
import GatewayModel
import Parties
import SQLDatabase
import Store
import StoreSamples
import TestSupport

/// An empty database with the tables of the parties.
struct PartyTrial {
    static let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)

    private let database: TestDatabase
    let file: DatabasePool
    let parties: PartyStore

    init() throws {
        try self.init(
            on: try TestDatabase(
                migrations: Stores.migrations + AuditLog.migrations + PartyStore.migrations))
    }

    private init(on database: TestDatabase) throws {
        self.database = database
        file = try database.open()
        parties = PartyStore(file: file)
    }

    /// The same database in the hands of another process.
    func reopened() throws -> PartyTrial { try PartyTrial(on: database) }

    /// Lines of the audit log about a party.
    func audit(_ party: PartyID) throws -> [String] {
        try file.readBlocking { db in
            try String.fetchAll(
                db, sql: "SELECT entry FROM audit WHERE area = 'parties' AND subject = ? ORDER BY number",
                arguments: [party.text])
        }
    }
}

extension PartyID {
    static let clinic = PartyID("clinic")!
    static let study = PartyID("study")!
}

extension NewParty {
    static func sample(_ id: PartyID, at time: WallTime = PartyTrial.noon) -> NewParty {
        NewParty(
            id: id, vat: try! VATNumber("IT00743110157"), name: "Casa di cura \(id)",
            contact: PartyContact("it@\(id).example")!,
            key: PartyKey(id: "1", thumbprint: "print of \(id)", jwk: "{}", added: time), applied: time)!
    }
}

extension RequestTerms {
    static func sample(
        _ kinds: Set<DataKind> = [.quantity(.heartRate)], until: WallTime? = nil,
        at now: WallTime = PartyTrial.noon
    ) -> RequestTerms {
        try! RequestTerms(purpose: "Study of the heart", kinds: kinds, until: until, now: now)
    }
}

extension PartyTrial {
    static let code: [UInt8] = [1, 2, 3]

    var requests: PartyRequestStore { PartyRequestStore(file: file) }
    var shared: SharedStore { SharedStore(file: file) }
    var stores: Stores {
        Stores(in: file) { _, _ in
        } onParty: {
            try SharedStore.receive($0, $1)
        }
    }

    /// An approved party.
    func approve(_ party: PartyID = .clinic) async throws {
        try await parties.add(.sample(party))
        _ = try await parties.change(party, by: .approve, as: "anna", at: Self.noon)
    }

    /// An account that is linked to a person. The house gives the fiscal code if the account may ask for it, and no account has.
    @discardableResult
    func addPerson(
        _ user: String = "maria", _ subject: HousePerson = .maria, code: [UInt8] = PartyTrial.code,
        role: LinkRole = .acts
    ) async throws -> (AccountID, LinkID) {
        let account = try await stores.accounts.add(.sample(user, at: Self.noon))
        let link = try await stores.link(account, to: subject, as: "link-\(user)", role: role, at: Self.noon)
        let known = try await stores.facts.sharing(.fiscalCode, of: subject)
        if role == .acts, known == nil {
            try await stores.give(code, of: subject, by: account, as: "code-\(user)", at: Self.noon)
        }
        return (account, link)
    }

    func ask(
        _ id: String, of party: PartyID = .clinic, code: [UInt8] = PartyTrial.code, key: String? = nil,
        digest: [UInt8] = [], terms: RequestTerms = .sample(), at time: WallTime = PartyTrial.noon
    ) async throws -> PartyRequest {
        try await requests.ask(
            NewPartyRequest(
                id: RequestID(id)!, party: party, lookUp: code, terms: terms, idempotencyKey: key ?? id,
                digest: digest, asked: time)
        ) { subject, _ in subject.map { _ in .sample("command of \(id)", about: id, at: time) } }
    }

    func answer(
        _ request: String, _ answer: RequestAnswer, of party: PartyID = .clinic,
        by subject: HousePerson = .maria, at time: WallTime = PartyTrial.noon
    ) throws {
        _ = try stores.intake.keep(
            [.party(.answer(party, RequestID(request)!, by: subject, answer, at: time))], at: time)
    }

    /// Hands a copy to the intake. Returns the reason for which it was not kept.
    @discardableResult
    func receive(
        _ text: String, for party: PartyID = .clinic, of subject: HousePerson = .maria,
        kind: String = "heart-rate", id: MessageID? = nil, grant: Int64? = nil,
        measured: WallTime? = nil, at time: WallTime = PartyTrial.noon
    ) throws -> DeadLetter.Reason? {
        let copy = SharedCopy(
            party: party, subject: subject, kind: kind, id: id, grant: grant,
            topic: "trackme/v1/\(subject.gateway)/parties/\(party)/\(subject.person)/\(kind)",
            payload: Array(text.utf8), received: time, measured: measured)
        return try stores.intake.keep([.party(.copy(copy))], at: time).setAside.keys.first
    }

    func read(
        _ party: PartyID = .clinic, after: Int64 = 0, most: Int = 100, bytes: Int = 1_000_000,
        at time: WallTime = PartyTrial.noon
    ) async throws -> [String] {
        try await shared.read(of: party, after: after, most: most, bytes: bytes, at: time).map {
            "\($0.number) " + String(decoding: $0.payload, as: UTF8.self)
        }
    }
}
