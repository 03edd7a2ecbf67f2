import ArgumentParser
import Backup
import ControlContract
import GatewayModel
import RealTime
import Settings
import Wearables

/// `homegateway restore`
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring a box back from a backup, while the gateway is stopped.",
        discussion: """
            It asks for the seven words of the backup, at the terminal or in one line of
            standard input. The whole file is checked before anything is written. Then it
            shows each place that it writes to, and asks.

            Stop the services first:
              systemctl stop homegateway homegateway-console bluetooth
            Keep the old box switched off: two boxes of one name push each other out of
            the broker.

            After a restore everybody accepts anew, because a withdrawal may be missing
            in the backup; calls for help go on as they were decided last. Commands that
            were issued before the first start are refused. Messages that were sent after
            the backup was made are sent again under the same ids.

            A run that was interrupted is finished by another one; until then the gateway
            does not start.
            """)

    @Argument(help: ArgumentHelp("The backup.", valueName: "file"))
    var path: String

    @Flag(help: "Set the files of this box aside, and restore. Nothing is deleted.")
    var replace = false

    @Option(
        help: ArgumentHelp(
            "One more place that may be written to; may be given again. The places of the packages need no word.",
            valueName: "path"))
    var also: [String] = []

    @Flag(help: "Do not ask before anything is written.")
    var yes = false

    @Flag(help: "Only check the words and the file, and show the contents. Nothing is written.")
    var check = false

    func run() throws {
        do {
            try BackupReader.checkBeginning(of: path, version: .current)
            guard let typed = Terminal.readSecret(to: "The words of the backup:") else {
                throw ValidationError("saw no words, expected the seven words of the backup in one line")
            }
            let reader = try BackupReader(path, BackupWords(parsing: typed), version: .current)
            for line in reader.summary { Shown.line(line) }
            guard !check else { return Shown.line("\(path): the words and the whole file are right") }
            guard yes || Terminal.confirms("Write to these places?") else {
                throw ValidationError(
                    "saw no yes to the places, expected one at the terminal, or --yes; nothing was changed")
            }
            let adapters = try? LocalAdapters.list().map(\.address)
            let report = try Restore(reader, at: Clock.wall()).run(
                into: .installed.and(also), replaces: replace, adapters: adapters,
                isRunning: RunningProcesses.contains)
            show(report)
        } catch let error as ValidationError {
            throw error
        } catch {
            SettingsOption.complain("\(error)")
            throw ExitCode(1)
        }
    }

    private func show(_ report: Restore.Report) {
        Shown.line("Restored.")
        for folder in report.setAside {
            Shown.line("The files that were there are in \(folder). Delete it when the box has proved right.")
        }
        if report.hasState {
            Shown.line(
                "Consent: a withdrawal after the backup may be missing in it. Nothing leaves the house, and no third party gets data, until each person accepts anew: homegateway consent accept. Calls for help go on as they were decided last. The condition consent-damaged says so until then."
            )
        }
        if report.hasOpenAlarm {
            Shown.line(
                "An alarm was open when the backup was made. The gateway goes on with it when it starts. If it is over: homegateway abort."
            )
        }
        if report.adaptersUnknown {
            Shown.line(
                "The Bluetooth adapters of this box cannot be listed: try each wearable, and pair it again if it stays silent."
            )
        } else if !report.pairAgain.isEmpty {
            Shown.line(
                "To pair again, because this box has another Bluetooth adapter: \(report.pairAgain.joined(separator: ", ")). For each: homegateway devices forget, then homegateway devices pair."
            )
        }
        if report.otherPairings > 0 {
            Shown.line(
                "\(report.otherPairings) devices that no settings name were paired with another adapter as well."
            )
        }
        Shown.line(
            "Keep the old box switched off. Next: homegateway check, then systemctl start bluetooth homegateway homegateway-console"
        )
    }
}
