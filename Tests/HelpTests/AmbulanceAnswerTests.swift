import CAP
import HTTPTransfers
import HostileInput
import SOSLocal
import Testing

@testable import AmbulanceService
@testable import CareCentre

private typealias Sample = AmbulanceSample

/// Only what names this alarm, in the right form and as loud as the call, is an acceptance.
@Suite struct `An answer of the ambulance service` {
    private func answer(_ body: String, isDrill: Bool = false) -> Answer {
        answer(Array(body.utf8), isDrill: isDrill)
    }

    private func answer(_ body: [UInt8], isDrill: Bool = false) -> Answer {
        Answer(
            HTTPResponse(status: 200, location: nil, body: body, isTooLarge: false),
            to: Sample.alarm.description,
            isDrill: isDrill)
    }

    private func isIgnored(_ answer: Answer) -> Bool { if case .ignored = answer { true } else { false } }

    private func cap(
        references: String = "villa-rosa,01957c2e-7a00-7abc-8def-0123456789ab,2026-03-01T08:30:14-00:00",
        type: String = "Ack", status: String = "Actual", source: String = "Operator 7",
        namespace: String = "urn:oasis:names:tc:emergency:cap:1.2"
    ) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- an answer -->
        <a:alert xmlns:a="\(namespace)"><a:identifier>7</a:identifier><a:sender>centre</a:sender>
          <a:sent>2026-03-01T09:30:20+01:00</a:sent><a:status>\(status)</a:status>
          <a:msgType> \(type) </a:msgType><a:source>\(source)</a:source><a:scope>Private</a:scope>
          <a:references>other,1,2026-03-01T09:30:20+01:00 \(references)</a:references></a:alert>

