import ControlContract
import Foundation
import GatewayModel
import HTML
import Pages
import Testing

@Suite struct `Pages of the house` {
    private static let hostile = "<img src=x onerror=alert(1)>\u{202E}"
    private static let noon = LocalTime(WallTime(millisecondsSince1970: 1795514700_000), eastOfUTC: 3_600)

    static func house(
        name: String = "Maria", alarms: String = "", recent: String = "", isPaused: Bool = false,
        agreements: String = "", hasPIN: Bool = true, more: String = "", buttons: String = "",
        exercise: Int? = nil, conditions: String = "",
        requests: String? = nil, help: String = #"{"state":"ready"}"#
    ) throws -> HouseSnapshot {
        let escaped = name.replacingOccurrences(of: "\"", with: "\\\"")
        let ofParties = """
            {"id":"r1","person":"maria","party":"clinic","partyName":"\(escaped) clinic",
            "purpose":"\(escaped)","kinds":["heart-rate"],"state":"pending","asked":0,"from":0,
            "until":7776000000},{"id":"r2","person":"maria","party":"gym","partyName":"Gym",
            "purpose":"sport","kinds":["heart-rate"],"state":"granted","asked":0}
            """
        let text = """
            {"version":"1","gateway":"g","time":0,"bootNs":0,"summary":"","unsent":0,"alarms":[\(alarms)],
            "recentAlarms":[\(recent)],"conditions":[\(conditions)],"channels":[],"buttons":[\(buttons)],"limits":[],
            "runs":[],"limitQuestions":[\(more)],
            "house":{"language":"en","wakingBegin":"07:00","wakingEnd":"22:00"},
            "persons":[
            {"id":"maria","name":"\(escaped)","language":"en","agreements":[\(agreements)],"coverage":[],
            "decidesOnScreen":\(hasPIN)\(exercise.map { ",\"exerciseLeftMs\":\($0)" } ?? ""),"help":\(help),
            "supervision":{"isPaused":\(isPaused),"reasons":[]}},
            {"id":"paolo","name":"Paolo","language":"it","agreements":[],"coverage":[]}],
            "devices":[{"id":"strap","person":"maria","address":"x","heardBy":"connection","battery":80}],
            "readings":[{"person":"maria","device":"strap","kind":"heart-rate","unit":"/min","value":72,
            "arrival":0,"ageMs":1000}],
            "usual":[{"person":"maria","kind":"heart-rate","unit":"/min","low":60,"high":80}],
            "requests":[\(requests ?? ofParties)]}
            """
        return try JSONDecoder().decode(HouseSnapshot.self, from: Data(text.utf8))
    }

    static func alarm(
        left: Int? = 3_000, call: String = "not-yet", told: String = "", ending: String? = nil,
        isNoticeGiven: Bool = false, help: String? = nil, doubt: String? = nil, buttonOf device: String? = nil
    ) -> String {
        let usual =
            left != nil
            ? #"{"state":"will-be-called","at":3000,"recipients":[\#(isNoticeGiven ? desk : "")]}"#
            : call == "handed-over"
                ? #"{"state":"reached","recipients":[\#(desk)],"called":0,"reached":60000}"#
                : #"{"state":"being-called","at":0,"recipients":[{"kind":"desk"}],"called":0}"#
        return """
            {"id":"a1","help":\(help ?? usual),"person":"maria","priority":"high","isDrill":false,
            \(device.map { #""rule":"sos-button","device":"\#($0)","# } ?? crossing)"crossed":0,"crossedBootNs":0,
            \(doubt.map { "\"doubt\":\"\($0)\"," } ?? "")
            \(left.map { "\"windowLeftMs\":\($0)," } ?? "")"isNoticeGiven":\(isNoticeGiven),"call":"\(call)",
            "told":[\(told)],"mayEnd":["page","screen"]\(ending.map { ",\"ending\":\($0)" } ?? "")}
            """
    }

    private static let crossing = #""rule":"heart-rate-high","value":152,"limit":130,"unit":"/min","#
    private static let desk = #"{"kind":"desk","at":60000}"#
    private static let takenByAnna =
        #"{"state":"taken","by":"Anna","at":300000,"recipients":[],"called":0,"reached":60000,"answered":300000}"#
    private static func over(_ told: String, at time: Int = 0) -> String {
        #"{"state":"over","by":"Maria","at":\#(time),"recipients":[],"told":"\#(told)"}"#
    }

    private static func pages(
        _ house: HouseSnapshot, _ role: ControlSession.Role = .room,
        _ language: PersonProfile.Language = .english
    ) -> Pages {
        let viewer = Viewer(
            role: role, person: "maria", language: language, token: "secret-token")
        return Pages(house, for: viewer, at: noon)
    }

