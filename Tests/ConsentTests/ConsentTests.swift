import Consent
import GatewayModel
import ModelSamples
import Samples
import Testing

@Suite struct `The consent gate` {
    private struct Message: Disclosable {
        let disclosure: Disclosure
    }

    private static let maria = PersonID(sample: "maria")
    private static let giuseppe = PersonID(sample: "giuseppe")
    private static let wall = WallTime(millisecondsSince1970: 0)

    private let gate = ConsentGate(ledger: ConsentLedger(persons: [maria, giuseppe]))

    private func decide(
        _ subject: ConsentSubject, _ verdict: ConsentDecision.Verdict, for person: PersonID = maria
    ) throws -> [ConsentEntry] {
        try gate.record(
            ConsentDecision(
                person: person, subject: subject, verdict: verdict, by: "test", means: .commandLine,
                at: Self.wall))
    }

    private func lets(_ disclosure: Disclosure) -> Bool {
        (try? gate.clear(Message(disclosure: disclosure))) != nil
    }

    private func letsEmergency(of person: PersonID) -> Bool {
        let message = Message(disclosure: .emergency(of: person))
        return (try? gate.discloseInEmergency(message, message: anyID(), at: Self.wall)) != nil
    }

    private func anyID() -> MessageID {
        var random = SystemRandomNumberGenerator()
        return MessageID(wall: Self.wall, using: &random)
    }

    @Test func `is shut before anything is accepted, for the box itself too`() {
        #expect(!lets(.readings(of: Self.maria, kind: .heartRate)))
        #expect(!lets(.gateway))
        #expect(!letsEmergency(of: Self.maria))
    }

    @Test func `opens for the one who accepted and for nobody else`() throws {
        _ = try decide(.dataPolicy, .accepted)
        #expect(lets(.readings(of: Self.maria, kind: .heartRate)))
        #expect(!lets(.readings(of: Self.giuseppe, kind: .heartRate)))
        #expect(lets(.gateway))
    }

    @Test func `lets notices go with AutomatedSOS, and questions to deciders with the data policy`() throws {
        let (notice, question) = (Disclosure.notice(of: Self.maria), Disclosure.question(of: Self.maria))
        #expect(!lets(notice) && !lets(question))
        _ = try decide(.dataPolicy, .accepted)
        #expect(!lets(notice) && lets(question))
        _ = try decide(.automatedSOS, .accepted)
        #expect(lets(notice) && !lets(.notice(of: Self.giuseppe)))
        // It is no emergency, and is not audited as one.
        let message = Message(disclosure: notice)
        #expect((try? gate.discloseInEmergency(message, message: anyID(), at: Self.wall)) == nil)
        _ = try decide(.automatedSOS, .withdrawn)
        #expect(!lets(notice) && lets(question))
    }

    @Test func `shuts at the withdrawal`() throws {
        _ = try decide(.dataPolicy, .accepted)
        _ = try decide(.dataPolicy, .withdrawn)
        #expect(!lets(.readings(of: Self.maria, kind: .heartRate)))
        #expect(!lets(.gateway))
    }

    /// What is costly to make is made after the gate was asked, and must not give away more than it was asked.
    @Test func `lets what was cleared take another form, and no other disclosure`() throws {
        _ = try decide(.dataPolicy, .accepted)
        let asked = Disclosure.readings(of: Self.maria, kind: .heartRate)
        let cleared = try gate.clear(Message(disclosure: asked))
        #expect(cleared.reshaped { _ in Message(disclosure: asked) } != nil)
        for other in [
            Disclosure.readings(of: Self.giuseppe, kind: .heartRate), .readings(of: Self.maria, kind: .glucose),
            .emergency(of: Self.maria), .gateway,
        ] {
            #expect(cleared.reshaped { _ in Message(disclosure: other) } == nil)
        }
    }

    @Test func `knows a reading by its person and its kind`() {
        #expect(Sample.reading(1).disclosure == .readings(of: Sample.maria, kind: .heartRate))
    }

