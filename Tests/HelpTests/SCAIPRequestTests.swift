import Foundation
import FoundationXML
import GatewayModel
import ModelSamples
import SOSLocal
import Testing

@testable import CareCentre

@Suite struct `A SCAIP message` {
    /// The schema of caruhome/scaip-gateway, as far as it is used; texts have lengths instead.
    private static let patterns: [String: String] = [
        "ref": "[0-9a-zA-Z]{1,16}", "ver": #"[0-9]{2}\.[0-9]{2}"#, "cha": "[0-9]", "mty": "ME|RE|IN|PI",
        "cid": "[0-9]{1,16}", "dty": "[0-9]{1,4}", "dco": "[0-9]{1,3}", "stc": "[0-9]{1,4}", "pri": "[0-9]",
        "lco": "[0-9]{1,3}", "geo": "[0-9.,]{1,23}", "tim": "[0-9:+T-]{22}", "gga": ".{0,81}",
    ]
    private static let lengths = ["did": 8, "dte": 32, "crd": 256, "stt": 32, "lte": 32, "ite": 128]
    private static let order = [
        "ref", "ver", "cha", "mty", "cid", "dty", "did", "dco", "dte", "crd", "stc", "stt", "pri", "lco",
        "lge", "lte", "ite",
    ]

    /// Every field as Foundation's parser (libxml2) reads it.
    private func fields(_ request: SCAIPRequest) throws -> [(name: String, text: String)] {
        let reader = FieldReader()
        let parser = XMLParser(data: Data(request.xml.utf8))
        parser.delegate = reader
        try #require(parser.parse(), "\(request.xml)")
        return reader.fields
    }

    private func field(_ name: String, _ request: SCAIPRequest) throws -> String? {
        try fields(request).first { $0.name == name }?.text
    }

    /// Calls of every cause, stage and place, with texts that need care.
    private var all: [SCAIPRequest] {
        let long = PersonProfile(
            id: SCAIPSample.person, name: String(repeating: "Zoë <&> \"Ñ'́ 👩‍👩‍👧‍👦 ", count: 20), birthYear: nil,
            medicalNotes: ["a\u{0}b\u{1F}c\u{FFFE}\u{85}d"],
            home: InstalledPlace(address: String(repeating: "Straße ]]> ", count: 9), coordinates: nil))
        let places: [AlarmLocation] = [
            .installed(SCAIPSample.home), .installed(long.home),
            .fix(SCAIPSample.fix(45.5, 9.25), of: .box, age: .zero),
            .lastKnown(SCAIPSample.fix(-33.86, 151.2), of: .box, age: .seconds(4_000)),
            .fix(SCAIPSample.fix(89.9999999, 179.9999999), of: .box, age: .zero),
            .fix(SCAIPSample.fix(-0.00000001, -180), of: .box, age: .zero),
        ]
        let calls = SCAIPSample.causes.flatMap { cause in
            places.flatMap { place in
                [DispatchStage.pending, .confirmed].flatMap { stage in
                    [SCAIPSample.profile, long].map { profile in
                        SCAIPSample.call(
                            SCAIPSample.order(cause, stage: stage, round: 3, location: place), of: profile)
                    }
                }
            }
        }
        let act = PersonAct(by: String(repeating: "né ", count: 80), means: .console)
        let endings: [AlarmEnding] = [
            .aborted(act, at: SCAIPSample.at(4), beforeDispatch: false),
            .accepted(act, channel: ChannelID(sample: "mqtt"), at: SCAIPSample.at(4)),
            .resolved(act, at: SCAIPSample.at(4)), .lapsed(at: SCAIPSample.at(4)),
        ]
        let retractions = SCAIPSample.causes.flatMap { cause in
            endings.map {
                SCAIPRequest(
                    retraction: SCAIPSample.retraction(cause, $0), of: long, from: SCAIPSample.controller)
            }
        }
        let heartbeat = SCAIPRequest(
            heartbeat: SCAIPReference(heartbeat: .max), from: SCAIPSample.controller)
        return calls + retractions + [heartbeat]
    }

