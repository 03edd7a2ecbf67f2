import Alarms
import ArgumentParser
import Consent
import GatewayModel
import Hub

/// `homegateway consent accept …`
struct ConsentAccept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Accept, for a person, from now on.",
        discussion: """
            A request is accepted as it was asked: 'consent show' says for what. Only
            readings from then on are sent, and only until the end it names, if any.
            """)

    @OptionGroup var decision: ConsentDecisionOptions

    func run() throws {
        try decision.ask(.accept)
    }
}

/// `homegateway consent refuse …`
struct ConsentRefuse: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Refuse a request, for a person; nothing is sent.")

    @OptionGroup var decision: ConsentDecisionOptions

    func run() throws {
        try decision.ask(.refuse)
    }
}

/// `homegateway consent withdraw …`
struct ConsentWithdraw: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw", abstract: "Withdraw, from the next byte on; what waits unsent is deleted.",
        discussion: """
            Withdrawing data-policy also ends automated-sos, so that alarms then sound in
            the house only, and every request that was accepted.
            """)

    @OptionGroup var decision: ConsentDecisionOptions

    func run() throws {
        try decision.ask(.withdraw)
    }
}

/// What is decided, for whom, and by whom.
struct ConsentDecisionOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "data-policy, automated-sos, home-dashboard or the id of a request.", valueName: "what"),
        transform: ConsentDecisionOptions.checked)
    var what: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "For whom: the person's id in the settings. A request names its person itself.", valueName: "id"))
    var person: String?

    @OptionGroup var gateway: GatewayOption
    @OptionGroup var who: WhoOption

    private static func checked(_ text: String) throws -> String {
        guard RequestID(text) != nil else {
            let known = ConsentSubject.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("expected \(known) or the id of a request, which is \(RequestID.form)")
        }
        return text
    }

    func validate() throws {
        guard person == nil, ConsentSubject(rawValue: what) != nil else { return }
        throw ValidationError("say for whom, with --person ID")
    }

    func ask(_ verb: ControlRequest.Verb) throws {
        try gateway.ask(ControlRequest(verb, by: who.name, person: person, subject: what))
    }
}
