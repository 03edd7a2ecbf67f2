import ControlContract
import ControlLink
import GatewayModel
import SOSLocal
import Testing

/// Rights of each role at the console's socket.
@Suite struct `The rights of a session` {
    private typealias Role = ControlSession.Role

    /// The whole table, in the words of the document: a mark for each role in the order of `Role.allCases`.
    /// `.` no, `+` any, `o` own, `r` own with a reason, `s` own readings, `d` as a decider, `p` own with the PIN,
    /// `x` drills, `n` no names.
    private static let table: [String: String] = [
        //                  room person family carer installer organiser public
        Verb.Status.verb: "+++++++", Verb.Watch.verb: ".......", Verb.Follow.verb: ".......",
        Verb.Abort.verb: "oo..x..", Verb.Resolve.verb: "oorox..", Verb.AcceptAlarm.verb: "..oo...",
        Verb.CallHelp.verb: "oooo...",
        Verb.Exercise.verb: "oo.....", Verb.NameMeasurer.verb: "oo.....", Verb.Drill.verb: "....+..",
        Verb.TestButton.verb: "oo..+..",
        Verb.LinkCode.verb: "oo.....",
        Verb.DevicePaired.verb: ".ooo...",
        Verb.Accept.verb: "pod....", Verb.Refuse.verb: "pod....", Verb.Withdraw.verb: "pod....",
        Verb.AcceptLimits.verb: "pod....", Verb.RefuseLimits.verb: "pod....",
        Verb.LimitQuestions.verb: ".......",
        Verb.Consents.verb: ".......", Verb.ConsentRequest.verb: ".o.....", Verb.ConsentHistory.verb: ".o.....",
        Verb.History.verb: ".oss...", Verb.Alarms.verb: ".oss...", Verb.MyData.verb: ".o.....",
        Verb.EraseMyData.verb: ".o.....",
        Verb.Profile.verb: ".oo....", Verb.Channels.verb: ".oo....", Verb.Limits.verb: ".oss...",
        Verb.ChangeProfile.verb: ".od....", Verb.ChangeLimits.verb: ".od....",
        Verb.ChangeChannel.verb: ".od....",
        Verb.DeviceSetup.verb: "....+..", Verb.ScanDevices.verb: "....+..", Verb.PairDevice.verb: "....+..",
        Verb.AddBroadcaster.verb: "....+..",
        Verb.AnswerPairing.verb: "....+..",
        Verb.StopSetup.verb: "....+..", Verb.TrackDevice.verb: "....+..", Verb.ForgetDevice.verb: "....+..",
        Verb.Buzz.verb: ".ooo+..",
        Verb.StartCheck.verb: "....+..",
        Verb.CheckReport.verb: "....+..", Verb.RecentEvents.verb: "....+..", Verb.StartWalk.verb: "....+..",
        Verb.WalkRoom.verb: "....+..",
        Verb.StopWalk.verb: "....+..", Verb.Walk.verb: "....+..", Verb.Settings.verb: "....+..",
        Verb.ConfirmBattery.verb: "....+..", Verb.RaceSelfTest.verb: "....++.", Verb.ReloadRuns.verb: ".....+.",
        Verb.Runs.verb: ".....+n", Verb.Positions.verb: ".....++", Verb.RunnerVitals.verb: ".......",
        Verb.Race.verb: ".....++", Verb.CorrectRace.verb: ".....+.",
        Verb.Reload.verb: ".......", Verb.ReloadSettings.verb: ".......", Verb.RotateHistoryKey.verb: ".......",
    ]

    private static let marks: [Character: ControlRights.Extent] = [
        ".": .no, "+": .any, "o": .own, "r": .ownWithReason, "s": .ownReadings, "d": .asDecider, "x": .drills,
        "p": .ownWithPIN,
        "n": .withoutNames,
    ]

    @Test func `are those of the table, for every verb and every role`() throws {
        #expect(Set(Self.table.keys) == Set(EveryVerb.types.map { $0.verb }))
        for verb in EveryVerb.types {
            let row = try #require(Self.table[verb.verb])
            try #require(row.count == Role.allCases.count, "\(verb)")
            for (role, mark) in zip(Role.allCases, row) {
                let expected = try #require(Self.marks[mark])
                #expect(verb.rights[role] ?? .no == expected, "\(verb.verb), \(role.rawValue)")
            }
        }
    }

