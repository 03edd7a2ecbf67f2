import Accounts
import Foundation
import GatewayModel
import Groups
import SQLDatabase
import Store
import StoreSamples
import Testing

/// Consent to be counted.
struct GroupMembersTests {
    private static let noon = GroupTrial.week.begin

    /// An account that is linked to Maria.
    private func maria(_ trial: GroupTrial, user: String = "maria") async throws -> (AccountID, LinkID) {
        let account = try await trial.stores.accounts.add(.sample(user, at: Self.noon))
        return (
            account, try await trial.stores.link(account, to: .maria, as: "link-of-\(user)", at: Self.noon)
        )
    }

    @Test func `nobody is counted until they switch it on, and both acts are audited`() async throws {
        let trial = try GroupTrial()
        let (account, link) = try await maria(trial)
        #expect(try await trial.members.member(account) == nil)
        #expect(try await trial.members.memberCount() == 0)
        try await trial.members.countIn(.maria, of: account, by: link, at: Self.noon)
        #expect(
            try await trial.members.member(account)
                == GroupMember(link: link, profile: .maria, since: Self.noon))
        #expect(try await trial.members.memberCount() == 1)
        let moved = GroupProfile(birthYear: 1949, gender: .other, area: GroupTrial.areas[1])
        try await trial.members.countIn(moved, of: account, by: link, at: Self.noon.later(60))
        #expect(
            try await trial.members.member(account)
                == GroupMember(link: link, profile: moved, since: Self.noon))
        #expect(try await trial.members.countOut(account, at: Self.noon.later(120)))
        #expect(try await trial.members.countOut(account, at: Self.noon.later(121)) == false)
        #expect(try await trial.members.member(account) == nil)
        let lines = try trial.file.readBlocking { db in
            try String.fetchAll(
                db, sql: "SELECT subject || ': ' || entry FROM audit WHERE area = 'groups' ORDER BY number")
        }
        #expect(
            lines == [
                "account \(account): counted in", "account \(account): profile changed",
                "account \(account): counted out",
            ])
    }

    @Test func `an account that looks counts nobody in`() async throws {
        let trial = try GroupTrial()
        let account = try await trial.stores.accounts.add(.sample("bruno", at: Self.noon))
        let link = try await trial.stores.link(account, to: .maria, as: "link", role: .looks, at: Self.noon)
        await #expect(throws: GroupFault.notLinked) {
            try await trial.members.countIn(.maria, of: account, by: link, at: Self.noon)
        }
    }

    @Test func `only a person who has said yes to the link is counted`() async throws {
        let trial = try GroupTrial()
        let account = try await trial.stores.accounts.add(.sample("maria", at: Self.noon))
        let asked = try await trial.stores.ask(account, for: .maria, as: "link", at: Self.noon)
        await #expect(throws: GroupFault.notLinked) {
            try await trial.members.countIn(.maria, of: account, by: asked, at: Self.noon)
        }
        let (_, foreign) = try await maria(trial, user: "carer")
        await #expect(throws: GroupFault.notLinked) {
            try await trial.members.countIn(.maria, of: account, by: foreign, at: Self.noon)
        }
    }

    @Test func `a person counts once, and an account whose link has ended holds no place`() async throws {
        let trial = try GroupTrial()
        let (account, link) = try await maria(trial)
        let (carer, carersLink) = try await maria(trial, user: "carer")
        try await trial.members.countIn(.maria, of: carer, by: carersLink, at: Self.noon)
        await #expect(throws: GroupFault.counted) {
            try await trial.members.countIn(.maria, of: account, by: link, at: Self.noon)
        }
        _ = try await trial.stores.links.end(carersLink, of: carer, at: Self.noon) { link, _ in
            .sample("end", about: link.request.text, at: Self.noon)
        }
        #expect(try await trial.members.memberCount() == 0)
        try await trial.members.countIn(.maria, of: account, by: link, at: Self.noon)
        #expect(try await trial.members.memberCount() == 1)
    }

    @Test func `nothing of the consent is left when the account is deleted`() async throws {
        let trial = try GroupTrial()
        let (account, link) = try await maria(trial)
        try await trial.members.countIn(.maria, of: account, by: link, at: Self.noon)
        try await trial.file.write { db in
            try db.execute(sql: "INSERT INTO group_counted VALUES (?, 3)", arguments: [account.number])
        }
        #expect(try await trial.members.tables(of: account) == 3)
        try await trial.stores.remove(account, at: Self.noon)
        #expect(try trial.count("SELECT count(*) FROM group_member") == 0)
        #expect(try trial.count("SELECT count(*) FROM group_counted") == 0)
    }
}
