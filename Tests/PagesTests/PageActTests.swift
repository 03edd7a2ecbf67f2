import ControlContract
import GatewayModel
import HTML
import Testing

@testable import Pages

@Suite struct `The verb of a posted form` {
    private static func verb(
        _ act: PageAct, _ fields: [String: String], by caller: String
    ) throws -> any ControlVerb {
        guard case .verb(let verb, then: _) = act.work else {
            throw ControlError("\(act.place): saw an act of the console, expected one of the gateway")
        }
        return try verb(PostedForm(fields, by: caller))
    }

    private static func next(_ act: PageAct, _ role: ControlSession.Role) -> HTML.Place? {
        if case .verb(_, then: let next) = act.work { next(role) } else { nil }
    }

    @Test func `is the request with the fields of the form, under the name of the session`() throws {
        let resolve = try Self.verb(.resolve, ["person": "maria", "reason": "fine"], by: "Anna")
        let end = try #require(resolve as? Verb.Resolve).fields
        #expect(end.person?.text == "maria" && end.reason == "fine" && end.caller.name == "Anna")
        let buzz = try Self.verb(.buzz, ["device": "strap"], by: "Gino")
        #expect((buzz as? Verb.Buzz)?.device == DeviceID("strap")!)
        #expect(Self.next(.buzz, .installer) == Pages.Route.wearables)
        #expect(Self.next(.buzz, .carer) == Pages.Route.today)
        let button = try Self.verb(
            .addBroadcaster,
            [
                "device": "button", "address": "C0:FF:EE:00:00:05", "person": "maria",
                "key": " 231d39c1 d7cc1ab1 aee224cd 096db932 ", "button": "sos-button", "double_press": "",
            ], by: "Gino")
        let new = try #require(button as? Verb.AddBroadcaster)
        #expect(new.meanings == [.button: .sosButton] && new.key != nil)
        let answer = try Self.verb(.answerPairing, ["answer": " 271 828 "], by: "Gino")
        #expect((answer as? Verb.AnswerPairing)?.answer == "271828")
    }

    @Test func `begins exercise for its minutes, and ends it without any`() throws {
        let begin = try Self.verb(.exercise, ["person": "maria", "minutes": "45"], by: "Maria")
        let exercise = try #require(begin as? Verb.Exercise)
        #expect(exercise.minutes == 45 && exercise.caller.name == "Maria")
        let end = try Self.verb(.exercise, ["person": "maria"], by: "Maria")
        #expect(try #require(end as? Verb.Exercise).minutes == nil)
        let code = try Self.verb(.makeLinkCode, ["person": "maria"], by: "Maria")
        #expect((code as? Verb.LinkCode)?.person.text == "maria")
        #expect(Self.next(.makeLinkCode, .room)?.text == "/link-code")
        let test = try Self.verb(.testButton, ["person": "maria"], by: "Maria")
        #expect((test as? Verb.TestButton)?.person.text == "maria")
    }

    @Test func `names the person of a measurement, or nobody`() throws {
        let id = "0190c3a2-0000-7000-8000-000000000000"
        let maria = try Self.verb(
            .nameMeasurer, ["measurement": id, "person": "maria"], by: "Kitchen")
        let named = try #require(maria as? Verb.NameMeasurer)
        #expect(named.person?.text == "maria" && named.caller.name == "Kitchen")
        let nobody = try Self.verb(.nameMeasurer, ["measurement": id], by: "Kitchen")
        let answer = try #require(nobody as? Verb.NameMeasurer)
        #expect(answer.measurement == MessageID(id) && answer.person == nil)
    }

    @Test func `shows nothing of a key that is none`() throws {
        let form = [
            "device": "button", "address": "C0:FF:EE:00:00:05", "person": "maria", "button": "sos-button",
            "key": "231d39c1d7cc1ab1aee224cd096db93",
        ]
        let error = #expect(throws: ControlError.self) {
            try Self.verb(.addBroadcaster, form, by: "Gino")
        }
        #expect(error?.code == .keyMalformed && error?.description.contains("231d") == false)
        let silent = #expect(throws: ControlError.self) {
            try Self.verb(
                .addBroadcaster, form.merging(["key": "", "button": ""]) { $1 }, by: "Gino")
        }
        #expect(silent?.code == .meaningMissing)
    }

    @Test(arguments: [
        ("/act/forget", [:]), ("/act/buzz", ["device": "../x"]), ("/act/add-wearable", ["device": "strap"]),
        ("/act/track", ["device": "strap", "kind": "mood"]), ("/act/name-measurer", ["measurement": "1"]),
        ("/act/walk-room", ["room": "\u{7}"]), ("/act/drill", [:]),
    ])
    func `names the field that is missing or wrong`(place: String, form: [String: String]) throws {
        let act = try #require(PageModule.act(at: place))
        #expect(throws: ControlError.self) { try Self.verb(act, form, by: "Gino") }
    }
}

@Suite struct `Acts of the pages` {
    @Test func `are open to the roles of the table of rights`() throws {
        func roles(_ place: String) throws -> Set<ControlSession.Role> {
            try #require(PageModule.act(at: place)).roles
        }
        #expect(try roles("/act/abort") == [.room, .person, .installer])
        #expect(try roles("/act/help") == [.room, .person, .family, .carer])
        #expect(try roles("/act/accept-alarm") == [.family, .carer])
        #expect(try roles("/act/allow") == [.room, .person, .family])
        #expect(try roles("/act/later") == [.room, .person, .family])
        #expect(try roles("/act/profile") == [.person, .family])
        #expect(try roles("/act/correct-race") == [.organiser])
        #expect(try roles("/act/new-code") == [.installer])
        #expect(try roles("/act/end-device") == [.person, .room])
    }

    @Test func `have a limit but for the cancel of an alarm`() {
        #expect(PageModule.acts.filter { !$0.isLimited }.map(\.place.text) == ["/act/abort"])
    }

    @Test func `and pages have one place for each role`() {
        let places = PageModule.all.flatMap(\.pages).flatMap { page in
            page.roles.map { "\($0) \(page.place.text)" }
        }
        #expect(Set(places).count == places.count)
        let acts = PageModule.acts.map(\.place.text)
        #expect(acts.count > 30 && Set(acts).count == acts.count)
    }
}
