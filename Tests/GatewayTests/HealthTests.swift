import GatewayModel
import Hub
import Settings
import SettingsSamples
import Synchronization
import Testing

@testable import HomeGateway

@Suite struct `The health board` {
    @Test func `tells each transition once`() {
        let told = Mutex<[String]>([])
        let board = HealthBoard { condition, isRaised, all in
            told.withLock { $0.append("\(condition.code.rawValue) \(isRaised) \(all.count)") }
        }
        let condition = HealthCondition(.brokerUnreachable)
        #expect(board.set(condition, true))
        #expect(!board.set(condition, true))
        #expect(board.set(condition, false))
        #expect(!board.set(condition, false))
        #expect(told.withLock { $0 } == ["broker-unreachable true 1", "broker-unreachable false 0"])
    }

    @Test func `tells changes in the order in which they happen, from whichever thread`() async {
        for _ in 0..<300 {
            let last = Mutex<Int>(0)
            let board = HealthBoard { _, _, all in last.withLock { $0 = all.count } }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { board.set(HealthCondition(.wearableAway, subject: "a"), true) }
                group.addTask { board.set(HealthCondition(.brokerUnreachable), true) }
            }
            #expect(last.withLock { $0 } == 2)
        }
    }

    @Test func `lists what impairs supervision first`() {
        let board = HealthBoard { _, _, _ in }
        board.set(HealthCondition(.realtimeUnavailable), true)
        board.set(HealthCondition(.brokerUnreachable), true)
        board.set(HealthCondition(.wearableAway, subject: "strap"), true)
        #expect(board.conditions.map(\.code) == [.wearableAway, .brokerUnreachable, .realtimeUnavailable])
    }

    @Test func `has a title and a remedy for every code`() {
        for code in HealthCode.allCases {
            #expect(!code.declaration.title.en.isEmpty && !code.declaration.remedy.isEmpty, "\(code)")
        }
    }

    @Test func `has a title of its own in each language for every code`() {
        for language in PersonProfile.Language.allCases {
            let titles = Set(HealthCode.allCases.map { $0.declaration.title.in(language) })
            #expect(titles.count == HealthCode.allCases.count)
            // A full stop, and the subject before it, are the reader's.
            #expect(titles.allSatisfy { !$0.isEmpty && !$0.hasSuffix(".") })
        }
        #expect(HealthCode.allCases.map(\.declaration.title).allSatisfy { $0.en != $0.it })
    }
}

@Suite struct `What is wrong with a wearable` {
    private static let away = HealthCondition(.wearableAway, subject: "strap")
    private static let garbled = HealthCondition(.undecodableReadings, subject: "belt")
    private static let box = HealthCondition(.channelFailing, subject: "ambulance")

    private func leaving(_ wearables: String, of agreeing: Set<String>) throws -> [HealthCondition] {
        var sample = SettingsSample()
        sample.person += "\n[[person]]\nid = \"enzo\"\nname = \"Enzo\""
        sample.wearable = wearables
        return HealthCondition.leaving(
            [Self.away, Self.garbled, Self.box], of: try sample.load().wearables,
            agrees: { agreeing.contains($0.text) })
    }

    private static func section(_ id: String, of person: String, _ digit: Int) -> String {
        "[[wearable]]\nid = \"\(id)\"\naddress = \"C0:FF:EE:00:00:0\(digit)\"\nperson = \"\(person)\"\n"
    }

    @Test func `leaves the house for whoever has agreed, and for nobody else`() throws {
        let both = Self.section("strap", of: "maria", 1) + Self.section("belt", of: "enzo", 2)
        #expect(try leaving(both, of: ["maria", "enzo"]) == [Self.away, Self.garbled, Self.box])
        #expect(try leaving(both, of: ["enzo"]) == [Self.garbled, Self.box])
        #expect(try leaving(both, of: []) == [Self.box])
    }

    @Test func `goes by whose it is now, and stays where that is nobody`() throws {
        let swapped = Self.section("strap", of: "enzo", 1) + Self.section("watch", of: "maria", 3)
        #expect(try leaving(swapped, of: ["maria"]) == [Self.box])
        #expect(try leaving(swapped, of: ["enzo"]) == [Self.away, Self.box])
    }
}

@Suite struct `A log value` {
    @Test(arguments: [
        ("plain", "plain"), ("two words", #""two words""#), ("", #""""#), (#"a"b\c"#, #""a\"b\\c""#),
        ("a\nb", #""a\nb""#), ("a=b", #""a=b""#), ("\u{1B}[31m", #"" [31m""#),
    ])
    func `stays on its line and in its field`(text: String, expected: String) {
        #expect(LogfmtHandler.quoted(text) == expected)
    }
}
