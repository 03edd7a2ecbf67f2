import ArgumentParser
import Commands
import ConsoleCommands
import Glibc
import MQTTBridge

/// The program's three parts: the commands, the process that a running daemon starts for its broker session, and the
/// console, which is started by a link of another name. One file is one text in memory for all of them. The parts are told
/// apart before anything is parsed: the broker session has to begin quickly, and to stay small.
@main
enum Program {
    static func main() async {
        if CommandLine.arguments.dropFirst().first == BrokerSessionProcess.argument {
            exit(BrokerSessionProcess.run())
        }
        if ConsoleCommand.isMeant(by: CommandLine.arguments.first ?? "") { return ConsoleCommand.main() }
        await HomeGatewayCommand.main()
    }
}

struct HomeGatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "homegateway",
        abstract: "Reads wearables, calls help in an emergency, sends what was agreed to.",
        discussion: """
            A first installation:
              1. homegateway init      asks, and writes /etc/homegateway/gateway.toml
              2. homegateway check     what is wrong with them, what is missing
              3. homegateway devices   scan, then pair: the wearables
              4. systemctl enable --now homegateway
              5. homegateway watch     readings, as they arrive

            In an alarm:
              homegateway abort        nobody is called, or the call taken back
            """,
        version: "homegateway \(Daemon.version)",
        subcommands: [RunCommand.self] + CommandGroups.all)
}
