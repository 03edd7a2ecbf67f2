import ArgumentParser
import ControlContract
import GatewayModel
import Hub
import Settings
import SettingsReading

/// `homegateway explain`
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a health code: its meaning, its risk, its remedy and its end.",
        discussion: """
            Without CODE it lists all codes, one a line. 'homegateway status' shows the
            codes that hold now. No gateway needs to run.
            """)

    @Argument(
        help: ArgumentHelp("A code, as 'homegateway status' shows it.", valueName: "code"),
        completion: .list(HealthCode.allCases.map(\.rawValue)))
    var code: String?

    @Flag(help: "Print all pages as one Markdown document.")
    var markdown = false

    func validate() throws {
        guard code == nil || !markdown else {
            throw ValidationError("Expected a code or --markdown, not both.")
        }
        if let code, HealthCode(rawValue: code) == nil {
            let near = Self.nearest(to: code).joined(separator: ", ")
            throw ValidationError(
                "'\(code)' is no health code. \(near.isEmpty ? "" : "Near it: \(near). ")"
                    + "All codes: homegateway explain")
        }
    }

    func run() {
        guard !markdown else {
            StandardStream.output.write(String(RunbookPage.document.dropLast()))
            return
        }
        guard let code = code.flatMap(HealthCode.init) else {
            for line in Shown.table(HealthCode.allCases.map { RunbookPage($0).summary }) { Shown.line(line) }
            return
        }
        for line in RunbookPage(code).lines() { Shown.line(line) }
    }

    /// Returns the codes that a mistyped one may mean, the nearest first: few typing mistakes, or a common word.
    static func nearest(to written: String) -> [String] {
        let known = HealthCode.allCases.map(\.rawValue)
        if let near = NearestName.to(written, among: known) { return [near] }
        let words = Set(written.lowercased().split { !$0.isLetter })
        let ranked = known.map {
            (code: $0, common: words.intersection($0.split(separator: "-").map(Substring.init)).count)
        }
        .filter { $0.common > 0 }
        let best = ranked.map(\.common).max() ?? 0
        return ranked.filter { $0.common == best }.map(\.code)
    }
}
