import Alarms
import ArgumentParser
import Hub

/// `homegateway consent …`
struct ConsentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent",
        abstract: "See and decide what may leave the house, and who gets it.",
        discussion: """
            data-policy     readings may go to the TrackMe cloud
            automated-sos   in an emergency help may be called; needs data-policy
            home-dashboard  readings may be shown on the home's own dashboard; needs nothing
                            else, and nothing of it goes to the cloud
            a request       somebody asks for readings: 'list' shows who, 'show' why

            Nothing at all leaves before a data policy is accepted, and nobody else gets
            anything before a request is accepted. A decision made here is kept, and
            stands above what the settings file says. It can be withdrawn at any time,
            also while the line is down.
            """,
        subcommands: [
            ConsentList.self, ConsentShow.self, ConsentAccept.self, ConsentRefuse.self, ConsentWithdraw.self,
            ConsentHistory.self, ConsentVerify.self,
        ])
}

/// `homegateway consent list`
struct ConsentList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Say what each person has accepted, and who asks or gets what.")

    @OptionGroup var gateway: GatewayOption

    func run() throws {
        try gateway.ask(ControlRequest(.consents))
    }
}

/// `homegateway consent show REQUEST`
struct ConsentShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one request: who asks, why, for what, and until when.")

    @Argument(help: ArgumentHelp("A request that 'consent list' shows.", valueName: "request"))
    var request: String

    @OptionGroup var gateway: GatewayOption

    func run() throws {
        try gateway.ask(ControlRequest(.consentRequest, subject: request))
    }
}

/// `homegateway consent history`
struct ConsentHistory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show every decision: who, what, when and how, the oldest first.")

    @Option(name: .long, help: ArgumentHelp("Of one person only: their id in the settings.", valueName: "id"))
    var person: String?

    @OptionGroup var gateway: GatewayOption

    func run() throws {
        try gateway.ask(ControlRequest(.consentHistory, person: person))
    }
}
