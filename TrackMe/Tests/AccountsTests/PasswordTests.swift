import Accounts
import Dispatch
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

    @Test func `a hash waits for those of its own lane alone`() async {
        let lines = HashLines()
        let gate = DispatchSemaphore(value: 0)
        let (order, record) = AsyncStream.makeStream(of: Int.self)
        await withTaskGroup(of: Void.self) { tasks in
            await withCheckedContinuation { begun in
                tasks.addTask {
                    await lines.run(in: .strangers) {
                        begun.resume()
                        // The limit ends the test where a hash of another lane waits for this one.
                        #expect(gate.wait(timeout: .now() + 60) == .success)
                        record.yield(1)
                    }
                }
            }
            tasks.addTask { await lines.run(in: .strangers) { _ = record.yield(2) } }
            for lane in AttemptLane.allCases where lane != .strangers {
                await lines.run(in: lane) {}
            }
            gate.signal()
        }
        record.finish()
        #expect(await order.reduce(into: []) { $0.append($1) } == [1, 2])
    }

    @Test func `a user name is the same in any case, and has letters of ASCII alone`() {
        #expect(UserName("Anna.B") == UserName("anna.b"))
        for text in ["", "an", "1anna", "an na", "ánna", "anna\u{130}", String(repeating: "a", count: 33)] {
            #expect(UserName(text) == nil)
        }
    }
}