    @Test func `keeps every field in its pattern, its length and its order`() throws {
        let all = all
        #expect(all.count > 200)
        for request in all {
            let fields = try fields(request)
            for (name, text) in fields {
                if let pattern = Self.patterns[name] {
                    let isWhole = try Regex("(?:\(pattern))").wholeMatch(in: text) != nil
                    #expect(isWhole, "\(name) is '\(text)'")
                } else if let limit = Self.lengths[name] {
                    #expect((1...limit).contains(text.unicodeScalars.count), "\(name) is '\(text)'")
                } else {
                    #expect(["mrq", "lge"].contains(name), "\(name)")
                }
            }
            let ranks = fields.compactMap { Self.order.firstIndex(of: $0.name) }
            #expect(ranks == ranks.sorted())
            for required in ["ref", "cid", "dty"] { #expect(fields.contains { $0.name == required }) }
        }
    }

    @Test func `reads as the documentation shows it`() throws {
        let order = SCAIPSample.order(newest: SCAIPSample.reading(152, number: 2))
        let page = try String(
            contentsOf: SIPRig.root.appending(path: "docs/channels/scaip.md"), encoding: .utf8)
        let shown = try #require(
            page.firstMatch(of: /```xml\n(?<xml><mrq>.*?<\/mrq>)\n```/.dotMatchesNewlines()))
        let flat = String(shown.xml).replacing(/\n\s*/, with: "")
        #expect(SCAIPSample.call(order).xml == flat)
    }

    @Test(arguments: [
        (SCAIPSample.crossing(.high), "0019", "0046"), (SCAIPSample.crossing(.low), "0019", "0064"),
        (SCAIPSample.crossing(.low, kind: .oxygenSaturation), "0049", "0064"),
        (SCAIPSample.signal(.sosButton), "0003", "0010"),
        (SCAIPSample.signal(.sosButton, from: .houseScreen), "0002", "0010"),
        (SCAIPSample.signal(.fall), "0005", "0009"),
        (SCAIPSample.signal(.shaking), "0017", "0009"), (SCAIPSample.drill, "0002", "0102"),
    ])
    func `says by its codes what reports and what it reports`(
        cause: AlarmCause, device: String, status: String
    ) throws {
        let request = SCAIPSample.call(SCAIPSample.order(cause))
        #expect(try field("dty", request) == device)
        #expect(try field("stc", request) == status)
        #expect(try field("dco", request) == (device == "0003" ? "002" : nil))
        #expect(try field("mty", request) == "ME")
    }

    @Test func `marks an early notice, and a drill in all that it says`() throws {
        let notice = SCAIPSample.call(SCAIPSample.order(stage: .pending))
        #expect(try field("stc", notice) == "0011")
        #expect(try field("stt", notice)?.hasPrefix("EARLY NOTICE") == true)
        for stage in [DispatchStage.pending, .confirmed] {
            let drill = SCAIPSample.call(SCAIPSample.order(SCAIPSample.drill, stage: stage))
            #expect(try field("stc", drill) == "0102")
            #expect(try field("stt", drill) == "DRILL - NO EMERGENCY")
            #expect(try field("ite", drill)?.hasPrefix("DRILL") == true)
        }
        let ended = SCAIPRequest(
            retraction: SCAIPSample.retraction(SCAIPSample.drill), of: SCAIPSample.profile,
            from: SCAIPSample.controller)
        #expect(try field("stt", ended) == "DRILL ENDED")
        #expect(try field("stc", ended) == "0102")
    }

