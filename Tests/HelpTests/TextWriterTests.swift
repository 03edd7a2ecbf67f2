import GatewayModel
import HelpLine
import ModelSamples
import SOSLocal
import Testing

@testable import TextMessages

private typealias Sample = TextSample

@Suite struct `A text to the family` {
    @Test func `says what it is first, then who, what, when, where and what to do`() {
        #expect(
            Sample.text(Sample.call()) == """
                HELP NEEDED: Maria Rossi. Heart rate too high: 148 bpm, limit 131 bpm. 1 Mar, 09:30. Where: address \
                where the box is installed: Via Dante 7, 20121 Milano. https://osm.org/?mlat=45.46610&mlon=9.18600 \
                Call or go there at once; if in doubt, call the emergency number.
                """)
    }

    @Test func `is in the person's language`() {
        #expect(
            Sample.text(.call(Sample.order(Sample.fall), of: Sample.profile(.italian))) == """
                SERVE AIUTO: Maria Rossi. Caduta. 1 mar, 09:30. Dove: indirizzo di installazione: Via Dante 7, 20121 \
                Milano. https://osm.org/?mlat=45.46610&mlon=9.18600 Chiamare o andare subito; nel dubbio chiamare \
                il numero di emergenza.
                """)
    }

    @Test(arguments: [
        (Sample.call(Sample.order(Sample.crossing, .pending)), "HELP MAY BE NEEDED: "),
        (Sample.call(Sample.order(round: 2)), "HELP STILL NEEDED: "),
        (Sample.call(Sample.order(priority: .medium)), "PLEASE CHECK: "),
        (Sample.call(Sample.order(Sample.drill)), "DRILL, no emergency: "),
        (Sample.call(Sample.order(Sample.drill, .pending)), "DRILL, no emergency: "),
        (Sample.retraction(), "CANCELLED: "),
        (Sample.retraction(.resolved(PersonAct(by: "Anna", means: .console), at: Sample.at(80))), "RESOLVED: "),
        (Sample.retraction(of: Sample.drill), "DRILL, CANCELLED: "),
        (Sample.retraction(.lapsed(at: Sample.at(80)), of: Sample.drill), "DRILL, OVER: "),
        (
            Sample.retraction(
                .accepted(
                    PersonAct(by: "Operator 7", means: .channel), channel: ChannelID(sample: "centre"),
                    at: Sample.at(80))), "TAKEN CARE OF: "
        ),
    ])
    func `begins with what it is`(_ message: HelpMessage, _ beginning: String) {
        #expect(Sample.text(message).hasPrefix(beginning + "Maria Rossi."))
    }

    @Test func `says who ended it and when`() {
        #expect(
            Sample.text(Sample.retraction())
                == "CANCELLED: Maria Rossi. Heart rate too high. Cancelled by Maria. 1 Mar, 09:31.")
    }

    @Test func `links to the last known place and says whose it is, how old and how exact`() {
        func text(_ location: AlarmLocation) -> String {
            Sample.text(Sample.call(Sample.order(location: location)))
        }
        let fix = Sample.fix(-33.5, -0.000_07)
        #expect(
            text(.lastKnown(fix, of: .box, age: .seconds(720))).contains(
                "last known position of the box, not of the person, 720 s old, within 8 m. "
                    + "https://osm.org/?mlat=-33.50000&mlon=-0.00007"))
        let own = text(.fix(fix, of: .wearable(DeviceID(sample: "watch")), age: .seconds(3)))
        #expect(own.contains("Where: position of the person's wearable, 3 s old, within 8 m. https://osm.org/"))
    }

    @Test func `holds no medical note`() {
        #expect(!Sample.text(Sample.call()).contains("warfarin"))
    }

    @Test func `takes an address with a degree sign and curly quotes in 7 bits`() {
        let place = InstalledPlace(address: "Via dell’Orso n° 7 — scala “B”, città", coordinates: nil)
        let text = Sample.text(Sample.call(Sample.order(location: .installed(place))))
        #expect(text.contains("Via dell'Orso n 7 - scala \"B\", città."))
        #expect(TextSize(text).alphabet == .gsm)
    }

    @Test func `leaves out the advice before the place, and cuts no link`() {
        let address = String(repeating: "Presso la cascina ", count: 12) + "Fine"
        let place = InstalledPlace(
            address: address, coordinates: Coordinates(latitude: 45.4661, longitude: 9.186))
        let message = HelpMessage.call(
            Sample.order(location: .installed(place)), of: Sample.profile(name: "Marija Šimić"))
        let text = TextWriter(zone: Sample.rome).text(message)
        #expect(text.isShortened)
        #expect(TextSize(text.text).parts == 3)
        #expect(TextSize(text.text).alphabet == .ucs2)
        #expect(
            text.text.hasPrefix("HELP NEEDED: Marija Šimić. Heart rate too high: 148 bpm, limit 131 bpm. 1 Mar")
        )
        #expect(text.text.wholeMatch(of: /.* (Presso|la|cascina)\.\.\./) != nil, "\(text.text)")
        #expect(!text.text.contains("https"))
    }
}

/// By 3GPP TS 23.038 and 23.040.
@Suite struct `The size of a text` {
    @Test(arguments: [
        (160, 1), (161, 2), (306, 2), (307, 3), (459, 3), (460, 4),
    ])
    func `in 7 bits is 160 alone and 153 in each part`(_ length: Int, _ parts: Int) {
        #expect(TextSize(String(repeating: "a", count: length)).parts == parts)
    }

    @Test(arguments: [(70, 1), (71, 2), (134, 2), (135, 3), (201, 3), (202, 4)])
    func `in 16 bits is 70 alone and 67 in each part`(_ length: Int, _ parts: Int) {
        #expect(TextSize(String(repeating: "š", count: length)).parts == parts)
    }

    @Test func `counts an extension twice and tears no character in two`() {
        #expect(TextSize(String(repeating: "€", count: 80)).parts == 1)
        // 76 of them fill 152 septets of a part: one more does not fit into the one that is left.
        #expect(TextSize(String(repeating: "€", count: 153)).parts == 3)
        #expect(TextSize(String(repeating: "🚑", count: 35)).parts == 1)
        #expect(TextSize(String(repeating: "🚑", count: 67)).parts == 3)
    }

    @Test func `is that of the composed letter, however it was typed`() {
        let typed = TextMessage.Sentence("Niccolo\u{300}").text
        #expect(TextSize(typed).alphabet == .gsm)
        #expect(typed.unicodeScalars.count == 7)
    }
}

@Suite struct `A number that is texted` {
    @Test(arguments: ["+393331234567", "+1234567", "+123456789012345"])
    func `has a plus and 7 to 15 digits`(_ text: String) {
        #expect(PhoneNumber(text)?.text == text)
    }

    @Test(arguments: [
        "", "+", "393331234567", "+0393331234", "+123456", "+1234567890123456", "+39 333 1234567",
        "+39333123456a",
        "+39333123456\n", "+39333_1234567", "+39333/../x", "+٣٩٣٣٣١٢٣٤",
    ])
    func `is refused in any other form`(_ text: String) {
        #expect(PhoneNumber(text) == nil)
    }
}
