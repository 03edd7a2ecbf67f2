import ArgumentParser
import Consent

/// `homegateway consent …`
struct ConsentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent",
        abstract: "Accept or withdraw what may leave the house.",
        discussion: """
            data-policy     readings may go to the TrackMe cloud
            automated-sos   in an emergency help may be called; needs data-policy

            Nothing at all leaves before a data policy is accepted. A decision made
            here is kept, and stands above what the settings file says.
            """,
        subcommands: [List.self, Accept.self, Withdraw.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Say what each person has accepted.")

        @OptionGroup var file: SettingsOption

        func run() throws {
            try file.ask(ControlRequest(.consents))
        }
    }

    struct Accept: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Accept, for a person, from now on.")

        @OptionGroup var decision: DecisionOptions

        func run() throws {
            try decision.ask(.accept)
        }
    }

    struct Withdraw: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Withdraw, from the next byte on; what waits unsent is deleted.",
            discussion: """
                Withdrawing data-policy also ends automated-sos: alarms then sound in
                the house only.
                """)

        @OptionGroup var decision: DecisionOptions

        func run() throws {
            try decision.ask(.withdraw)
        }
    }

    struct DecisionOptions: ParsableArguments {
        @Argument(
            help: ArgumentHelp("data-policy, automated-sos or home-dashboard.", valueName: "what"),
            transform: DecisionOptions.subject)
        var subject: ConsentSubject

        @Option(name: .long, help: ArgumentHelp("For whom: the person's id in the settings.", valueName: "id"))
        var person: String

        @OptionGroup var file: SettingsOption
        @OptionGroup var who: WhoOption

        private static func subject(_ text: String) throws -> ConsentSubject {
            guard let subject = ConsentSubject(rawValue: text) else {
                let known = ConsentSubject.allCases.map(\.rawValue).joined(separator: " or ")
                throw ValidationError("expected \(known)")
            }
            return subject
        }

        func ask(_ verb: ControlRequest.Verb) throws {
            try file.ask(ControlRequest(verb, by: who.name, person: person, subject: subject.rawValue))
        }
    }
}
