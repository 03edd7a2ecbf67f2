import Consent
import Foundation
import GatewayModel
import ModelSamples
import Samples
import Testing

@testable import Vault

@Suite struct `A ledger that was tampered with` {
    /// - Returns: the flaws that verifying finds. Opening must find the same, and set the ledger aside.
    private func found(_ change: (LedgerDirectory) throws -> Void) throws -> [LedgerFlaw] {
        let rig = try LedgerDirectory()
        try rig.fill()
        #expect(try rig.flaws.isEmpty)
        try change(rig)
        let flaws = try rig.flaws
        let tampered = try? Data(contentsOf: rig.ledger)
        try rig.open()
        if flaws.isEmpty {
            #expect(rig.found.entries == rig.consent.entries, "nothing found, and something changed")
            return []
        }
        guard case .damage(let seen, _, let aside) = rig.found else {
            Issue.record("the gateway takes what verifying refuses: \(flaws)")
            return flaws
        }
        #expect(seen == flaws)
        #expect((try? Data(contentsOf: URL(filePath: aside))) == tampered)
        // Another ledger begins, and is sound.
        try rig.file.append(rig.consent.entries.prefix(1).map(\.self), at: ConsentSample.wall(9))
        #expect(try rig.flaws.isEmpty)
        return flaws
    }

    private func chained(_ lines: [String], from index: Int) -> [String] {
        // As an attacker with knowledge of the format does.
        lines.indices.reduce(into: lines) { lines, at in
            guard at > index, let old = lines[at].firstRange(of: /"prev":"[0-9a-f]*"/) else { return }
            lines[at].replaceSubrange(old, with: "\"prev\":\"\(LedgerHash.of(lines[at - 1].utf8))\"")
        }
    }

    @Test func `shows every line that was edited`() throws {
        for index in 0...10 {
            let flaws = try found { rig in
                try rig.changeLines { $0[index] = $0[index].replacing(/"at":\d/, with: "\"at\":3") }
            }
            // The next line does not match any more; for the last line, the head shows it.
            let expected: LedgerFlaw =
                switch index {
                case ..<8: .unlinked(line: index + 2)
                case 8: .otherEnd(line: 9)
                default: .surplus(line: index + 1)
                }
            #expect(flaws.first == expected, "line \(index + 1): \(flaws)")
        }
    }

    @Test func `shows a withdrawal that was made an acceptance`() throws {
        let flaws = try found { rig in
            try rig.changeLines { $0[10] = $0[10].replacing("withdrawn", with: "accepted") }
        }
        #expect(flaws == [.surplus(line: 11)])
    }

    @Test func `shows an edit though the hashes after it were made anew`() throws {
        for index in 0..<10 {
            let flaws = try found { rig in
                try rig.changeLines { lines in
                    lines[index] = lines[index].replacing(/"at":\d/, with: "\"at\":3")
                    lines = chained(lines, from: index)
                }
            }
            #expect(!flaws.isEmpty, "line \(index + 1)")
        }
    }

    @Test func `shows every line that was removed, the last ones excepted, which come back`() throws {
        for index in 0..<10 {
            let flaws = try found { rig in try rig.changeLines { $0.remove(at: index) } }
            let first = try #require(flaws.first, "line \(index + 1)")
            #expect("\(first)".contains("line \(index + 1)"), "\(flaws)")
        }
        let rig = try LedgerDirectory()
        try rig.fill()
        try rig.changeLines { $0.removeLast() }
        #expect(try LedgerReport(of: rig.path).isTailTorn)
        try rig.open()
        #expect(rig.found.entries == rig.consent.entries)
    }

    @Test func `shows every two lines that changed places`() throws {
        for index in 0..<10 {
            let flaws = try found { rig in try rig.changeLines { $0.swapAt(index, index + 1) } }
            #expect(!flaws.isEmpty, "lines \(index + 1) and \(index + 2)")
        }
    }

    @Test func `shows every cut, or loses nothing by it`() throws {
        let rig = try LedgerDirectory()
        try rig.fill()
        let whole = try Data(contentsOf: rig.ledger)
        let head = try #require(LedgerHead([UInt8](Data(contentsOf: rig.head))))
        for length in stride(from: 0, to: whole.count, by: 97) {
            let flaws = try found { try whole.prefix(length).write(to: $0.ledger) }
            // The last addition stands in the head as well.
            let isInLast = length >= head.size
            #expect(flaws.isEmpty == isInLast, "\(length) of \(whole.count): \(flaws)")
        }
    }