    private static func all(_ language: PersonProfile.Language) throws -> [Page] {
        let cancelled =
            #"{"how":"aborted","by":"Maria","means":"screen","ageMs":5000,"isBeforeCall":true}"#
        let states = [
            try house(name: hostile), try house(name: hostile, alarms: alarm()),
            try house(name: hostile, alarms: alarm(left: nil, call: "trying")),
            try house(name: hostile, recent: alarm(left: nil, ending: cancelled, help: over("nobody"))),
            try house(name: hostile, recent: alarm(left: nil, ending: cancelled, help: takenByAnna)),
            try house(name: hostile, isPaused: true),
        ]
        let plain = PlainPages(language)
        return try states.flatMap { state in
            let room = pages(state, .room, language)
            let family = pages(state, .family, language)
            return [
                room.room(), room.callHelp(), room.question(), family.today(), family.sharing(),
                try #require(family.withdrawal(of: "r2")),
            ]
        } + [plain.pairing(token: "secret-token")] + PlainPages.Failure.allCases.map(plain.failure)
    }

    @Test(arguments: PersonProfile.Language.allCases)
    func `keep hostile names as text, and nothing inline`(language: PersonProfile.Language) throws {
        for page in try Self.all(language) {
            let text = page.text
            #expect(!text.contains("<img") && !text.contains("\u{202E}"))
            #expect(!text.contains(" style=") && !text.contains("<style") && !text.contains(" onerror=\""))
            #expect(text.components(separatedBy: "<script").count <= 2 && !text.contains("<script>"))
            #expect(page.bytes.count <= 30_000)
            #expect(text.contains("lang=\"\(language.rawValue)\""))
            for form in text.components(separatedBy: "<form").dropFirst() {
                #expect(form.contains("name=\"token\" value=\"secret-token\""))
                #expect(form.hasPrefix(" method=\"post\""))
            }
        }
    }

    @Test func `an alarm takes the page, offers the cancel first and help beside it`() throws {
        let text = Self.pages(try Self.house(alarms: Self.alarm())).room().text
        let fine = try #require(text.range(of: "I AM FINE"))
        let help = try #require(text.range(of: "HELP NOW"))
        #expect(fine.lowerBound < help.lowerBound)
        #expect(text.contains("data-left=\"3000\"") && text.contains("152"))
        #expect(text.contains("action=\"/act/abort\"") && text.contains("value=\"a1\""))
        #expect(!text.contains("CALL HELP"))
    }

    @Test func `the house asks about a doubtful value only while help waits for the answer`() throws {
        func family(_ alarm: String) throws -> String {
            Self.pages(try Self.house(alarms: alarm), .family).today().text
        }
        let asked = "The house is asking in the room."
        #expect(try family(Self.alarm(left: 50_000, doubt: "asks")).contains(asked))
        let called = try family(Self.alarm(left: nil, call: "trying", doubt: "asks"))
        #expect(called.contains("The value may be wrong.") && !called.contains(asked))
    }

    @Test func `a person whom nobody can be called for reads what to do themselves`() throws {
        let dead = try Self.house(help: #"{"state":"cannot-be-called","because":"ways-dead"}"#)
        let text = Self.pages(dead, .person).today().text
        #expect(
            text.contains("I cannot call anybody at the moment. Dial 112.") && !text.contains("Be reachable"))
    }

    @Test func `a doubtful value is a question, and no alarm`() throws {
        let question = "your sensor shows a fast heart, but it may be wrong. Are you all right?"
        func text(_ doubt: String?, left: Int? = 50_000) throws -> String {
            Self.pages(try Self.house(alarms: Self.alarm(left: left, doubt: doubt))).room().text
        }
        #expect(try text("asks").contains(question) && text("asks").contains("I AM FINE"))
        #expect(try text("measures-again").contains("rest for a minute and measure again"))
        #expect(try !text(nil).contains("may be wrong"))
        // Once help is called the call is what counts.
        #expect(try !text("asks", left: nil).contains(question))
    }

