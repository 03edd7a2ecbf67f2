import CAP
import Foundation
import ModelSamples
import SOSLocal
import TestSupport
import Testing

@testable import AmbulanceService
@testable import GatewayModel

private typealias Sample = AmbulanceSample

/// What an emergency looks like in CAP 1.2, read by libxml2 with the standard's schema.
@Suite struct `A call in CAP` {
    private func read(
        _ order: DispatchOrder, of profile: PersonProfile = Sample.profile, _ place: CallHistory.Place = .first
    ) throws -> CAPFile {
        try CAPFile.read(CAPMessage(order, of: profile, place: place, caller: Sample.caller).xml)
    }

    @Test func `keeps to the schema for every cause, place, stage and language`() throws {
        let causes: [AlarmCause] =
            [
                Sample.crossing, Sample.drill,
                .earlyWarning(
                    EarlyWarning(points: 7, parameters: 5, limit: 5, reading: Sample.reading(150, at: 10))),
                .silence(SensorSilence(last: Sample.reading(80, at: 0), limit: .seconds(600))),
            ] + WearableSignal.Kind.allCases.map(Sample.signal)
        let places: [AlarmLocation] = [
            .fix(Sample.fix, of: .box, age: .zero), .lastKnown(Sample.fix, of: .box, age: .seconds(400)),
            .installed(Sample.home),
            .installed(InstalledPlace(address: "Casa", coordinates: nil)),
        ]
        var documents: [[UInt8]] = []
        for cause in causes {
            for place in places {
                for stage in [DispatchStage.pending, .confirmed] {
                    for language in PersonProfile.Language.allCases {
                        let profile = PersonProfile(
                            id: Sample.maria, name: "Maria", language: language, home: Sample.home)
                        let order = Sample.order(cause, stage, location: place)
                        documents.append(
                            CAPMessage(order, of: profile, place: .later, caller: Sample.caller).xml)
                    }
                }
            }
        }
        let act = PersonAct(by: "Anna", means: .console)
        let endings: [AlarmEnding] = [
            .aborted(act, at: Sample.at(20), beforeDispatch: false), .resolved(act, at: Sample.at(20)),
            .accepted(act, channel: ChannelID(sample: "mqtt"), at: Sample.at(20)), .lapsed(at: Sample.at(20)),
        ]
        for ending in endings {
            let retraction = Sample.retraction(ending)
            documents.append(CAPMessage(retraction, of: Sample.profile, caller: Sample.caller).xml)
        }
        for notice in [NoticeSample.began(Sample.profile), NoticeSample.ended(Sample.profile)] {
            documents.append(CAPMessage(notice, caller: Sample.caller).xml)
        }
        documents.append(CAPMessage(testing: Sample.id, at: Sample.moment(0).wall, caller: Sample.caller).xml)
        let files = try CAPFile.read(documents)
        #expect(files.count == 7 * 4 * 2 * 2 + 4 + 2 + 1)
        #expect(files.compactMap(\.problem).isEmpty)
    }

    @Test func `is held by a receiver that notices what is missing`() throws {
        let sound = CAPMessage(
            Sample.order(), of: Sample.profile, place: .first, caller: Sample.caller
        ).xml
        let text = String(decoding: sound, as: UTF8.self)
        func problem(_ from: String, _ to: String) throws -> String? {
            #expect(text.contains(from))
            return try CAPFile.read(Array(text.replacing(from, with: to).utf8)).problem
        }
        #expect(try problem("-00:00</sent>", "Z</sent>") != nil)
        #expect(try problem("<scope>Private</scope>", "") != nil)
        #expect(try problem("<urgency>Immediate</urgency>", "<urgency>Now</urgency>") != nil)
        #expect(try problem("<sender>villa-rosa", "<sender>villa, rosa") != nil)
    }

