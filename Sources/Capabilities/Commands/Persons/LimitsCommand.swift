import ArgumentParser
import ControlContract
import Hub

/// `homegateway limits …`
struct LimitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits", abstract: "Show and move the limits of a person's alarms.",
        discussion: """
            The person moves them, or somebody who decides for the person, within the
            bounds of the settings. A limit that the settings have switched off stays off.
            A moved limit survives a restart, and holds until it is moved again or until
            another figure is written into the settings.
            A command from outside that makes an alarm less likely waits for an answer:
            see 'limits list'. It expires after 7 days.
            """,
        subcommands: [
            LimitsShow.self, LimitsSet.self, LimitsReset.self, LimitsList.self, LimitsAccept.self,
            LimitsRefuse.self,
        ])
}

/// `homegateway limits show`
struct LimitsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the limits that hold for a person, with their bounds.")

    @Option(name: .long, help: ArgumentHelp("The person, by the id in the settings.", valueName: "id"))
    var person: String

    @OptionGroup var gateway: GatewayOption

    @OptionGroup var format: JSONOption

    func run() throws {
        try gateway.ask(Verb.Limits(try ControlField.person.id(person)), as: format)
    }
}

/// `homegateway limits set KIND`
struct LimitsSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Move limits on one kind of reading.")

    @Argument(help: "The kind of reading: heart-rate, oxygen-saturation and so on.")
    var kind: String

    @Option(name: .long, help: "An emergency at or below it.")
    var low: Double?

    @Option(name: .long, help: "An emergency at or above it.")
    var high: Double?

    @Option(name: .long, help: "A warning at or below it.")
    var warningLow: Double?

    @Option(name: .long, help: "A warning at or above it.")
    var warningHigh: Double?

    @OptionGroup var options: PersonOptions

    private var limits: [String: Double] {
        let given = [("low", low), ("high", high), ("warning_low", warningLow), ("warning_high", warningHigh)]
        return given.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }

    func validate() throws {
        guard !limits.isEmpty else {
            throw ValidationError("give at least one of --low, --high, --warning-low and --warning-high")
        }
    }

    func run() throws {
        try options.gateway.ask(
            try Verb.ChangeLimits(
                person: options.person, kind: kind, limits: limits, by: options.who.name))
    }
}

/// `homegateway limits reset KIND`
struct LimitsReset: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Use the limits of the settings again for one kind of reading.")

    @Argument(help: "The kind of reading: heart-rate, oxygen-saturation and so on.")
    var kind: String

    @OptionGroup var options: PersonOptions

    func run() throws {
        try options.gateway.ask(
            try Verb.ChangeLimits(
                person: options.person, kind: kind, limits: [:], by: options.who.name))
    }
}
