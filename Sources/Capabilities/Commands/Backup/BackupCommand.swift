import ArgumentParser
import Backup
import ControlContract
import GatewayModel
import Glibc
import RealTime
import Settings

/// `homegateway backup`
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write settings, state and pairings into one sealed file.",
        discussion: """
            The gateway may run meanwhile. The command prints seven words, once: they open
            the file, nothing else does, and no copy of them is kept. Write them on paper,
            and keep the paper apart from the file.

            In the file: gateway.toml, console.toml, the run files and all files beside
            them, the keys, passwords and certificates that the settings name, the state
            directories of the gateway and of the console, and the pairings of the
            wearables (/var/lib/bluetooth, with sudo only).
            """)

    @Argument(help: ArgumentHelp("The file to write. It must not exist.", valueName: "file"))
    var path: String

    @OptionGroup var file: SettingsOption

    @Option(help: ArgumentHelp("The settings file of the console.", valueName: "file"))
    var consoleConfig = ConsoleSettings.standardPath

    @Option(help: ArgumentHelp("The folder of the pairings.", valueName: "directory"))
    var bluetooth = "/var/lib/bluetooth"

    func run() throws {
        let words = BackupWords()
        do {
            var maker = try BackupMaker(
                settings: AbsolutePath.of(file.config), console: AbsolutePath.of(consoleConfig),
                bluetooth: bluetooth, version: .current, at: Clock.wall())
            let report = try maker.write(to: AbsolutePath.of(path), words)
            Shown.line("\(path): \(report.files) files, \(report.size) bytes")
            for place in report.leftOut { Shown.line("Not in it: \(place)") }
            if report.hasOpenAlarm {
                Shown.line(
                    "An alarm is open. A box out of this backup goes on with it: make another backup when it is over."
                )
            }
            Shown.line("")
            Shown.line("These words open the backup. They are shown this once, and kept nowhere:")
            Shown.line("")
            Shown.line("    \(words.text)")
            Shown.line("")
            Shown.line("Write them on paper, and keep it apart from the file (\(BackupWords.bits) bits).")
        } catch {
            SettingsOption.complain("\(error)")
            throw ExitCode(1)
        }
    }
}

/// Paths of the command line.
enum AbsolutePath {
    /// Without `.` and `..`; the file need not exist.
    static func of(_ path: String) -> String {
        var parts: [Substring] = []
        let whole: String
        if path.hasPrefix("/") {
            whole = path
        } else {
            let here = getcwd(nil, 0)
            defer { free(here) }
            whole = (here.map { String(cString: $0) } ?? "") + "/" + path
        }
        for part in whole.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
