import Testing

@testable import Commands

@Suite struct `The name in the record` {
    private static func entry(_ user: UInt32) -> AccountName.Entry? {
        [
            0: AccountName.Entry(account: "root", comment: "root"),
            1000: AccountName.Entry(account: "anna", comment: "Anna Rossi,2nd floor,,"),
            1001: AccountName.Entry(account: "guest", comment: ""),
        ][user]
    }

    private static func name(_ user: UInt32, sudo caller: String? = nil) -> String {
        AccountName.name(user: user, caller: caller, byID: entry) { account in
            [0, 1000, 1001].compactMap(entry).first { $0.account == account }
        }
    }

    @Test func `is the full name of the user who is logged in, else of the account`() {
        #expect(Self.name(1000) == "Anna Rossi")
        #expect(Self.name(1001) == "guest")
        #expect(Self.name(4711) == "user 4711")
        #expect(Self.name(0) == "root")
    }

    @Test func `is that of the user who called sudo`() {
        #expect(Self.name(0, sudo: "anna") == "Anna Rossi")
        #expect(Self.name(0, sudo: "guest") == "guest")
        #expect(Self.name(0, sudo: "away") == "away")
        #expect(Self.name(0, sudo: "") == "root")
        #expect(Self.name(1001, sudo: "anna") == "guest", "only sudo itself makes somebody root")
    }
}
