import ContractReading
import Desk
import Foundation
import GatewayModel
import Testing

/// Life of a call at the desk, by events alone.
@Suite struct `An emergency call` {
    private let anna = Dispatcher(user: "anna", name: "Anna, desk 1")!
    private let bruno = Dispatcher(user: "bruno", name: "Bruno, desk 2")!
    private let house = GatewayID("house-12")!

    private func at(_ second: Int64) -> WallTime {
        WallTime(millisecondsSince1970: 1_772_353_800_000 + second * 1_000)
    }

    /// Message `number` of the alarm.
    private func message(_ number: Int, _ state: String, round: Int = 1, drill: Bool = false, rest: String = "")
        throws -> EmergencyMessage
    {
        let round = ["pending", "confirmed"].contains(state) ? #", "round": \#(round)"# : ""
        let text = """
            {"alarm": "019caa1b-3c40-7d10-8a01-5f0c3a9e0008", "drill": \(drill),
             "id": "019caa1b-3c40-7d10-8a01-5f0c3a9e\(String(format: "%04d", number))", "person": "maria",
             "state": "\(state)"\(round)\(rest), "time": "2026-03-01T08:30:\(String(format: "%02d", number)).000Z"}
            """
        return try EmergencyMessage(Array(text.utf8), of: #require(PersonID("maria")))
    }

    private func alerts(_ actions: [EmergencyCall.Action]) -> [EmergencyCall.Alert] {
        actions.compactMap { if case .alert(let alert) = $0 { alert } else { nil } }
    }

    private func acceptances(_ actions: [EmergencyCall.Action]) -> [Dispatcher] {
        actions.compactMap { if case .publishAcceptance(let by) = $0 { by } else { nil } }
    }

    private func call(_ state: String = "confirmed") throws -> EmergencyCall {
        EmergencyCall.received(try message(1, state), from: house, at: at(0)).call
    }

    @Test func `alerts the desk when it comes, when it is confirmed and at each round`() throws {
        var (call, actions) = EmergencyCall.received(try message(1, "pending"), from: house, at: at(0))
        #expect(alerts(actions) == [.newCall])
        #expect(call.house == .pending)
        actions = call.receive(try message(2, "confirmed"), at: at(5))
        #expect(alerts(actions) == [.newCall])
        #expect(alerts(call.receive(try message(3, "confirmed", round: 2), at: at(60))) == [.repeated])
        #expect(call.rounds == 2)
        #expect(call.isOpen)
    }

    @Test func `is taken over from a holder who is away, with a reason, and the house hears the new name`()
        throws
    {
        var call = try call()
        _ = try call.take(by: anna, at: at(1))
        #expect(throws: DeskRefusal.holderPresent(by: anna, since: at(1))) {
            try call.takeOver(by: bruno, reason: "Anna fell ill", isHolderAway: false, at: at(40))
        }
        #expect(throws: DeskRefusal.emptyNote) {
            try call.takeOver(by: bruno, reason: " ", isHolderAway: true, at: at(40))
        }
        let actions = try call.takeOver(by: bruno, reason: "Anna fell ill", isHolderAway: true, at: at(40))
        #expect(acceptances(actions) == [bruno])
        #expect(actions.first == .record(.takenOver(bruno, from: anna, reason: "Anna fell ill")))
        #expect(call.holder == bruno && call.firstTaken == at(1))
        #expect(throws: DeskRefusal.self) { try call.release(by: anna, at: at(41)) }
        var waiting = try self.call()
        #expect(throws: DeskRefusal.notTaken) {
            try waiting.takeOver(by: bruno, reason: "x", isHolderAway: true, at: at(1))
        }
    }

    @Test func `rings until somebody takes it, and again when its holder leaves it alone`() throws {
        var call = try call()
        #expect(call.rings(at: at(0)) && call.rings(at: at(9_000)))
        _ = try call.take(by: anna, at: at(10))
        #expect(!call.rings(at: at(10)) && !call.rings(at: at(309)))
        #expect(call.isUntouched(at: at(310)) && call.rings(at: at(310)))
        var other = call
        _ = try other.takeOver(by: bruno, reason: "no answer", isHolderAway: false, at: at(311))
        #expect(!other.rings(at: at(312)))
        _ = try call.keepOn(by: anna, at: at(320))
        #expect(!call.rings(at: at(619)) && call.rings(at: at(620)))
        _ = try call.add(note: "rang the daughter", by: anna, at: at(630))
        #expect(!call.rings(at: at(900)))
        // The word of a colleague is no act of the holder.
        _ = try call.add(note: "anybody there?", by: bruno, at: at(929))
        #expect(call.rings(at: at(930)))
        _ = call.receive(try message(4, "resolved"), at: at(940))
        #expect(!call.rings(at: at(9_000)) && call.ended == at(940))
    }

    @Test func `that is closed among many others opens again when the house goes on calling`() throws {
        var call = try call()
        let actions = try call.closeUntaken(by: anna, .falseAlarm, note: "", at: at(5))
        #expect(acceptances(actions).isEmpty && !call.isOpen)
        #expect(alerts(call.receive(try message(3, "confirmed", round: 2), at: at(60))) == [.newCall])
        #expect(call.isOpen && call.rings(at: at(60)))
        _ = try call.take(by: bruno, at: at(61))
        #expect(throws: DeskRefusal.taken(by: bruno, since: at(61))) {
            try call.closeUntaken(by: anna, .falseAlarm, note: "", at: at(62))
        }
    }

    @Test func `that an earlier version kept is read`() throws {
        var call = try call()
        _ = try call.take(by: anna, at: at(1))
        let json = try JSONEncoder().encode(call)
        var old = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        for name in ["firstTaken", "touched", "ended"] { old[name] = nil }
        let read = try JSONDecoder().decode(
            EmergencyCall.self, from: JSONSerialization.data(withJSONObject: old))
        #expect(
            read.holder == anna && read.firstTaken == nil && !read.rings(at: at(300)) && read.rings(at: at(301))
        )
    }

    @Test func `is not changed by a message that comes twice`() throws {
        var call = try call()
        let before = call
        #expect(call.receive(try message(1, "confirmed"), at: at(9)).isEmpty)
        #expect(call == before)
    }

    @Test func `has the same house state in every order of its messages`() throws {
        let messages = try [
            message(1, "pending"), message(2, "confirmed"), message(3, "confirmed", round: 2),
            message(4, "cancelled", rest: #", "ending": {"how": "aborted", "by": "Maria", "means": "button"}"#),
        ]
        var ends: Set<EmergencyCall.House> = []
        for order in permutations(of: messages) {
            var call = EmergencyCall.received(order[0], from: house, at: at(0)).call
            for message in order.dropFirst() { _ = call.receive(message, at: at(1)) }
            ends.insert(call.house)
            #expect(call.newest?.round == 2)
            #expect(!call.isOpen)
        }
        #expect(ends.count == 1)
    }

    @Test func `goes to the first of two dispatchers, and the second learns the first`() throws {
        var call = try call()
        let actions = try call.take(by: anna, at: at(3))
        #expect(acceptances(actions) == [anna])
        #expect(throws: DeskRefusal.taken(by: anna, since: at(3))) { try call.take(by: bruno, at: at(4)) }
        #expect(call.holder == anna)
        #expect(try call.take(by: anna, at: at(5)).isEmpty, "a second press of the same button")
        #expect(call.acceptances == 1)
    }

    @Test func `is accepted again while the house goes on calling`() throws {
        var call = try call()
        _ = try call.take(by: anna, at: at(3))
        #expect(acceptances(call.receive(try message(2, "confirmed", round: 2), at: at(60))) == [anna])
        #expect(acceptances(call.receive(try message(2, "confirmed", round: 2), at: at(61))) == [])
    }

    @Test func `stays with its dispatcher when the house cancels, and is closed by them`() throws {
        var call = try call()
        _ = try call.take(by: anna, at: at(3))
        #expect(alerts(call.receive(try message(2, "cancelled"), at: at(10))) == [.overWhileTaken])
        #expect(call.isOpen)
        #expect(throws: DeskRefusal.taken(by: anna, since: at(3))) {
            try call.close(by: bruno, .falseAlarm, note: "", at: at(11))
        }
        _ = try call.close(by: anna, .falseAlarm, note: "spoke to Maria", at: at(12))
        #expect(!call.isOpen)
    }

    @Test func `that the house has ended cannot be taken`() throws {
        var call = try call()
        _ = call.receive(try message(2, "resolved"), at: at(10))
        #expect(!call.isOpen)
        #expect(throws: DeskRefusal.over(.resolved, by: nil)) { try call.take(by: anna, at: at(11)) }
        #expect(call.receive(try message(3, "confirmed", round: 2), at: at(12)).count == 1, "recorded only")
        #expect(!call.isOpen)
    }

    @Test func `that is released alerts the desk and is accepted in the next name`() throws {
        var call = try call()
        _ = try call.take(by: anna, at: at(3))
        #expect(throws: DeskRefusal.taken(by: anna, since: at(3))) { try call.release(by: bruno, at: at(4)) }
        #expect(alerts(try call.release(by: anna, at: at(5))) == [.newCall])
        #expect(acceptances(try call.take(by: bruno, at: at(6))) == [bruno])
        #expect(call.acceptances == 2)
    }

    @Test func `opens again if the house goes on calling after it was closed`() throws {
        var call = try call()
        #expect(throws: DeskRefusal.notTaken) { try call.close(by: anna, .other, note: "", at: at(1)) }
        _ = try call.take(by: anna, at: at(3))
        _ = try call.close(by: anna, .helpSent, note: "", at: at(20))
        #expect(throws: DeskRefusal.closed(by: anna, at: at(20))) { try call.take(by: bruno, at: at(21)) }
        #expect(call.receive(try message(1, "confirmed"), at: at(22)).isEmpty)
        #expect(!call.isOpen)
        #expect(alerts(call.receive(try message(2, "confirmed", round: 2), at: at(60))) == [.newCall])
        #expect(call.isOpen)
        #expect(call.holder == nil)
    }

    @Test func `keeps the details of the full form when a short one follows`() throws {
        let profile = #", "profile": {"name": "Maria Rossi", "address": "Via Dante 7"}"#
        var call = EmergencyCall.received(try message(1, "confirmed", rest: profile), from: house, at: at(0))
            .call
        _ = call.receive(try message(2, "confirmed", round: 2, rest: #", "short": true"#), at: at(60))
        #expect(call.newest?.round == 2)
        #expect(call.newest?.profile?.name == "Maria Rossi")
    }

    @Test func `takes notes of any dispatcher, within a bound and without control characters`() throws {
        var call = try call()
        _ = try call.add(note: "rang twice\u{1B}[2J\r\nno answer", by: bruno, at: at(1))
        #expect(call.notes.map(\.text) == ["rang twice[2J\nno answer"])
        #expect(throws: DeskRefusal.emptyNote) { try call.add(note: " \n", by: bruno, at: at(2)) }
        #expect(throws: DeskRefusal.noteTooLong(limit: 300)) {
            try call.add(note: String(repeating: "x", count: 301), by: bruno, at: at(2))
        }
    }

    @Test func `comes back from its JSON as it was`() throws {
        var call = try call()
        _ = try call.take(by: anna, at: at(3))
        _ = try call.add(note: "rang", by: bruno, at: at(4))
        let data = try JSONEncoder().encode(call)
        var copy = try JSONDecoder().decode(EmergencyCall.self, from: data)
        #expect(copy == call)
        #expect(copy.receive(try message(1, "confirmed"), at: at(5)).isEmpty, "the memory of messages is kept")
    }

    private func permutations(of messages: [EmergencyMessage]) -> [[EmergencyMessage]] {
        guard messages.count > 1 else { return [messages] }
        return messages.indices.flatMap { index in
            var rest = messages
            let first = rest.remove(at: index)
            return permutations(of: rest).map { [first] + $0 }
        }
    }
}