    @Test func `says in its own elements how grave and how sure it is`() throws {
        let file = try read(Sample.order())
        let expected = [
            "identifier": "01957c2e-7a00-7abc-8def-0123456789ab", "sender": "villa-rosa",
            "sent": "2026-03-01T08:30:14-00:00", "status": "Actual", "msgType": "Alert", "scope": "Private",
            "addresses": #"118-milano "Centrale Operativa""#,
            "incidents": "01957c2e-7a00-7abc-8def-0123456789ab", "language": "en", "category": "Health",
            "event": "Heart rate too high", "responseType": "Execute", "urgency": "Immediate",
            "severity": "Extreme", "certainty": "Observed", "onset": "2026-03-01T08:30:10-00:00",
            "headline": "Help is needed. Heart rate too high: Maria Rossi",
            "description": """
            Maria Rossi, born 1941
            Heart rate too high: 150 bpm, limit 131 bpm
            Newest: 154 bpm
            Where: position of the box, not of the person, 0 s old, within 8 m
            Home: Via Dante 7, 20121 Milano
            Notes: Takes a blood thinner; Allergic to penicillin
            """,
            "instruction":
                "Send help to the place given and call the contacts. Tell who takes the call.",
            "contact": "Anna Rossi (daughter) +393331234567; Carlo Bianchi +393337654321",
            "areaDesc": "position of the box, not of the person, 0 s old, within 8 m",
            "circle": "45.464210,9.189980 0.008",
        ]
        #expect(file.problem == nil)
        #expect(file.fields == expected)
    }

    @Test func `carries the figures as parameters`() throws {
        let file = try read(Sample.order())
        let expected = [
            ["alarm", "01957c2e-7a00-7abc-8def-0123456789ab"], ["drill", "false"],
            ["cause", "heart-rate-high"], ["priority", "high"], ["device", "strap"], ["stage", "confirmed"],
            ["round", "1"], ["heart_rate", "150 /min"], ["limit", "131 /min"], ["newest", "154 /min"],
            ["person", "maria"], ["person_name", "Maria Rossi"], ["birth_year", "1941"],
            ["home_address", "Via Dante 7, 20121 Milano"],
            ["contact", "Anna Rossi (daughter) +393331234567"], ["contact", "Carlo Bianchi +393337654321"],
            ["medical_note", "Takes a blood thinner"], ["medical_note", "Allergic to penicillin"],
            ["location_source", "fix"], ["location_of", "box"],
            ["location_age_s", "0"], ["location_error_m", "8"], ["location_altitude_m", "122"],
            ["trend_heart_rate", "strap /min: -14 96, -9 104"],
        ]
        #expect(file.parameters == expected)
    }

