import ArgumentParser
import GatewayModel
import RealTime
import RunBeacon
import Settings
import Vault

/// `homegateway runs list`
struct RunsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Say which runs there are, how far they are, and where this box stands in them.",
        discussion: "Where no gateway runs, the files are read, and what commands have left.")

    @OptionGroup var file: SettingsOption

    func run() throws {
        try file.tellRuns(ControlRequest(.runs)) { $0.lines }
    }
}

/// `homegateway runs show`
struct RunsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Say all that is known of one run.")

    @Argument(help: ArgumentHelp("Its id.", valueName: "id"))
    var id: String

    @Flag(name: .long, help: "Its runners, too, by their names.")
    var runners = false

    @OptionGroup var file: SettingsOption

    func run() throws {
        let request = ControlRequest(.runs, subject: id, kind: runners ? ControlRequest.runners : nil)
        try file.tellRuns(request) { table in
            guard let run = RunID(id).flatMap({ table.book.runs[$0] }) else {
                SettingsOption.complain("there is no run '\(Shown.text(id))': see homegateway runs list")
                throw ExitCode(1)
            }
            return table.lines(of: run, listsRunners: runners)
        }
    }
}

extension SettingsOption {
    /// What the running gateway says; where there is none, what one would say that started now.
    fileprivate func tellRuns(_ request: ControlRequest, offline: (RunTable) throws -> [String]) throws {
        let settings = try loadWithoutDevices()
        let reply: ControlReply
        do {
            var client = try ControlClient(path: settings.gateway.controlSocket)
            reply = try client.ask(request)
        } catch {
            Self.complain("\(error); this is what one would find that started now:")
            return try offline(try runs(of: settings)).forEach(Shown.line)
        }
        for line in reply.lines { if reply.isDone { Shown.line(line) } else { Self.complain(line) } }
        guard reply.isDone else { throw ExitCode(1) }
    }

    /// What a gateway would find that started now.
    func runs(of settings: GatewaySettings) throws -> RunTable {
        let folder = RunFolder(path: settings.race.runsDirectory, course: CourseFiles.reader)
        let kept: CommandedRuns?
        do throws(DiskFailure) {
            kept = try CommandedRunsFile(stateDirectory: settings.gateway.stateDirectory).peek()
        } catch {
            Self.complain("what commands have left is not known: \(error)")
            kept = nil
        }
        var book = RunBook(
            commanded: kept ?? CommandedRuns(), keeping: settings.boxKeptFromCommands, of: settings.gateway.id)
        let content = folder.read()
        for line in content.errors.flatMap(\.lines) { Self.complain(line) }
        book.replaceFiles(
            content.files.map(\.plan), with: folder.materials(of: content.files, and: book),
            at: Clock.wall())
        return RunTable(book: book, gateway: settings.gateway.id, now: Clock.wall())
    }
}
