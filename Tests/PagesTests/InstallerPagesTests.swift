import ControlContract
import Foundation
import GatewayModel
import HTML
import Pages
import Testing

/// Pages of the installer for wearables, checks and walks.
@Suite struct `Pages for wearables and checks` {
    private static let hostile = "<img src=x onerror=alert(1)>"

    private static func house(
        isAddedHere: Bool = true, age: String = "", button: String = "\"devices\":[", more: String = ""
    ) throws -> HouseSnapshot {
        let text = """
            {"version":"1","gateway":"g","time":100000,"bootNs":0,"summary":"","unsent":0,"alarms":[],
            "recentAlarms":[],"conditions":[],"limits":[],"usual":[],"requests":[],"runs":[],
            "limitQuestions":[],"channels":[],"buttons":[],"readings":[],
            "persons":[{"id":"maria","name":"\(hostile)","language":"en","agreements":[],
            "coverage":["maria wears strap: heart rate"]}],
            \(button){"id":"strap","person":"maria","address":"C0:FF:EE:00:00:01","heardBy":"connection",
            "battery":80,"isAddedHere":\(isAddedHere)\(age),
            "uses":[{"kind":"heart-rate","use":"raises-alarms"},{"kind":"energy-expended","use":"off"}]}]\(more)}
            """
        return try JSONDecoder().decode(HouseSnapshot.self, from: Data(text.utf8))
    }

    private static func pages(
        _ house: HouseSnapshot, _ language: PersonProfile.Language = .english,
        _ role: ControlSession.Role = .installer
    ) -> Pages {
        Pages(
            house, for: Viewer(role: role, person: nil, language: language, token: "secret-token"),
            at: LocalTime(WallTime(millisecondsSince1970: 1795514700_000), eastOfUTC: 3_600))
    }

    private static let found = DeviceSetupDocument.Found(
        address: DeviceAddress("C0:FF:EE:00:00:09")!, name: hostile, signal: -70, services: ["heart rate"],
        isOfUse: true, knownAs: nil, isConnected: false)

    private static func broadcaster(
        _ last: Int, isEncrypted: Bool, _ event: SignalEvent? = nil
    ) -> DeviceSetupDocument.Found {
        DeviceSetupDocument.Found(
            address: DeviceAddress("C0:FF:EE:00:00:0\(last)")!, name: hostile, signal: -70,
            services: ["tag or button (BTHome)"], isOfUse: true, knownAs: nil, isConnected: false,
            broadcast: .init(isEncrypted: isEncrypted, event: event, heardAge: .seconds(21)))
    }

    private static let searched = DeviceSetupDocument(
        phase: .scanning, isOwn: true, left: .seconds(41),
        found: [broadcaster(5, isEncrypted: true), broadcaster(6, isEncrypted: false, .doublePress)])

    private static let states = [
        DeviceSetupDocument(phase: .idle, isOwn: false),
        DeviceSetupDocument(phase: .scanning, isOwn: true, left: .seconds(41), found: [found]),
        DeviceSetupDocument(phase: .pairing, isOwn: true, device: DeviceID("band")!, question: .init(.passkey)),
        DeviceSetupDocument(
            phase: .pairing, isOwn: true, device: DeviceID("band")!, question: .init(.compare, shown: "004211")),
        DeviceSetupDocument(phase: .pairing, isOwn: true, device: DeviceID("band")!, passkey: "271828"),
        DeviceSetupDocument(phase: .pairing, isOwn: false),
        DeviceSetupDocument(phase: .forgetting, isOwn: true, device: DeviceID("band")!),
        DeviceSetupDocument(phase: .adding, isOwn: true, device: DeviceID("band")!),
        searched,
        DeviceSetupDocument(
            phase: .idle, isOwn: true, found: [found],
            outcome: .init(isDone: true, lines: [hostile], device: DeviceID("strap")!)),
        DeviceSetupDocument(phase: .idle, isOwn: true, outcome: .init(isDone: false, lines: [hostile])),
    ]

    private static let report = CheckReport(
        started: 1, finished: 90_000, done: 2, total: 2,
        findings: [
            CheckReport.Finding(
                .problem, part: "[broker]", file: "/etc/homegateway/gateway.toml", line: 12, key: "broker.port",
                seen: hostile, expected: "1 to 65535", remedy: "correct it"),
            CheckReport.Finding(.ok, part: "bluetooth", seen: "works"),
        ])

