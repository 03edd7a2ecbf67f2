import ArgumentParser
import ControlContract
import ControlSocket
import GatewayModel
import Hub
import RealTime
import Settings

/// `homegateway support-bundle`
struct SupportBundleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "support-bundle",
        abstract: "Write a file for support, without personal data and without secrets.",
        discussion: """
            One tar file: version, platform, states of the services, settings, findings of
            check, codes and counts of the state, sizes of the state files, and technical
            events of the log of 7 days. Each part has a list of what may be in it:
            everything else is left out, or replaced by its kind. Nothing is sent.

            With sudo it reads the settings, the state directory and the log.
            """)

    @Argument(help: ArgumentHelp("The file to write. It must not exist.", valueName: "file"))
    var path: String?

    @OptionGroup var file: SettingsOption

    @Option(name: .long, help: ArgumentHelp("The gateway's control socket.", valueName: "file"))
    var socket: String?

    @Option(help: ArgumentHelp("The settings file of the console.", valueName: "file"))
    var consoleConfig = ConsoleSettings.standardPath

    @Flag(help: "Only read; try no service.")
    var offline = false

    func run() throws {
        let now = Clock.wall()
        let path = path ?? "homegateway-support-\(now.millisecondsSince1970 / 1000).tar"
        let settings = AbsolutePath.of(file.config)
        let collector = SupportCollector(
            settingsFile: settings, consoleFile: AbsolutePath.of(consoleConfig),
            socket: GatewaySocket(named: socket, settings: settings), triesServices: !offline)
        do {
            // The file first: who may not write it need not wait.
            let output = try NewFile(path, mode: 0o600)
            let bundle = SupportBundle(collector.collect(version: ProductVersion.current.description))
            try output.write(try bundle.archive(at: now.millisecondsSince1970 / 1000))
            Shown.line("\(path):")
            let rows = bundle.files.map { [$0.name, "\($0.bytes.count) bytes", $0.about] }
            for line in Shown.table(rows) { Shown.line("  \(line)") }
            Shown.line("")
            Shown.line("Look at it before you send it: tar -xOf \(path) | less")
        } catch {
            SettingsOption.complain("\(error)")
            throw ExitCode(1)
        }
    }
}