    // MARK: Persons

    private static let maria = PersonID("maria")!
    private static let luigi = PersonID("luigi")!
    private static let mariasAlarm = alarm(of: maria)
    private static let luigisAlarm = alarm(of: luigi)
    private static let mariasDrill = drill(of: maria)
    private static let now = Moment(
        boot: BootInstant(nanoseconds: 9_000), wall: WallTime(millisecondsSince1970: 1_790_000_000_000))

    private static func plan(_ person: PersonID) -> SOSPlan {
        SOSPlan(
            person: person, rules: [], windows: AbortWindows(vitalSign: .seconds(2)),
            ways: EscalationPlan(channels: [.mqtt]))
    }

    private static func id() -> MessageID {
        var random = SystemRandomNumberGenerator()
        return MessageID(wall: now.wall, using: &random)
    }

    private static func alarm(of person: PersonID) -> Alarm {
        let signal = WearableSignal(
            id: id(), person: person, device: .housePage, kind: .sosButton, arrival: now)
        return Alarm(cause: .signal(signal), priority: .high, confirmation: now.boot, plan: plan(person))
    }

    private static func drill(of person: PersonID) -> Alarm {
        let drill = Drill(
            id: id(), person: person, act: PersonAct(by: "Gino", means: .page), arrival: now)
        return Alarm(cause: .drill(drill), priority: .high, confirmation: now.boot, plan: plan(person))
    }

    /// - Parameters:
    ///   - showing: persons with readings on the pages.
    ///   - deciders: names of the settings, of every person.
    private static func rights(showing: [PersonID] = [], deciders: [String] = []) -> ControlRights {
        let alarms = [mariasAlarm, luigisAlarm, mariasDrill]
        return ControlRights(
            ControlRights.Facts(
                alarm: { id in alarms.first { $0.id == id } },
                request: { $0.text == "marias" ? maria : $0.text == "luigis" ? luigi : nil },
                wearer: { $0.text == "strap" ? maria : $0.text == "band" ? luigi : nil },
                showsReadings: { showing.contains($0) }, isDecider: { deciders.contains($1) },
                screenPIN: { $0 == maria ? "4821" : nil }))
    }

