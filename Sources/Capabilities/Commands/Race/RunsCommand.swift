import ArgumentParser
import ControlContract
import ControlLink
import ControlSocket
import GatewayModel
import Hub
import RealTime
import RunBeacon
import RunFiles
import Settings
import SettingsReading
import Vault

/// `homegateway runs …`
struct RunsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runs",
        abstract: "List the runs that the box times, and check run files before the race.",
        discussion: """
            A run:
              1. write /etc/homegateway/runs.d/NAME.toml, and the start list beside it
              2. homegateway runs check     its mistakes, before the race
              3. homegateway runs reload    the running gateway uses it
              4. homegateway runs list      the runs and their times

            docs/organiser/runs.md describes the run file.
            """,
        subcommands: [RunsList.self, RunsShow.self, RunsCheck.self, RunsReload.self])
}

/// `homegateway runs reload`
struct RunsReload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Let the running gateway read the run files again.",
        discussion: """
            After a mistake in one of them the gateway continues as before. A runner that
            has left a run by a command stays out, even if a file still lists the runner.
            """)

    @OptionGroup var gateway: GatewayOption

    func run() throws {
        try gateway.ask(Verb.ReloadRuns())
    }
}

/// `homegateway runs list`
struct RunsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the runs with their states and with the checkpoint of this box.",
        discussion: "Without a running gateway, it reads the run files and the saved commands.")

    @OptionGroup var gateway: GatewayOption
    @OptionGroup var format: JSONOption

    func run() throws {
        try gateway.printRuns(Verb.Runs(run: nil), as: format) { $0.reply }
    }
}

/// `homegateway runs show`
struct RunsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one run.")

    @Argument(help: ArgumentHelp("Its id.", valueName: "id"), transform: NameArgument.parse)
    var id: RunID

    @Flag(name: .long, help: "List its runners with their names.")
    var runners = false

    @OptionGroup var gateway: GatewayOption
    @OptionGroup var format: JSONOption

    func run() throws {
        let request = Verb.Runs(run: id, listsRunners: runners)
        try gateway.printRuns(request, as: format) { table in
            guard let run = table.book.runs[id] else {
                SettingsOption.complain("there is no run '\(id)': see homegateway runs list")
                throw ExitCode(1)
            }
            return table.reply(about: run, listsRunners: runners)
        }
    }
}

extension GatewayOption {
    /// Prints the answer of the running gateway; without one, the answer that a gateway would give if it started now.
    fileprivate func printRuns(
        _ request: Verb.Runs, as format: JSONOption, offline: (RunTable) throws -> ControlReply<[RunRow]>
    ) throws {
        let reply: ControlReply<[RunRow]>
        do {
            var client = try place.client()
            reply = try client.ask(request)
        } catch {
            SettingsOption.complain("\(error); a gateway that starts now would find:")
            var file = SettingsOption()
            file.config = config ?? GatewaySettings.standardFile
            return try format.show(try offline(try file.runs(of: try file.loadWithoutDevices())))
        }
        guard reply.isDone else {
            for line in reply.lines { SettingsOption.complain(line) }
            throw ExitCode(1)
        }
        try format.show(reply)
    }
}

extension SettingsOption {

    /// Returns the runs that a gateway would find if it started now.
    func runs(of settings: GatewaySettings) throws -> RunTable {
        let folder = RunFolder(path: settings.race.runsDirectory, course: CourseFile.reader)
        let kept: CommandedRuns?
        do throws(DiskFailure) {
            kept = try CommandedRunsFile(stateDirectory: settings.gateway.stateDirectory).peek()
        } catch {
            Self.complain("runs and departures by command are unknown: \(error)")
            kept = nil
        }
        var book = RunCatalog(
            commanded: kept ?? CommandedRuns(), keeping: settings.boxKeptFromCommands, of: settings.gateway.id)
        let content = folder.read()
        for error in content.errors { Self.complain(error.description) }
        book.replaceFiles(
            content.files.map(\.plan), with: folder.materials(of: content.files, and: book),
            at: Clock.wall())
        return RunTable(book: book, gateway: settings.gateway.id, now: Clock.wall())
    }
}

