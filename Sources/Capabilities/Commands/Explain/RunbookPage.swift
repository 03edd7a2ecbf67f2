import GatewayModel
import Hub
import Notices
import Supervision

/// Page of the runbook about one health code: its meaning, its consequences, the commands to look with, the remedy, its
/// end, and the places that show it. `homegateway explain` and docs/installer/runbook.md print it.
struct RunbookPage: Sendable {
    /// Command to type, and what it shows.
    struct Look: Hashable, Sendable {
        let command: String
        let shows: String

        init(_ command: String, _ shows: String) { (self.command, self.shows) = (command, shows) }
    }

    /// Sentences that belong to one code. Everything else of a page follows from the code's declaration.
    struct Content: Sendable {
        /// Cause, with its threshold.
        let meaning: String
        let works: String
        /// Functions that are lost, and the persons at risk.
        let fails: String
        /// Beside the status and the log, which every page has.
        let look: [Look]
        /// Added to the remedy of the declaration.
        let more: String?
        let ends: String

        init(
            _ meaning: String, works: String, fails: String, look: [Look] = [], more: String? = nil,
            ends: String
        ) {
            (self.meaning, self.works, self.fails) = (meaning, works, fails)
            (self.look, self.more, self.ends) = (look, more, ends)
        }
    }

    let code: HealthCode
    private let content: Content

    init(_ code: HealthCode) { (self.code, content) = (code, code.runbookContent) }

    /// One line of the list of all codes.
    var summary: [String] { [code.rawValue, code.declaration.severity.rawValue, code.declaration.title.en] }

    var looks: [Look] {
        [
            Look("homegateway status", "the condition with its subject and its reason"),
            Look(
                "sudo journalctl -u homegateway -b | grep -C 5 \(code.rawValue)",
                "the log around its beginning and its end"),
        ] + content.look
    }

    /// Sentences of the remedy, as they are shown everywhere, and the longer advice of this page.
    var remedy: String {
        let short = "\(code.declaration.remedy)."
        return content.more.map { "\(short) \($0)" } ?? short
    }

    /// Heading and sentences of each part, in the order of a page. The commands stand between the third and the fourth.
    private var before: [(String, String)] {
        [
            ("Meaning", content.meaning), ("Still works", content.works),
            ("Fails, and the risk", content.fails),
        ]
    }

    private var after: [(String, String)] {
        [("Remedy", remedy), ("End", content.ends), ("Shown by", seen)]
    }

    private var severityWords: String {
        switch code.declaration.severity {
        case .supervision: "supervision of a person is impaired: go at once"
        case .degraded: "something does not work; emergencies are still judged"
        case .notice: "for the installer to know"
        }
    }

    /// Places that show the condition.
    private var seen: String {
        var places = ["`homegateway status`, the installer's page *Health*, and the log show it."]
        if code == .consoleUnavailable {
            places = ["`homegateway status` and the log show it. The pages cannot: they have no socket."]
        }
        if code.isSpoken { places.append("The house says it aloud within the waking hours.") }
        if code.isToldToPeople {
            places.append("When it lasts, the carers and the contacts with `notices = true` are told.")
        }
        places.append(brokerWords)
        return places.joined(separator: " ")
    }

    private var brokerWords: String {
        switch code {
        case .brokerUnreachable, .brokerSessionTaken:
            "The broker does not get it: there is no connection while it holds."
        case .nothingAccepted: "The broker does not get it: nothing is sent."
        case _ where code.isOfAWearable:
            "The status message at the broker has it if the wearer has accepted the data policy."
        default: "The status message at the broker has it, if a data policy is accepted in the house."
        }
    }

    // MARK: Forms

    /// Lines for a terminal, at most `width` characters wide where words allow it.
    func lines(width: Int = 100) -> [String] {
        var lines = [
            "\(code.rawValue): \(code.declaration.title.en)",
            "\(code.declaration.severity.rawValue): \(severityWords)",
        ]
        func add(_ heading: String, _ text: String) {
            lines += ["", heading] + Self.wrapped(Self.plain(text), width - 2).map { "  \($0)" }
        }
        for (heading, text) in before { add(heading, text) }
        lines += ["", "Look"]
        for look in looks { lines += ["  \(look.command)", "      \(look.shows)"] }
        for (heading, text) in after { add(heading, text) }
        return lines
    }

    /// Section of the document, in Markdown.
    var markdown: [String] {
        let rows = looks.map { "| `\($0.command.replacing("|", with: "\\|"))` | \($0.shows) |" }
        func paragraph(_ part: (String, String)) -> [String] { ["", "**\(part.0).** \(part.1)"] }
        return [
            "", "## `\(code.rawValue)`", "",
            "\(code.declaration.title.en). *\(code.declaration.severity.rawValue)*",
        ]
            + before.flatMap(paragraph) + ["", "| look | shows |", "|---|---|"] + rows
            + after.flatMap(paragraph)
    }

    /// The whole document docs/installer/runbook.md.
    static var document: String {
        let codes = HealthCode.allCases
        let index = codes.map { code in
            let summary = RunbookPage(code).summary
            return "| [`\(summary[0])`](#\(summary[0])) | \(summary[1]) | \(summary[2]) |"
        }
        let head = [
            "# Runbook", "",
            "A page for each health code: `homegateway explain CODE` prints the same. A word in capitals stands for your own value,",
            "such as the ID of a person or of a wearable. The code of the gateway declares these",
            "pages; `make runbook` writes this file, and a test compares the two.", "",
            "| code | severity | title |",
            "|---|---|---|",
        ]
        let lines = head + index + codes.flatMap { RunbookPage($0).markdown }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Without the marks of Markdown.
    private static func plain(_ text: String) -> String {
        String(text.filter { $0 != "`" && $0 != "*" })
    }

    private static func wrapped(_ text: String, _ width: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + word.count < width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
