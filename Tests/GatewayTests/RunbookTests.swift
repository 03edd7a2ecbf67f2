import ArgumentParser
import Foundation
import GatewayModel
import TestSupport
import Testing

@testable import Commands
@testable import HomeGateway

/// The pages of `homegateway explain`, and the document that they make.
@Suite struct `The runbook` {
    /// Programs of the system that a page may name as the first word of a command.
    private static let programs: Set<String> = [
        "aplay", "bluetoothctl", "df", "espeak-ng", "findmnt", "gpioinfo", "gpspipe", "ip", "ls", "rfkill",
        "systemctl", "timedatectl", "upower",
    ]
    private static let programsOfRoot: Set<String> = ["dmesg", "journalctl", "ls", "rfkill", "systemctl"]

    private static func words(_ command: String) -> [String] {
        command.split(separator: " ").map(String.init)
    }

    /// Values for the words in capitals.
    private static let values = ["ID": "maria", "NAME": "maria", "TAG": "C0:FF:EE:00:00:01"]

    private struct NoCommand: Error {}

    /// Parses one command of this program; throws as the command line does.
    private static func parse(_ words: [String]) throws {
        let command = try HomeGatewayCommand.parseAsRoot(words.map { values[$0] ?? $0 })
        // A group of commands alone does nothing but print its help.
        guard type(of: command).configuration.subcommands.isEmpty else { throw NoCommand() }
    }

    @Test(arguments: HealthCode.allCases)
    func `has a whole page for each health code`(code: HealthCode) {
        let page = RunbookPage(code)
        let content = code.runbookContent
        for text in [content.meaning, content.works, content.fails, content.ends, page.remedy] {
            #expect(text.hasSuffix(".") && !text.contains("  ") && text.count > 12, "\(code): \(text)")
        }
        let lines = page.lines()
        #expect(lines.first == "\(code.rawValue): \(code.declaration.title.en)")
        #expect(lines.allSatisfy { $0.count <= 120 })
        for heading in ["Meaning", "Still works", "Fails, and the risk", "Look", "Remedy", "End", "Shown by"] {
            #expect(lines.contains(heading), "\(code)")
        }
    }

    @Test func `has no page twice`() {
        let meanings = Set(HealthCode.allCases.map { $0.runbookContent.meaning })
        #expect(meanings.count == HealthCode.allCases.count)
    }

    /// The commands of the tables, and those inside of sentences.
    @Test(arguments: HealthCode.allCases)
    func `names commands that the programs have`(code: HealthCode) throws {
        let page = RunbookPage(code)
        #expect(page.looks.count >= 2)
        for look in page.looks {
            var words = Self.words(look.command)
            let isRoot = words.first == "sudo"
            if isRoot { words.removeFirst() }
            let program = try #require(words.first)
            switch program {
            case "homegateway":
                if words == ["homegateway", "--version"] { continue }
                #expect(throws: Never.self, "\(look.command)") { try Self.parse(Array(words.dropFirst())) }
            default:
                #expect(
                    Self.programs.contains(program) || isRoot && Self.programsOfRoot.contains(program),
                    "\(program)")
            }
        }
        let content = code.runbookContent
        let sentences = [content.meaning, content.works, content.fails, content.ends, page.remedy].joined(
            separator: " ")
        for command in Self.commands(in: sentences) {
            #expect(throws: Never.self, "\(command)") { try Self.parse(command) }
        }
    }

    @Test func `finds commands in sentences`() {
        let text =
            "compare homegateway devices list with `homegateway devices battery ID`. Update homegateway, then: "
            + "homegateway consent accept --person NAME data-policy. It is homegateway devises list; homegateway check."
        #expect(
            Self.commands(in: text) == [
                ["devices", "list"], ["devices", "battery", "ID"],
                ["consent", "accept", "--person", "NAME", "data-policy"], ["devises", "list"], ["check"],
            ])
        #expect(throws: (any Error).self) { try Self.parse(["devises", "list"]) }
        #expect(throws: (any Error).self) { try Self.parse(["devices"]) }
    }

    /// Commands of this program inside of sentences: the word `homegateway`, then words until the sentence goes on.
    private static func commands(in text: String) -> [[String]] {
        let tokens = text.split(separator: " ").map(String.init)
        return tokens.indices.compactMap { index -> [String]? in
            guard tokens[index].drop(while: { $0 == "`" }) == "homegateway" else { return nil }
            // After `systemctl restart`, it is the unit.
            if index > 0, tokens[index - 1] == "restart" { return nil }
            var command: [String] = []
            for token in tokens[(index + 1)...] {
                let word = token.filter { !"`.,;:".contains($0) }
                let isPlaceholder = word.allSatisfy { $0.isUppercase }
                let isName = word.allSatisfy { $0.isLowercase || $0 == "-" }
                guard (isPlaceholder || isName) && !prose.contains(word) else { break }
                command.append(word)
                if word != token.drop(while: { $0 == "`" }) { break }
            }
            return command
        }
    }

    /// Words that go on with a sentence after a command.
    private static let prose: Set<String> = ["with", "or", "and"]

    @Test func `is docs/installer/runbook.md`() throws {
        let isWhole =
            try String(
                contentsOf: Repository.root.appending(path: "docs/installer/runbook.md"), encoding: .utf8)
            == RunbookPage.document
        #expect(isWhole, "write it again: make runbook")
    }

    @Test func `names the nearest codes of an unknown one`() async throws {
        #expect(ExplainCommand.nearest(to: "batery-low") == ["battery-low"])
        #expect(ExplainCommand.nearest(to: "desk") == ["desk-unattended"])
        #expect(
            ExplainCommand.nearest(to: "broker") == [
                "broker-unreachable", "broker-refused", "broker-session-taken", "broker-misbehaves",
            ])
        #expect(ExplainCommand.nearest(to: "xyz").isEmpty)
        let answer = try await BuiltProgram.run(["explain", "batery-low"])
        #expect(answer.code == 64)
        #expect(answer.errors.contains("'batery-low' is no health code. Near it: battery-low."))
    }

    @Test func `lists each code in one line, and prints a page`() async throws {
        let list = try await BuiltProgram.run(["explain"])
        let lines = list.output.split(separator: "\n")
        #expect(list.code == 0 && lines.count == HealthCode.allCases.count)
        #expect(zip(lines, HealthCode.allCases).allSatisfy { $0.hasPrefix($1.rawValue) })
        let page = try await BuiltProgram.run(["explain", "battery-low"])
        #expect(page.code == 0)
        #expect(page.output == RunbookPage(.batteryLow).lines().joined(separator: "\n"))
    }
}
