import HostileInput
import Testing

@testable import AmbulanceService
@testable import CareCentre

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
        for isDrill in [false, true] { _ = Answer(response, to: AmbulanceSample.alarm, isDrill: isDrill) }
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
