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
        _ language: PersonProfile.Language = .english
    ) -> Pages {
        Pages(
            house, for: Viewer(role: role, person: nil, language: language, token: "secret-token"),
            at: LocalTime(WallTime(millisecondsSince1970: 1795514700_000), eastOfUTC: 3_600))
    }

    private static let room = PairedDevice(
        id: "0a0b0c0d", role: .room, person: nil, name: hostile, seenAgeMs: 70_000)
    private static let silent = """
        {"code":"radio-deaf","severity":"supervision","title":"The radio is deaf","remedy":"Move it","since":40000}
        """

    @Test func `turn green step by step`() throws {
        func isComplete(_ house: HouseSnapshot, _ paired: [PairedDevice] = [Self.room]) -> Bool {
            let text = Self.pages(house).install(paired).text
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
        for page in [pages.install([Self.room]), pages.healthPage(), pages.screens([Self.room], offer: offer)] {
            #expect(!page.text.contains("<img") && !page.text.contains(" style="))
            #expect(!page.text.contains(">72") && page.bytes.count <= 30_000)
            for form in page.text.components(separatedBy: "<form").dropFirst() {
                #expect(form.contains("name=\"token\" value=\"secret-token\""))
            }
        }
        let screens = pages.screens([Self.room], offer: offer).text
        #expect(screens.contains("ABCD-1234") && screens.contains("d=\"m0 0h2v1h-2v-1m2 1h1v1h-1v-1\""))
        #expect(screens.contains("value=\"0a0b0c0d\"") && screens.contains("/act/revoke"))
    }

    @Test(arguments: ControlSession.Role.allCases.filter { $0 != .installer })
    func `show nothing to another role`(role: ControlSession.Role) throws {
        let pages = Self.pages(try Self.house(conditions: Self.silent), role)
        for page in [pages.install([Self.room]), pages.healthPage(), pages.screens([Self.room])] {
            #expect(!page.text.contains("strap") && !page.text.contains("The radio is deaf"))
            #expect(!page.text.contains("0a0b0c0d"))
        }
    }
}
