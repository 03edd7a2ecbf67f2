import ControlContract
import Foundation
import GatewayModel
import HTML
import Pages
import Testing

@Suite struct `Pages of the installer` {
    private static let hostile = "<img src=x onerror=alert(1)>"

    private static func house(
        agreements: String = "\"data-policy\",\"automated-sos\"", age: Int = 1_000,
        worked: String = ",\"lastWorked\":5",
        conditions: String = "", pressed: String = ",\"lastPressed\":5"
    ) throws -> HouseSnapshot {
        let text = """
            {"version":"1","gateway":"g","time":100000,"bootNs":0,"summary":"","unsent":0,"alarms":[],
            "recentAlarms":[],"conditions":[\(conditions)],"limits":[],"usual":[],"requests":[],"runs":[],
            "limitQuestions":[],"channels":[{"id":"mqtt"\(worked)}],
            "buttons":[{"device":"knob","person":"maria","callsHelp":true,"isTestMissed":false\(pressed)}],
            "persons":[{"id":"maria","name":"\(hostile)","language":"en","agreements":[\(agreements)],
            "coverage":["nothing \(hostile) wears can detect a fall"]}],
            "devices":[{"id":"strap","person":"maria","address":"x","heardBy":"connection","battery":80,
            "lastReadingAgeMs":\(age)}],
            "readings":[{"person":"maria","device":"strap","kind":"heart-rate","unit":"/min","value":72,
            "arrival":0,"ageMs":1000}],
            "check":{"finished":90000,"problems":0},
            "walks":[{"device":"strap","isRunning":false,"rooms":[{"name":"Hall","spentMs":30000,"heard":30,
            "longestGapMs":1000,"verdict":"good"}]}]}
            """
        return try JSONDecoder().decode(HouseSnapshot.self, from: Data(text.utf8))
    }

    private static func pages(
        _ house: HouseSnapshot, _ role: ControlSession.Role = .installer,
        _ language: PersonProfile.Language = .english, paired: [PairedDevice] = [Self.room]
    ) -> Pages {
        Pages(
            house, for: Viewer(role: role, person: nil, language: language, token: "secret-token"),
            at: LocalTime(WallTime(millisecondsSince1970: 1795514700_000), eastOfUTC: 3_600), paired: paired)
    }

    private static let room = PairedDevice(
        id: "0a0b0c0d", role: .room, person: nil, name: hostile, pairedAgeMs: 9_000_000, seenAgeMs: 70_000)
    private static let silent = """
        {"code":"radio-deaf","severity":"supervision","title":"The radio is deaf","remedy":"Move it","since":40000}
        """

    @Test func `turn green step by step`() throws {
        func isComplete(_ house: HouseSnapshot, _ paired: [PairedDevice] = [Self.room]) -> Bool {
            let text = Self.pages(house, paired: paired).install().text
            #expect(text.contains("Everything is set up") != text.contains("class=\"open\""))
            return text.contains("Everything is set up")
        }
        #expect(isComplete(try Self.house()))
        #expect(!isComplete(try Self.house(agreements: "\"data-policy\"")))
        #expect(!isComplete(try Self.house(age: 60_000)))
        #expect(!isComplete(try Self.house(worked: "")))
        #expect(!isComplete(try Self.house(pressed: "")))
        #expect(!isComplete(try Self.house(conditions: Self.silent)))
        #expect(!isComplete(try Self.house(), []))
    }

