import GatewayModel
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
            #expect(!code.declaration.title.isEmpty && !code.declaration.remedy.isEmpty, "\(code)")
        }
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