/// `homegateway runs check`
struct RunsCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check run files before the race: every mistake with its line.",
        discussion: """
            Without FILE, it checks the folder of the settings; with sudo, it reads the
            folder as the service's user, which may read less than root. A start list, a
            course and the keys of tags lie beside each file. Nothing is changed, and the
            running gateway is not asked.

            Exit code: 0 no mistake, 78 a mistake.
            """)

    @Argument(help: ArgumentHelp("Run files.", valueName: "file"))
    var paths: [String] = []

    @OptionGroup var file: SettingsOption
    @OptionGroup var eyes: RunAsUserOption

    func run() throws {
        // Named files may be drafts that are still to be copied there.
        if paths.isEmpty || eyes.user != nil { try eyes.open(for: file.config) }
        let settings = try? GatewaySettings.loadWithoutDevices(path: file.config)
        let (files, errors) = try paths.isEmpty ? folder(settings) : named
        for error in errors { SettingsOption.complain(error.description) }
        for file in files {
            for warning in file.warnings { SettingsOption.complain("\(warning) (warning)") }
            Shown.line("\(file.path): the run is right")
        }
        show(files, settings)
        guard errors.isEmpty else { throw ExitCode.settingsWrong }
    }

    private var named: ([RunFile], [SettingsError]) {
        var (files, errors): ([RunFile], [SettingsError]) = ([], [])
        for path in paths {
            do throws(SettingsError) {
                files.append(try RunFile(path: path, course: CourseFile.reader))
            } catch {
                errors.append(error)
            }
        }
        return (files, errors)
    }

    private func folder(_ settings: GatewaySettings?) throws -> ([RunFile], [SettingsError]) {
        guard let settings else {
            // Prints the mistakes in the settings.
            _ = try file.loadWithoutDevices()
            return ([], [])
        }
        let folder = RunFolder(path: settings.race.runsDirectory, course: CourseFile.reader)
        for name in folder.misnamed {
            SettingsOption.complain(
                "\(folder.path)/\(name): is ignored: the name of a run file ends in \(RunFile.ending) (warning)"
            )
        }
        let content = folder.read()
        if content.files.isEmpty, content.errors.isEmpty {
            Shown.line("\(settings.race.runsDirectory): no file in it ends in \(RunFile.ending)")
        }
        return (content.files, content.errors)
    }

    /// Prints the table of the files, and the place of this box in them where the settings name the box.
    private func show(_ files: [RunFile], _ settings: GatewaySettings?) {
        guard !files.isEmpty else { return }
        var materials = RunMaterials()
        for file in files { materials.add(file.materials) }
        var book = RunCatalog(of: settings?.gateway.id)
        let now = Clock.wall()
        book.replaceFiles(files.map(\.plan), with: materials, at: now)
        guard let gateway = settings?.gateway.id ?? GatewayID("unknown") else { return }
        Shown.line("")
        for line in RunTable(book: book, gateway: gateway, now: now).lines { Shown.line(line) }
        for run in book.sorted {
            for warning in Self.warnings(about: run, now) {
                SettingsOption.complain("\(run.id): \(warning) (warning)")
            }
        }
        guard let settings else { return }
        for stranger in book.sorted.flatMap({ Self.strangers(in: $0, settings) }) {
            SettingsOption.complain("\(stranger) (warning)")
        }
        let own = settings.gateway.id
        for run in book.sorted where run.checkpoint(of: own) == nil && run.carrier(of: own) == nil {
            SettingsOption.complain(
                "\(run.id): this box (\(own)) stands at no checkpoint of it and times no runner (warning)"
            )
        }
    }

    /// Returns warnings about dates that are probably a typing mistake.
    private static func warnings(about run: Run, _ now: WallTime) -> [String] {
        [
            run.end <= now
                ? "ended at \(run.end.inHouse), no runner is timed in it; correct its dates if it is still to come"
                : nil,
            run.length >= Run.longest
                ? "lasts \(run.length.wholeDays) days, and its runners are timed all the time; correct its dates if that is wrong"
                : nil,
        ].compactMap(\.self)
    }
}

extension RunsCheck {
    /// Returns a warning for each participant with a person that this box's settings do not have.
    static func strangers(in run: Run, _ settings: GatewaySettings) -> [String] {
        let persons = Set(settings.persons.map(\.id))
        return run.participants.compactMap { participant in
            guard let person = participant.person, !persons.contains(person) else { return nil }
            return
                "\(run.id): bib \(participant.bib) is person \"\(person)\", who is none of this box's settings: no wearable "
                + "gives their position; correct the id, or name the person in the file of their own box"
        }
    }
}