    @Test(arguments: PersonProfile.Language.allCases)
    func `keep hostile names as text, show no reading, and carry a token in each form`(
        language: PersonProfile.Language
    ) throws {
        let pages = Self.pages(try Self.house(conditions: Self.silent), .installer, language)
        let offer = PairingOffer(
            code: "ABCD-1234", address: "https://box:8765/pair",
            square: [[true, true, false], [false, false, true]])
        for page in [pages.install(), pages.healthPage(), pages.screens(offer: offer)] {
            #expect(!page.text.contains("<img") && !page.text.contains(" style="))
            #expect(!page.text.contains(">72") && page.bytes.count <= 30_000)
            for form in page.text.components(separatedBy: "<form").dropFirst() {
                #expect(form.contains("name=\"token\" value=\"secret-token\""))
            }
        }
        let screens = pages.screens(offer: offer).text
        #expect(screens.contains("ABCD-1234") && screens.contains("d=\"m0 0h2v1h-2v-1m2 1h1v1h-1v-1\""))
        #expect(screens.contains("value=\"0a0b0c0d\"") && screens.contains("/act/revoke"))
    }

    @Test(arguments: ControlSession.Role.allCases.filter { $0 != .installer })
    func `show nothing to another role`(role: ControlSession.Role) throws {
        let pages = Self.pages(try Self.house(conditions: Self.silent), role)
        for page in [pages.install(), pages.healthPage(), pages.screens()] {
            #expect(!page.text.contains("strap") && !page.text.contains("The radio is deaf"))
            #expect(!page.text.contains("0a0b0c0d"))
        }
    }

    // MARK: Devices of a person

    private static func devicesPage(
        _ role: ControlSession.Role, _ language: PersonProfile.Language, known: Set<String> = []
    ) throws -> (list: String, rest: String) {
        func device(_ id: String, _ role: ControlSession.Role, hours: Int64, of person: String? = "maria")
            -> PairedDevice
        {
            PairedDevice(
                id: id, role: role, person: person, name: hostile + id, pairedAgeMs: hours * 3_600_000,
                seenAgeMs: 70_000)
        }
        let pages = Pages(
            try house(),
            for: Viewer(role: role, person: PersonID("maria")?.text, language: language, token: "secret-token"),
            at: LocalTime(WallTime(millisecondsSince1970: 1795514700_000), eastOfUTC: 3_600), putOff: known,
            paired: [
                device("11111111", .person, hours: 100), device("22222222", .family, hours: 23),
                device("33333333", .person, hours: 1), device("44444444", .room, hours: 1, of: nil),
                device("55555555", .family, hours: 1, of: "luigi"),
            ])
        return (pages.devicesPage().text, role == .room ? pages.room().text : pages.today().text)
    }

    @Test(arguments: PersonProfile.Language.allCases)
    func `list the person's devices on her page, and the new ones in the room until they are known`(
        language: PersonProfile.Language
    ) throws {
        let isEnglish = language == .english
        let own = try Self.devicesPage(.person, language)
        #expect(["11111111", "22222222", "33333333"].allSatisfy(own.list.contains))
        #expect(!own.list.contains("44444444") && !own.list.contains("55555555") && !own.list.contains("<img"))
        #expect(own.list.components(separatedBy: "/act/end-device").count == 4)
        #expect(own.list.components(separatedBy: "/act/know-device").count == 3)
        #expect(
            own.list.contains(
                isEnglish
                    ? "added 4 days ago, last used 1 minute ago"
                    : "aggiunto 4 giorni fa, usato l&#39;ultima volta 1 minuto fa"), "\(own.list)")
        let several =
            isEnglish ? "2 devices have been added: look" : "Sono stati aggiunti 2 dispositivi: guarda"
        #expect(own.rest.contains(several))
        let room = try Self.devicesPage(.room, language, known: ["33333333"])
        #expect(room.list.contains("22222222") && !room.list.contains("33333333"))
        #expect(!room.list.contains("11111111") && room.list.contains("data-page=\"question\""))
        #expect(
            room.rest.contains(
                isEnglish ? "A device has been added for" : "È stato aggiunto un dispositivo per"))
        let quiet = try Self.devicesPage(.room, language, known: ["22222222", "33333333"])
        #expect(!quiet.rest.contains("/devices"))
        for role in ControlSession.Role.allCases where role != .room && role != .person {
            let other = try Self.devicesPage(role, language)
            #expect(!other.list.contains("22222222") && !other.rest.contains("/devices"), "\(role)")
        }
    }
}
