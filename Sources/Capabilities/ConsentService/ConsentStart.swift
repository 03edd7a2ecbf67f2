package import Consent
import GatewayModel
import Hub
package import Logging
import RealTime
package import Settings
package import Vault

/// Consent at the start of the gateway: the decisions of the ledger, and the settings for persons who have decided nothing
/// since.
///
/// No damage of the files stops the start: the house keeps its alarm. Blocking I/O.
package struct ConsentStart {
    private let gate: ConsentGate
    private let ledger: LedgerFile

    package init(of settings: GatewaySettings, _ marks: StateMarks, _ log: Logger) {
        let (directory, now) = (settings.gateway.stateDirectory, Clock.wall())
        let accepted = Self.accepted(by: settings.persons)
        var consent = ConsentLedger(persons: Set(accepted.keys), deciders: Self.deciders(settings.persons))
        var news: [ConsentEntry] = []
        do throws(DiskFailure) {
            let found: LedgerFile.Found
            (ledger, found) = try LedgerFile.open(
                in: directory, of: settings.gateway.id, at: now, marks: marks)
            switch found {
            case .entries(let entries, let isCompleted):
                for entry in entries { consent.replay(entry) }
                if isCompleted { log.warning("the last entries of the consent ledger were completed") }
            case .nothing:
                news += consent.follow(settings: accepted, at: now)
                news += consent.take(earlier: Self.earlierDecisions(in: directory, log))
            case .damage(let flaws, let readable, let asidePath):
                Self.report(flaws, readable.count, asidePath, log)
                news += consent.begin(after: readable, settings: accepted, at: now)
            }
            news += consent.follow(settings: accepted, at: now)
        } catch {
            log.critical("the consent ledger cannot be read", metadata: ["reason": "\(error)"])
            ledger = LedgerFile(unusable: directory, of: settings.gateway.id, because: error)
            // Not written: the file on the disk stays as it is.
            _ = consent.begin(after: [], settings: accepted, at: now)
        }
        gate = ConsentGate(ledger: consent)
        write(news, in: directory, at: now, log)
    }

    package var parts: (gate: ConsentGate, ledger: LedgerFile) { (gate, ledger) }

    private func write(_ news: [ConsentEntry], in directory: String, at now: WallTime, _ log: Logger) {
        guard !news.isEmpty else { return }
        do throws(DiskFailure) {
            try ledger.append(news, at: now)
            try ConsentJournal(in: directory).setAside()
        } catch {
            log.critical("consent is not written down yet", metadata: ["reason": "\(error)"])
        }
    }

    /// Makes entries for settings that change while the gateway runs.
    ///
    /// - Returns: the new entries; they are not on the disk yet.
    static func follow(_ settings: GatewaySettings, by gate: ConsentGate) -> [ConsentEntry] {
        gate.follow(
            settings: accepted(by: settings.persons), deciders: deciders(settings.persons), at: Clock.wall())
    }

    private static func accepted(by persons: [GatewaySettings.Person]) -> [PersonID: Set<ConsentSubject>] {
        Dictionary(persons.map { ($0.id, $0.agreements) }) { first, _ in first }
    }

    private static func deciders(_ persons: [GatewaySettings.Person]) -> [PersonID: Deciders] {
        Dictionary(
            persons.map { ($0.id, $0.deciders) }
        ) { first, _ in first }
    }

    private static func earlierDecisions(in directory: String, _ log: Logger) -> [ConsentDecision] {
        let journal = ConsentJournal(in: directory)
        do throws(DiskFailure) {
            let (decisions, unreadable) = try journal.load()
            if unreadable > 0 {
                log.error(
                    "consent decisions that cannot be read are left out",
                    metadata: ["count": "\(unreadable)", "file": "\(journal.path)"])
            }
            return decisions
        } catch {
            log.critical("earlier consent decisions cannot be read", metadata: ["reason": "\(error)"])
            return []
        }
    }

    private static func report(
        _ flaws: [LedgerFlaw], _ readable: Int, _ asidePath: String, _ log: Logger
    ) {
        for flaw in flaws.prefix(10) { log.error("consent ledger", metadata: ["flaw": "\(flaw)"]) }
        log.critical(
            "the consent ledger was damaged, and another one is begun: readings stay in the house",
            metadata: ["set_aside": "\(asidePath)", "entries_readable": "\(readable)"])
    }
}
