import ConsoleAccess
import ControlContract
import GatewayModel
import PageSecurity
import SeededRandom
import Testing

@Suite struct `Sessions of the console` {
    private static let day: Int64 = 86_400_000
    private var store = SessionStore()
    private var generator = SeededGenerator(seed: 4)

    private func session(
        _ role: ControlSession.Role, _ name: String = "Anna"
    ) throws -> ControlSession {
        try ControlSession(role: role, person: role.isPersonal ? PersonID("maria") : nil, name: name)
    }

    private mutating func use(
        _ token: SessionToken, at now: WallTime
    ) -> (session: ControlSession, writes: Bool)? { store.use(token, at: now) }

    private func time(_ days: Int64) -> WallTime { WallTime(millisecondsSince1970: days * Self.day) }

    @discardableResult
    private mutating func add(_ role: ControlSession.Role, day: Int64) throws -> SessionToken {
        let token = SessionToken(using: &generator)
        _ = try store.add(token, for: try session(role), at: time(day))
        return token
    }

    @Test mutating func `a token opens its own session, and no other token does`() throws {
        let token = try add(.family, day: 0)
        let stranger = SessionToken(using: &generator)
        #expect(use(token, at: time(1))?.session.name == "Anna")
        #expect(use(stranger, at: time(1)) == nil)
    }

    @Test mutating func `the file holds no token`() throws {
        let token = try add(.family, day: 0)
        #expect(!store.text.contains(token.cookieValue))
        #expect(!store.text.contains(token.formToken))
    }

    @Test mutating func `180 idle days end a session, and never the room's`() throws {
        let (family, room) = (try add(.family, day: 0), try add(.room, day: 0))
        #expect(use(family, at: time(179)) != nil)
        #expect(use(family, at: time(179 + 180)) == nil)
        #expect(use(room, at: time(4_000)) != nil)
    }

    @Test mutating func `a clock that is set back ends no session`() throws {
        let token = try add(.family, day: 20_000)
        #expect(use(token, at: time(0))?.writes == false)
        #expect(use(token, at: WallTime(millisecondsSince1970: .min)) != nil)
    }

    @Test mutating func `the time of the last request is known exactly, and written once an hour`() throws {
        let token = try add(.family, day: 0)
        func time(_ minutes: Int64) -> WallTime { WallTime(millisecondsSince1970: minutes * 60_000) }
        for (minutes, writes) in [(0, false), (59, false), (60, true), (61, false), (119, false), (120, true)] {
            #expect(use(token, at: time(Int64(minutes)))?.writes == writes, "\(minutes)")
            #expect(store.sessions.first?.lastSeen == time(Int64(minutes)))
        }
    }

    @Test
    mutating func `in a full store the longest idle session gives way, but not the room's or the person's`()
        throws
    {
        let room = try add(.room, day: 0)
        let person = try add(.person, day: 0)
        let oldest = try add(.carer, day: 1)
        for _ in 3..<SessionStore.capacity { try add(.family, day: 2) }
        try add(.family, day: 3)
        #expect(store.sessions.count == SessionStore.capacity)
        #expect(use(oldest, at: time(3)) == nil)
        #expect(use(room, at: time(3)) != nil)
        #expect(use(person, at: time(3)) != nil)
    }

    @Test mutating func `a store full of rooms refuses a pairing, with the remedy`() throws {
        for _ in 0..<SessionStore.capacity { try add(.room, day: 0) }
        let error = #expect(throws: SessionStore.Failure.self) { try add(.family, day: 0) }
        #expect(error?.description.contains("homegateway-console revoke") == true)
    }

    @Test mutating func `a revoked session is refused, and the others stay`() throws {
        let (one, other) = (try add(.family, day: 0), try add(.carer, day: 0))
        _ = try store.revoke(one.id.short)
        #expect(use(one, at: time(0)) == nil)
        #expect(use(other, at: time(0)) != nil)
        #expect(throws: SessionStore.Failure.self) { try store.revoke("") }
    }

    @Test mutating func `the file gives back every session`() throws {
        for role in ControlSession.Role.allCases { try add(role, day: 7) }
        _ = try store.add(SessionToken(using: &generator), for: session(.room, "Küche – end 1"), at: time(8))
        let read = try SessionStore(bytes: Array(store.text.utf8))
        #expect(read.sessions == store.sessions)
        #expect(try SessionStore(bytes: Array(SessionStore().text.utf8)).sessions.isEmpty)
    }

    @Test mutating func `a file that was cut off opens nothing`() throws {
        for role in [ControlSession.Role.room, .person, .family] { try add(role, day: 0) }
        let bytes = Array(store.text.utf8)
        for length in bytes.indices {
            #expect(throws: SessionStore.Failure.self) { try SessionStore(bytes: Array(bytes.prefix(length))) }
        }
    }

    @Test mutating func `a damaged file never traps, and the error names the line`() throws {
        try add(.family, day: 0)
        let bytes = Array(store.text.utf8)
        for _ in 0..<2_000 {
            var damaged = bytes
            for _ in 0..<3 {
                damaged[Int.random(in: damaged.indices, using: &generator)] = .random(
                    in: 0...255, using: &generator)
            }
            _ = try? SessionStore(bytes: damaged)
        }
        let wrong = store.text.replacing("family", with: "owner")
        let error = #expect(throws: SessionStore.Failure.self) { try SessionStore(bytes: Array(wrong.utf8)) }
        #expect(error?.description.hasPrefix("sessions line 2:") == true)
        let doubled = store.text.split(separator: "\n")
        let twice = [doubled[0], doubled[1], doubled[1], "end 2", ""].joined(separator: "\n")
        #expect(throws: SessionStore.Failure.self) { try SessionStore(bytes: Array(twice.utf8)) }
    }

    @Test mutating func `a form is accepted from a page of its own session only`() {
        let (one, other) = (SessionToken(using: &generator), SessionToken(using: &generator))
        #expect(one.acceptsForm(one.formToken))
        for wrong in [nil, "", other.formToken, one.cookieValue, one.formToken + "A"] {
            #expect(!one.acceptsForm(wrong))
        }
    }
}
