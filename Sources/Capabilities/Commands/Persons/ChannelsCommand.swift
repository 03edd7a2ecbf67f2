import ArgumentParser
import ControlContract
import Hub

/// `homegateway channels …`
struct ChannelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channels", abstract: "Show and choose the channels by which a person's alarms are told.",
        discussion: """
            The person switches those that the settings leave to them (own_channels), or
            somebody who decides for the person. A choice that would leave nobody to call
            is refused.
            """,
        subcommands: [ChannelsShow.self, ChannelsSet.self, ChannelsReset.self])
}

/// `homegateway channels show`
struct ChannelsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show which channels are called in an emergency and told of warnings.")

    @Option(name: .long, help: ArgumentHelp("The person, by the id in the settings.", valueName: "id"))
    var person: String

    @OptionGroup var gateway: GatewayOption

    @OptionGroup var format: JSONOption

    func run() throws {
        try gateway.ask(Verb.Channels(try ControlField.person.id(person)), as: format)
    }
}

/// `homegateway channels set CHANNEL`
struct ChannelsSet: ParsableCommand {
    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Switch a channel on or off.")

    @Argument(help: "The channel, by its id in the settings.")
    var channel: String

    @Option(name: .long, help: "Whether it is called in an emergency.")
    var emergency: Switch?

    @Option(name: .long, help: "Whether it is told of warnings.")
    var warnings: Switch?

    @OptionGroup var options: PersonOptions

    func validate() throws {
        guard emergency != nil || warnings != nil else {
            throw ValidationError("give at least one of --emergency and --warnings, on or off")
        }
    }

    func run() throws {
        try options.gateway.ask(
            try Verb.ChangeChannel(
                person: options.person, channel: channel, emergency: emergency.map { $0 == .on },
                warnings: warnings.map { $0 == .on }, by: options.who.name))
    }
}

/// `homegateway channels reset CHANNEL`
struct ChannelsReset: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Use a channel as the settings say again.")

    @Argument(help: "The channel, by its id in the settings.")
    var channel: String

    @OptionGroup var options: PersonOptions

    func run() throws {
        try options.gateway.ask(
            try Verb.ChangeChannel(
                person: options.person, channel: channel, emergency: nil, warnings: nil, by: options.who.name))
    }
}