@Suite struct `A dispatcher` {
    @Test(arguments: ["", " ", "a\nb", "\u{202E}abc", String(repeating: "x", count: 201)])
    func `has a name that the house can be told`(_ name: String) {
        #expect(Dispatcher(user: "anna", name: name) == nil)
    }
}

@Suite struct `The attendance of the desk` {
    private let anna = Dispatcher(user: "anna", name: "Anna")!
    private let bruno = Dispatcher(user: "bruno", name: "Bruno")!

    private func at(_ second: Int64) -> BootInstant { BootInstant(nanoseconds: second * 1_000_000_000) }

    @Test func `ends when no page was open for thirty seconds`() {
        var desk = DeskAttendance(start: at(0))
        #expect(desk.change(at: at(29)) == nil, "the desk may still be opened")
        #expect(desk.change(at: at(30)) == .unattended)
        #expect(desk.change(at: at(31)) == nil, "reported once")
        desk.opened(by: anna, at: at(40))
        #expect(desk.change(at: at(40)) == .attended)
        desk.opened(by: bruno, at: at(50))
        desk.closed(by: anna, at: at(60))
        #expect(desk.present(at: at(60)) == 1)
        desk.closed(by: bruno, at: at(70))
        #expect(desk.change(at: at(99)) == nil, "a page that is loaded again")
        #expect(desk.change(at: at(100)) == .unattended)
    }

    @Test func `counts the dispatchers at other servers while these report them`() {
        var desk = DeskAttendance(start: at(0))
        desk.opened(by: anna, at: at(1))
        desk.reported(["anna", "bruno"], at: at(2))
        #expect(desk.users == ["anna"])
        #expect(desk.present(at: at(3)) == 2)
        desk.closed(by: anna, at: at(4))
        #expect(desk.present(at: at(10)) == 0)
        desk.reported(["bruno"], at: at(20))
        #expect(desk.change(at: at(49)) == nil, "the other server may be replaced")
        #expect(desk.change(at: at(50)) == .unattended)
        desk.reported(["bruno"], at: at(60))
        #expect(desk.change(at: at(60)) == .attended)
    }

    @Test func `counts each open page of a dispatcher`() {
        var desk = DeskAttendance(start: at(0))
        desk.opened(by: anna, at: at(1))
        desk.opened(by: anna, at: at(2))
        desk.closed(by: anna, at: at(3))
        #expect(desk.change(at: at(1_000)) == nil)
        desk.closed(by: anna, at: at(1_000))
        #expect(desk.change(at: at(1_030)) == .unattended)
        desk.closed(by: anna, at: at(1_031))
        #expect(!desk.isAttended(at: at(1_100)))
    }
}
