import ArgumentParser
import GatewayModel
import Hub
import RealTime
import RunBeacon
import Settings

/// `homegateway runs check`
struct RunsCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Judge run files before the race: all that is wrong, with its line.",
        discussion: """
            Without FILE, all that the settings' folder holds; with sudo, as the service's
            user sees it, who may read less than root. A start list, a course and the keys
            of tags are looked for beside each file. Nothing is changed, and no gateway is
            asked.

            Exit code: 0 all is well, 78 something is wrong.
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
        tell(files, settings)
        guard errors.isEmpty else { throw ExitCode.settingsWrong }
    }

    private var named: ([RunFile], [SettingsError]) {
        var (files, errors): ([RunFile], [SettingsError]) = ([], [])
        for path in paths {
            do throws(SettingsError) {
                files.append(try RunFile(path: path, course: CourseFiles.reader))
            } catch {
                errors.append(error)
            }
        }
        return (files, errors)
    }

    private func folder(_ settings: GatewaySettings?) throws -> ([RunFile], [SettingsError]) {
        guard let settings else {
            // Tells what is wrong with them.
            _ = try file.loadWithoutDevices()
            return ([], [])
        }
        let folder = RunFolder(path: settings.race.runsDirectory, course: CourseFiles.reader)
        for name in folder.misnamed {
            SettingsOption.complain(
                "\(folder.path)/\(name): is not looked at, for the name of a run file ends in \(RunFile.ending) (warning)"
            )
        }
        let content = folder.read()
        if content.files.isEmpty, content.errors.isEmpty {
            Shown.line("\(settings.race.runsDirectory): no file there ends in \(RunFile.ending)")
        }
        return (content.files, content.errors)
    }

    /// The table of what was read; what this box does in it where the settings say which it is.
    private func tell(_ files: [RunFile], _ settings: GatewaySettings?) {
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
                "\(run.id): this box (\(own)) stands at none of its checkpoints and times nobody (warning)"
            )
        }
    }

    /// Dates that are likely a slip of the pen.
    private static func warnings(about run: Run, _ now: WallTime) -> [String] {
        [
            run.end <= now
                ? "is over since \(run.end.inHouse), and nobody is timed in it; correct its dates if it is to come"
                : nil,
            run.length >= Run.longest
                ? "lasts \(run.length.wholeDays) days, and whoever is in it is timed all the while; correct one of its dates"
                : nil,
        ].compactMap(\.self)
    }
}