    @Test func `an early notice is said, and the window to cancel goes on`() throws {
        let told = #"{"channel":"mqtt","handedOverAfterMs":4200}"#
        let alarm = Self.alarm(left: 40_000, call: "handed-over", told: told, isNoticeGiven: true)
        let text = Self.pages(try Self.house(alarms: alarm)).room().text
        #expect(text.contains("data-left=\"40000\"") && text.contains("HELP NOW"))
        #expect(text.contains("The help desk knows already.") && !text.contains("I called for help"))
        let ordered = Self.alarm(left: 40_000, call: "trying", told: #"{"channel":"mqtt"}"#)
        #expect(!Self.pages(try Self.house(alarms: ordered)).room().text.contains("knows already"))
    }

    @Test func `after the call the help is the largest thing, and the way back is small and takes two pages`()
        throws
    {
        let told = #"{"channel":"neighbour","handedOverAfterMs":4200}"#
        let pages = Self.pages(try Self.house(alarms: Self.alarm(left: nil, call: "handed-over", told: told)))
        let text = pages.room().text
        #expect(text.contains("<h1 class=\"big\">I called for help.</h1>"), "\(text)")
        #expect(text.contains("The help desk has the call. Nobody has answered yet."))
        #expect(
            !text.contains("neighbour") && !text.contains("mqtt") && text.contains("Called 1")
                && text.contains("112"))
        #expect(!text.contains("action=\"/act/abort\"") && !text.contains("data-left"))
        #expect(text.contains("href=\"/mistake?alarm=a1\"") && text.contains("Called by mistake"))
        let second = try #require(pages.mistake(of: "a1")).text
        let keep = try #require(second.range(of: "NO, I need help"))
        let stop = try #require(second.range(of: "YES, STOP"))
        #expect(keep.lowerBound < stop.lowerBound && second.contains("action=\"/act/abort\""))
        #expect(pages.mistake(of: "a2") == nil)
        #expect(Self.pages(pages.house, .family).mistake(of: "a1") == nil)
    }

