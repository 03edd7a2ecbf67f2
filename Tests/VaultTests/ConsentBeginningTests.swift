import Consent
import Foundation
import GatewayModel
import Samples
import Testing
import Vault

@Suite struct `What holds at the start` {
    private let all: [PersonID: Set<ConsentSubject>] = [
        ConsentSample.maria: [.dataPolicy, .automatedSOS], ConsentSample.paolo: [],
    ]

    private func empty() -> ConsentLedger {
        ConsentLedger(persons: [ConsentSample.maria, ConsentSample.paolo])
    }

    @Test func `is what the settings say, once`() {
        var ledger = empty()
        let first = ledger.follow(settings: all, at: ConsentSample.wall(0))
        #expect(
            first.map(\.decision.act) == [.policy(.dataPolicy, .accepted), .policy(.automatedSOS, .accepted)])
        #expect(
            first.allSatisfy { $0.decision.person == ConsentSample.maria && $0.decision.means == .settings })
        #expect(ledger.follow(settings: all, at: ConsentSample.wall(1)).isEmpty)
    }

    @Test func `follows settings that change, where nobody else has spoken`() {
        var ledger = empty()
        _ = ledger.follow(settings: all, at: ConsentSample.wall(0))
        let none: [PersonID: Set<ConsentSubject>] = [
            ConsentSample.maria: [], ConsentSample.paolo: [.dataPolicy],
        ]
        _ = ledger.follow(settings: none, at: ConsentSample.wall(1))
        #expect(!ledger.holds(.dataPolicy, for: ConsentSample.maria))
        #expect(!ledger.holds(.automatedSOS, for: ConsentSample.maria))
        #expect(ledger.holds(.dataPolicy, for: ConsentSample.paolo))
    }

    @Test func `is not what the settings say where somebody has decided since`() throws {
        var ledger = empty()
        _ = ledger.follow(settings: all, at: ConsentSample.wall(0))
        try ledger.take(.policy(.dataPolicy, .withdrawn))
        #expect(ledger.follow(settings: all, at: ConsentSample.wall(1)).isEmpty)
        #expect(!ledger.holds(.dataPolicy, for: ConsentSample.maria))
        // And the other way round.
        try ledger.take(.policy(.dataPolicy, .accepted), for: ConsentSample.paolo)
        #expect(ledger.follow(settings: all, at: ConsentSample.wall(1)).isEmpty)
        #expect(ledger.holds(.dataPolicy, for: ConsentSample.paolo))
    }

    @Test func `takes over what an earlier version had written down`() throws {
        let directory = try LedgerDirectory()
        let lines = [
            #"{"person":"maria","subject":"data-policy","verdict":"accepted","by":"Maria","means":"command-line","at":1}"#,
            #"{"person":"maria","subject":"data-po"#,
            #"{"person":"anna","subject":"data-policy","verdict":"accepted","by":"Anna","means":"command-line","at":2}"#,
            #"{"person":"maria","subject":"data-policy","verdict":"withdrawn","by":"Maria","means":"command-line","at":3}"#,
        ]
        let journal = ConsentJournal(in: directory.path)
        try Data(("\n" + lines.joined(separator: "\n")).utf8).write(to: URL(filePath: journal.path))
        let (decisions, unreadable) = try journal.load()
        #expect(decisions.count == 3 && unreadable == 1)
        var ledger = empty()
        _ = ledger.follow(settings: all, at: ConsentSample.wall(0))
        _ = ledger.take(earlier: decisions)
        #expect(!ledger.holds(.dataPolicy, for: ConsentSample.maria))
        #expect(!ledger.holds(.automatedSOS, for: ConsentSample.maria), "ended with the policy it stands on")
        #expect(ledger.entries.last?.decision.at == WallTime(millisecondsSince1970: 3))
        try journal.setAside()
        #expect(try journal.load().decisions.isEmpty)
        #expect(FileManager.default.fileExists(atPath: journal.path + ".imported"))
    }

    /// The careful reading of a damaged ledger.
    @Test
    func `after damage is no grant and no reading, whatever could be read, and calls for help as last said`()
        throws
    {
        var all = all
        all[ConsentSample.maria]?.insert(.homeDashboard)
        var before = empty()
        _ = before.follow(settings: all, at: ConsentSample.wall(0))
        try before.take(.requested(ConsentSample.request()))
        try before.take(.granted(ConsentSample.id("r1")))
        try before.take(.policy(.dataPolicy, .accepted), for: ConsentSample.paolo)
        try before.take(.policy(.automatedSOS, .accepted), for: ConsentSample.paolo)
        for readable in 0...before.entries.count {
            var ledger = empty()
            let made = ledger.begin(
                after: Array(before.entries.prefix(readable)), settings: all, at: ConsentSample.wall(5))
            #expect(made.map(\.sequence.number) == [1, 2, 3, 4, 5, 6])
            for person in [ConsentSample.maria, ConsentSample.paolo] {
                #expect(!ledger.holds(.homeDashboard, for: person))
                #expect(!ledger.holds(.dataPolicy, for: person))
                #expect(ledger.grants(of: person).isEmpty)
            }
            #expect(ledger.holds(.automatedSOS, for: ConsentSample.maria))
            #expect(
                ledger.holds(.automatedSOS, for: ConsentSample.paolo) == (readable == before.entries.count))
            #expect(ledger.awaitsNewWord)
            // Neither do the settings open it again.
            #expect(ledger.follow(settings: all, at: ConsentSample.wall(6)).isEmpty)
        }
    }

    @Test func `after damage is not a call for help that was readably withdrawn`() throws {
        var before = empty()
        _ = before.follow(settings: all, at: ConsentSample.wall(0))
        try before.take(.policy(.automatedSOS, .withdrawn))
        var ledger = empty()
        _ = ledger.begin(after: before.entries, settings: all, at: ConsentSample.wall(5))
        #expect(!ledger.holds(.automatedSOS, for: ConsentSample.maria))
    }

    @Test func `after damage is what everyone says anew`() throws {
        var ledger = empty()
        _ = ledger.begin(after: [], settings: all, at: ConsentSample.wall(5))
        try ledger.take(.policy(.dataPolicy, .accepted))
        #expect(ledger.awaitsNewWord, "one has not spoken")
        try ledger.take(.policy(.dataPolicy, .withdrawn), for: ConsentSample.paolo)
        #expect(!ledger.awaitsNewWord)
        #expect(try ledger.take(.policy(.dataPolicy, .withdrawn), for: ConsentSample.paolo).isEmpty)
        #expect(ledger.holds(.automatedSOS, for: ConsentSample.maria))
    }
}
