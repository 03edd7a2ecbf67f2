import Accounts
import Foundation
import GatewayModel
import PageSecurity
import Store
import StoreSamples
import TestSupport
import Testing

/// `trackme accounts`, as the operator runs it beside the server.
struct AccountCommandTests {
    private static let password = "a lamp, two rivers, no moon"
    private static let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)

    private static var now: WallTime {
        WallTime(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
    }

    private let server: TestInstallation
    private let anna: AccountID

    /// A server with the account of a dispatcher, and a session of it.
    init() async throws {
        server = try await TestInstallation()
        let added = try await server.run(
            "accounts", "add-dispatcher", "anna", "--name", "Anna Bianchi", input: [Self.password])
        try #require(added.code == 0, "\(added)")
        anna = try #require(try await server.stores.accounts.account(named: UserName("anna")!)).id
        try await server.stores.accounts.open(
            Session(id: SessionToken().id, account: anna, created: Self.noon, agent: "test"))
    }

    private var stores: Stores { server.stores }

    /// Whether the password opens the account, as the page of the sign-in asks it.
    private func opens(_ password: String) async throws -> Bool {
        let account = try #require(try await stores.accounts.account(anna))
        return try await Argon2Hasher().verify(
            try #require(Password(entered: password)), against: account.hash, in: .strangers)
    }

    @Test func `disable ends the sessions, and enable lets the user in again`() async throws {
        let disabled = try await server.run("accounts", "disable", "anna")
        #expect(disabled.code == 0 && disabled.output == "disabled: anna", "\(disabled)")
        #expect(try await stores.accounts.account(anna)?.disabled != nil)
        #expect(try await stores.accounts.sessions(of: anna).isEmpty)
        #expect(try await server.run("accounts", "list").output.contains("anna  dispatcher"))
        #expect(try await server.run("accounts", "list").output.contains("disabled 20"))
        let enabled = try await server.run("accounts", "enable", "anna")
        #expect(enabled.code == 0 && enabled.output == "enabled: anna", "\(enabled)")
        #expect(try await stores.accounts.account(anna)?.disabled == nil)
        #expect(try await opens(Self.password))
    }

    @Test func `reset-password gives another password, and ends the sessions`() async throws {
        let weak = try await server.run("accounts", "reset-password", "anna", input: ["short"])
        #expect(weak.code != 0 && weak.errors.contains("password: refused"), "\(weak)")
        #expect(try await opens(Self.password))
        #expect(try await stores.accounts.sessions(of: anna).count == 1)

        let other = "three boats and a heron"
        let reset = try await server.run("accounts", "reset-password", "anna", input: [other])
        #expect(reset.code == 0, "\(reset)")
        #expect(!(reset.output + reset.errors).contains(other))
        #expect(try await !opens(Self.password))
        #expect(try await opens(other))
        #expect(try await stores.accounts.sessions(of: anna).isEmpty)
    }

    @Test(arguments: [
        ["add-dispatcher", "gino", "--name", "Gino Rossi"],
        ["add-installer", "gino", "--name", "Gino Rossi", "--fleet", "Elettro Rossi"],
        ["reset-password", "anna"],
    ])
    func `a command with --by-link prints a link that is good for the account alone`(
        _ words: [String]
    ) async throws {
        let answer = try await server.run(["accounts"] + words + ["--by-link"])
        #expect(answer.code == 0, "\(answer)")
        let secret = try #require(
            answer.output.firstMatch(of: /https:\/\/trackme\.example\/invitation\/([A-Za-z0-9_-]{43})\b/)?.1)
        let invited = try await stores.accounts.invited(
            by: try #require(RandomSecret(secret)).hash, at: Self.now)
        #expect(invited?.user.text == words[1])
        #expect(try await opens(Self.password) == (words[1] != "anna"))
        #expect(try await stores.accounts.sessions(of: anna).count == (words[1] == "anna" ? 0 : 1))
    }

    @Test func `a disabled account gets no link`() async throws {
        _ = try await server.run("accounts", "disable", "anna")
        let refused = try await server.run("accounts", "reset-password", "anna", "--by-link")
        #expect(refused.code != 0 && refused.errors.contains("trackme accounts enable anna"), "\(refused)")
        #expect(try await opens(Self.password))
    }

    @Test func `remove deletes the account, and withdraws its links in the name of the operator`() async throws
    {
        _ = try await stores.link(anna, to: .maria, as: "link-a", at: Self.noon)
        _ = try stores.intake.keep([.sample(.heartRate(70, at: Self.noon, number: 1))], at: Self.noon)
        let removed = try await server.run("accounts", "remove", "anna")
        #expect(removed.code == 0 && removed.output == "removed: anna", "\(removed)")
        #expect(try await stores.accounts.account(anna) == nil)
        #expect(try await stores.accounts.sessions(of: anna).isEmpty)
        #expect(try await stores.samples.latest(of: .maria).isEmpty, "nobody may see them any more")
        let due = try await stores.links.due(at: Self.now, most: 9)
        #expect(due.map(\.request?.text) == ["link-a"])
        let claims = try #require(due.first?.token.split(separator: UInt8(ascii: ".")).dropFirst().first)
        let text = String(decoding: try #require(Base64URL.decode(claims)), as: UTF8.self)
        #expect(text.contains(#""type":"withdraw""#) && text.contains(#""by":"Test clinic""#))
        #expect(!text.contains("anna"))
    }

    @Test(arguments: ["disable", "enable", "reset-password", "remove", "end-sessions"])
    func `a command about an unknown user changes nothing, and says so`(_ command: String) async throws {
        let answer = try await server.run("accounts", command, "paolo", input: [Self.password])
        #expect(answer.code != 0)
        #expect(answer.errors.contains("user: saw 'paolo', expected one of trackme accounts list"), "\(answer)")
        #expect(try await stores.accounts.accounts().map(\.user.text) == ["anna"])
        #expect(try await stores.accounts.sessions(of: anna).count == 1)
    }
}
