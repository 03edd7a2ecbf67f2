import ArgumentParser
import ControlContract
import GatewayModel
import Hub
import RunBeacon
import Settings
import Vault

/// `homegateway race correct`
struct RaceCorrect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "correct",
        abstract: "Correct the results of a run by hand.",
        discussion: """
            A correction changes the results and not the log of passings. It is kept with
            its author, time and reason.

              homegateway race correct --run spring-10k --bib 17 --add finish \\
                  --time 2026-05-10T10:23:45+02:00 --by Anna --reason "seen on the video"
              homegateway race correct --run spring-10k --bib 17 --mark dnf --by Anna \\
                  --reason "stopped at the bridge"
              homegateway race correct --run spring-10k --bib 17 --undo 3 --by Anna \\
                  --reason "wrong bib"

            Exit code: 0; 1 the gateway does not answer, or refuses.
            """)

    @OptionGroup var gateway: GatewayOption

    @Option(
        name: .customLong("run"), help: ArgumentHelp("The run.", valueName: "id"), transform: NameArgument.parse
    )
    var race: RunID

    @Option(name: .long, help: "The runner.", transform: Self.runner)
    var bib: Bib

    @Option(name: .long, help: ArgumentHelp("Add a passing of this checkpoint.", valueName: "checkpoint"))
    var add: String?

    @Option(name: .long, help: "With --add: the time, with its offset from UTC.")
    var time: String?

    @Option(name: .long, help: "With --add: number of the passing at the checkpoint.")
    var order = 1

    @Option(name: .customLong("bound-ms"), help: "With --add: error of the time in 95 of 100 cases.")
    var bound = RaceCorrection.usualBound

    @Option(
        name: .long,
        help: ArgumentHelp("Strike this passing: its id, as standings --json has it.", valueName: "passing"))
    var strike: String?

    @Option(name: .long, help: "Mark the runner: dns, dnf or dsq.")
    var mark: String?

    @Option(name: .long, help: ArgumentHelp("Undo this correction.", valueName: "number"))
    var undo: Int?

    @Option(name: .long, help: "The reason.")
    var reason: String

    @Option(name: .long, help: "The author, for the log.")
    var by: String

    private static func runner(_ text: String) throws -> Bib {
        guard let bib = Int(text).flatMap({ Bib($0) }) else {
            throw ValidationError(
                "'\(Shown.text(text))' is no bib; expected \(Bib.range.lowerBound) to \(Bib.range.upperBound)")
        }
        return bib
    }

    func validate() throws {
        guard [add, strike, mark, undo.map { "\($0)" }].count(where: { $0 != nil }) == 1 else {
            throw ValidationError("saw none or several, expected one of --add, --strike, --mark and --undo")
        }
        _ = try act()
    }

    private func act() throws -> RaceCorrection.Act {
        if let add {
            guard let checkpoint = CheckpointID(add) else {
                throw ValidationError("--add: saw '\(Shown.text(add))', expected \(CheckpointID.form)")
            }
            guard let time = time.flatMap({ WallTime(rfc3339: $0) }) else {
                throw ValidationError("--time: expected \(WallTime.rfc3339Form)")
            }
            guard RaceCorrection.bounds.contains(bound), order > 0 else {
                throw ValidationError(
                    "--bound-ms: saw \(bound), expected \(RaceCorrection.bounds.lowerBound) to "
                        + "\(RaceCorrection.bounds.upperBound); --order counts from 1")
            }
            return .add(checkpoint, order: order, time: time, bound: bound)
        }
        if let strike {
            guard let id = MessageID(strike) else {
                throw ValidationError(
                    "--strike: saw '\(Shown.text(strike))', expected the id of a passing; see: homegateway standings "
                        + "--json")
            }
            return .strike(id)
        }
        if let undo { return .undo(undo) }
        guard let mark = mark.flatMap({ RaceCorrection.Mark(rawValue: $0) }) else {
            throw ValidationError(
                "--mark: saw '\(Shown.text(mark ?? ""))', expected "
                    + RaceCorrection.Mark.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return .mark(mark)
    }

    func run() throws {
        let edit = try Verb.CorrectRace(try act(), of: bib, in: race, reason: reason, by: by)
        try gateway.ask(edit)
    }
}

/// `homegateway race corrections`
struct RaceCorrectionList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "corrections",
        abstract: "List the corrections of the results, from the disk.",
        discussion: """
            Works whether the gateway runs or not, and verifies the log.

            Exit code: 0; 1 the log was changed after it was written; 69 it cannot be read.
            """)

    @OptionGroup var file: SettingsOption

    @Option(name: .customLong("run"), help: ArgumentHelp("Only of this run.", valueName: "id"))
    var only: String?

    @Flag(name: .long, help: "Print one JSON list.")
    var json = false

    func run() throws {
        let id: RunID? = try only.map(NameArgument.parse)
        let report = try file.loadCorrections()
        let runs = Dictionary(grouping: report.corrections, by: \.run).mapValues { RaceCorrections($0) }
        let shown = report.corrections.filter { id == nil || $0.run == id }
        let rows = shown.map { correction in
            (
                correction.run,
                RaceDocument.Correction(correction, counts: runs[correction.run]?.counts(correction) ?? true)
            )
        }
        if json {
            Shown.line(ExportJSON.text(rows.map { Row(run: $0.text, correction: $1) }))
        } else {
            let heading = ["RUN", "NUMBER", "BIB", "ACT", "BY", "AT", "REASON"]
            let cells = rows.map { run, row in
                [
                    run.text, "\(row.number)", "\(row.bib)", Self.words(row), Shown.text(row.by),
                    WallTime(millisecondsSince1970: row.at).inHouse, Shown.text(row.reason, most: 120),
                ]
            }
            for line in rows.isEmpty ? ["no corrections"] : Shown.table([heading] + cells) { Shown.line(line) }
        }
        guard report.flaws.isEmpty else {
            for flaw in report.flaws.prefix(10) { SettingsOption.complain("corrections.jsonl: \(flaw)") }
            throw ExitCode.failure
        }
    }

    private struct Row: Encodable {
        let run: String
        let correction: RaceDocument.Correction
    }

    private static func words(_ row: RaceDocument.Correction) -> String {
        let act =
            switch row.act {
            case "add":
                "add \(row.checkpoint ?? "") \(row.order ?? 1) "
                    + (row.time.map { WallTime(millisecondsSince1970: $0).inHouse } ?? "")
            case "strike": "strike \(row.passing ?? "")"
            case "undo": "undo \(row.undoes ?? 0)"
            default: row.act
            }
        return row.counts ? act : act + " (undone)"
    }
}
