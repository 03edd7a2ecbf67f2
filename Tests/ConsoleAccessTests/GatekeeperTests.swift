import ConsoleAccess
import ControlContract
import GatewayModel
import SeededRandom
import Testing

@Suite struct `Gatekeeper of the console` {
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
        for act in [ConsoleAct.abort, .callHelp] { #expect(isAdmitted(decide(visit, .act(act)))) }
    }

    @Test mutating func `a wrong Host is refused before everything else, even with a valid session`() throws {
        var (visit, _) = try pair(.room)
        visit.host = "evil.example"
        visit.origin = "http://evil.example"
        for goal in [Gatekeeper.Goal.open, .pairing, .page, .act(.abort)] {
            #expect(decide(visit, goal) == .refused(.foreignHost))
        }
    }

    @Test mutating func `a missing or foreign Origin is refused, even with the right form`() throws {
        var (visit, _) = try pair(.room)
        for origin in [nil, "http://evil.example", "null"] {
            visit.origin = origin
            #expect(decide(visit, .act(.abort)) == .refused(.foreignOrigin))
            #expect(decide(visit, .pairing) == .refused(.foreignOrigin))
        }
    }

    @Test mutating func `a form of another session or without a token is refused`() throws {
        var (visit, _) = try pair(.room)
        let other = try pair(.room)
        for token in [nil, "", other.visit.formToken] {
            visit.formToken = token
            #expect(decide(visit, .act(.abort)) == .foreignForm)
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
        for act in ConsoleAct.allCases { #expect(decide(post, .act(act)) == .needsPairing, "\(act)") }
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
        #expect(decide(visit, .act(.abort)) == .needsPairing)
    }

    @Test mutating func `an act needs a POST, and a page is not posted to`() throws {
        var (visit, _) = try pair(.room)
        #expect(decide(visit, .page) == .refused(.method))
        visit.method = "GET"
        #expect(decide(visit, .act(.abort)) == .refused(.method))
        #expect(isAdmitted(decide(visit, .page)))
    }

    @Test mutating func `a role acts only as the gateway's table of rights says`() throws {
        for role in ControlSession.Role.allCases {
            let (visit, _) = try pair(role)
            for act in ConsoleAct.allCases {
                #expect(isAdmitted(decide(visit, .act(act))) == act.isOpen(to: role), "\(role) \(act)")
            }
        }
        let (installer, _) = try pair(.installer)
        #expect(decide(installer, .act(.callHelp)) == .wrongRole)
        let (carer, _) = try pair(.carer)
        #expect(isAdmitted(decide(carer, .act(.acceptAlarm))))
        #expect(decide(carer, .act(.abort)) == .wrongRole)
        #expect(decide(carer, .act(.allow)) == .wrongRole)
    }

    @Test mutating func `twenty other acts do not stand before a cancel`() throws {
        let (visit, _) = try pair(.room)
        for _ in 0..<20 { #expect(isAdmitted(decide(visit, .act(.resolve)))) }
        #expect(decide(visit, .act(.resolve)) == .tooManyActs)
        #expect(isAdmitted(decide(visit, .act(.abort))))
    }
}