    @Test func `shows what was added, however well it is made`() throws {
        let entry = ConsentEntry(
            LedgerSequence(11),
            ConsentDecision(
                .policy(.dataPolicy, .accepted), for: ConsentSample.maria, by: "Maria", means: .commandLine,
                at: ConsentSample.wall(1)))
        let forged = try found { rig in
            try rig.changeLines { lines in
                let line = LedgerLine(entry, after: LedgerHash.of(lines[10].utf8))
                lines.append(String(decoding: line.bytes, as: UTF8.self))
            }
        }
        #expect(forged == [.surplus(line: 12)])
        let garbage = try found { rig in
            try (Data(contentsOf: rig.ledger) + Data("half a li".utf8)).write(to: rig.ledger)
        }
        #expect(garbage.first == .surplus(line: 12))
        let doubled = try found { rig in try rig.changeLines { $0.insert($0[4], at: 5) } }
        #expect(!doubled.isEmpty)
    }

    @Test func `shows a head that was removed, spoilt or taken from an earlier day`() throws {
        #expect(try found { try FileManager.default.removeItem(at: $0.head) }.first == .noHead)
        #expect(try found { try Data("{}".utf8).write(to: $0.head) }.first == .unreadableHead)
        #expect(try found { try FileManager.default.removeItem(at: $0.ledger) }.contains(.noLedger))
        let rig = try LedgerDirectory()
        try rig.take(.policy(.dataPolicy, .accepted))
        let old = try Data(contentsOf: rig.head)
        #expect(!(try found { try old.write(to: $0.head) }.isEmpty))
        // The ledger of an earlier day alone, with the head of today.
        let early = try Data(contentsOf: rig.ledger)
        #expect(
            try found { try early.write(to: $0.ledger) }.contains {
                if case .short = $0 { true } else { false }
            })
    }

    @Test func `shows a head of which any member was changed`() throws {
        for (member, to) in [
            ("\"seq\":\\d+", "\"seq\":3"), ("\"size\":\\d", "\"size\":3"),
            ("\"hash\":\"[0-9a-f]", "\"hash\":\"z"),
        ] {
            let flaws = try found { rig in
                let text = try String(contentsOf: rig.head, encoding: .utf8)
                try Data(text.replacing(try Regex(member), with: to, maxReplacements: 1).utf8).write(
                    to: rig.head)
            }
            #expect(!flaws.isEmpty, "\(member)")
        }
    }

    /// The start of the gateway, and with it all supervision, depends on reading these.
    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "9223372036854775806", "1099511627776"])
    func `shows a number that no ledger has, and counts on from none of them`(number: String) throws {
        for line in 0..<3 {
            let flaws = try found { rig in
                try rig.changeLines { lines in
                    lines[line] = lines[line].replacing(/"seq":\d+/, with: "\"seq\":\(number)")
                    lines = chained(lines, from: line)
                }
            }
            #expect(!flaws.isEmpty)
        }
        for member in ["seq", "size"] {
            let flaws = try found { rig in
                let text = try String(contentsOf: rig.head, encoding: .utf8)
                let changed = text.replacing(try Regex("\"\(member)\":\\d+"), with: "\"\(member)\":\(number)")
                try Data(changed.utf8).write(to: rig.head)
            }
            #expect(!flaws.isEmpty, "\(member)")
        }
    }

    @Test func `of another house is not this one's`() throws {
        let rig = try LedgerDirectory()
        try rig.fill()
        try rig.open(of: GatewayID(sample: "house-13"))
        #expect(rig.found.entries == nil)
    }

    @Test func `in which anything is garbage is read without a trap`() throws {
        var random = SystemRandomNumberGenerator()
        let rig = try LedgerDirectory()
        try rig.fill()
        let whole = (try Data(contentsOf: rig.ledger), try Data(contentsOf: rig.head))
        for _ in 0..<500 {
            var (ledger, head) = ([UInt8](whole.0), [UInt8](whole.1))
            if Bool.random(using: &random) {
                ledger[Int.random(in: ledger.indices, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            } else {
                head[Int.random(in: head.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let walk = LedgerWalk(ledger: ledger, head: head)
            // Detected, or without consequence.
            #expect(!walk.flaws.isEmpty || walk.entries == rig.consent.entries)
        }
    }
}
