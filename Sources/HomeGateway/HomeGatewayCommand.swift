import ArgumentParser
import Commands
import Glibc
import MQTTBridge

/// The program's two parts: the commands, and the process that a running daemon starts for its broker session. That one
/// is told apart before anything is parsed: it has to begin quickly, and to stay small.
@main
enum Program {
    static func main() async {
        if CommandLine.arguments.dropFirst().first == BrokerSessionProcess.argument {
            exit(BrokerSessionProcess.run())
        }
        await HomeGatewayCommand.main()
    }
}

struct HomeGatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "homegateway",
        abstract: "Reads wearables, calls help in an emergency, sends what was agreed to.",
        discussion: """
            A first installation:
              1. write the settings: /etc/homegateway/gateway.toml
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
