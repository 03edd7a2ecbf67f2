import Consent
import ControlContract
import GatewayModel
import Hub
import RealTime
import Settings
import Vault

/// Persons with an agreement that help is called: by the consent ledger in the state directory, where it can be read, and by
/// the settings for persons without a later decision.
struct CallAgreements {
    private let ledger: ConsentLedger

    /// Blocking I/O; changes nothing.
    init(of settings: GatewaySettings) {
        let report = try? LedgerReport(of: settings.gateway.stateDirectory)
        self.init(of: settings.persons, after: report?.entries ?? [], at: Clock.wall())
    }

    /// - Parameter entries: those of the ledger, in order.
    init(of persons: [GatewaySettings.Person], after entries: [ConsentEntry], at now: WallTime) {
        var ledger = ConsentLedger(
            persons: Set(persons.map(\.id)),
            deciders: Dictionary(persons.map { ($0.id, $0.deciders) }) { first, _ in first })
        for entry in entries { ledger.replay(entry) }
        _ = ledger.follow(
            settings: Dictionary(persons.map { ($0.id, $0.agreements) }) { first, _ in first }, at: now)
        self.ledger = ledger
    }

    func callHelp(for person: GatewaySettings.Person) -> Bool { ledger.holds(.automatedSOS, for: person.id) }

    /// Whether a decision is missing: no mistake of the settings, but the house is not to be left.
    func isMissing(for person: GatewaySettings.Person) -> Bool { !callHelp(for: person) && !person.callsNobody }

    /// Why nobody is called for a person, or a contradiction about it; nil where help is called, as expected. Of severity
    /// `ok` where the settings say that it is meant.
    func finding(for person: GatewaySettings.Person) -> CheckReport.Finding? {
        func finding(_ severity: CheckReport.Severity, _ key: String, _ seen: String, _ remedy: String? = nil)
            -> CheckReport.Finding
        {
            CheckReport.Finding(severity, part: "person \(person.id)", key: key, seen: seen, remedy: remedy)
        }
        return switch (callHelp(for: person), person.callsNobody) {
        case (true, false): nil
        case (true, true):
            finding(
                .problem, "person.calls_nobody",
                "help is called for \(person.id), by a decision at the box, although calls_nobody = true says that nobody is",
                "remove calls_nobody from [[person]], or: \(Self.command("withdraw", person, .automatedSOS))")
        case (false, true):
            finding(
                .ok, "person.calls_nobody",
                "nobody is called for \(person.id), as calls_nobody = true says: alarms sound in the house only"
            )
        case (false, false):
            finding(
                .problem, "person.automated_sos",
                "nobody is called for \(person.id): AutomatedSOS is not accepted, and alarms sound in the house only",
                "ask, then: \(steps(for: person)). Before the first start, write data_policy and automated_sos as "
                    + "\"accepted\" in [[person]] instead. If it is meant that nobody is called, write calls_nobody = true "
                    + "there")
        }
    }

    private func steps(for person: GatewaySettings.Person) -> String {
        let missing = [ConsentSubject.dataPolicy, .automatedSOS].filter { !ledger.holds($0, for: person.id) }
        return missing.map { Self.command("accept", person, $0) }.joined(separator: ", then: ")
    }

    private static func command(
        _ verb: String, _ person: GatewaySettings.Person, _ subject: ConsentSubject
    ) -> String {
        "homegateway consent \(verb) --person \(person.id) \(subject.rawValue)"
    }
}

extension CheckReport.Finding {
    /// One line of `check` and `init` for people.
    var sentence: String {
        let mark = severity == .problem ? "PROBLEM  " : severity == .advice ? "ADVICE   " : ""
        return mark + seen + (remedy.map { ". Remedy: \($0)" } ?? "")
    }
}
