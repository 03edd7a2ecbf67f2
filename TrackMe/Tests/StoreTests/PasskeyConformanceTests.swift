import Accounts
import GatewayModel
import SQLDatabase
import Store
import StoreSamples
import TestSupport
import Testing

/// Rules of every store of passkeys.
struct PasskeyConformanceTests {
    private let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)

    private func passkey(_ byte: UInt8, of account: AccountID, counter: UInt32 = 0) -> Passkey {
        Passkey(
            id: PasskeyID([UInt8](repeating: byte, count: 1_023))!, account: account,
            key: PasskeyKey(stored: [UInt8](repeating: byte, count: 32))!, name: PasskeyName("phone \(byte)")!,
            counter: counter, added: noon.later(Int(byte)))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a passkey comes back as it was stored, once for all accounts`(_ kind: StoreUnderTest) async throws {
        try await kind.withStores { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let paolo = try await stores.accounts.add(.sample("paolo", at: noon))
            let (first, second) = (passkey(1, of: anna, counter: .max), passkey(2, of: anna))
            #expect(try await stores.passkeys.add(first) == .done)
            #expect(try await stores.passkeys.add(second) == .done)
            #expect(try await stores.passkeys.add(passkey(1, of: paolo)) == .exists)
            #expect(try await stores.passkeys.passkey(first.id) == first)
            #expect(try await stores.passkeys.passkeys(of: anna) == [first, second])
            #expect(try await stores.passkeys.passkeys(of: paolo) == [])
            #expect(try await stores.passkeys.counts() == [anna: 2])
            for byte in UInt8(3)...10 {
                #expect(try await stores.passkeys.add(passkey(byte, of: anna)) == .done)
            }
            #expect(try await stores.passkeys.add(passkey(11, of: anna)) == .tooMany)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a challenge signs in once, also at two servers at one time`(_ kind: StoreUnderTest) async throws {
        try await kind.withServers(2) { servers in
            let stores = servers[0]
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let key = passkey(1, of: anna)
            #expect(try await stores.passkeys.add(key) == .done)
            let noon = noon
            for round in 1...10 {
                async let first = servers[0].passkeys.use(
                    key.id, counter: 0, challenged: noon.later(round), at: noon.later(100))
                async let second = servers[1].passkeys.use(
                    key.id, counter: 0, challenged: noon.later(round), at: noon.later(100))
                #expect(try await Set([first, second]) == [.done, .repeated])
            }
            #expect(
                try await stores.passkeys.use(key.id, counter: 0, challenged: noon.later(9), at: noon)
                    == .repeated)
            #expect(try await stores.passkeys.passkey(key.id)?.used == noon.later(100))
            #expect(
                try await stores.passkeys.use(passkey(2, of: anna).id, counter: 0, challenged: noon, at: noon)
                    == .repeated)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a counter has to be ahead of the one before, unless the device does not count`(
        _ kind: StoreUnderTest
    ) async throws {
        try await kind.withStores { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let key = passkey(1, of: anna)
            #expect(try await stores.passkeys.add(key) == .done)
            let counters: [(UInt32, PasskeyUse)] = [
                (0, .done), (0, .done), (7, .done), (7, .copied), (6, .copied), (0, .copied), (8, .done),
                (.max, .done), (1, .copied),
            ]
            for (place, (counter, expected)) in counters.enumerated() {
                #expect(
                    try await stores.passkeys.use(
                        key.id, counter: counter, challenged: noon.later(place), at: noon.later(place))
                        == expected, "\(place)")
            }
            let changes = try await stores.passkeys.changes(of: anna, most: 20)
            #expect(changes.map(\.change) == [.copied, .copied, .copied, .copied, .added])
            #expect(changes.first?.at == noon.later(8))
            #expect(try await stores.passkeys.changes(of: anna, most: 2).count == 2)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `passkeys go one by one, with a reset and with the account`(_ kind: StoreUnderTest) async throws {
        try await kind.withStores { stores in
            let anna = try await stores.accounts.add(.sample("anna", at: noon))
            let paolo = try await stores.accounts.add(.sample("paolo", at: noon))
            let keys = (1...3).map { passkey(UInt8($0), of: anna) }
            for key in keys + [passkey(9, of: paolo)] { #expect(try await stores.passkeys.add(key) == .done) }
            let short = keys[0].id.short
            #expect(short.count == 16)
            #expect(!(try await stores.passkeys.remove(short: short, of: paolo, at: noon)))
            #expect(try await stores.passkeys.remove(short: short, of: anna, at: noon))
            #expect(!(try await stores.passkeys.remove(short: short, of: anna, at: noon)))
            #expect(try await stores.passkeys.passkey(keys[0].id) == nil)

            try await stores.accounts.disable(anna, at: noon)
            try await stores.accounts.setHash(PasswordHash(encoded: "other"), of: anna)
            #expect(try await stores.passkeys.passkeys(of: anna) == Array(keys[1...]))
            try await stores.accounts.reset(PasswordHash(encoded: "new"), of: anna, at: noon.later(60))
            #expect(try await stores.passkeys.counts() == [paolo: 1])
            #expect(
                try await stores.passkeys.changes(of: anna, most: 20).map(\.change)
                    == [.reset, .reset, .removed, .added, .added, .added])
            try await stores.remove(paolo, at: noon)
            #expect(try await stores.passkeys.counts() == [:])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a database of the version before keeps its accounts and gets passkeys`(
        _ engine: TestEngine
    ) async throws {
        let database = try TestDatabase(
            engine,
            migrations: Stores.migrations.filter { $0.name != "passkeys-1" } + AuditLog.migrations)
        let old = try database.open()
        let anna = try await Stores(in: old).accounts.add(.sample("anna", at: noon))
        try old.close()
        let file = try database.open(migrations: Stores.migrations + AuditLog.migrations)
        let stores = Stores(in: file)
        #expect(try await stores.accounts.account(anna)?.user.text == "anna")
        #expect(try await stores.passkeys.add(passkey(1, of: anna)) == .done)
        #expect(try await stores.passkeys.counts() == [anna: 1])
        try file.close()
    }
}
