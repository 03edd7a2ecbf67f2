import ConsoleAccess
import ControlContract
import GatewayModel
import PageSecurity
import SeededRandom
import Testing

@Suite struct `Gatekeeper of the console` {
    private static let abort = Gatekeeper.Goal.act(roles: [.room, .person, .installer], isLimited: false)
    private static let resolve = Gatekeeper.Goal.act(roles: [.room, .person, .family, .carer], isLimited: true)
    private static let now = Moment(boot: .second(0), wall: WallTime(millisecondsSince1970: 0))
    private var gate = Gatekeeper(isSecure: false, names: [], store: SessionStore())
    private var generator = SeededGenerator(seed: 6)

    private mutating func decide(
        _ visit: Gatekeeper.Visit, _ goal: Gatekeeper.Goal
    ) -> Gatekeeper.Decision { gate.decide(on: visit, to: goal, at: Self.now) }

    /// Pairs a device, and returns an act of its own page.
    private mutating func pair(_ role: ControlSession.Role) throws -> (visit: Gatekeeper.Visit, id: SessionID) {
        let token = SessionToken(using: &generator)
        let session = try ControlSession(
            role: role, person: role.isPersonal ? PersonID("maria") : nil, name: "Anna")
        let setting = try gate.pair(token, for: session, at: Self.now.wall)
        var visit = Gatekeeper.Visit(method: "POST", host: "localhost:8765")
        visit.origin = "http://localhost:8765"
        visit.cookie = setting.split(separator: ";").first.map(String.init)
        visit.formToken = token.formToken
        return (visit, token.id)
    }

    private func isAdmitted(_ decision: Gatekeeper.Decision) -> Bool {
        if case .admitted = decision { true } else { false }
    }

    @Test mutating func `the room cancels an alarm and calls help from its own page`() throws {
        let (visit, _) = try pair(.room)
        for act in [Self.abort, Self.resolve] { #expect(isAdmitted(decide(visit, act))) }
    }

    @Test mutating func `a wrong Host is refused before everything else, even with a valid session`() throws {
        var (visit, _) = try pair(.room)
        visit.host = "evil.example"
        visit.origin = "http://evil.example"
        for goal in [Gatekeeper.Goal.open, .pairing, .page, Self.abort] {
            #expect(decide(visit, goal) == .refused(.foreignHost))
        }
    }

    @Test mutating func `a missing or foreign Origin is refused, even with the right form`() throws {
        var (visit, _) = try pair(.room)
        for origin in [nil, "http://evil.example", "null"] {
            visit.origin = origin
            #expect(decide(visit, Self.abort) == .refused(.foreignOrigin))
            #expect(decide(visit, .pairing) == .refused(.foreignOrigin))
        }
    }

    @Test mutating func `a form of another session or without a token is refused`() throws {
        var (visit, _) = try pair(.room)
        let other = try pair(.room)
        for token in [nil, "", other.visit.formToken] {
            visit.formToken = token
            #expect(decide(visit, Self.abort) == .foreignForm)
        }
    }

    @Test mutating func `a visitor without a session sees the page for a code alone`() {
        let visit = Gatekeeper.Visit(method: "GET", host: "localhost")
        #expect(decide(visit, .open) == .open)
        #expect(decide(visit, .page) == .needsPairing)
    }

    @Test mutating func `a visitor without a session sees races alone, where the settings open them`() throws {
        let visit = Gatekeeper.Visit(method: "GET", host: "localhost")
        #expect(decide(visit, .race) == .needsPairing)
        gate = Gatekeeper(isSecure: false, names: [], store: SessionStore(), showsRaces: true)
        #expect(decide(visit, .race) == .spectator)
        #expect(decide(visit, .page) == .needsPairing)
        var post = visit
        (post.method, post.origin) = ("POST", "http://localhost")
        #expect(decide(post, .race) == .refused(.method))
        let everybody = Set(ControlSession.Role.allCases)
        #expect(decide(post, .act(roles: everybody, isLimited: true)) == .needsPairing)
    }

    @Test mutating func `an organiser sees races as one, and every other role as a spectator or not at all`()
        throws
    {
        for isOpen in [false, true] {
            gate = Gatekeeper(isSecure: false, names: [], store: SessionStore(), showsRaces: isOpen)
            for role in ControlSession.Role.allCases {
                var (visit, _) = try pair(role)
                visit.method = "GET"
                let decision = decide(visit, .race)
                if role == .organiser {
                    #expect(isAdmitted(decision))
                } else {
                    #expect(decision == (isOpen ? .spectator : .wrongRole), "\(role)")
                }
            }
        }
    }

    @Test mutating func `a revoked session needs a new pairing`() throws {
        let (visit, id) = try pair(.room)
        try gate.revoke(id.short)
        #expect(decide(visit, Self.abort) == .needsPairing)
    }

    @Test mutating func `an act needs a POST, and a page is not posted to`() throws {
        var (visit, _) = try pair(.room)
        #expect(decide(visit, .page) == .refused(.method))
        visit.method = "GET"
        #expect(decide(visit, Self.abort) == .refused(.method))
        #expect(isAdmitted(decide(visit, .page)))
    }

    @Test mutating func `a role does the acts that are open to it, and no other`() throws {
        for role in ControlSession.Role.allCases {
            let (visit, _) = try pair(role)
            for open in ControlSession.Role.allCases {
                let decision = decide(visit, .act(roles: [open], isLimited: true))
                if open == role { #expect(isAdmitted(decision)) } else { #expect(decision == .wrongRole) }
            }
        }
        let (carer, _) = try pair(.carer)
        #expect(decide(carer, Self.abort) == .wrongRole)
    }

    @Test mutating func `twenty other acts do not stand before a cancel`() throws {
        let (visit, _) = try pair(.room)
        for _ in 0..<20 { #expect(isAdmitted(decide(visit, Self.resolve))) }
        #expect(decide(visit, Self.resolve) == .tooManyActs)
        #expect(isAdmitted(decide(visit, Self.abort)))
    }
}
