import Consent
import GatewayModel
import ModelSamples
import Samples
import Testing

@Suite struct `The answers that the cloud learns` {
    private func ledger() -> ConsentLedger { ConsentLedger(persons: [ConsentSample.maria]) }

    private func told(_ ledger: ConsentLedger, from first: Int64 = 1, through last: Int64 = 99) -> [String] {
        ledger.answers(from: LedgerSequence(first), through: LedgerSequence(last)).map { answer in
            switch answer.matter {
            case .request(let request, let grant):
                "\(answer.entry) \(request.id) \(answer.verdict.rawValue) \(grant.map { "by \($0)" } ?? "no grant")"
            case .policy(let subject): "\(answer.entry) \(subject.rawValue) \(answer.verdict.rawValue)"
            }
        }
    }

    @Test func `are one for each decision about a request or a policy, and none about the home's dashboard`()
        throws
    {
        var ledger = ledger()
        try ledger.take(.policy(.dataPolicy, .accepted))
        try ledger.take(.policy(.homeDashboard, .accepted))
        try ledger.take(.requested(ConsentSample.request("r1")))
        try ledger.take(.requested(ConsentSample.request("r2")))
        try ledger.take(.granted(ConsentSample.id("r1")))
        try ledger.take(.refused(ConsentSample.id("r2")))
        try ledger.take(.withdrawn(ConsentSample.id("r1")))
        try ledger.take(.granted(ConsentSample.id("r1")))
        try ledger.take(.policy(.dataPolicy, .withdrawn))
        let all = [
            "1 data-policy accepted", "5 r1 accepted by 5", "6 r2 refused no grant", "7 r1 withdrawn by 5",
            "8 r1 accepted by 8", "9 r1 withdrawn by 8", "10 data-policy withdrawn",
        ]
        #expect(told(ledger) == all)
        #expect(told(ledger, from: 6, through: 9) == Array(all[2...5]))
    }

    @Test func `come for a request that nobody answers: at its end, or after 30 days`() throws {
        var ledger = ledger()
        let day = 86_400
        try ledger.take(.requested(ConsentSample.request("r1", until: 10 * day)))
        try ledger.take(.requested(ConsentSample.request("r2")), at: day)
        let gate = ConsentGate(ledger: ledger)
        func unanswered(_ day: Int) -> [RequestID] {
            gate.unanswered(at: ConsentSample.wall(day * 86_400)).map(\.id)
        }
        #expect(unanswered(9) == [] && unanswered(10) == [ConsentSample.id("r1")])
        #expect(unanswered(30) == [ConsentSample.id("r1")])
        #expect(unanswered(31) == [ConsentSample.id("r1"), ConsentSample.id("r2")])
        try ledger.take(.expired(ConsentSample.id("r2")), by: "homegateway", means: .gateway, at: 31 * day)
        #expect(told(ledger) == ["3 r2 expired no grant"])
        #expect(throws: ConsentLedger.Refusal.requestOver(ConsentSample.id("r2"))) {
            try ledger.take(.policy(.dataPolicy, .accepted))
            try ledger.take(.granted(ConsentSample.id("r2")), at: 32 * day)
        }
        // An answered request does not expire by this.
        try ledger.take(.refused(ConsentSample.id("r1")))
        #expect(ConsentGate(ledger: ledger).unanswered(at: ConsentSample.wall(100 * day)).isEmpty)
        #expect(try ledger.take(.expired(ConsentSample.id("r1")), means: .gateway).isEmpty)
    }

    @Test func `may leave once something was accepted in the house, also after its withdrawal`() throws {
        let gate = ConsentGate(ledger: ledger())
        func decide(_ verdict: ConsentDecision.Verdict) throws {
            _ = try gate.record(
                ConsentDecision(
                    .policy(.dataPolicy, verdict), for: ConsentSample.maria, by: "Maria", means: .commandLine,
                    at: ConsentSample.wall(0)))
        }
        #expect(!gate.mayAnswer)
        try decide(.accepted)
        try decide(.withdrawn)
        #expect(gate.mayAnswer)
    }

    private struct Call: Disclosable {
        var disclosure = Disclosure.emergency(of: ConsentSample.maria)
    }

    @Test func `emergency disclosures to a channel are handed over once to be written, and recalled`() throws {
        var ledger = ledger()
        try ledger.take(.policy(.dataPolicy, .accepted))
        try ledger.take(.policy(.automatedSOS, .accepted))
        let (gate, id) = (ConsentGate(ledger: ledger), Sample.id(1))
        func call(_ channel: String?, at seconds: Int) throws {
            _ = try gate.discloseInEmergency(
                Call(), message: id, to: channel.map { ChannelID(sample: $0) }, at: ConsentSample.wall(seconds))
        }
        // The alarm is repeated; what leaves the outbox is no disclosure of its own.
        for seconds in 0..<3 { for channel in ["care", "texts", nil] { try call(channel, at: seconds) } }
        let written = gate.takeUnwrittenEmergencies()
        #expect(written.map(\.channel?.text) == ["care", "texts"])
        #expect(written.map(\.at) == [ConsentSample.wall(0), ConsentSample.wall(0)])
        #expect(gate.takeUnwrittenEmergencies().isEmpty)
        // The next run knows them, and writes none of them again.
        let next = ConsentGate(ledger: ledger)
        next.recall(written)
        _ = try next.discloseInEmergency(
            Call(), message: id, to: ChannelID(sample: "care"), at: ConsentSample.wall(9))
        #expect(next.emergencies == written && next.takeUnwrittenEmergencies().isEmpty)
    }
}