    @Test func `keeps the person's name beside every doubt there is, and no half word in the title`() throws {
        let all = Doubts(words: Doubts.everyWord)
        for kind in QuantityKind.allCases {
            let cause = SCAIPSample.crossing(kind: kind, doubts: all)
            let request = SCAIPSample.call(SCAIPSample.order(cause, certainty: .possible))
            let info = try #require(try field("ite", request))
            #expect(info.contains("; sensor may be wrong, questionable measurement; Maria Rossi"), "\(info)")
            let title = try #require(try field("stt", request))
            #expect("POSSIBLE \(kind.coding.title) high ".hasPrefix(title + " "), "\(title)")
        }
        #expect(try field("stt", SCAIPSample.call())?.contains("POSSIBLE") == false)
    }

    @Test func `takes a call back with a reset that says how it ended`() throws {
        let request = SCAIPRequest(
            retraction: SCAIPSample.retraction(), of: SCAIPSample.profile, from: SCAIPSample.controller)
        #expect(try field("mty", request) == "RE")
        #expect(try field("stc", request) == "0002")
        #expect(try field("ite", request) == "aborted by Maria; Maria Rossi")
    }

    @Test func `says which of the three places it means`() throws {
        let installed = SCAIPSample.call()
        #expect(try field("lco", installed) == "002")
        #expect(try field("lte", installed) == "Via Dante 7, Como")
        #expect(try field("geo", installed) == "45.808060,9.085176")
        let fix = SCAIPSample.call(
            SCAIPSample.order(location: .fix(SCAIPSample.fix(45.5, 9.25), of: .box, age: .zero)))
        #expect(try field("lco", fix) == "034")
        #expect(try field("geo", fix) == "45.500000,9.250000")
        #expect(try field("tim", fix) == "2026-03-01T08:30:00+00")
        let old = AlarmLocation.lastKnown(SCAIPSample.fix(45.5, 9.25), of: .box, age: .seconds(840))
        #expect(
            try field("lte", SCAIPSample.call(SCAIPSample.order(location: old)))
                == "Box's last pos., 14 min old")
        let own = AlarmLocation.fix(
            SCAIPSample.fix(45.5, 9.25), of: .wearable(DeviceID(sample: "watch")), age: .seconds(3))
        let request = SCAIPSample.call(SCAIPSample.order(location: own))
        #expect(try field("lte", request) == "Person's position, 3 s old")
        #expect(try field("ite", request)?.contains("position of the person's wearable within") == true)
        let longest = AlarmLocation.lastKnown(
            SCAIPSample.fix(45.5, 9.25), of: .wearable(DeviceID(sample: "watch")), age: .seconds(7_199))
        #expect(
            try field("lte", SCAIPSample.call(SCAIPSample.order(location: longest)))
                == "Person's last pos., 119 min old")
    }

    /// 33.8587° are 33° 51.522', 151.2091° are 151° 12.546'; the sum is NMEA's, over what is between $ and *.
    @Test func `gives a place south or west of Greenwich as NMEA, for 'geo' has no sign`() throws {
        let request = SCAIPSample.call(
            SCAIPSample.order(
                location: .fix(SCAIPSample.fix(-33.8587, 151.2091, altitude: nil), of: .box, age: .zero)))
        #expect(try field("geo", request) == nil)
        #expect(try field("lco", request) == "035")
        #expect(try field("gga", request) == "$GPGGA,083000,3351.5220,S,15112.5460,E,1,,,,M,,M,,*4A")
    }

    @Test(arguments: ["", "12345678901234567", "12a4", "٣", "12 4"])
    func `is not made for a controller id that is not 1 to 16 digits`(id: String) {
        #expect(SCAIPController(id: id, callBack: nil) == nil)
    }
}

/// Element names with their text, as they open.
private final class FieldReader: NSObject, XMLParserDelegate {
    var fields: [(name: String, text: String)] = []
    private var path: [Int] = []

    func parser(
        _: XMLParser, didStartElement name: String, namespaceURI _: String?, qualifiedName _: String?,
        attributes _: [String: String]
    ) {
        path.append(fields.count)
        fields.append((name, ""))
    }