        """
    }

    @Test func `accepts in JSON, for this alarm or without saying which`() {
        #expect(answer(#"{"accepted": {"by": "Operator 7"}}"#) == .accepted(by: "Operator 7"))
        #expect(
            answer(
                #" {"accepted": {"by": " Ünal 🚑 ", "alarm": "01957C2E-7A00-7ABC-8DEF-0123456789AB"}, "x": 1}"#)
                == .accepted(by: "Ünal 🚑"))
    }

    @Test(arguments: ["", " \r\n", "{}", #"{"accepted": null}"#, #"{"ticket": 7}"#])
    func `is silent without an acceptance`(_ body: String) {
        #expect(answer(body) == .silent)
    }

    @Test(
        arguments: [
            #"{"accepted": true}"#, #"{"accepted": {"by": ""}}"#, #"{"accepted": {"by": 7}}"#,
            #"{"accepted": {}}"#, #"{"accepted": {"by": "x"}"#, #"[{"accepted": {"by": "x"}}]"#, "accepted",
            #"{"accepted": {"by": "a\nb"}}"#, #"{"accepted": {"by": "\u001b[2J"}}"#,
            #"{"accepted": {"by": "x", "alarm": "01890000-0000-7000-8000-000000000000"}}"#,
            #"{"accepted": {"by": "x", "alarm": ""}}"#,
            #"{"alarm": "01890000-0000-7000-8000-000000000000", "accepted": {"by": "x"}}"#,
            #"{"accepted": {"by": "\#(String(repeating: "x", count: 201))"}}"#, "\u{0}", "<html></html>",
        ])
    func `is no acceptance in any other JSON`(_ body: String) {
        #expect(isIgnored(answer(body)))
    }

    @Test func `accepts as a CAP Ack that references a message of this alarm`() {
        #expect(answer(cap()) == .accepted(by: "Operator 7"))
        #expect(answer(cap(source: "A &amp; B &#x1F691;<![CDATA[ <c>]]>")) == .accepted(by: "A & B 🚑 <c>"))
        let update = "villa-rosa,01957c2e-7a00-7abc-8def-0123456789ab.confirmed.2,2026-03-01T08:30:14+00:00"
        #expect(answer(cap(references: update)) == .accepted(by: "Operator 7"))
        #expect(answer(cap(status: "Exercise"), isDrill: true) == .accepted(by: "Operator 7"))
    }

    @Test func `accepts by its sender where no source is named`() {
        let body = cap().replacing("<a:source>Operator 7</a:source>", with: "")
        #expect(answer(body) == .accepted(by: "centre"))
    }

    @Test func `refuses as a CAP Error`() {
        guard case .refused = answer(cap(type: "Error")) else {
            Issue.record("an Error that references the call refuses it")
            return
        }
    }

    @Test func `is no acceptance in any other CAP`() {
        let bodies = [
            cap(references: "villa-rosa,01890000-0000-7000-8000-000000000000,2026-03-01T08:30:14-00:00"),
            cap(references: "01957c2e-7a00-7abc-8def-0123456789ab"), cap(references: ""),
            cap(references: "villa-rosa,01957c2e-7a00-7abc-8def-0123456789abcd,2026-03-01T08:30:14-00:00"),
            cap(type: "Alert"), cap(type: "Update"), cap(type: "ack"), cap(status: "Test"),
            cap(status: "Exercise"), cap(namespace: "urn:oasis:names:tc:emergency:cap:1.1"),
            cap(source: "a&#10;b"), cap(source: "&unknown;"), cap() + "<more/>", cap() + "x",
            "<!DOCTYPE a [<!ENTITY b \"bb\">]>" + cap(),
            cap().replacing("<a:scope>", with: "<?php ?><a:scope>"),
            cap().replacing("</a:scope>", with: "</a:other>"),
            cap().replacing("<a:scope>", with: "<b:scope>"),
            String(repeating: "<a>", count: 10_000),
        ]
        for body in bodies { #expect(isIgnored(answer(body)), "\(body)") }
        #expect(isIgnored(answer(cap(), isDrill: true)), "an emergency's Ack is none for a drill")
    }

    @Test func `is never an acceptance cut short`() {
        for body in [cap(), #"{"accepted": {"by": "Operator 7"}}"#] {
            let bytes = Array(body.utf8)
            let whole = body.trimmed.utf8.count
            for length in 1..<whole {
                let cut = answer(Array(bytes.prefix(length)))
                #expect(isIgnored(cut) || cut == .silent, "\(length) bytes: \(cut)")
            }
        }
    }

    @Test func `with one byte changed names this alarm or is no acceptance`() {
        let bytes = Array(cap().utf8)
        var random = SystemRandomNumberGenerator()
        for place in bytes.indices {
            var changed = bytes
            changed[place] = UInt8.random(in: 0...255, using: &random)
            if case .accepted = answer(changed) {
                #expect(
                    String(decoding: changed, as: UTF8.self).contains("01957c2e-7a00-7abc-8def-0123456789ab"))
            }
        }
    }

    @Test func `of any bytes does no harm`() {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("<>/&;!?-[]CDATA x=\"'{}:,accepted#\u{0}é".utf8)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...60, using: &random)
            let body = (0..<count).map { _ in alphabet.randomElement(using: &random)! }
            if case .accepted = answer(body) { Issue.record("accepted by \(body)") }
            if case .accepted = answer([UInt8(ascii: "<")] + body) { Issue.record("accepted by <\(body)") }
        }
    }
}

/// Answers of machines that are broken or hostile: an answer, an error, and never the end of the process.
@Suite struct `Hostile answers` {
    private static let answers = [
        #"{"accepted": {"by": "Operator 7", "alarm": "01957C2E-7A00-7ABC-8DEF-0123456789AB"}, "alarm": null}"#,
        #"{"accepted": null, "ticket": [1, -2.5e-1, {"a": "\ud83d\ude00"}]}"#,
    ]
    private static let alerts = [
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- an answer --><a:alert xmlns:a="urn:oasis:names:tc:emergency:cap:1.2"><a:identifier>7</a:identifier>
        <a:sender>centre</a:sender><a:sent>2026-03-01T09:30:20+01:00</a:sent><a:status>Actual</a:status>
        <a:msgType> Ack </a:msgType><a:source><![CDATA[Operator 7]]> &amp; &#x41;</a:source><a:scope>Private</a:scope>
        <a:references>villa-rosa,01957c2e-7a00-7abc-8def-0123456789ab,2026-03-01T08:30:14-00:00</a:references></a:alert>
        """,
        #"<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><status>Error</status><note a='1'/></alert>"#,
    ]
    private static let responses = [
        #"<?xml version="1.0" encoding="UTF-8"?><mrs><ref>0000001A85</ref><snu>0</snu><ste>ok &amp; f&#xE4;rdig</ste>"#
            + "<cve>01.00</cve><mre>01</mre><cre>61</cre><tnu>sip:x</tnu><hbi>3</hbi></mrs>",
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\" ?><s:mrs xmlns:s=\"urn:x\"><s:ref>a</s:ref><s:snu>4</s:snu></s:mrs>",
    ]

    private static func answer(_ body: [UInt8]) {
        let response = HTTPResponse(status: 200, location: nil, body: body, isTooLarge: false)
        for isDrill in [false, true] {
            _ = Answer(response, to: AmbulanceSample.alarm.description, isDrill: isDrill)
        }
    }

    @Test func `in JSON end nothing`() {
        Campaign("answer-json").run(seeds: Self.answers.map { Array($0.utf8) }) { Self.answer($0) }
    }

    @Test func `in CAP end nothing`() {
        Campaign("answer-cap").run(seeds: Self.alerts.map { Array($0.utf8) }, words: Mutator.xmlWords) {
            Self.answer($0)
        }
    }

    @Test func `of SCAIP end nothing`() {
        Campaign("answer-scaip").run(seeds: Self.responses.map { Array($0.utf8) }, words: Mutator.xmlWords) {
            _ = try? SCAIPResponseReader.read($0)
        }
    }
}
