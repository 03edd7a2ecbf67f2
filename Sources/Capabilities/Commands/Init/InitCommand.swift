import Alarms
import ArgumentParser
import ControlContract
import GatewayModel
import Glibc
import Hub
import RealTime
import Settings

/// `homegateway init`
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Ask for what a house needs, and write its first settings.",
        discussion: """
            Each answer is checked at once. An empty answer takes the value in brackets,
            and < goes back to the question before. The last question shows all answers:
            nothing is written before it, and a file that is there is never replaced. A
            password goes into a file of its own.

            The templates: home, for one person; couple, for two; trackside, for a box at
            a race track with one person of its crew.
            """)

    @Argument(help: ArgumentHelp("The settings file to write.", valueName: "file"))
    var path = GatewaySettings.standardFile

    @Option(
        help: ArgumentHelp("home, couple or trackside. Default: home.", valueName: "name"),
        transform: { word in
            guard let template = FirstSettings.Template(rawValue: word) else {
                throw ValidationError("saw \(word), expected home, couple or trackside")
            }
            return template
        })
    var template = FirstSettings.Template.home

    func run() throws {
        var status = stat()
        guard lstat(path, &status) != 0 else {
            SettingsOption.complain(
                "\(path): is there already. Change it with an editor, then: homegateway check; or move it away")
            throw ExitCode(1)
        }
        var questions = SettingsQuestions(FirstSettings(template), passwordFile: path + ".broker-password")
        guard questions.askAll() else {
            SettingsOption.complain("the questions were not answered to the end: nothing was written")
            throw ExitCode(1)
        }
        do throws(NewFile.Fault) {
            if let password = questions.password {
                try Self.write(password + "\n", to: questions.passwordFile)
            }
            try Self.write(questions.settings.text, to: path)
        } catch {
            SettingsOption.complain(error.description)
            throw ExitCode(1)
        }
        Shown.line("\(path): written")
        let settings = try GatewaySettings.loadWithoutDevices(path: path)
        for line in SettingsAdvice.lines(for: settings, known: KnownPlaces(of: settings)) { Shown.line(line) }
        Self.showWhatIsMissing(in: settings)
        Shown.line(
            "Next: homegateway check, then homegateway devices scan, then systemctl enable --now homegateway")
    }

    /// Persons without calls for help yet, or without a way to cancel in reach: an installer must not leave before.
    private static func showWhatIsMissing(in settings: GatewaySettings) {
        let agreements = CallAgreements(of: settings.persons, after: [], at: Clock.wall())
        for person in settings.persons {
            if let calls = agreements.finding(for: person) { Shown.line(calls.sentence) }
            let cancel = CancelWays(of: person, wearables: settings.wearables, house: settings.house)
            for line in cancel.lines where cancel.areOutOfReach && line.hasPrefix("PROBLEM") {
                Shown.line(line)
            }
        }
    }

    /// A new file for root and the group of the gateway.
    private static func write(_ text: String, to path: String) throws(NewFile.Fault) {
        try NewFile(path, mode: 0o640, group: "homegateway").write(Array(text.utf8))
    }
}