    @Test func `is an update of the first from the second message on`() throws {
        let pending = try read(Sample.order(Sample.crossing, .pending))
        let confirmed = try read(Sample.order(ordered: 70), of: Sample.profile, .later)
        let third = try read(Sample.order(round: 3, ordered: 130), of: Sample.profile, .later)
        let reference = "villa-rosa,01957c2e-7a00-7abc-8def-0123456789ab,2026-03-01T08:30:14-00:00"
        #expect(pending["msgType"] == "Alert")
        #expect(
            [pending["sender"], pending["identifier"], pending["sent"]].compactMap(\.self).joined(
                separator: ",") == reference)
        #expect(confirmed["msgType"] == "Update")
        #expect(confirmed["references"] == reference)
        #expect(confirmed["identifier"] == "01957c2e-7a00-7abc-8def-0123456789ab.confirmed.1")
        #expect(third["identifier"] == "01957c2e-7a00-7abc-8def-0123456789ab.confirmed.3")
        #expect(third["sent"] == "2026-03-01T08:32:10-00:00")
        #expect(third["references"] == reference)
    }

    @Test func `is less certain while the person can still cancel`() throws {
        let value = try read(Sample.order(Sample.crossing, .pending))
        let button = try read(Sample.order(Sample.signal(.sosButton), .pending))
        #expect([value["certainty"], value["responseType"]] == ["Possible", "Prepare"])
        #expect([button["certainty"], button["responseType"]] == ["Likely", "Prepare"])
        #expect(value["headline"]?.hasPrefix("Help may be needed.") == true)
    }

    @Test func `asks for rescue after a fall, and for less at a lower priority`() throws {
        let fall = try read(Sample.order(Sample.signal(.fall)))
        let medium = try read(Sample.order(priority: .medium))
        #expect(fall["category"] == "Rescue")
        #expect([medium["severity"], medium["responseType"]] == ["Moderate", "Assess"])
    }

    @Test func `says of a place which of the three it is`() throws {
        let known = try read(Sample.order(location: .lastKnown(Sample.fix, of: .box, age: .seconds(400))))
        let installed = try read(Sample.order(location: .installed(Sample.home)))
        let nowhere = try read(
            Sample.order(location: .installed(InstalledPlace(address: "Casa", coordinates: nil))))
        #expect(
            known["areaDesc"]
                == "last known position of the box, not of the person, 400 s old, within 8 m")
        #expect(known.parameter("location_source") == ["last-known"])
        #expect(known.parameter("location_age_s") == ["400"])
        #expect(known.parameter("location_of") == ["box"])
        let watch = DeviceID(sample: "watch")
        let own = try read(
            Sample.order(location: .fix(Sample.fix, of: .wearable(watch), age: .seconds(3))))
        #expect(own["areaDesc"] == "position of the person's wearable, 3 s old, within 8 m")
        #expect(own.parameter("location_of") == ["wearable"])
        #expect(own.parameter("location_device") == ["watch"])
        #expect(own.parameter("location_age_s") == ["3"])
        #expect(
            installed["areaDesc"] == "address where the box is installed: Via Dante 7, 20121 Milano")
        #expect(installed["circle"] == "45.466100,9.186000 0.05")
        #expect(installed.parameter("location_source") == ["installed"])
        #expect(nowhere["circle"] == nil)
    }

    @Test func `calls values that nothing supports possible, and says that the sensor may be wrong`() throws {
        let sure = try read(Sample.order())
        let possible = try read(Sample.order(certainty: .possible))
        #expect(sure["certainty"] == "Observed" && possible["certainty"] == "Possible")
        #expect(possible["description"]?.contains("The sensor may be wrong.") == true)
        #expect(possible["headline"]?.hasPrefix("Help may be needed, the sensor may be wrong.") == true)
        #expect(sure["description"]?.contains("may be wrong") == false)
    }

    @Test func `marks a drill in every message`() throws {
        let call = try read(Sample.order(Sample.drill))
        let end = try CAPFile.read(
            CAPMessage(
                Sample.retraction(.lapsed(at: Sample.at(20)), of: Sample.drill), of: Sample.profile,
                caller: Sample.caller
            ).xml)
        #expect([call["status"], end["status"]] == ["Exercise", "Exercise"])
        #expect(call["note"] == "Drill. Nobody is in danger; send nobody.")
        #expect(call["headline"] == "DRILL, no emergency: Maria Rossi")
        #expect(call["instruction"]?.contains("send nobody") == true)
        #expect(end["headline"]?.hasPrefix("DRILL.") == true)
    }

    @Test func `is taken back by a cancellation that names the first`() throws {
        let file = try CAPFile.read(
            CAPMessage(Sample.retraction(), of: Sample.profile, caller: Sample.caller).xml)
        #expect(file["msgType"] == "Cancel")
        #expect(file["identifier"] == "01957c2e-7a00-7abc-8def-0123456789ab.aborted")
        #expect(
            file["references"] == "villa-rosa,01957c2e-7a00-7abc-8def-0123456789ab,2026-03-01T08:30:14-00:00")
        #expect(
            [file["responseType"], file["urgency"], file["certainty"]] == ["AllClear", "Past", "Unlikely"])
        #expect(file["note"] == "Cancelled by Maria.")
        #expect(file.parameter("medical_note").isEmpty)
    }

    @Test func `says nothing of a person in a test`() throws {
        let test = CAPMessage(testing: Sample.id, at: Sample.moment(0).wall, caller: Sample.caller)
        let file = try CAPFile.read(test.xml)
        #expect(file["status"] == "Test")
        #expect(file.parameters.isEmpty && file["headline"] == nil && file["areaDesc"] == nil)
    }

    @Test func `survives every text that a settings file can hold`() throws {
        let texts = [
            "]]>", "<b>&amp;&lt;</b>", "\"'`", "👵🏽 Nonna 🇮🇹", "a\u{0}b\u{8}c\u{B}d\u{1F}e\u{FFFE}f\u{FFFF}",
            "line\r\nline\rline\ttab", String(repeating: "Wolfeschlegelsteinhausen ", count: 400), "<!-- -->",
            "<?xml?>", "\u{202E}reversed", "e\u{301}", "&#0;", " ",
        ]
        let read = texts.map { text in
            text.unicodeScalars.map { XMLWriter.isAllowed($0) ? String($0) : "\u{FFFD}" }.joined()
        }
        let documents = texts.map { text in
            let profile = PersonProfile(
                id: Sample.maria, name: text,
                contacts: [PersonProfile.Contact(name: text, phone: text, relation: text)],
                medicalNotes: [text],
                home: InstalledPlace(address: text, coordinates: nil))
            return CAPMessage(Sample.order(), of: profile, place: .first, caller: Sample.caller).xml
        }
        let files = try CAPFile.read(documents)
        #expect(files.compactMap(\.problem).isEmpty)
        for (file, text) in zip(files, read) {
            #expect(file.parameter("person_name") == [text])
            #expect(file.parameter("medical_note") == [text])
            #expect(file.parameter("home_address") == [text])
        }
    }

    @Test func `writes coordinates and numbers in the standard's form everywhere on the globe`() throws {
        let places = [(0.000001, -0.000001), (-90, 180), (90, -180), (-0.5, 0), (-33.8688197, 151.2092955)]
        let expected = [
            "0.000001,-0.000001 0.05", "-90.000000,180.000000 0.05", "90.000000,-180.000000 0.05",
            "-0.500000,0.000000 0.05", "-33.868820,151.209296 0.05",
        ]
        let files = try CAPFile.read(
            places.map { place in
                let location = AlarmLocation.installed(
                    InstalledPlace(
                        address: "x", coordinates: Coordinates(latitude: place.0, longitude: place.1)))
                return CAPMessage(
                    Sample.order(location: location), of: Sample.profile, place: .first, caller: Sample.caller
                ).xml
            })
        #expect(files.compactMap(\.problem).isEmpty)
        #expect(files.map { $0["circle"] } == expected)
    }

    @Test func `leaves out a value that is no number`() throws {
        let odd = Sample.order(trend: [Sample.reading(.nan, at: 0), Sample.reading(.infinity, at: 5)])
        let file = try read(odd)
        #expect(file.problem == nil)
        #expect(file.parameter("trend_heart_rate") == ["strap /min: "])
        let document = CallDocument(odd, of: Sample.profile, place: .first, caller: Sample.caller)
        #expect(throws: Never.self) { try document.bytes() }
    }
}

/// Validation of a CAP message by `workbench/cap`, with libxml2 and the schema of the standard.
struct CAPFile: Decodable {
    /// Nil where the schema and the rules beside it hold.
    let problem: String?
    let fields: [String: String]
    let parameters: [[String]]

    subscript(_ name: String) -> String? { fields[name] }

    func parameter(_ name: String) -> [String] { parameters.filter { $0[0] == name }.map { $0[1] } }

    static func read(_ documents: [[UInt8]]) throws -> [CAPFile] {
        let scratch = try ScratchDirectory()
        var files: [String] = []
        for (number, document) in documents.enumerated() {
            let file = scratch.file("\(number).xml")
            try Data(document).write(to: file)
            files.append(file.path)
        }
        let child = try ChildProcess(
            AmbulanceRig.tests.appending(path: "Rig/cap/validate.py").path, files,
            output: scratch.file("output"))
        guard child.waitForSuccess() else { throw Failure(output: child.text) }
        return try child.text.split(separator: "\n").map {
            try JSONDecoder().decode(CAPFile.self, from: Data($0.utf8))
        }
    }

    static func read(_ document: [UInt8]) throws -> CAPFile { try read([document])[0] }

    struct Failure: Error { let output: String }
}