    @Test(arguments: [60_000, nil])
    func `say at once that nobody is called, or can be, and never that help is called`(left: Int?) throws {
        let states = [
            (#"{"state":"nobody","because":"terms-not-accepted","recipients":[]}"#, "Nobody is called"),
            (#"{"state":"cannot-be-called","because":"ways-dead","recipients":[]}"#, "I cannot call anybody"),
            (
                #"{"state":"cannot-be-called","because":"unanswered","recipients":[]}"#,
                "I cannot reach help yet"
            ),
        ]
        for (help, words) in states {
            let text = Self.pages(try Self.house(alarms: Self.alarm(left: left, call: "trying", help: help)))
                .room().text
            #expect(text.contains(words) && text.contains("ial 112"), "\(text)")
            #expect(text.contains("I AM FINE") && !text.contains("data-left"))
            #expect(!text.contains("I am calling") && !text.contains("will be called"))
        }
    }

    @Test func `for a minute after the end help can be called after all`() throws {
        func page(_ age: Int, _ told: String = "nobody") throws -> String {
            let ending =
                #"{"how":"aborted","by":"M","means":"screen","ageMs":\#(age),"isBeforeCall":true}"#
            let over = Self.alarm(left: nil, ending: ending, help: Self.over(told, at: -age))
            return Self.pages(try Self.house(recent: over)).room().text
        }
        #expect(try page(59_000).contains("Call help after all"))
        #expect(try page(59_000).contains("Nobody has been called for it."))
        #expect(try page(59_000, "being-told").contains("I am telling those whom I called."))
        #expect(try page(59_000, "informed").contains("Those who were called know."))
        #expect(try !page(60_000).contains("Call help after all"))
        let ending = #"{"how":"aborted","by":"M","means":"screen","ageMs":9000,"isBeforeCall":true}"#
        let refused = try Self.house(
            recent: Self.alarm(left: nil, ending: ending, help: Self.over("nobody", at: -9_000)),
            help: #"{"state":"nobody","because":"terms-not-accepted"}"#)
        #expect(!Self.pages(refused).room().text.contains("Call help after all"))
    }

    @Test func `after several ends the room reads of the last, and of two at once of the one that was called`()
        throws
    {
        let ending = #"{"how":"aborted","by":"M","means":"screen","ageMs":9000,"isBeforeCall":true}"#
        func room(_ ends: (told: String, age: Int)...) throws -> String {
            let recent = ends.map {
                Self.alarm(left: nil, ending: ending, help: Self.over($0.told, at: -$0.age))
            }
            return Self.pages(try Self.house(recent: recent.joined(separator: ","))).room().text
        }
        let last = try room(("nobody", 30_000), ("informed", 5_000))
        #expect(last.contains("Those who were called know.") && !last.contains("Nobody has been called"))
        let both = try room(("nobody", 5_000), ("being-told", 5_400))
        #expect(both.contains("I am telling those whom I called."))
        #expect(try room(("informed", 30_000), ("nobody", 5_000)).contains("Nobody has been called for it."))
    }

    @Test func `a person begins and ends exercise, and tests the help button, on the screen of the room`()
        throws
    {
        let button = #"{"device":"pendant","person":"maria","callsHelp":true,"isTestMissed":false}"#
        let rest = Self.pages(try Self.house(buttons: button)).room().text
        #expect(rest.contains(#"action="/act/exercise""#) && rest.contains(#"name="minutes" value="45""#))
        #expect(rest.contains("I am about to move, for 45 minutes"))
        #expect(rest.contains(#"action="/act/test-button""#) && rest.contains("Test my help button"))
        let moving = Self.pages(try Self.house(exercise: 2_400_000)).room().text
        #expect(moving.contains("I have stopped moving. 40 min are left"))
        #expect(!moving.contains(#"name="minutes""#) && !moving.contains("Test my help button"))
    }

    @Test(arguments: [ControlSession.Role.room, .person])
    func `the code for TrackMe stands under the names of its fields, with the time of its end`(
        _ role: ControlSession.Role
    ) throws {
        var house = try Self.house(agreements: #""data-policy""#)
        func home() -> String {
            let pages = Self.pages(house, role)
            return (role == .room ? pages.room() : pages.today()).text
        }
        #expect(!home().contains("/act/link-code"))
        house.linkCodes = []
        #expect(home().contains("Code for a relative at TrackMe"))
        let code = try #require(OneTimeCode("48217305", of: .digits))
        let maria = try #require(PersonID("maria"))
        house.linkCodes = [
            HouseSnapshot.LinkCode(
                person: maria, code, .open, expires: WallTime(millisecondsSince1970: house.time + 600_000))
        ]
        let text = Self.pages(house, role).linkCodePage().text
        let lines = ["House</h2>", ">g</p>", "Person</h2>", ">maria</p>", "Code</h2>", ">4821-7305</p>"]
        var rest = text[...]
        for line in lines {
            let place = try #require(rest.range(of: line), "\(line) in \(text)")
            rest = rest[place.upperBound...]
        }
        #expect(rest.contains("works once, until 11:15") && rest.contains("Make another code"))
        let italian = Self.pages(house, role, .italian).linkCodePage().text
        #expect(["Casa</h2>", "Codice</h2>", "4821-7305"].allSatisfy(italian.contains))
        var alarm = try Self.house(alarms: Self.alarm())
        alarm.linkCodes = house.linkCodes
        #expect(!Self.pages(alarm, role).linkCodePage().text.contains("4821"))
    }

    @Test(arguments: [
        (OneTimeCodes<WallTime>.Standing.used, "This code was used"),
        (OneTimeCodes<WallTime>.Standing.void, "There were five wrong codes"),
        (OneTimeCodes<WallTime>.Standing.expired, "This code is too old"),
    ])
    func `a code that works no more is not shown, and the page says why`(
        _ standing: OneTimeCodes<WallTime>.Standing, _ words: String
    ) throws {
        var house = try Self.house(agreements: #""data-policy""#)
        let code = try #require(OneTimeCode("48217305", of: .digits))
        let maria = try #require(PersonID("maria"))
        house.linkCodes = [
            HouseSnapshot.LinkCode(
                person: maria, code, standing, expires: WallTime(millisecondsSince1970: house.time))
        ]
        let text = Self.pages(house).linkCodePage().text
        #expect(text.contains(words) && !text.contains("4821") && text.contains("Make another code"))
    }

    @Test func `a code for TrackMe is of its person and the room alone`() throws {
        var house = try Self.house()
        let code = try #require(OneTimeCode("48217305", of: .digits))
        house.linkCodes = try ["maria", "paolo"].map {
            HouseSnapshot.LinkCode(
                person: try #require(PersonID($0)), code, .open, expires: WallTime(millisecondsSince1970: 0))
        }
        func seen(_ role: ControlSession.Role, _ person: String? = "maria") -> [String]? {
            house.seen(by: role, of: person.flatMap { PersonID($0) }).linkCodes?.map(\.person)
        }
        #expect(seen(.room, nil) == ["maria", "paolo"])
        #expect(seen(.room) == ["maria"] && seen(.person) == ["maria"])
        for role in [ControlSession.Role.family, .carer, .installer, .organiser, .anyone] {
            #expect(seen(role) == nil, "\(role.rawValue)")
        }
    }

    @Test func `a measurement of nobody is a question in the room, and to each person for themselves`() throws {
        var house = try Self.house()
        house.unnamedMeasurements = [
            HouseSnapshot.UnnamedMeasurement(
                Reading(
                    id: MessageID("0190c3a2-0000-7000-8000-000000000000")!, person: PersonID("maria")!,
                    device: DeviceID("cuff")!, quantity: Quantity(.systolicPressure, 226),
                    contact: .unknown, sampling: .spot,
                    arrival: Moment(boot: BootInstant(nanoseconds: 0), wall: WallTime(millisecondsSince1970: 0))
                ),
                at: BootInstant(nanoseconds: 120_000_000_000))
        ]
        let room = Self.pages(house).room().text
        #expect(room.contains("Who has measured with cuff, 2 minutes ago?") && !room.contains("226"))
        #expect(room.contains(#"action="/act/name-measurer""#) && room.contains("Somebody else"))
        let person = Self.pages(house, .person).today().text
        #expect(person.contains("Who has measured with cuff") && !person.contains("Somebody else"))
        let family = Self.pages(house, .family).today().text
        #expect(!family.contains("Who has measured"))
        for text in [person, family] {
            #expect(!text.contains("All well") && text.contains("nobody has said whose it is"))
        }
    }

    @Test func `an installer sees which cause was cancelled how often`() throws {
        var house = try Self.house()
        house.cancelledAlarms = [
            CancelledAlarms(
                person: "maria", month: "2026-11", rule: "heart-rate-high", device: "strap", count: 3)
        ]
        let text = Self.pages(house, .installer).healthPage().text
        #expect(text.contains("Cancelled alarms by month"))
        #expect(text.contains("2026-11, Maria: ") && text.contains("(strap), 3 times"))
        #expect(!Self.pages(house, .family).healthPage().text.contains("strap), 3 times"))
    }

    @Test
    func
        `a house that can call nobody says so on the screen and at the family, and dials nobody for the person`()
        throws
    {
        let dead = #"{"state":"cannot-be-called","because":"ways-dead"}"#
        let state = try Self.house(help: dead)
        let room = Self.pages(state).room().text
        #expect(room.contains("I watch, but I cannot call anybody at the moment. Dial 112."))
        #expect(!room.contains("watching over you") && !room.contains("I cannot see how"))
        let italian = Self.pages(state, .room, .italian).room().text
        #expect(italian.contains("Veglio su di te, ma adesso non riesco a chiamare nessuno. Chiama il 112."))
        let family = Self.pages(state, .family).today().text
        #expect(
            family.components(separatedBy: "Help cannot be called for Maria at the moment.").count == 2
                && !family.contains("All well"))
        let blind = Self.pages(try Self.house(isPaused: true, help: dead)).room().text
        #expect(blind.contains("I cannot call anybody at the moment. Dial 112.") && !blind.contains("I watch"))
        #expect(blind.contains("I cannot see how Maria is."))
    }

    @Test func `the family reads conditions that it can have mended, and not those of another person`() throws {
        func condition(_ code: String, _ subject: String?) -> String {
            let subject = subject.map { #""subject":"\#($0)","# } ?? ""
            return #"{"code":"\#(code)",\#(subject)"severity":"degraded","title":"","remedy":""}"#
        }
        let found = [
            condition("house-button-dead", nil), condition("storage-damaged", "state.sqlite"),
            condition("house-silent", nil), condition("clock-not-set", nil),
            condition("alarm-not-cancellable", "maria"), condition("broker-unreachable", nil),
        ]
        let state = try Self.house(conditions: found.joined(separator: ","))
        let english = Self.pages(state, .family).today().text
        for code in [
            HealthCode.houseButtonDead, .storageDamaged, .houseSilent, .clockNotSet, .alarmNotCancellable,
        ] {
            #expect(
                english.contains(
                    HTML(.p, text: code.declaration.title.in(.english)).source.dropFirst(3).dropLast(4)))
            let italian = Self.pages(state, .family, .italian).today().text
            #expect(
                italian.contains(
                    HTML(.p, text: code.declaration.title.in(.italian)).source.dropFirst(3).dropLast(4)))
        }
        #expect(!english.contains(HealthCode.brokerUnreachable.declaration.title.en))
        let other = try Self.house(conditions: condition("alarm-not-cancellable", "paolo"))
        #expect(!Self.pages(other, .family).today().text.contains("cancel a false alarm"))
    }

    @Test func `a loss of help is no pause of the supervision`() throws {
        let dead =
            #"{"code":"help-unreachable","subject":"maria","severity":"supervision","title":"","remedy":""}"#
        var state = try Self.house(conditions: dead)
        state.describeSupervision()
        #expect(state.persons[0].supervision?.isPaused == false)
    }

    @Test func `a pause of the supervision replaces the reassurance`() throws {
        #expect(Self.pages(try Self.house()).room().text.contains("I am watching over you."))
        let paused = Self.pages(try Self.house(isPaused: true)).room().text
        #expect(paused.contains("I cannot see how Maria is.") && !paused.contains("watching over you"))
    }

    @Test(arguments: [ControlSession.Role.installer, .organiser, .anyone])
    func `a role without a person learns no name`(role: ControlSession.Role) throws {
        let viewer = Viewer(role: role, person: nil, language: .english, token: "t")
        let pages = Pages(try Self.house(alarms: Self.alarm()), for: viewer, at: Self.noon)
        for page in [
            pages.room(), pages.today(), pages.sharing(), pages.callHelp(), pages.question(),
        ] {
            #expect(!page.text.contains("Maria") && !page.text.contains("clinic"))
        }
        #expect(pages.withdrawal(of: "r2") == nil)
    }

    @Test func `a family sees readings only under the person's agreement to pages of the house`() throws {
        func figures(_ agreements: String, _ role: ControlSession.Role) throws -> (reading: Bool, cause: Bool) {
            let state = try Self.house(alarms: Self.alarm(), agreements: agreements)
            let text = Self.pages(state, role).today().text
            return (text.contains(">72 <"), text.contains("152"))
        }
        for role in [ControlSession.Role.family, .carer] {
            #expect(try figures("", role) == (false, false))
            #expect(try figures("\"home-dashboard\"", role) == (true, true))
        }
        #expect(try figures("", .person) == (true, true))
    }

    @Test func `a carer sees no request of a third party`() throws {
        let pages = Self.pages(try Self.house(), .carer)
        #expect(
            !pages.sharing().text.contains("clinic") && !pages.question().text.contains("clinic"))
        #expect(pages.withdrawal(of: "r2") == nil)
    }

    @Test func `another person's name is not on the page of a family`() throws {
        let pages = Self.pages(try Self.house(), .family)
        #expect(!pages.today().text.contains("Paolo") && pages.today().text.contains("Maria"))
    }

    @Test func `the second screens return to the room by themselves, and are not asked again`() throws {
        let pages = Self.pages(try Self.house())
        #expect(
            pages.callHelp().text.contains("content=\"10;url=/\"")
                && pages.callHelp().text.contains("data-leave=\"10\""))
        #expect(!pages.question().text.contains("content=\"5\""))
        #expect(pages.room().text.contains("<noscript><meta http-equiv=\"refresh\" content=\"5\">"))
    }

    @Test func `the room answers with the person's PIN, and without one it says who can answer`() throws {
        let text = Self.pages(try Self.house()).question().text
        #expect(text.contains("type=\"password\" name=\"pin\"") && text.contains("/act/allow"))
        #expect(!text.contains("digits are not right"))
        #expect(Self.pages(try Self.house()).question(.pin).text.contains("digits are not right"))
        let without = Self.pages(try Self.house(hasPIN: false)).question().text
        #expect(!without.contains("/act/allow") && without.contains("This screen takes no answer"))
        #expect(without.contains("/act/later"))
        // On her own device she is known by it.
        let own = Self.pages(try Self.house(hasPIN: false), .person).question().text
        #expect(own.contains("/act/allow") && !own.contains("name=\"pin\""))
    }

    @Test func `an account of TrackMe is asked about by its name, and shown as an account`() throws {
        let request = """
            {"id":"link-1","person":"maria","party":"trackme-account","partyName":"anna at trackme.example",
            "purpose":"Link","kinds":[],"state":"STATE","asked":0}
            """
        func house(_ state: String, acts: Bool = false) throws -> HouseSnapshot {
            let request = request.replacing("STATE", with: state)
            return try Self.house(
                requests: acts ? request.replacing(#""kinds""#, with: #""role":"acts","kinds""#) : request)
        }
        let text = Self.pages(try house("pending")).question().text
        #expect(text.contains("May the account anna at trackme.example see the data of Maria"))
        #expect(
            Self.pages(try house("granted"), .family).sharing().text.contains(
                "An account at TrackMe sees the data"))
        #expect(!text.contains("act for Maria"))
        let acting = Self.pages(try house("pending", acts: true)).question().text
        #expect(acting.contains("and act for Maria at TrackMe? It is not linked until somebody accepts.</h1>"))
        #expect(
            acting.contains("<p>It could end permissions of companies")
                && acting.contains("runs for Maria.</p>"))
        #expect(
            Self.pages(try house("granted", acts: true), .family).sharing().text.contains(
                "and acts for the person at TrackMe"))
    }

    @Test func `a question with the longest texts is shown to its end`() throws {
        let (party, purpose) = (String(repeating: "n", count: 200), String(repeating: "p", count: 499) + "!")
        let kinds = DataKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
        for (id, kinds) in [("trackme-account", ""), ("clinic", kinds)] {
            let text = Self.pages(
                try Self.house(
                    requests: """
                        {"id":"r1","person":"maria","party":"\(id)","partyName":"\(party)","purpose":"\(purpose)",
                        "kinds":[\(kinds)],"role":"acts","state":"pending","asked":0}
                        """)
            ).question().text
            #expect(text.contains("until somebody accepts.</h1>"), "\(id)")
            #expect(text.contains("pp!</p>"), "\(id)")
        }
    }

    @Test func `a question about limits is asked in words, after those of third parties`() throws {
        let question = """
            {"id":"l1","person":"maria","kind":"heart-rate","unit":"/min","issuer":"<b>doctor</b>",
            "moves":[{"slot":"high","from":131,"to":160}]}
            """
        let state = try Self.house(more: question)
        let viewer = Viewer(role: .person, person: "maria", language: .english, token: "t")
        func text(_ putOff: Set<String>) -> String {
            Pages(state, for: viewer, at: Self.noon, putOff: putOff).question().text
        }
        #expect(text([]).contains("clinic") && !text([]).contains("/act/allow-limits"))
        let limits = text(["r1"])
        #expect(limits.contains("/act/allow-limits") && limits.contains("131") && limits.contains("160"))
        #expect(!limits.contains("<b>") && limits.contains("value=\"heart-rate\""))
        #expect(text(["r1", "l1"]).contains("No question is waiting."))
    }

    @Test func `a call that somebody has taken is the largest thing in the room`() throws {
        let taken =
            #"{"how":"accepted","by":"Anna","means":"page","ageMs":500000,"isBeforeCall":false}"#
        let state = try Self.house(recent: Self.alarm(left: nil, ending: taken, help: Self.takenByAnna))
        let text = Self.pages(state).room().text
        #expect(
            text.contains("<h1 class=\"big taken\">Anna has taken the call.") && text.contains("CALL AGAIN"))
        #expect(text.contains("data-page=\"taken\"") && text.contains("I am fine after all"))
        #expect(Self.pages(state).mistake(of: "a1") != nil)
    }

