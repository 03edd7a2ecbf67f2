import ArgumentParser
import ControlContract
import ControlLink
import ControlSocket
import GatewayModel
import Hub
import RunBeacon
import RunFiles
import Settings
import SettingsReading
import Vault

/// `homegateway standings`
struct StandingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "standings",
        abstract: "Show the standings of a run.",
        discussion: """
            Without PASSINGS, it reads the passings of this box from the disk, whether the
            gateway runs or not. With PASSINGS, it reads exports of this box or of others:
            homegateway passings export. A passing in several exports counts once; in a
            merged list, a backup of another passing does not count.

            Corrections by hand of this box count (homegateway race correct), but not with
            --run-file.

              homegateway standings --run spring-10k --category w40
              homegateway standings --run-file spring.toml start.csv finish.csv --by net

            With --as PARTY it also shows the heart rate and the energy expended of the
            runner. The run file has to name the runner's person in the settings, and that
            person must have granted these readings to the third party.

              homegateway standings --run spring-10k --bib 17 --as wife

            Exit code: 0; 1 the gateway does not answer; 66 there is no such run; 69 the
            passings cannot be read; 78 the settings or the run file are wrong.
            """)

    @Argument(help: ArgumentHelp("Exports of passings.", valueName: "passings"))
    var exports: [String] = []

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp("The run; needed if there are several.", valueName: "id"))
    var only: String?

    @Option(
        name: .customLong("run-file"),
        help: ArgumentHelp("The run file, instead of one in the folder of the settings.", valueName: "file"))
    var runFile: String?

    @Option(name: .long, help: "Only runners of this category, ranked among themselves.")
    var category: String?

    @Option(name: .long, help: "Only this runner.", transform: Self.runner)
    var bib: Bib?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "With --bib: also the readings that this third party may see.", valueName: "party"))
    var party: String?

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @Option(
        name: .customLong("by"),
        help: "gun (from the start of the wave) or net (from the runner's own start).",
        transform: Self.basis)
    var basis = StandingsBasis.gun

    @Flag(name: .long, help: "Also the times at each checkpoint, by gun or net time as the ranks.")
    var splits = false

    @Flag(name: .long, help: "Print them again after each change, until Ctrl-C.")
    var watch = false

    @OptionGroup var file: SettingsOption

    func validate() throws {
        if party != nil, bib == nil { throw ValidationError("--as needs --bib: name the runner") }
    }

    func run() async throws {
        let (run, left) = try theRun()
        if let bib, run.participant(bib) == nil, !left.contains(bib) {
            throw ValidationError("bib \(bib) is not in the run \(run.id)")
        }
        var told: [String] = []
        repeat {
            let (lines, news) = try lines(of: run, leftByNow(run.id) ?? left)
            if news != told {
                if !told.isEmpty { Shown.line("") }
                for line in lines { Shown.line(line) }
                told = news
            }
            if watch { try await Task.sleep(for: .seconds(1)) }
        } while watch
    }

    /// Returns the lines, and the same lines without ages: a greater age alone is no change.
    private func lines(of run: Run, _ left: Set<Bib>) throws -> (lines: [String], news: [String]) {
        var standings = Standings(run)
        for bib in left { standings.leave(bib) }
        var strangers = 0
        let own = try passings().filter { $0.run == run.id }
        let corrections = try corrections(of: run.id)
        for passing in corrections.corrected(own, of: run) {
            if standings.add(passing) == .unknown { strangers += 1 }
        }
        for (bib, mark) in corrections.marks { standings.mark(bib, as: mark) }
        if let category, !standings.categories.contains(category) {
            throw ValidationError(
                "'\(Shown.text(category))' is no category of \(run.id); it has "
                    + Shown.list(standings.categories, orElse: "none"))
        }
        let rows = standings.table(category: category, by: basis).filter { bib == nil || $0.bib == bib }
        let (vitals, positions) = (try vitals(in: run), try positions(in: run))
        let table = StandingsLines(
            rows: rows, points: standings.points, showsSplits: splits, basis: basis)
        let notes =
            strangers == 0
            ? [] : ["\(strangers) passings of bibs or checkpoints that the run does not have were left out"]
        let byHand =
            corrections.all.isEmpty
            ? [] : ["corrections by hand: \(corrections.all.count); see: homegateway race corrections"]
        func lines(_ vitals: RunnerVitals?, _ positions: [PositionRow]) -> [String] {
            if json {
                return [
                    ExportJSON.text(
                        StandingsDocument(run.id, by: basis, rows, points: standings.points, vitals))
                ]
            }
            return ["\(Shown.text(run.title, most: 100)) (\(run.id)), by \(basis.rawValue) time"] + table.lines
                + (vitals?.lines ?? []) + notes + byHand
                + (positions.isEmpty ? [] : ["", "by their positions:"] + PositionTable(rows: positions).lines)
        }
        return (lines(vitals, positions), lines(vitals?.ageless, positions.map(\.ageless)))
    }

    /// Returns nil where the command does not ask for vital signs.
    private func vitals(in run: Run) throws -> RunnerVitals? {
        guard let bib, let party else { return nil }
        return try GatewaySocket(settings: file.config).answer(
            to: Verb.RunnerVitals(run: run.id, bib: bib, for: try ControlField.party.id(party))
        ).document
    }

    /// Corrections at this box; none for a run file of elsewhere.
    private func corrections(of run: RunID) throws -> RaceCorrections {
        guard runFile == nil else { return RaceCorrections() }
        return RaceCorrections(try file.loadCorrections().corrections.filter { $0.run == run })
    }

    private func passings() throws -> [Passing] {
        guard !exports.isEmpty else { return try file.loadPassings().passings }
        do throws(PassingFile.Unusable) {
            var listed: [MergedPassing] = []
            for path in exports { listed += try PassingFile.read(path) }
            return listed.counting
        } catch {
            SettingsOption.complain(error.description)
            throw ExitCode.unavailable
        }
    }

    private static func runner(_ text: String) throws -> Bib {
        guard let bib = Int(text).flatMap({ Bib($0) }) else {
            throw ValidationError(
                "'\(Shown.text(text))' is no bib; expected \(Bib.range.lowerBound) to \(Bib.range.upperBound)")
        }
        return bib
    }

    private static func basis(_ text: String) throws -> StandingsBasis {
        guard let basis = StandingsBasis(rawValue: text) else {
            throw ValidationError("'\(Shown.text(text))' is no basis for ranks; expected gun or net")
        }
        return basis
    }

    // MARK: Which run

    /// Returns the run, and the runners that have left it by a command.
    private func theRun() throws -> (Run, Set<Bib>) {
        let id: RunID? = try only.map(NameArgument.parse)
        let book = try runFile == nil ? file.runs(of: try file.loadWithoutDevices()).book : nil
        let runs = try runFile.map { [try read($0)] } ?? book?.sorted ?? []
        let fitting = runs.filter { id == nil || $0.id == id }
        guard let run = fitting.first else {
            SettingsOption.complain(
                "there is no run\(id.map { " '\($0)'" } ?? ""); there is "
                    + Shown.list(runs.map(\.id.text), orElse: "none: see homegateway runs check"))
            throw ExitCode.noInput
        }
        guard fitting.count == 1 else {
            throw ValidationError(
                "there are several runs, name one with --run: \(Shown.list(fitting.map(\.id.text)))")
        }
        return (run, book?.left(run.id) ?? [])
    }

    /// Returns the runners that have left since `--watch` began; nil where that is unknown.
    private func leftByNow(_ run: RunID) throws -> Set<Bib>? {
        guard watch, runFile == nil else { return nil }
        let directory = try file.loadWithoutDevices().gateway.stateDirectory
        let kept = try? CommandedRunsFile(stateDirectory: directory).peek()
        return kept.map { RunCatalog(commanded: $0).left(run) }
    }

    private func read(_ path: String) throws -> Run {
        do throws(SettingsError) {
            return try RunFile(path: path, course: CourseFile.reader).run
        } catch {
            SettingsOption.complain(error.description)
            throw ExitCode.settingsWrong
        }
    }
}

extension ExitCode {
    /// EX_NOINPUT: the named run does not exist.
    fileprivate static let noInput = ExitCode(66)
}

extension StandingsCommand {
    /// Returns the positions between the checkpoints that the running gateway knows. Empty where no gateway runs, and
    /// for passings of other boxes.
    func positions(in run: Run) throws -> [PositionRow] {
        guard exports.isEmpty, runFile == nil, !json else { return [] }
        guard var client = try? GatewaySocket(settings: file.config).client(),
            let rows = try? client.ask(Verb.Positions(in: run.id)).document
        else { return [] }
        let asked = run.participants.filter {
            (category == nil || $0.category == category) && (bib == nil || $0.bib == bib)
        }
        let bibs = Set(asked.map(\.bib.number))
        return rows.filter { bibs.contains($0.bib) }
    }
}
