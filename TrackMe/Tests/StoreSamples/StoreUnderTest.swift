public import Accounts
import Foundation
public import GatewayModel
import SQLDatabase
public import Store
import TestSupport

/// Stores that hold to the rules of `StoreConformanceTests`.
public enum StoreUnderTest: String, CaseIterable, Sendable {
    case lite, postgres

    /// Runs `body` with an empty store.
    public func withStores(_ body: (Stores) async throws -> Void) async throws {
        try await withServers(1) { try await body($0[0]) }
    }

    /// Runs `body` with the empty store of several servers, each with connections of its own to one database.
    public func withServers(_ count: Int, _ body: ([Stores]) async throws -> Void) async throws {
        let engine: TestEngine =
            switch self {
            case .lite: .sqlite
            case .postgres: .postgres
            }
        let database = try TestDatabase(engine, migrations: Stores.migrations + AuditLog.migrations)
        let files = try (0..<count).map { _ in try database.open() }
        try await body(files.map { Stores(in: $0) })
        for file in files { try file.close() }
    }
}

extension HousePerson {
    public static let maria = HousePerson(GatewayID("house-12")!, PersonID("maria")!)
    public static let paolo = HousePerson(GatewayID("house-13")!, PersonID("paolo")!)
}

extension IdentitySealer {
    public static let sample = IdentitySealer(
        masterKey: [UInt8](repeating: 7, count: IdentitySealer.keyLength))!
}

extension WallTime {
    public func later(_ seconds: Int) -> WallTime {
        WallTime(millisecondsSince1970: millisecondsSince1970 + Int64(seconds) * 1_000)
    }
}

extension MessageID {
    /// The same for the same number and time.
    public static func sample(_ number: Int, at time: WallTime) -> MessageID {
        var numbers = DerivedNumbers(of: "sample \(number)")
        return MessageID(wall: time, using: &numbers)
    }
}

extension StoredSample {
    public static func heartRate(
        _ value: Double, at time: WallTime, number: Int, of subject: HousePerson = .maria
    ) -> StoredSample {
        StoredSample(
            subject: subject, kind: .heartRate, device: DeviceID("strap")!, id: .sample(number, at: time),
            time: time, value: value)
    }
}

extension NewAccount {
    public static func sample(_ user: String, at time: WallTime) -> NewAccount {
        NewAccount(
            user: UserName(user)!, hash: PasswordHash(encoded: "hash of \(user)"),
            identity: SealedIdentity(wrappedKey: [1, 2], box: [3]), role: .person, language: .english,
            agreement: AgreementConsent(version: 1, at: time), created: time)
    }
}

extension OutgoingCommand {
    public static func sample(
        _ id: String, about request: String, at time: WallTime, isWithdrawal: Bool = false
    ) -> OutgoingCommand {
        OutgoingCommand(
            id: id, gateway: request == "link-1" ? HousePerson.paolo.gateway : HousePerson.maria.gateway,
            request: RequestID(request)!, token: Array(id.utf8), created: time, expires: time.later(3_600),
            isWithdrawal: isWithdrawal)
    }
}

extension IntakeItem {
    public static func decided(
        _ request: String, by subject: HousePerson, _ verdict: DecisionRecord.Verdict, entry: Int64
    ) -> IntakeItem {
        .decision(
            DecisionRecord(
                subject: subject, matter: .request(RequestID(request)!), verdict: verdict,
                at: WallTime(millisecondsSince1970: 1_772_366_400_000), entry: entry))
    }
}

extension Stores {
    /// Asks for a link by a command of no content.
    public func ask(
        _ account: AccountID, for subject: HousePerson, as request: String, role: LinkRole = .acts,
        at time: WallTime
    ) async throws -> LinkID {
        try await links.ask(
            NewLink(account: account, subject: subject, role: role, request: RequestID(request)!, asked: time)
        ) { _ in .sample("command of \(request)", about: request, at: time) }
    }

    /// Removes an account; each withdrawal is a command of no content.
    public func remove(_ account: AccountID, at time: WallTime) async throws {
        try await accounts.remove(account, at: time) { link, sequence in
            .sample("withdrawal \(sequence)", about: link.request.text, at: time)
        }
    }

    /// Asks for the fiscal code, has the person say yes, and the house give a code by its look-up value.
    public func give(
        _ lookUp: [UInt8]?, of subject: HousePerson, by account: AccountID, as request: String,
        at time: WallTime
    ) async throws {
        let id = RequestID(request)!
        try await facts.ask(id, about: .fiscalCode, of: subject, by: account, at: time) { _ in
            .sample("command of \(request)", about: request, at: time)
        }
        _ = try intake.keep(
            [
                .answer(
                    CommandAnswer(
                        gateway: HousePerson.maria.gateway, command: "command of \(request)", refusal: nil,
                        at: time)),
                .decided(request, by: subject, .accepted, entry: 1),
                .fact(
                    StoredFact(subject: subject, value: .fiscalCode(lookUp: lookUp), request: id, time: time)),
            ], at: time)
    }

    /// Asks, and has the person say yes.
    public func link(
        _ account: AccountID, to subject: HousePerson, as request: String, role: LinkRole = .acts,
        at time: WallTime
    ) async throws -> LinkID {
        let id = try await ask(account, for: subject, as: request, role: role, at: time)
        _ = try intake.keep([.decided(request, by: subject, .accepted, entry: 1)], at: time)
        return id
    }
}