    @Test func `a call that somebody has taken is not well for the family until it is ended`() throws {
        let taken =
            #"{"how":"accepted","by":"Anna","means":"page","ageMs":500000,"isBeforeCall":false}"#
        let held = try Self.house(recent: Self.alarm(left: nil, ending: taken, help: Self.takenByAnna))
        let text = Self.pages(held, .family).today().text
        #expect(!text.contains("All well") && text.contains("Taken by Anna, 1"), "\(text)")
        #expect(text.contains("action=\"/act/resolve\""))
        let ended = try Self.house(recent: Self.alarm(left: nil, ending: taken, help: Self.over("informed")))
        #expect(Self.pages(ended, .family).today().text.contains("All well"))
    }

    @Test func `today is well only where she is watched, and help can be called`() throws {
        func title(_ house: HouseSnapshot) -> String {
            let text = Self.pages(house, .family).today().text
            return text.components(separatedBy: "<h1")[1].components(separatedBy: "</h1>")[0]
        }
        #expect(title(try Self.house()).contains("All well"))
        #expect(title(try Self.house(isPaused: true)).contains("I cannot see how Maria is."))
        let nobody = try Self.house(help: #"{"state":"nobody","because":"terms-not-accepted"}"#)
        #expect(title(nobody).contains("Nobody is called for Maria: calls for help are not agreed to."))
        let unnamed = try Self.house(help: #"{"state":"nobody","because":"nobody-to-tell"}"#)
        #expect(title(unnamed).contains("Nobody is called for Maria: the settings name nobody to call."))
        let dead = try Self.house(help: #"{"state":"cannot-be-called","because":"ways-dead"}"#)
        #expect(title(dead).contains("Help cannot be called for Maria at the moment."))
        #expect(title(try Self.house(help: "null")).contains("not known whether help can be called"))
        let waiting = try Self.house(alarms: Self.alarm())
        #expect(title(waiting).contains("Maria needs help"))
        let banner = Self.pages(waiting, .family).today().text
        #expect(banner.contains("Help will be called if nobody cancels the alarm."))
    }

    @Test func `an open alarm is on every page of every role that may know of it`() throws {
        let house = try Self.house(alarms: Self.alarm(left: nil, call: "handed-over"))
        for role in [ControlSession.Role.room, .person, .family, .carer] {
            let pages = Self.pages(house, role)
            for page in [pages.callHelp(), pages.question(), pages.sharing()] {
                let text = page.text
                let band = try #require(text.range(of: "class=\"band\""), "\(role)")
                #expect(text[band.upperBound...].contains("The help desk has the call."))
            }
            #expect(!pages.today().text.contains("class=\"band\""), "the page shows it itself")
        }
        let installer = Pages(
            house, for: Viewer(role: .installer, person: nil, language: .english, token: "t"), at: Self.noon)
        let text = installer.sharing().text
        #expect(
            text.contains("class=\"band\"") && text.contains("An alarm is open.") && !text.contains("Maria"))
    }

    @Test func `the room says where CALL HELP calls nobody, before it is pressed and on its second page`()
        throws
    {
        let refused = Self.pages(try Self.house(help: #"{"state":"nobody","because":"terms-not-accepted"}"#))
        #expect(refused.room().text.contains("CALL HELP calls nobody yet."))
        #expect(refused.callHelp().text.contains("Nobody is called for Maria"))
        let ready = Self.pages(try Self.house())
        #expect(
            !ready.room().text.contains("calls nobody") && !ready.callHelp().text.contains("Nobody is called"))
    }

    @Test(arguments: [
        ("house-screen", "Help was asked for."), ("house-page", "Help was asked for."),
        ("pendant", "The help button was pressed."),
    ])
    func `speaks of a button only where one was pressed`(device: String, sentence: String) throws {
        let house = try Self.house(alarms: Self.alarm(buttonOf: device))
        #expect(Self.pages(house).room().text.contains(sentence))
    }

    @Test(arguments: [ControlSession.Role.person, .family, .carer])
    func `the person and the family can call help, in two steps`(role: ControlSession.Role) throws {
        let pages = Self.pages(try Self.house(), role)
        #expect(pages.today().text.contains("href=\"/help\""))
        let second = pages.callHelp().text
        #expect(second.contains("action=\"/act/help\"") && second.contains("<nav"))
    }

    @Test func `says the same in Italian`() throws {
        let text = Self.pages(try Self.house(alarms: Self.alarm()), .room, .italian).room().text
        #expect(
            text.contains("STO BENE") && text.contains("AIUTO SUBITO") && text.contains("Allarme per Maria."))
    }

    @Test func `the script fits its budget`() {
        #expect(PageFiles.script.bytes.count <= 8_192)
        #expect(PageFiles.script.place.text.hasPrefix("/console-"))
        #expect(PageFiles.style.place.text.hasSuffix(".css"))
    }

    @Test
    func `while the gateway does not answer a page says so, with 112 and the numbers, and no old reading`()
        throws
    {
        func away(_ role: ControlSession.Role, _ language: PersonProfile.Language = .english) throws
            -> AwayPages
        {
            var house = try Self.house()
            house.persons[0].contacts = [
                .init(PersonProfile.Contact(name: "Anna", phone: "+393331234567", getsNotices: true))
            ]
            let viewer = Viewer(role: role, person: "maria", language: language, token: "secret-token")
            let pages = Pages(house.seen(by: role, of: PersonID("maria")), for: viewer, at: Self.noon)
            return AwayPages(pages.visible, for: viewer)
        }
        let room = try away(.room).page().text
        for part in [
            "Nobody is watching at the moment.", "Your button calls nobody.", ">112<", "Anna +393331234567",
            "data-page=\"away\"", "http-equiv=\"refresh\" content=\"5\"", PageFiles.script.place.text,
        ] { #expect(room.contains(part), "\(part)") }
        #expect(!room.contains("class=\"tile\"") && !room.contains("Heart"))
        let italian = try away(.room, .italian).page().text
        #expect(
            italian.contains("Adesso nessuno veglia.") && italian.contains("Il pulsante non chiama."))
        let family = try away(.family).page().text
        #expect(family.contains("Nobody is watching over Maria at the moment."))
        #expect(family.contains("href=\"tel:112\"") && family.contains("href=\"tel:+393331234567\""))
        #expect(try !away(.carer).page().text.contains("+39"), "a carer may not read the profile")
        #expect(try !away(.installer).page().text.contains("Maria"))
        let content = try away(.room).content(followedBy: "/stream").source
        #expect(content.contains("data-stream=\"/stream\"") && content.contains("Nobody is watching"))
        let act = try away(.room).page(back: Pages.Route.room).text
        #expect(act.contains("look whether it was done") && act.contains("data-back=\"/\""))
    }

    @Test func `a live page has the words of a lost console hidden from the start`() throws {
        let room = Self.pages(try Self.house()).room().text
        for part in ["This screen is out of touch.", "Press the button you wear.", "Dial 112."] {
            #expect(room.contains(part))
        }
        #expect(room.contains("class=\"lost whole away hidden\"") && !room.contains("still watches"))
        let italian = Self.pages(try Self.house(), .room, .italian).room().text
        #expect(italian.contains("Questo schermo è scollegato.") && italian.contains("Premi il tuo pulsante."))
    }
}