    func parser(_: XMLParser, didEndElement _: String, namespaceURI _: String?, qualifiedName _: String?) {
        path.removeLast()
    }

    func parser(_: XMLParser, foundCharacters text: String) {
        if let last = path.last { fields[last].text += text }
    }
}

@Suite struct `A SCAIP reference` {
    @Test func `is the same for a second try and another one for every other word`() {
        let cause = SCAIPSample.crossing()
        let orders = [
            SCAIPSample.order(cause, stage: .pending), SCAIPSample.order(cause),
            SCAIPSample.order(cause, round: 2), SCAIPSample.order(cause, round: 63),
            SCAIPSample.order(SCAIPSample.crossing(number: 2)),
        ]
        let references =
            orders.map { SCAIPReference(call: $0) } + [
                SCAIPReference(retraction: SCAIPSample.retraction(cause)),
                SCAIPReference(
                    retraction: SCAIPSample.retraction(
                        cause, .resolved(PersonAct(by: "x", means: .console), at: SCAIPSample.at(9)))),
                SCAIPReference(heartbeat: 1), SCAIPReference(heartbeat: 2),
            ]
        #expect(Set(references).count == references.count)
        #expect(SCAIPReference(call: orders[1]) == SCAIPReference(call: SCAIPSample.order(cause)))
        #expect(references.allSatisfy { SCAIPReference($0.description) == $0 })
    }

    /// Late readings differ in the last digits of the id only, and the reading of a guessed number in its time only.
    @Test func `tells ids apart that share all but their last bit, or all but their millisecond`() {
        let ids = [
            "0000-7000-8000-000000000000", "0000-7000-8000-000000000001", "0000-7000-ffff-ffffffffffff",
            "0000-7000-bfff-ffffffffffff", "0001-7000-8000-000000000000", "0002-7000-8000-000000000000",
        ]
        let references = ids.map { text in
            let cause = AlarmCause.signal(
                WearableSignal(
                    id: MessageID("0190c3a2-\(text)")!, person: SCAIPSample.person,
                    device: DeviceID(sample: "x"), kind: .fall, arrival: SCAIPSample.moment(0)))
            return SCAIPReference(call: SCAIPSample.order(cause))
        }
        #expect(Set(references).count == ids.count)
    }

    @Test(arguments: ["", "12345678901234567", "a b", "a-b", "ä", "1\n"])
    func `is 1 to 16 digits and letters`(text: String) {
        #expect(SCAIPReference(text) == nil)
    }
}

@Suite struct `A SCAIP text` {
    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcde"), ("ab cdef", 3, "ab"),
        // e and a combining accent are two code points and one character: never torn.
        ("ae\u{301}", 2, "a"), ("ae\u{301}", 3, "ae\u{301}"),
        // A family of seven code points.
        ("a👩‍👩‍👧‍👦", 7, "a"), ("a👩‍👩‍👧‍👦", 8, "a👩‍👩‍👧‍👦"),
        ("  a \t\n b\u{A0}", 9, "a b"), ("\u{0}a\u{7}b\u{7F}\u{FFFF}", 9, "ab"),
    ])
    func `is cut between characters at its length in code points`(text: String, limit: Int, cut: String) {
        #expect(SCAIPText(text, limit: limit)?.description == cut)
    }

    @Test(arguments: ["", "  ", "\u{0}\n", "👩‍👩‍👧‍👦"])
    func `is left out where nothing would be left`(text: String) {
        #expect(SCAIPText(text, limit: 3) == nil)
    }

    @Test func `leaves whole parts out, the least important first`() {
        #expect(SCAIPText(parts: ["abc", "de", "fghij", "k"], limit: 10)?.description == "abc; de; k")
        #expect(SCAIPText(parts: ["abcdef", "g"], limit: 4)?.description == "abcd")
        #expect(SCAIPText(parts: [], limit: 4) == nil)
    }
}