    @Test func `has an emergency path that the data policy alone does not open`() throws {
        _ = try decide(.dataPolicy, .accepted)
        #expect(!letsEmergency(of: Self.maria))
        _ = try decide(.automatedSOS, .accepted)
        #expect(letsEmergency(of: Self.maria))
        #expect(!letsEmergency(of: Self.giuseppe))
    }

    @Test
    func
        `lets those who were called hear that it is over after the terms are withdrawn, and audits it as that`()
        throws
    {
        _ = try decide(.dataPolicy, .accepted)
        _ = try decide(.automatedSOS, .accepted)
        let id = anyID()
        let call = Message(disclosure: .emergency(of: Self.maria))
        let end = Message(disclosure: .emergencyOver(of: Self.maria))
        _ = try gate.discloseInEmergency(call, message: id, at: Self.wall)
        _ = try decide(.dataPolicy, .withdrawn)
        #expect(throws: ConsentGate.Withheld.automatedSOSNotAccepted(Self.maria)) {
            try gate.discloseInEmergency(call, message: id, at: Self.wall)
        }
        _ = try gate.discloseInEmergency(end, message: id, at: Self.wall)
        #expect(gate.emergencies.map(\.what) == [.emergency, .itsEnd])
        #expect(throws: ConsentGate.Withheld.wrongPath) { try gate.clear(end) }
    }

    @Test func `has no ordinary way out for an emergency and no emergency way for readings`() throws {
        _ = try decide(.dataPolicy, .accepted)
        _ = try decide(.automatedSOS, .accepted)
        #expect(!lets(.emergency(of: Self.maria)))
        let reading = Message(disclosure: .readings(of: Self.maria, kind: .heartRate))
        #expect(throws: ConsentGate.Withheld.wrongPath) {
            try gate.discloseInEmergency(reading, message: anyID(), at: Self.wall)
        }
    }

    @Test func `audits each emergency message once, however often it is asked`() throws {
        _ = try decide(.dataPolicy, .accepted)
        _ = try decide(.automatedSOS, .accepted)
        let id = anyID()
        let message = Message(disclosure: .emergency(of: Self.maria))
        for _ in 0..<3 { _ = try gate.discloseInEmergency(message, message: id, at: Self.wall) }
        #expect(gate.emergencies.map(\.message) == [id])
    }

    @Test func `does not let AutomatedSOS stand without the data policy`() throws {
        #expect(throws: ConsentLedger.Refusal.dataPolicyFirst(Self.maria)) {
            try decide(.automatedSOS, .accepted)
        }
        _ = try decide(.dataPolicy, .accepted)
        _ = try decide(.automatedSOS, .accepted)
        let ended = try decide(.dataPolicy, .withdrawn)
        #expect(
            ended.map(\.decision.act)
                == [.policy(.automatedSOS, .withdrawn), .policy(.dataPolicy, .withdrawn)])
        #expect(!letsEmergency(of: Self.maria))
    }

    @Test func `records what changed and not what did not`() throws {
        #expect(try decide(.dataPolicy, .accepted).count == 1)
        #expect(try decide(.dataPolicy, .accepted).isEmpty)
        #expect(try decide(.automatedSOS, .withdrawn).isEmpty)
        #expect(gate.snapshot.entries.count == 1)
    }

    @Test func `lets the word about a grant that ended out after everything is withdrawn, and none before`()
        throws
    {
        #expect(!lets(.receipt(of: Self.maria)) && !lets(.receipt(of: nil)))
        _ = try decide(.dataPolicy, .accepted)
        _ = try decide(.dataPolicy, .withdrawn)
        #expect(lets(.receipt(of: Self.maria)) && lets(.receipt(of: nil)))
        #expect(!lets(.gateway))
    }

    @Test func `takes no decision for a stranger`() {
        let stranger = PersonID(sample: "anna")
        #expect(throws: ConsentLedger.Refusal.unknownPerson(stranger)) {
            try decide(.dataPolicy, .accepted, for: stranger)
        }
    }
}
