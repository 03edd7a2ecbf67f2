import ArgumentParser
import Consent
import ControlContract
import GatewayModel
import Hub
import Settings
import Vault

/// `homegateway consent …`
struct ConsentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent",
        abstract: "Show and decide which data may leave the house, and for which recipients.",
        discussion: """
            data-policy     readings may go to the TrackMe cloud
            automated-sos   in an emergency help may be called; needs data-policy
            home-dashboard  readings may be shown on the home's own dashboard; needs nothing
                            else, and nothing of it goes to the cloud
            a request       a third party asks for readings: 'list' shows its name, 'show'
                            the purpose

            No data leaves before a data policy is accepted, and no third party gets
            data before a request is accepted. A decision made here is kept, and
            overrides the settings file. It can be withdrawn at any time, also without
            a connection to the broker.
            """,
        subcommands: [
            ConsentList.self, ConsentShow.self, ConsentAccept.self, ConsentRefuse.self, ConsentWithdraw.self,
            ConsentHistory.self, ConsentVerify.self,
        ])
}

/// `homegateway consent list`
struct ConsentList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the policies that each person has accepted, and the requests of third parties.")

    @OptionGroup var gateway: GatewayOption

    @OptionGroup var format: JSONOption

    func run() throws {
        try gateway.ask(Verb.Consents(), as: format)
    }
}

/// `homegateway consent show REQUEST`
struct ConsentShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one request: third party, purpose, kinds of readings and end.")

    @Argument(
        help: ArgumentHelp("A request that 'consent list' shows.", valueName: "request"),
        transform: NameArgument.parse)
    var request: RequestID

    @OptionGroup var gateway: GatewayOption

    @OptionGroup var format: JSONOption

    func run() throws {
        try gateway.ask(Verb.ConsentRequest(request), as: format)
    }
}

/// `homegateway consent history`
struct ConsentHistory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List every decision with its person, subject, time and means, the oldest first.")

    @Option(
        name: .long,
        help: ArgumentHelp("Only decisions about this person, by the id in the settings.", valueName: "id"))
    var person: String?

    @OptionGroup var gateway: GatewayOption

    @OptionGroup var format: JSONOption

    func run() throws {
        try gateway.ask(Verb.ConsentHistory(of: try ControlField.person.optionalID(person)), as: format)
    }
}

/// `homegateway consent accept …`
struct ConsentAccept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Accept a policy or a request for a person, from now on.",
        discussion: """
            A request is accepted as a whole: 'consent show' lists its contents. Only
            readings from now on are sent, until the end of the request, if it has one.
            """)

    @OptionGroup var decision: ConsentDecisionOptions

    func run() throws {
        try decision.gateway.ask(Verb.Accept(try decision.checked))
    }
}

/// `homegateway consent refuse …`
struct ConsentRefuse: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Refuse a request for a person. Nothing is sent.")

    @OptionGroup var decision: ConsentDecisionOptions

    func run() throws {
        try decision.gateway.ask(Verb.Refuse(try decision.checked))
    }
}

/// `homegateway consent withdraw …`
struct ConsentWithdraw: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Withdraw an acceptance at once. Unsent messages that depend on it are deleted.",
        discussion: """
            Withdrawing data-policy also ends automated-sos, so that alarms then sound in
            the house only, and every request that was accepted.
            """)

    @OptionGroup var decision: ConsentDecisionOptions

    func run() throws {
        try decision.gateway.ask(Verb.Withdraw(try decision.checked))
    }
}

/// Options of a decision: its subject, the person concerned and the person who decides.
struct ConsentDecisionOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "data-policy, automated-sos, home-dashboard or the id of a request.", valueName: "subject"),
        transform: ConsentDecisionOptions.subject)
    var what: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The person, by the id in the settings. A request names its person itself.", valueName: "id"))
    var person: String?

    @OptionGroup var gateway: GatewayOption
    @OptionGroup var who: WhoOption

    private static func subject(_ text: String) throws -> String {
        guard RequestID(text) != nil else {
            let known = ConsentSubject.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("expected \(known) or the id of a request, which is \(RequestID.form)")
        }
        return text
    }

    func validate() throws {
        guard person == nil, ConsentSubject(rawValue: what) != nil else { return }
        throw ValidationError("--person is missing: a policy needs --person ID")
    }

    var checked: Verb.Decision {
        get throws(ControlError) {
            try Verb.Decision(subject: what, person: person, by: who.name)
        }
    }
}

/// `homegateway consent verify`
struct ConsentVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that no decision was changed, removed, added or moved.",
        discussion: """
            Reads the ledger itself and changes nothing; the gateway may run or not. Exit
            code 1 where an entry was modified. The receipts that the cloud keeps hold the
            number and the hash of the last entry: compare them to see that the whole
            ledger was not replaced.
            """)

    @OptionGroup var file: SettingsOption

    func run() throws {
        let directory = try file.loadWithoutDevices().gateway.stateDirectory
        try show(report(of: directory))
    }

    private func report(of directory: String) throws -> LedgerReport {
        do throws(DiskFailure) {
            return try LedgerReport(of: directory)
        } catch {
            SettingsOption.complain(
                error.isForbidden ? "\(error); run it as root or as the gateway's user" : error.description)
            throw ExitCode.unavailable
        }
    }

    private func show(_ report: LedgerReport) throws {
        for flaw in report.flaws { SettingsOption.complain("\(flaw)") }
        guard report.flaws.isEmpty else {
            SettingsOption.complain(
                "the ledger was modified after it was written; at its next start the gateway sets it aside, and "
                    + "sends only calls for help until a policy is accepted again")
            throw ExitCode(1)
        }
        guard let mark = report.mark, let began = report.began else {
            return Shown.line("the ledger holds no decision")
        }
        Shown.line("\(report.entries.count) entries since \(began.inHouse), none modified")
        Shown.line("the last is number \(mark.sequence), SHA-256 \(mark.hash)")
        guard report.isTailTorn else { return }
        Shown.line("the last lines are in ledger.head only: the gateway puts them back at its next start")
    }
}