    @Test func `let the room answer with the PIN of the person whose data it is about`() throws {
        let rights = Self.rights()
        let room = Self.session(.room, nil, "Kitchen")
        func asked(_ pin: String, _ subject: String = "marias") throws -> any ControlVerb {
            try Self.request(#"{"verb":"accept","subject":"\#(subject)"\#(pin)}"#)
        }
        let admitted = try rights.admit(try asked(#","pin":"4821""#), of: room)
        #expect(
            (admitted as? Verb.Accept)?.caller.name == "Kitchen"
                && (admitted as? Verb.Accept)?.caller.decider == "maria")
        for wrong in ["", #","pin":"""#, #","pin":"4822""#] {
            #expect(throws: ControlError.self, "\(wrong)") { try rights.admit(try asked(wrong), of: room) }
        }
        // Luigi has no PIN; nobody has such a request; a room of Luigi's does not answer for Maria.
        for subject in ["luigis", "nobodys"] {
            #expect(throws: ControlError.self) {
                try rights.admit(try asked(#","pin":"4821""#, subject), of: room)
            }
        }
        #expect(throws: ControlError.self) {
            try rights.admit(try asked(#","pin":"4821""#), of: Self.session(.room, Self.luigi))
        }
    }

    @Test func `take no PIN for a quarter of an hour after five wrong ones`() throws {
        let rights = Self.rights()
        let room = Self.session(.room, Self.maria, "Kitchen")
        let wrong = try Self.request(#"{"verb":"refuse","subject":"marias","pin":"0000"}"#)
        let right = try Self.request(#"{"verb":"refuse","subject":"marias","pin":"4821"}"#)
        let begin = Self.now.boot
        for _ in 0..<5 { #expect(throws: ControlError.self) { try rights.admit(wrong, of: room, at: begin) } }
        let end = begin.advanced(by: .seconds(15 * 60))
        #expect(throws: ControlError.self) {
            try rights.admit(right, of: room, at: end.advanced(by: .nanoseconds(-1)))
        }
        _ = try rights.admit(right, of: room, at: end)
    }

    private static func session(_ role: Role, _ person: PersonID?, _ name: String = "Anna") -> ControlSession {
        do {
            return try ControlSession(role: role, person: person, name: name)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func request(_ text: String) throws -> any ControlVerb {
        try EveryVerb.request(text.utf8).request
    }

    @Test func `to readings that are shown give no positions but to the person`() throws {
        let rights = Self.rights(showing: [Self.maria])
        let readings = try Self.request(
            #"{"verb":"history","person":"maria","kind":"heart-rate","from":0,"to":9}"#)
        let places = try Self.request(#"{"verb":"history","person":"maria","kind":"location","from":0,"to":9}"#)
        for role in [Role.family, .carer] {
            _ = try rights.admit(readings, of: Self.session(role, Self.maria))
            #expect(throws: ControlError.self) { try rights.admit(places, of: Self.session(role, Self.maria)) }
        }
        _ = try rights.admit(places, of: Self.session(.person, Self.maria))
    }

    @Test(arguments: [
        #"{"verb":"abort","person":"luigi"}"#, #"{"verb":"resolve","person":"luigi","reason":"x"}"#,
        #"{"verb":"accept_alarm","person":"luigi"}"#, #"{"verb":"call_help","person":"luigi"}"#,
        #"{"verb":"exercise","person":"luigi","minutes":3}"#,
        #"{"verb":"accept","person":"luigi","subject":"data-policy"}"#,
        #"{"verb":"accept","person":"luigi","subject":"study"}"#,
        #"{"verb":"accept_limits","person":"luigi","kind":"heart-rate"}"#,
        #"{"verb":"consent_history","person":"luigi"}"#, #"{"verb":"consent_request","subject":"luigis"}"#,
        #"{"verb":"consent_request","subject":"nobodys"}"#,
        #"{"verb":"history","person":"luigi","kind":"heart-rate","from":0,"to":9}"#,
        #"{"verb":"my_data","person":"luigi"}"#, #"{"verb":"erase_my_data","person":"luigi"}"#,
        #"{"verb":"profile","person":"luigi"}"#, #"{"verb":"limits","person":"luigi"}"#,
        #"{"verb":"channels","person":"luigi"}"#,
        #"{"verb":"change_profile","person":"luigi","profile":{"clear":["height"]}}"#,
        #"{"verb":"change_limits","person":"luigi","kind":"heart-rate","limits":{}}"#,
        #"{"verb":"change_channel","person":"luigi","subject":"family"}"#,
        #"{"verb":"buzz","subject":"band"}"#, #"{"verb":"buzz","subject":"nobodys"}"#,
    ])
    func `of one person never reach another one, in any role`(text: String) throws {
        let rights = Self.rights(showing: [Self.maria, Self.luigi], deciders: ["Anna"])
        let asked = try Self.request(text)
        for role in [Role.person, .family, .carer, .room] {
            #expect(throws: ControlError.self, "\(role)") {
                try rights.admit(asked, of: Self.session(role, Self.maria))
            }
        }
    }

    @Test func `name the person of the session where the request names nobody`() throws {
        let admitted = try Self.rights().admit(
            try Self.request(#"{"verb":"abort"}"#), of: Self.session(.person, Self.maria))
        #expect((admitted as? Verb.Abort)?.fields.target == .person(Self.maria))
        let asked = try Self.request(#"{"verb":"accept","subject":"study"}"#)
        let decision = try Self.rights().admit(asked, of: Self.session(.person, Self.maria))
        #expect((decision as? Verb.Accept)?.fields.subject == .request(RequestID("study")!, of: Self.maria))
        let history = try Self.rights().admit(
            try Self.request(#"{"verb":"consent_history"}"#), of: Self.session(.person, Self.maria))
        #expect((history as? Verb.ConsentHistory)?.person == Self.maria)
    }

    @Test(arguments: ["abort", "resolve"])
    func `end the alarm of their own person alone`(verb: String) throws {
        let rights = Self.rights()
        func asked(_ alarm: Alarm) throws -> any ControlVerb {
            try Self.request(#"{"verb":"\#(verb)","alarm":"\#(alarm.id)"}"#)
        }
        let session = Self.session(.person, Self.maria)
        _ = try rights.admit(try asked(Self.mariasAlarm), of: session)
        #expect(throws: ControlError.self) { try rights.admit(try asked(Self.luigisAlarm), of: session) }
        _ = try rights.admit(try asked(Self.luigisAlarm), of: Self.session(.room, nil))
    }

    @Test(arguments: [Role.person, .family, .carer])
    func `let whoever is near the person find their wearable by its buzz`(role: ControlSession.Role) throws {
        let asked = try Self.request(#"{"verb":"buzz","subject":"strap"}"#)
        let admitted = try Self.rights().admit(asked, of: Self.session(role, Self.maria))
        #expect((admitted as? Verb.Buzz)?.device == DeviceID("strap")!)
        #expect((admitted as? Verb.Buzz)?.caller.name == "Anna")
    }

    @Test func `let an installer end a drill and no alarm`() throws {
        let rights = Self.rights()
        let session = Self.session(.installer, nil)
        _ = try rights.admit(
            try Self.request(#"{"verb":"abort","alarm":"\#(Self.mariasDrill.id)"}"#), of: session)
        for text in [#"{"verb":"abort","alarm":"\#(Self.mariasAlarm.id)"}"#, #"{"verb":"abort"}"#] {
            #expect(throws: ControlError.self) { try rights.admit(try Self.request(text), of: session) }
        }
    }

    @Test func `ask the family for a reason, which is recorded`() throws {
        let session = Self.session(.family, Self.maria)
        #expect(throws: ControlError.self) {
            try Self.rights().admit(try Self.request(#"{"verb":"resolve"}"#), of: session)
        }
        let admitted = try Self.rights().admit(
            try Self.request(#"{"verb":"resolve","reason":"I am with her"}"#), of: session)
        #expect((admitted as? Verb.Resolve)?.fields.reason == "I am with her")
    }

    @Test(arguments: [Role.family, .carer])
    func `show readings only while the person shows them`(role: ControlSession.Role) throws {
        let asked = try Self.request(
            #"{"verb":"history","person":"maria","kind":"heart-rate","from":0,"to":9}"#)
        let session = Self.session(role, Self.maria)
        _ = try Self.rights(showing: [Self.maria]).admit(asked, of: session)
        #expect(throws: ControlError.self) { try Self.rights().admit(asked, of: session) }
        _ = try Self.rights().admit(asked, of: Self.session(.person, Self.maria))
    }

    @Test func `let the family decide only under a name that the settings name`() throws {
        let asked = try Self.request(#"{"verb":"accept","person":"maria","subject":"study"}"#)
        let session = Self.session(.family, Self.maria)
        #expect(throws: ControlError.self) { try Self.rights().admit(asked, of: session) }
        _ = try Self.rights(deciders: ["Anna"]).admit(asked, of: session)
    }

    @Test func `record the name and the means of the session, whatever the request says`() throws {
        let asked = try Self.request(#"{"verb":"abort","by":"the doctor"}"#)
        let screen = try Self.rights().admit(asked, of: Self.session(.room, nil, "Kitchen"))
        #expect(
            (screen as? Verb.Abort)?.caller.name == "Kitchen"
                && (screen as? Verb.Abort)?.caller.means == .screen)
        let page = try Self.rights().admit(asked, of: Self.session(.person, Self.maria, "Maria's tablet"))
        #expect(
            (page as? Verb.Abort)?.caller.name == "Maria's tablet"
                && (page as? Verb.Abort)?.caller.means == .page)
        #expect((page as? Verb.Abort)?.caller.decider == "maria")
    }

    @Test func `never refuse a call for help because the alarm before it is forgotten`() throws {
        let forgotten = Self.alarm(of: Self.maria)
        let asked = try Self.request(#"{"verb":"call_help","alarm":"\#(forgotten.id)"}"#)
        let admitted = try Self.rights().admit(asked, of: Self.session(.carer, Self.maria))
        #expect((admitted as? Verb.CallHelp)?.person == Self.maria)
    }

    @Test func `give no names of runners to the public`() throws {
        let session = Self.session(.anyone, nil, "visitor")
        _ = try Self.rights().admit(try Self.request(#"{"verb":"runs"}"#), of: session)
        #expect(throws: ControlError.self) {
            try Self.rights().admit(try Self.request(#"{"verb":"runs","kind":"runners"}"#), of: session)
        }
    }

    // MARK: Sessions

    @Test(arguments: [
        #"{"role":"family","name":"Anna"}"#, #"{"role":"person","name":"Anna"}"#,
        #"{"role":"carer","name":"Anna"}"#, #"{"role":"king","name":"Anna"}"#, #"{"role":"room"}"#,
        #"{"role":"room","name":""}"#, #"{"role":"room","name":"a\u0007b"}"#, #"{"name":"Anna"}"#,
        #"{"role":"room","name":"Anna","person":"no person"}"#,
    ])
    func `need a whole session`(session: String) {
        let line = Array(#"{"verb":"status","session":\#(session)}"#.utf8)
        #expect(throws: ControlError.self) { try EveryVerb.request(line) }
    }

    @Test func `come with the request on one line, and return as they were`() throws {
        let asked = try Verb.CallHelp(person: "maria", alarm: nil, by: "x")
        let session = Self.session(.family, Self.maria)
        let read = try EveryVerb.request(try ControlJSON.line(ControlLine(asked, of: session)))
        #expect(read.session == session && read.request as? Verb.CallHelp == asked)
    }

    // MARK: States

    private static var state: HouseSnapshot {
        var state = HouseSnapshot(
            version: "1", gateway: GatewayID("box")!, at: now, summary: "", unsent: 0,
            alarms: [mariasAlarm, luigisAlarm, mariasDrill],
            conditions: [
                HouseSnapshot.Condition(HealthCondition(.mainsLost), reason: nil, since: nil)
            ])
        state.persons = [(maria, ["home-dashboard"]), (luigi, [])].map {
            HouseSnapshot.Person(
                id: $0, name: $0.text, language: "it", agreements: $1, coverage: [])
        }
        state.limits = [maria, luigi].map { HouseSnapshot.Limits(AlarmLimits(.heartRate), for: $0) }
        state.usual = [maria, luigi].compactMap {
            HouseSnapshot.UsualBand(
                ofHours: Array(repeating: 70, count: 60), of: .heartRate, for: $0)
        }
        state.runs = [
            HouseSnapshot.Run(id: "milan", title: "Milan", start: now.wall, end: now.wall, runners: 3)
        ]
        return state
    }

    @Test func `show each role its part of the state`() {
        func seen(_ role: Role, _ person: PersonID? = nil) -> HouseSnapshot {
            Self.state.seen(by: Self.session(role, person))
        }
        #expect(seen(.person, Self.luigi).persons.map(\.id) == ["luigi"])
        #expect(seen(.person, Self.luigi).limits.map(\.person) == ["luigi"])
        #expect(seen(.family, Self.luigi).limits.isEmpty && seen(.family, Self.luigi).usual.isEmpty)
        #expect(seen(.family, Self.maria).usual.map(\.person) == ["maria"])
        #expect(seen(.carer, Self.maria).alarms.map(\.person) == ["maria", "maria"])
        #expect(seen(.room).persons.count == 2 && seen(.room, Self.maria).persons.count == 1)
        #expect(seen(.installer).usual.isEmpty && seen(.installer).alarms.map(\.isDrill) == [true])
        let visitor = seen(.anyone)
        #expect(visitor.persons.isEmpty && visitor.alarms.isEmpty && visitor.conditions.isEmpty)
        #expect(visitor.runs.map(\.id) == ["milan"] && seen(.family, Self.maria).runs.isEmpty)
    }
}

extension ControlRights {
    fileprivate func admit(
        _ request: any ControlVerb, of session: ControlSession
    ) throws(ControlError) -> any ControlVerb {
        try admit(request, of: session, at: BootInstant(nanoseconds: 9_000))
    }
}
