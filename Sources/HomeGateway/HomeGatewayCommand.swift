import ArgumentParser

@main
struct HomeGatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "homegateway",
        abstract: "Watches over a person's wearables: calls help in an emergency, sends what was agreed to.",
        discussion: """
            A first installation:
              1. write /etc/homegateway/gateway.toml (an example is beside the documentation)
              2. homegateway check          says what is wrong with it, and what cannot be reached
              3. systemctl enable --now homegateway
              4. homegateway watch          shows readings as they arrive

            In an alarm:
              homegateway abort             cancels it: no help is called, or the call is taken back
            """,
        version: "homegateway \(Gateway.version)",
        subcommands: [
            RunCommand.self, CheckCommand.self, StatusCommand.self, WatchCommand.self, AbortCommand.self,
            ResolveCommand.self, ConsentCommand.self,
        ])
}

/// Which settings file: the same option for every command.
struct SettingsOption: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The settings file.", valueName: "file"))
    var config = "/etc/homegateway/gateway.toml"
}
