import ArgumentParser
import GatewayModel
import Hub
import RunBeacon

/// `homegateway passings merge`
struct PassingsMerge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Make one list of the exports of several boxes.",
        discussion: """
            Two passings of one bib at one checkpoint of one run, timed by different boxes,
            are one where their times lie within the sum of their bounds, or within 5 s. The
            surer one counts; the other stays, with its id in backup_of. Where the boxes
            disagree, disputes says in what: look at both. The order of the files makes no
            difference. A merged list may be merged again, with the export of another box.
            """)

    @Argument(help: ArgumentHelp("Exports, CSV or JSON.", valueName: "file"))
    var files: [String]

    @Option(name: .long, help: "csv (one line a passing) or json (an array of objects).")
    var format = PassingsCommand.Format.csv

    func validate() throws {
        guard files.count >= 2 else {
            throw ValidationError("give two exports at least: there is nothing to merge")
        }
    }

    func run() throws {
        var listed: [MergedPassing] = []
        var isUsable = true
        for file in files {
            do throws(PassingFile.Unusable) {
                listed += try PassingFile.read(file)
            } catch {
                SettingsOption.complain(error.description)
                isUsable = false
            }
        }
        guard isUsable else { throw ExitCode(1) }
        let merged = PassingMerge.merge(listed)
        try format.write(merged.map(PassingRow.init))
        let disputed = merged.count { $0.backupOf == nil && !$0.disputes.isEmpty }
        guard disputed > 0 else { return }
        SettingsOption.complain("of \(disputed) passings the boxes disagree: see the column disputes")
    }
}
