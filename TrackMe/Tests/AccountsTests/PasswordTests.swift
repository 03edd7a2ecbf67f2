import Accounts
import PasswordHashing
import Synchronization
import Testing

struct PasswordTests {
    private let anna = UserName("anna")!

    @Test func `a password is at least twelve characters long and no common one`() throws {
        #expect(throws: Password.Fault.tooShort) { try Password(chosen: "elevenchars", for: anna) }
        #expect(throws: Password.Fault.common) { try Password(chosen: "Password12345", for: anna) }
        #expect(throws: Password.Fault.common) { try Password(chosen: "aaaaaaaaaaaaaaaa", for: anna) }
        #expect(throws: Password.Fault.likeUserName) { try Password(chosen: "the garden of Anna", for: anna) }
        #expect(throws: Password.Fault.tooLong) {
            try Password(chosen: String(repeating: "long words ", count: 30), for: anna)
        }
        #expect(try Password(chosen: "four walls, one door", for: anna).bytes.count == 20)
    }

    @Test func `a hash verifies its password alone, and nothing verifies where there is no account`()
        async throws
    {
        let hasher = try Argon2Hasher()
        let password = try Password(chosen: "four walls, one door", for: anna)
        let other = try Password(chosen: "four walls, two doors", for: anna)
        let hash = try await hasher.hash(password, in: .registrations)
        #expect(hash.encoded.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(await hasher.verify(password, against: hash, in: .strangers))
        #expect(await !hasher.verify(other, against: hash, in: .strangers))
        #expect(await !hasher.verify(password, against: nil, in: .strangers))
        let again = try await hasher.hash(password, in: .registrations)
        #expect(again != hash)
    }

    @Test func `a hash does not wait for those of another lane`() async throws {
        let hasher = try Argon2Hasher()
        let password = try Password(chosen: "four walls, one door", for: anna)
        let (began, ended) = (Count(), Count())
        await withTaskGroup(of: Void.self) { tasks in
            for _ in 0..<40 {
                tasks.addTask {
                    began.add()
                    _ = await hasher.verify(password, against: nil, in: .strangers)
                    ended.add()
                }
            }
            // The first hash takes longer than the way of the others into the line.
            while began.value < 40 || ended.value < 1 { await Task.yield() }
            _ = await hasher.verify(password, against: nil, in: .workers)
            #expect(ended.value < 20)
        }
    }

    @Test func `a user name is the same in any case, and has letters of ASCII alone`() {
        #expect(UserName("Anna.B") == UserName("anna.b"))
        for text in ["", "an", "1anna", "an na", "ánna", "anna\u{130}", String(repeating: "a", count: 33)] {
            #expect(UserName(text) == nil)
        }
    }
}

/// Counts events of several tasks.
private final class Count: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock(\.self) }

    func add() { number.withLock { $0 += 1 } }
}
