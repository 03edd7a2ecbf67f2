import Consent
import ControlContract
import ControlLink
import ControlSocket
import Foundation
import GatewayModel
import RunBeacon
import SOSLocal
import TestSupport
import Testing

@testable import Hub
@testable import Vault

@Suite struct `A request at the control socket` {
    private static let alarm = "0190c3a2-0000-7000-8000-000000000000"

    private static func request(_ text: String) throws(ControlError) -> any ControlVerb {
        try EveryVerb.request(text.utf8).request
    }

    private static func request<Request: ControlVerb>(_ text: String, as _: Request.Type) throws -> Request {
        try #require(try request(text) as? Request)
    }

    private static func addition(key: String = "", signals: String = #"["button=sos-button"]"#) -> String {
        #"{"verb":"add_broadcaster","subject":"button","address":"C0:FF:EE:00:00:05","person":"maria","key":"\#(key)","signals":\#(signals)}"#
    }

    @Test func `shows nothing of a key, neither as text nor in its refusal`() throws {
        let key = "231d39c1d7cc1ab1aee224cd096db932"
        let request = try Self.request(Self.addition(key: key))
        #expect(request is Verb.AddBroadcaster)
        for text in ["\(request)", String(reflecting: request)] { #expect(!text.contains("231d")) }
        let error = #expect(throws: ControlError.self) { try Self.request(Self.addition(key: key + "0")) }
        #expect(error?.code == .keyMalformed && error?.description.contains("231d") == false)
    }

    @Test(arguments: [
        (#"{"verb":"my_data","person":"maria","from":1000000001}"#, "from"),
        (#"{"verb":"my_data","person":"maria","from":-1}"#, "from"),
        (#"{"verb":"race","subject":"run-7","from":9223372036854775807}"#, "from"),
    ])
    func `names a number that no calculation could hold`(text: String, field: String) {
        let error = #expect(throws: ControlError.self) { try Self.request(text) }
        #expect(error?.description.hasPrefix("\(field): saw '") == true, "\(error as Any)")
    }

    @Test func `bounds a period without an end to the years 1 to 9999`() throws {
        let text =
            #"{"verb":"alarms","person":"maria","from":-9223372036854775808,"to":9223372036854775807}"#
        let page = try Self.request(text, as: Verb.Alarms.self)
        #expect(page.from.millisecondsSince1970 == -62_135_596_800_000)
        #expect(page.to.millisecondsSince1970 == 253_402_300_799_999)
    }

    /// Members of a JSON object, for comparison.
    private static func members(_ json: some Sequence<UInt8>) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(json)) as? NSDictionary)
    }

    @Test(arguments: [
        #"{"verb":"status"}"#, #"{"verb":"watch"}"#, #"{"verb":"reload"}"#, #"{"verb":"reload_settings"}"#,
        #"{"verb":"reload_runs"}"#, #"{"verb":"consents"}"#, #"{"verb":"rotate_history_key"}"#,
        #"{"verb":"abort","by":"Maria"}"#,
        #"{"verb":"abort","by":"Maria","alarm":"0190c3a2-0000-7000-8000-000000000000"}"#,
        #"{"verb":"resolve","by":"Anna","person":"maria"}"#,
        #"{"verb":"resolve","by":"Anna","person":"maria","reason":"I am with her"}"#,
        #"{"verb":"accept_alarm","by":"Anna","alarm":"0190c3a2-0000-7000-8000-000000000000"}"#,
        #"{"verb":"call_help","by":"Anna","person":"maria"}"#,
        #"{"verb":"call_help","by":"Anna","alarm":"0190c3a2-0000-7000-8000-000000000000"}"#,
        #"{"verb":"exercise","by":"Anna","person":"maria","minutes":30}"#,
        #"{"verb":"exercise","by":"Anna","person":"maria"}"#,
        #"{"verb":"drill","by":"Anna","person":"maria"}"#,
        #"{"verb":"accept","by":"Anna","person":"maria","subject":"data-policy"}"#,
        #"{"verb":"withdraw","by":"Anna","subject":"study-7"}"#,
        #"{"verb":"refuse","by":"Anna","person":"maria","subject":"study-7"}"#,
        #"{"verb":"consent_request","subject":"study-7"}"#,
        #"{"verb":"consent_history"}"#, #"{"verb":"consent_history","person":"maria"}"#,
        #"{"verb":"history","person":"maria","kind":"heart-rate","from":0,"to":1772353800000,"resolution":"raw"}"#,
        #"{"verb":"history","person":"maria","kind":"heart-rate","from":-5,"to":7}"#,
        #"{"verb":"history","person":"maria","kind":"location","from":-5,"to":7}"#,
        #"{"verb":"alarms","person":"maria","from":0,"to":1772353800000}"#,
        #"{"verb":"alarms","person":"maria","from":0,"to":7,"alarm":"0190c3a2-0000-7000-8000-000000000000"}"#,
        #"{"verb":"my_data","person":"maria","from":200}"#,
        #"{"verb":"erase_my_data","by":"Anna","person":"maria"}"#,
        #"{"verb":"confirm_battery","by":"Anna","subject":"button"}"#,
        #"{"verb":"device_setup","by":"Gino"}"#, #"{"verb":"scan_devices","by":"Gino","seconds":30}"#,
        #"{"verb":"pair_device","by":"Gino","subject":"strap","address":"C0:FF:EE:00:00:01","person":"maria","bond":true}"#,
        #"{"verb":"add_broadcaster","by":"Gino","subject":"button","address":"C0:FF:EE:00:00:05","person":"maria","key":"231d39c1d7cc1ab1aee224cd096db932","signals":["button=sos-button","double_press=cancel"]}"#,
        #"{"verb":"add_broadcaster","by":"Gino","subject":"pendant","address":"C0:FF:EE:00:00:06","person":"maria","signals":["vibration=fall"]}"#,
        #"{"verb":"answer_pairing","by":"Gino","answer":"012345"}"#, #"{"verb":"stop_setup","by":"Gino"}"#,
        #"{"verb":"track_device","by":"Gino","subject":"strap","kind":"heart-rate","on":true,"sos":true}"#,
        #"{"verb":"track_device","by":"Gino","subject":"strap","kind":"heart-rate","on":false}"#,
        #"{"verb":"forget_device","by":"Gino","subject":"strap"}"#,
        #"{"verb":"start_check","by":"Gino"}"#, #"{"verb":"check_report","by":"Gino"}"#,
        #"{"verb":"recent_events","by":"Gino"}"#, #"{"verb":"start_walk","by":"Gino","subject":"strap"}"#,
        #"{"verb":"walk_room","by":"Gino","room":"Bagno"}"#, #"{"verb":"stop_walk","by":"Gino"}"#,
        #"{"verb":"buzz","by":"Gino","subject":"bracelet"}"#,
        #"{"verb":"walk","by":"Gino"}"#, #"{"verb":"settings","by":"Gino"}"#,
        #"{"verb":"race_self_test","subject":"key-file:tag-7.key"}"#,
        #"{"verb":"runs"}"#, #"{"verb":"runs","subject":"milan"}"#,
        #"{"verb":"runs","subject":"milan","kind":"runners"}"#,
        #"{"verb":"positions"}"#, #"{"verb":"positions","subject":"milan"}"#,
        #"{"verb":"runner_vitals","subject":"milan","bib":17,"by":"clinic"}"#,
        #"{"verb":"profile","person":"maria"}"#, #"{"verb":"limits","person":"maria"}"#,
        #"{"verb":"channels","person":"maria"}"#,
        #"{"verb":"change_profile","by":"Anna","person":"maria","profile":{"set":{"birth-date":"1941-05-02"},"clear":["height"],"reset":["notes"],"add_contacts":[{"name":"Anna","phone":"+39333111","relation":"daughter"}],"remove_contacts":["+39333222"],"add_notes":["pacemaker"],"remove_notes":["none"]}}"#,
        #"{"verb":"change_limits","by":"Anna","person":"maria","kind":"heart-rate","limits":{"low":45,"warning_high":125}}"#,
        #"{"verb":"change_limits","by":"Anna","person":"maria","kind":"heart-rate","limits":{}}"#,
        #"{"verb":"change_channel","by":"Anna","person":"maria","subject":"family","emergency":true}"#,
        #"{"verb":"change_channel","by":"Anna","person":"maria","subject":"family"}"#,
    ])
    func `keeps its flat form, so that command lines of other versions are understood`(text: String) throws {
        let line = try ControlJSON.line(ControlLine(try Self.request(text)))
        #expect(try Self.members(line) == Self.members(text.utf8), "\(String(decoding: line, as: UTF8.self))")
    }

    @Test func `has typed fields`() throws {
        let maria = try #require(PersonID("maria"))
        let exercise = try Self.request(
            #"{"verb":"exercise","person":"maria","minutes":30,"by":"A\u001Bnna"}"#, as: Verb.Exercise.self)
        #expect(exercise.person == maria && exercise.minutes == 30 && exercise.caller.name == "Anna")
        func abort(_ fields: String) throws -> Verb.AlarmEnd {
            try Self.request(#"{"verb":"abort"\#(fields)}"#, as: Verb.Abort.self).fields
        }
        #expect(try abort("").caller.name == "someone in the house")
        let all = #","alarm":"\#(Self.alarm)","person":"maria""#
        #expect(try abort(all).target == .alarm(try #require(AlarmID(Self.alarm))))
        #expect(try abort(#","person":"maria""#).target == .person(maria))
        #expect(try abort("").target == .theOpenOne)
        let data = try Self.request(#"{"verb":"my_data","person":"maria"}"#, as: Verb.MyData.self)
        #expect(data.start == 0)
    }

    @Test(arguments: [
        (#"{"verb":"drill"}"#, "person: missing, expected 1 to 32 characters"),
        (#"{"verb":"scan_devices","seconds":121}"#, "seconds: saw '121', expected 5 to 120"),
        (#"{"verb":"pair_device","subject":"strap","person":"maria"}"#, "address: missing"),
        (Self.addition(signals: "[]"), "signals: missing, expected at least one event"),
        (Self.addition(signals: #"["vibration=cancel"]"#), "signals: saw 'vibration=cancel', expected"),
        (Self.addition(signals: #"["door=sos-button"]"#), "signals: saw 'door=sos-button'"),
        (Self.addition(signals: #"["button=fall","button=fall"]"#), "signals: saw 'button=fall'"),
        (Self.addition(signals: #"["button"]"#), "signals: saw 'button'"),
        (Self.addition(key: "231d39"), "key: saw 6 characters, expected 32 hexadecimal digits"),
        (#"{"verb":"answer_pairing","answer":"12 34"}"#, "answer: saw '12 34', expected 'yes', 'no'"),
        (#"{"verb":"answer_pairing","answer":""}"#, "answer: saw ''"),
        (
            #"{"verb":"track_device","subject":"strap","kind":"heart-rate","on":false,"sos":true}"#,
            "sos: saw true"
        ),
        (#"{"verb":"walk_room","room":"a\u0007b"}"#, "room: saw 'ab', expected 1 to 40 characters"),
        (#"{"verb":"drill","person":"Maria R"}"#, "person: saw 'Maria R', expected 1 to 32 characters"),
        (#"{"verb":"drill","person":"Maria"}"#, "name the person with --person ID"),
        (#"{"verb":"abort","alarm":"x"}"#, "alarm: 'x' is no alarm id; it looks like 0190c3a2-…"),
        (#"{"verb":"accept","subject":"data-policy"}"#, "person: missing"),
        (#"{"verb":"accept"}"#, "subject: missing, expected data-policy, "),
        (#"{"verb":"consent_request","subject":"?"}"#, "subject: saw '?', expected the id of a request"),
        (
            #"{"verb":"history","person":"maria","kind":"mood"}"#,
            "from: missing, expected milliseconds since 1970"
        ),
        (
            #"{"verb":"history","person":"maria","kind":"mood","from":0,"to":1}"#,
            "kind: saw 'mood', expected one of heart-rate, "
        ),
        (
            #"{"verb":"history","person":"maria","kind":"heart-rate","from":0,"to":1,"resolution":"year"}"#,
            "resolution: saw 'year', expected one of raw, minute, hour, day"
        ),
        (#"{"verb":"alarms","person":"maria","to":1}"#, "from: missing, expected milliseconds since 1970"),
        (#"{"verb":"alarms","from":0,"to":1}"#, "person: missing"),
        (#"{"verb":"race_self_test","subject":"x"}"#, "the tag cannot be used: "),
        (
            #"{"verb":"runner_vitals","subject":"milan","bib":0,"by":"wife"}"#,
            "bib: saw '0', expected 1 to 99999"
        ),
        (#"{"verb":"runner_vitals","subject":"milan","bib":7}"#, "by: missing"),
        (#"{"verb":"confirm_battery"}"#, "subject: missing, expected the id of a wearable: "),
        (#"{"verb":"drill","person":5}"#, "does not know such a request (person: expected String)"),
        (#"{"verb":"fly"}"#, "does not know such a request (verb: unknown value)"),
        (#"{}"#, "does not know such a request (verb: missing)"),
        ("{", "does not know such a request (not JSON: "),
    ])
    func `says which field is missing or wrong, and what to do`(text: String, expected: String) {
        #expect {
            _ = try Self.request(text)
        } throws: { error in
            "\(error)".contains(expected)
        }
    }

    @Test func `is answered by the handler of its verb alone, with its payload`() throws {
        let answers = Recorder<[String]>()
        let router = ControlRouter([
            ControlHandler(Verb.Drill.self) { drill, reply in reply(.done(drill.person.text)) },
            ControlHandler(Verb.Status.self) { reply in reply(.done("well")) },
        ])
        func ask<Request: ControlVerb>(_ request: Request) {
            router.answer(request, ControlAnswer { answers.add($0().lines) })
        }
        for text in [#"{"verb":"drill","person":"maria"}"#, #"{"verb":"status"}"#, #"{"verb":"reload"}"#] {
            ask(try Self.request(text))
        }
        #expect(answers.values == [["maria"], ["well"], ["reload is not served"]])
        #expect(router.verb("drill") == Verb.Drill.self && router.verb("watch") == Verb.Watch.self)
        #expect(router.verb("reload") == nil)
    }
}

@Suite struct `An answer at the control socket` {
    private func sent(_ reply: ControlReply<some ControlDocument>) throws -> NSDictionary {
        let line = try ControlJSON.line(reply)
        return try #require(try JSONSerialization.jsonObject(with: Data(line)) as? NSDictionary)
    }

    @Test func `has its content in a field of its own`() throws {
        #expect(try sent(ControlReply<NoDocument>.done("a", "b")) == ["is_done": true, "lines": ["a", "b"]])
        #expect(try sent(ControlReply<HouseSnapshot>.refused("no")) == ["is_done": false, "lines": ["no"]])
        #expect(
            try sent(ControlReply<NoDocument>.refused("no", .nothingOpen)) == [
                "is_done": false, "lines": ["no"], "refusal": "nothing-open",
            ])
        let newer = Array(#"{"is_done":false,"lines":["no"],"refusal":"of-another-version"}"#.utf8)
        let read = try ControlJSON.decode(ControlReply<StoredPage>.self, from: newer)
        #expect(read.refusal == nil && read.lines == ["no"] && read.document == nil)
        let page = HistoryPage(resolution: .raw, points: [], next: 7, unreadable: 0)
        let reply = ControlReply.done(with: StoredPage.history(page))
        #expect(
            try sent(reply) == [
                "is_done": true, "lines": [String](),
                "history": ["resolution": "raw", "points": [String](), "next": 7, "unreadable": 0],
            ])
        #expect(
            try sent(ControlReply<[PositionRow]>.done(with: []))
                == ["is_done": true, "lines": [String](), "positions": [String]()])
        let again = try ControlJSON.decode(ControlReply<StoredPage>.self, from: ControlJSON.line(reply))
        guard case .history(page) = again.document else {
            Issue.record("\(String(describing: again.document))")
            return
        }
    }

    @Test func `is read with fields of another version, and without the document of this one`() throws {
        let newer = Array(#"{"is_done":true,"lines":[],"positions":[],"moods":[{"a":1}]}"#.utf8)
        #expect(try ControlJSON.decode(ControlReply<[PositionRow]>.self, from: newer).document == [])
        for text in [#"{"is_done":true,"lines":["a"]}"#, #"{"is_done":true,"lines":["a"],"moods":{"a":1}}"#] {
            let reply = try ControlJSON.decode(ControlReply<[PositionRow]>.self, from: Array(text.utf8))
            #expect(reply.isDone && reply.lines == ["a"] && reply.document == nil)
        }
    }

    @Test func `shows a session no lines beside a document, and those of a refusal`() throws {
        let session = try ControlSession(role: .installer, person: nil, name: "Gino")
        let moment = Moment(boot: BootInstant(nanoseconds: 1), wall: WallTime(millisecondsSince1970: 1))
        let state = HouseSnapshot(
            version: "1", gateway: GatewayID("box")!, at: moment, summary: "", unsent: 0, alarms: [],
            conditions: [])
        #expect(ControlReply.done(with: state, lines: ["Maria"]).seen(by: session).lines.isEmpty)
        #expect(ControlReply<HouseSnapshot>.refused("no").seen(by: session).lines == ["no"])
        #expect(ControlReply<[LimitRow]>.done(with: [], lines: ["a"]).seen(by: session).lines.isEmpty)
        #expect(ControlReply<NoDocument>.done("done").seen(by: session).lines == ["done"])
    }
}
