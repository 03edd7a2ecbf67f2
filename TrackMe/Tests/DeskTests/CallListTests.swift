import ContractReading
import Desk
import Foundation
import GatewayModel
import Testing

/// Order and bounds of the open calls on a board.
@Suite struct `The list of open calls` {
    private let anna = Dispatcher(user: "anna", name: "Anna")!
    private let bruno = Dispatcher(user: "bruno", name: "Bruno")!

    private func at(_ second: Int) -> WallTime {
        WallTime(millisecondsSince1970: 1_772_353_800_000 + Int64(second) * 1_000)
    }

    private func call(
        _ house: String, _ person: String = "maria", second: Int, drill: Bool = false
    ) throws -> EmergencyCall {
        let number = String(format: "%012d", second)
        let text = """
            {"alarm": "019caa1b-3c40-7d10-8a01-\(number)", "drill": \(drill), "id": "019caa1b-3c40-7d10-8a02-\(number)",
             "person": "\(person)", "round": 1, "state": "confirmed", "time": "2026-03-01T08:30:00.000Z"}
            """
        let message = try EmergencyMessage(Array(text.utf8), of: #require(PersonID(person)))
        return EmergencyCall.received(message, from: GatewayID(house)!, at: at(second)).call
    }

    @Test func `begins with the newest that nobody has taken, and ends with those that are taken`() throws {
        var taken = try call("house-1", second: 50)
        _ = try taken.take(by: bruno, at: at(51))
        let calls = [
            try call("house-2", second: 10), taken, try call("house-3", second: 40, drill: true),
            try call("house-4", second: 30),
        ]
        let list = CallList(calls, for: anna, at: at(60))
        #expect(list.shown.map(\.id.gateway.text) == ["house-4", "house-2", "house-3", "house-1"])
        #expect(list.folds.isEmpty && list.ringing == 3)
        // Its holder has left it alone for five minutes.
        let later = CallList(calls, for: anna, at: at(351))
        #expect(later.shown.map(\.id.gateway.text) == ["house-1", "house-4", "house-2", "house-3"])
        #expect(later.ringing == 4)
    }

    @Test func `folds a thousand alarms of one house, and hides no call of another one`() throws {
        let other = try call("house-2", second: 1)
        let forged = try (2...1_001).map { try call("house-1", "person-\($0 % 100)", second: $0) }
        let list = CallList([other] + forged, for: anna, at: at(2_000))
        #expect(list.shown.count == 11 && list.shown.contains { $0.id == other.id })
        #expect(list.folds.map(\.house.text) == ["house-1"] && list.folds[0].calls.count == 990)
        #expect(list.folds[0].since == at(2) && list.folds[0].untaken.count == 990)
        #expect(list.ringing == 1_001)
    }

    @Test func `has at most three of one person, and always those of its reader`() throws {
        var calls = try (1...8).map { try call("house-1", second: $0) }
        _ = try calls[0].take(by: anna, at: at(9))
        _ = try calls[1].take(by: bruno, at: at(9))
        let list = CallList(calls, for: anna, at: at(20))
        #expect(list.shown.map(\.since) == [at(8), at(7), at(6), at(1)])
        #expect(list.folds[0].calls.count == 4 && list.folds[0].untaken.count == 3)
    }

    @Test func `folds rehearsals before emergencies`() throws {
        let calls = try (1...5).map { try call("house-1", second: $0, drill: $0 > 1) }
        let list = CallList(calls, for: anna, at: at(20))
        #expect(list.shown.map(\.since) == [at(1), at(5), at(4)])
    }
}