    private static let walk = WalkDocument(
        device: DeviceID("strap")!, room: hostile, left: .seconds(100),
        rooms: [
            .init(
                name: hostile, spent: .seconds(30), heard: 30, median: -60, worst: -80, longestGap: .seconds(2),
                verdict: .good),
            .init(
                name: "Bathroom", spent: .seconds(30), heard: 0, median: nil, worst: nil,
                longestGap: .seconds(30),
                verdict: .bad),
        ])

    private static let event = EventRow(
        time: 90_000, event: "condition-raised", code: "radio-deaf", subject: hostile,
        title: "The radio is deaf")

    private static func all(_ pages: Pages) -> [Page] {
        states.map { pages.pairing($0) } + [
            pages.wearablesPage(), pages.doctor(report), pages.walk(walk), pages.walk(nil),
            pages.settings(
                SettingsListing(
                    file: hostile,
                    parts: [
                        .init(title: hostile, entries: [.init(key: "host", value: hostile, isWritten: true)])
                    ],
                    setAside: [hostile])),
            pages.log([event], in: LocalCalendar([LocalCalendar.Step(from: 0, offset: 0)])),
        ]
            + [
                pages.forgetting("strap"), pages.addition(of: "C0:FF:EE:00:00:09", in: states[1]),
                pages.addition(of: "C0:FF:EE:00:00:05", in: searched),
                pages.addition(of: "C0:FF:EE:00:00:06", in: searched),
            ].compactMap { $0 }
    }

    @Test(arguments: PersonProfile.Language.allCases)
    func `keep hostile names as text, and carry a token in each form`(language: PersonProfile.Language) throws {
        let all = Self.all(Self.pages(try Self.house(), language))
        #expect(all.count == Self.states.count + 10)
        for page in all {
            #expect(!page.text.contains("<img") && !page.text.contains(" style="))
            #expect(page.text.contains("lang=\"\(language.rawValue)\"") && page.bytes.count <= 30_000)
            for form in page.text.components(separatedBy: "<form").dropFirst() {
                #expect(form.contains("name=\"token\" value=\"secret-token\""))
            }
        }
    }

    @Test(arguments: ControlSession.Role.allCases.filter { $0 != .installer })
    func `show nothing to another role`(role: ControlSession.Role) throws {
        let pages = Self.pages(try Self.house(), .english, role)
        #expect(pages.forgetting("strap") == nil)
        #expect(pages.addition(of: "C0:FF:EE:00:00:09", in: Self.states[1]) == nil)
        #expect(pages.addition(of: "C0:FF:EE:00:00:05", in: Self.searched) == nil)
        for page in Self.all(pages) {
            for word in ["strap", "C0:FF:EE", "broker", "271828", "004211", "radio"] {
                #expect(!page.text.contains(word), "\(word)")
            }
        }
    }

