import ControlContract
import ControlLink
import Foundation
import GatewayModel
import TestSupport
import Testing

/// docs/integrator/control.md, held to the code.
@Suite struct `The document of the control socket` {
    private static let text = Result {
        try String(
            contentsOf: Repository.root.appending(path: "docs/integrator/control.md"), encoding: .utf8)
    }

    /// Lines of the examples.
    private static func examples() throws -> [String] {
        try text.get().split(separator: "```json\n").dropFirst().flatMap { block in
            block.prefix(upTo: try #require(block.range(of: "```")).lowerBound).split(separator: "\n").map(
                String.init)
        }
    }

    private static func members(_ json: some Sequence<UInt8>) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(json)) as? NSDictionary)
    }

    /// The line as an answer to this verb, written again.
    private static func answer<Asked: ControlVerb>(to verb: Asked.Type, again line: [UInt8]) throws -> [UInt8] {
        try ControlJSON.line(try ControlJSON.decode(ControlReply<Asked.Document>.self, from: line))
    }

    @Test func `shows only examples that the gateway takes and gives, with no field that it does not know`()
        throws
    {
        let examples = try Self.examples()
        #expect(examples.count > 10)
        for example in examples {
            let line = Array(example.utf8)
            let known = try Self.members(line)
            let written: [UInt8]
            if known["verb"] != nil {
                let asked = try EveryVerb.request(line)
                let again = try ControlJSON.line(ControlLine(asked.request, of: asked.session))
                guard asked.session == nil else {
                    // The name of the session stands in the place of the caller's.
                    #expect(known["by"] == nil, "\(example)")
                    let read = try Self.members(again)
                    #expect(Set(known.allKeys as? [String] ?? []).isSubset(of: read.allKeys as? [String] ?? []))
                    continue
                }
                written = again
            } else if known["is_done"] != nil {
                let answers = try EveryVerb.types.map { try Self.answer(to: $0, again: line) }
                written = try #require(
                    try answers.first { try Self.members($0) == known }, "an answer to no verb: \(example)")
            } else {
                written = try ControlJSON.line(try ControlJSON.decode(HouseSnapshot.self, from: line))
            }
            #expect(try Self.members(written) == known, "\(example)")
        }
    }

    private static let words: [ControlRights.Extent: String] = [
        .no: "-", .any: "any", .own: "own", .ownWithReason: "reason", .ownReadings: "readings",
        .asDecider: "decider", .ownWithPIN: "PIN", .drills: "drills", .withoutNames: "no names",
    ]

    @Test func `has the table of the rights, for every verb and every role`() throws {
        let lines = Set(try Self.text.get().split(separator: "\n").map(String.init))
        let roles = ControlSession.Role.allCases
        #expect(lines.contains("| verb | \(roles.map(\.rawValue).joined(separator: " | ")) |"))
        for verb in EveryVerb.types {
            let cells = try roles.map { try #require(Self.words[verb.rights[$0] ?? .no]) }
            let row = "| `\(verb.verb)` | \(cells.joined(separator: " | ")) |"
            #expect(lines.contains(row), "expected \(row)")
        }
    }

    @Test func `names every code of a refusal`() throws {
        let text = try Self.text.get()
        for code in RefusalCode.allCases {
            #expect(text.contains("`\(code.rawValue)`"), "\(code.rawValue)")
        }
    }

    @Test func `names every field of the state, and the one that a reply has it in`() throws {
        let text = try Self.text.get()
        #expect(text.contains("`snapshot`"))
        let now = Moment(boot: BootInstant(nanoseconds: 1), wall: WallTime(millisecondsSince1970: 1))
        var state = HouseSnapshot(
            version: "1", gateway: GatewayID("box")!, at: now, summary: "", unsent: 0, alarms: [],
            conditions: [])
        state.house = HouseSnapshot.House(
            language: "it", wakingBegin: .midnight, wakingEnd: .midnight)
        for field in try Self.members(try ControlJSON.line(state)).allKeys {
            #expect(text.contains("`\(field)`"), "\(field)")
        }
    }
}
