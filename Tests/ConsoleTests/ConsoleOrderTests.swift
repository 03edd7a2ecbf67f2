import ConsoleAccess
import ControlContract
import GatewayModel
import HTML
import Pages
import Testing

@testable import Console

@Suite struct `The order of a posted form` {
    @Test func `is the request with the fields of the form, under the name of the session`() throws {
        let resolve = try ConsoleOrder.request(.resolve, ["person": "maria", "reason": "fine"], by: "Anna")
        let end = try #require(resolve as? Verb.Resolve).fields
        #expect(end.person?.text == "maria" && end.reason == "fine" && end.caller.name == "Anna")
        let buzz = try ConsoleOrder.request(.buzz, ["device": "strap"], by: "Gino")
        #expect((buzz as? Verb.Buzz)?.device == DeviceID("strap")!)
        #expect(ConsoleOrder.back(after: .buzz, by: .installer).text == Pages.Route.wearables.text)
        #expect(ConsoleOrder.back(after: .buzz, by: .carer).text == Pages.Route.today.text)
        let button = try ConsoleOrder.request(
            .addBroadcaster,
            [
                "device": "button", "address": "C0:FF:EE:00:00:05", "person": "maria",
                "key": " 231d39c1 d7cc1ab1 aee224cd 096db932 ", "button": "sos-button", "double_press": "",
            ], by: "Gino")
        let new = try #require(button as? Verb.AddBroadcaster)
        #expect(new.meanings == [.button: .sosButton] && new.key != nil)
        let answer = try ConsoleOrder.request(.answerPairing, ["answer": " 271 828 "], by: "Gino")
        #expect((answer as? Verb.AnswerPairing)?.answer == "271828")
    }

    @Test func `begins exercise for its minutes, and ends it without any`() throws {
        let begin = try ConsoleOrder.request(.exercise, ["person": "maria", "minutes": "45"], by: "Maria")
        let exercise = try #require(begin as? Verb.Exercise)
        #expect(exercise.minutes == 45 && exercise.caller.name == "Maria")
        let end = try ConsoleOrder.request(.exercise, ["person": "maria"], by: "Maria")
        #expect(try #require(end as? Verb.Exercise).minutes == nil)
        let code = try ConsoleOrder.request(.linkCode, ["person": "maria"], by: "Maria")
        #expect((code as? Verb.LinkCode)?.person.text == "maria")
        #expect(ConsoleOrder.back(after: .linkCode, by: .room).text == "/link-code")
        let test = try ConsoleOrder.request(.testButton, ["person": "maria"], by: "Maria")
        #expect((test as? Verb.TestButton)?.person.text == "maria")
    }

    @Test func `says whose a measurement is, or that it is nobody's`() throws {
        let id = "0190c3a2-0000-7000-8000-000000000000"
        let maria = try ConsoleOrder.request(
            .nameMeasurer, ["measurement": id, "person": "maria"], by: "Kitchen")
        let named = try #require(maria as? Verb.NameMeasurer)
        #expect(named.person?.text == "maria" && named.caller.name == "Kitchen")
        let nobody = try ConsoleOrder.request(.nameMeasurer, ["measurement": id], by: "Kitchen")
        let answer = try #require(nobody as? Verb.NameMeasurer)
        #expect(answer.measurement == MessageID(id) && answer.person == nil)
    }

    @Test func `shows nothing of a key that is none`() throws {
        let form = [
            "device": "button", "address": "C0:FF:EE:00:00:05", "person": "maria", "button": "sos-button",
            "key": "231d39c1d7cc1ab1aee224cd096db93",
        ]
        let error = #expect(throws: ControlError.self) {
            try ConsoleOrder.request(.addBroadcaster, form, by: "Gino")
        }
        #expect(error?.code == .keyMalformed && error?.description.contains("231d") == false)
        let silent = #expect(throws: ControlError.self) {
            try ConsoleOrder.request(
                .addBroadcaster, form.merging(["key": "", "button": ""]) { $1 }, by: "Gino")
        }
        #expect(silent?.code == .meaningMissing)
    }

    @Test(arguments: [
        (ConsoleAct.forget, [:]), (.buzz, ["device": "../x"]), (.addWearable, ["device": "strap"]),
        (.track, ["device": "strap", "kind": "mood"]), (.nameMeasurer, ["measurement": "1"]),
        (.walkRoom, ["room": "\u{7}"]), (.drill, [:]),
    ])
    func `names the field that is missing or wrong`(act: ConsoleAct, form: [String: String]) {
        #expect(throws: ControlError.self) { try ConsoleOrder.request(act, form, by: "Gino") }
    }

    @Test(arguments: [ConsoleAct.later, .newCode, .revoke, .changeProfile, .correctRace])
    func `is none of the gateway for an act of the console`(act: ConsoleAct) {
        #expect(throws: ControlError.self) { try ConsoleOrder.request(act, [:], by: "Anna") }
    }
}
