import Consent
import GatewayModel
import Samples
import Testing

@Suite struct `Who decides for a person` {
    private func ledger(_ deciders: Deciders?) -> ConsentLedger {
        ConsentLedger(
            persons: [ConsentSample.maria], deciders: deciders.map { [ConsentSample.maria: $0] } ?? [:])
    }

    private func may(_ name: String, _ means: ConsentMeans, by deciders: Deciders?) -> Bool {
        var ledger = ledger(deciders)
        return (try? ledger.take(.policy(.dataPolicy, .accepted), by: name, means: means)) != nil
    }

    private let carer = Deciders(own: ["maria", "Maria Rossi"], named: ["Anna Rossi"])
    private let nobodyElse = Deciders(own: ["maria", "Maria Rossi"], named: [])

    @Test func `is whoever is let in at the box where the settings do not say, and nobody outside`() {
        #expect(may("root", .commandLine, by: nil))
        #expect(may("root", .console, by: nil))
        #expect(!may("Anna Rossi", .command, by: nil))
    }

    @Test func `is the person and whom the settings name, however the name is typed`() {
        for means in [ConsentMeans.commandLine, .console] {
            #expect(may("maria", means, by: carer) && may("maria  rossi", means, by: carer))
            #expect(may("anna rossi", means, by: carer))
            #expect(!may("root", means, by: carer) && !may("Anna", means, by: carer))
            #expect(may("Maria Rossi", means, by: nobodyElse) && !may("Anna Rossi", means, by: nobodyElse))
        }
    }

    @Test func `is by a command from outside only whom the settings name`() {
        #expect(may("Anna Rossi", .command, by: carer))
        #expect(!may("Maria Rossi", .command, by: carer))
        #expect(!may("Anna Rossi", .command, by: nobodyElse))
    }

    @Test func `does not bind the settings and the clock, nor who only asks`() throws {
        #expect(may("settings file", .settings, by: nobodyElse))
        var ledger = ledger(nobodyElse)
        try ledger.take(.policy(.dataPolicy, .accepted), by: "Maria")
        try ledger.take(.requested(ConsentSample.request(until: 9)), by: "cloud", means: .command)
        #expect(throws: ConsentLedger.Refusal.notAllowed(ConsentSample.maria)) {
            try ledger.take(.granted(ConsentSample.id("r1")), by: "cloud", means: .command)
        }
        try ledger.take(.granted(ConsentSample.id("r1")), by: "Maria Rossi")
        #expect(throws: ConsentLedger.Refusal.notAllowed(ConsentSample.maria)) {
            try ledger.take(.withdrawn(ConsentSample.id("r1")), by: "root")
        }
        try ledger.take(.expired(ConsentSample.id("r1")), by: "homegateway", means: .gateway, at: 9)
    }
}