    @Test func `ask each question of a device once, and tell another installer nothing of it`() throws {
        let pages = Self.pages(try Self.house())
        let texts = Self.states.map { pages.pairing($0).text }
        #expect(texts[2].contains("name=\"answer\"") && texts[2].contains("autofocus"))
        #expect(!texts[2].contains("http-equiv=\"refresh\""), "a refresh takes typed digits away")
        #expect(
            texts[3].contains("004211") && texts[3].contains("value=\"yes\"")
                && texts[3].contains("value=\"no\""))
        #expect(texts[4].contains("271828") && texts[4].contains("http-equiv=\"refresh\""))
        #expect(texts[5].contains("Another installer") && !texts[5].contains("<form"))
    }

    @Test(arguments: [
        (
            PersonProfile.Language.english, ["Encrypted: its key is needed", "Last heard: 20 seconds ago"],
            ["Not encrypted", "Last event: double press, 20 seconds ago"]
        ),
        (
            .italian, ["Cifrato: serve la sua chiave", "Sentito l&#39;ultima volta: 20 secondi fa"],
            ["Non cifrato", "Ultimo evento: doppia pressione, 20 secondi fa"]
        ),
    ])
    func `tell of a button that only advertises whether it encrypts, and its last event`(
        language: PersonProfile.Language, sealed: [String], plain: [String]
    ) throws {
        let pages = Self.pages(try Self.house(), language)
        let text = pages.pairing(Self.searched).text
        for word in sealed + plain { #expect(text.contains(word), "\(word)") }
        #expect(!text.contains("<img") && !text.contains("name=\"key\""))
    }

    @Test func `ask for the key of a button that encrypts, for its person, and for a meaning of its events`()
        throws
    {
        let pages = Self.pages(try Self.house())
        let sealed = try #require(pages.addition(of: "C0:FF:EE:00:00:05", in: Self.searched)).text
        let form = try #require(sealed.components(separatedBy: "<form").last)
        #expect(form.contains("method=\"post\"") && form.contains("action=\"/act/add-broadcaster\""))
        let key = try #require(form.firstMatch(of: #/<input[^>]*name="key"[^>]*>/#)).output
        #expect(key.contains("type=\"password\"") && key.contains("autocomplete=\"off\""))
        #expect(key.contains("required") && !key.contains("value="))
        for event in SignalEvent.allCases {
            let choice = try #require(form.components(separatedBy: "<select name=\"\(event.rawValue)\"").last)
            let options = try #require(choice.components(separatedBy: "</select>").first)
            #expect(options.contains("value=\"sos-button\"") && !options.contains("selected"))
            #expect(options.contains("value=\"cancel\"") == event.isPress, "\(event)")
        }
        #expect(!sealed.contains("http-equiv=\"refresh\""), "a refresh takes a typed key away")
        let plain = try #require(pages.addition(of: "C0:FF:EE:00:00:06", in: Self.searched)).text
        #expect(!plain.contains("name=\"key\"") && plain.contains("anyone in range can send the same"))
    }

    @Test func `say of a button that was added when it was heard, and that its press counts`() throws {
        let state = DeviceSetupDocument(
            phase: .idle, isOwn: true, outcome: .init(isDone: true, lines: [], device: DeviceID("button")!))
        func text(_ age: String) throws -> String {
            let button =
                #""devices":[{"id":"button","person":"maria","address":"C0:FF:EE:00:00:05","#
                + #""heardBy":"advertising","isAddedHere":true\#(age)},"#
            return Self.pages(try Self.house(button: button)).pairing(state).text
        }
        let waiting = try text("")
        #expect(waiting.contains("button is not heard yet") && waiting.contains("calls for help"))
        #expect(try text(#","lastHeardAgeMs":900"#).contains("It is heard: now"))
    }

    @Test func `turn green with the first reading of a wearable that was paired`() throws {
        let state = Self.states[9]
        let waiting = Self.pages(try Self.house()).pairing(state).text
        #expect(waiting.contains("Put strap on now") && waiting.contains("maria wears strap: heart rate"))
        let seen = Self.pages(try Self.house(age: ",\"lastReadingAgeMs\":900")).pairing(state).text
        #expect(seen.contains("It sends readings: now") && !seen.contains("Put strap on now"))
    }

    @Test func `offer to change only wearables that the settings file does not name`() throws {
        let ours = Self.pages(try Self.house()).wearablesPage().text
        #expect(ours.contains("/act/track") && ours.contains("/wearables/forget?device=strap"))
        let written = Self.pages(try Self.house(isAddedHere: false))
        #expect(!written.wearablesPage().text.contains("/act/track") && written.forgetting("strap") == nil)
    }

    @Test func `show a finding with its place, key, expectation and remedy`() throws {
        let text = Self.pages(try Self.house()).doctor(Self.report).text
        for word in ["gateway.toml:12", "broker.port", "Expected: 1 to 65535", "correct it", "1 problem"] {
            #expect(text.contains(word), "\(word)")
        }
    }

    @Test func `count a walk and a check in the list of steps`() throws {
        func marks(_ more: String) throws -> [Bool] {
            let text = Self.pages(try Self.house(more: more)).install().text
            return ["Walk test", "Doctor"].map { title in
                text.contains("<li class=\"done\"><span class=\"mark\">Done</span><h2>\(title)</h2>")
            }
        }
        let room = "\"spentMs\":30000,\"heard\":9,\"longestGapMs\":1000"
        func walk(_ verdict: String) -> String {
            ",\"walks\":[{\"device\":\"strap\",\"isRunning\":false,\"rooms\":[{\"name\":\"Hall\",\(room),\"verdict\":\"good\"},{\"name\":\"Bath\",\(room),\"verdict\":\"\(verdict)\"}]}]"
        }
        #expect(try marks("") == [false, false])
        #expect(try marks(walk("weak")) == [true, false])
        #expect(try marks(walk("bad")) == [false, false])
        #expect(try marks(",\"check\":{\"problems\":0}") == [false, false], "it still runs")
        #expect(try marks(",\"check\":{\"finished\":90000,\"problems\":0}") == [false, true])
        #expect(try marks(",\"check\":{\"finished\":90000,\"problems\":1}") == [false, false])
    }
}
