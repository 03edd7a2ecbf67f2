import ArgumentParser
import ControlSocket
import GatewayModel
import Hub
import RealTime
import RunBeacon
import Settings
import SettingsService
import Vault

/// `homegateway runs list`
struct RunsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Say which runs there are, how far they are, and where this box stands in them.",
        discussion: "Where no gateway runs, the files are read, and what commands have left.")

    @OptionGroup var gateway: GatewayOption

    func run() throws {
        try gateway.tellRuns(ControlRequest(.runs)) { $0.lines }
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

    @OptionGroup var gateway: GatewayOption

    func run() throws {
        let request = ControlRequest(.runs, subject: id, kind: runners ? ControlRequest.runners : nil)
        try gateway.tellRuns(request) { table in
            guard let run = RunID(id).flatMap({ table.book.runs[$0] }) else {
                SettingsOption.complain("there is no run '\(Shown.text(id))': see homegateway runs list")
                throw ExitCode(1)
            }
            return table.lines(of: run, listsRunners: runners)
        }
    }
}

extension GatewayOption {
    /// What the running gateway says; where there is none, what one would say that started now.
    fileprivate func tellRuns(_ request: ControlRequest, offline: (RunTable) throws -> [String]) throws {
        let reply: ControlReply
        do {
            var client = try place.client()
            reply = try client.ask(request)
        } catch {
            SettingsOption.complain("\(error); this is what one would find that started now:")
            var file = SettingsOption()
            file.config = config ?? GatewaySettings.standardFile
            return try offline(try file.runs(of: try file.loadWithoutDevices())).forEach(Shown.line)
        }
        for line in reply.lines { if reply.isDone { Shown.line(line) } else { SettingsOption.complain(line) } }
        guard reply.isDone else { throw ExitCode(1) }
    }
}

extension SettingsOption {

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
        var book = RunCatalog(
            commanded: kept ?? CommandedRuns(), keeping: settings.boxKeptFromCommands, of: settings.gateway.id)
        let content = folder.read()
        for line in content.errors.flatMap(\.lines) { Self.complain(line) }
        book.replaceFiles(
            content.files.map(\.plan), with: folder.materials(of: content.files, and: book),
            at: Clock.wall())
        return RunTable(book: book, gateway: settings.gateway.id, now: Clock.wall())
    }
}
