import ArgumentParser
import Hub
import SettingsService

/// `homegateway my-data …`
struct MyDataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "my-data",
        abstract: "Export all data about a person, or erase it.",
        discussion: "Only the running gateway has the keys, so it is asked. The output is personal data.",
        subcommands: [MyDataExport.self, MyDataErase.self])
}

/// `homegateway my-data erase`
struct MyDataErase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase a person's measurements in this house.",
        discussion: """
            Erased: the history, readings that wait to be sent, records of alarms.
            What stays: the consent ledger, because each of its lines proves the one
            before it; records of alarms that are open, and calls for help that are on
            their way. What has been sent is with those who got it: only they can
            erase it. From the next reading on it is kept again; to end that, switch
            the history off and withdraw the data policy.
            """)

    @Option(name: .long, help: ArgumentHelp("The person, by the id in the settings.", valueName: "id"))
    var person: String

    @Flag(name: .long, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var gateway: GatewayOption
    @OptionGroup var who: WhoOption

    func run() throws {
        if !yes {
            guard Terminal.isInteractive else {
                SettingsOption.complain("nobody can be asked here; to erase all the same, add --yes")
                throw ExitCode(1)
            }
            guard Terminal.confirms("Erase what was measured of \(person)? It cannot be brought back.") else {
                Shown.line("nothing was erased")
                throw ExitCode(1)
            }
        }
        try gateway.ask(ControlRequest(.eraseMyData, by: who.name, person: person))
        Shown.line("the consent ledger stays: who decided what and when, and nothing that was measured")
    }
}
