import Testing

@testable import CareCentre

@Suite struct `An answer of SCAIP` {
    private static let whole =
        #"<?xml version="1.0" encoding="UTF-8"?><mrs><ref>0000001A85</ref><snu>0</snu><ste>ok &amp; f&#xE4;rdig</ste>"#
        + "<cve>01.00</cve><mre>01</mre><cre>61</cre><tnu>sip:x</tnu><hbi>3</hbi></mrs>"

    private func read(_ text: String) throws(SCAIPResponseReader.Failure) -> SCAIPResponse {
        try SCAIPResponseReader.read(Array(text.utf8))
    }

    @Test func `is read with all its fields`() throws {
        let answer = try read(Self.whole)
        #expect(answer.reference.description == "0000001A85")
        #expect(answer.status == .ok)
        #expect(answer.text == "ok & färdig")
        #expect(answer.heartbeatStep == 3)
    }

    @Test(arguments: [
        // The scenario in fonoster/scaipproxy.
        ("<mrs><ref>00020486</ref><snu>0</snu></mrs>", 0),
        // Syntilio/Datahub-Scaip-Proxy names the root otherwise and leaves fields empty.
        (
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<scaip>\n  <ref>a1</ref>\n  <snu>0</snu>\n  <ste></ste>\n</scaip>",
            0
        ),
        ("<mrs><ref>a</ref><snu>00006</snu></mrs>", 6), ("<mrs><ref>\n a </ref><snu> 7\n</snu></mrs>", 7),
        ("<s:mrs xmlns:s=\"urn:x\"><s:ref>a</s:ref><s:snu>4</s:snu></s:mrs>", 4),
        ("<mrs><snu>99999</snu><new>1</new><ref>a</ref></mrs>", 99_999),
        ("<mrs><ref>a</ref><snu><![CDATA[2]]></snu><!-- c --></mrs>\n", 2),
        ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\" ?><mrs><ref>a</ref><snu>3</snu></mrs>", 3),
    ])
    func `is read as the implementations there are write it`(text: String, status: Int) throws {
        #expect(try read(text).status.number == status)
    }

    @Test func `is nothing while a byte of it is missing`() {
        let bytes = Array(Self.whole.utf8)
        for count in bytes.indices {
            #expect(throws: SCAIPResponseReader.Failure.self) {
                try SCAIPResponseReader.read(Array(bytes[..<count]))
            }
        }
    }

    @Test(arguments: [
        #"<!DOCTYPE mrs><mrs><ref>a</ref><snu>0</snu></mrs>"#,
        #"<!DOCTYPE mrs [<!ENTITY a "0">]><mrs><ref>a</ref><snu>&a;</snu></mrs>"#,
        #"<!DOCTYPE mrs SYSTEM "file:///etc/passwd"><mrs><ref>a</ref><snu>0</snu></mrs>"#,
        "<!DOCTYPE m [<!ENTITY a \"aaaaaaaaaa\">"
            + (1...9).map {
                "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 - 1 == 0 ? "" : "\($0 - 1)");", count: 10))\">"
            }
            .joined() + "]><mrs><ref>&a9;</ref><snu>0</snu></mrs>",
    ])
    func `has no document type, so no entity can grow in it or fetch a file`(text: String) {
        #expect(throws: SCAIPResponseReader.Failure.documentType) { try read(text) }
    }

    @Test(arguments: [
        ("<mrs><ref>a</ref><snu>&b;</snu></mrs>", "no XML"), ("<mrq><ref>a</ref></mrq>", "root"),
        ("<mrs><ref>a</ref><snu>0</snu><snu>6</snu></mrs>", "twice"),
        ("<mrs><ref>a<b>c</b></ref><snu>0</snu></mrs>", "one level"),
        ("<mrs><ref>a</ref></mrs>", "<snu> is missing"), ("<mrs><snu>0</snu></mrs>", "<ref> is missing"),
        ("<mrs><ref>a b</ref><snu>0</snu></mrs>", "<ref> is 'a b'"),
        ("<mrs><ref>a</ref><snu>-1</snu></mrs>", "<snu> is '-1'"),
        ("<mrs><ref>a</ref><snu>999999</snu></mrs>", "<snu> is '999999'"),
        ("<mrs><ref>a</ref><snu></snu></mrs>", "<snu> is ''"), ("", "no XML"), ("OK", "no XML"),
        ("<mrs><ref>a</ref><snu>0</snu></mrs><mrs/>", "no XML"),
        ("<mrs><ref>a</ref><snu>0</snu><ste>\(String(repeating: "x", count: 8_200))</ste></mrs>", "bytes"),
    ])
    func `is refused where it could mean two things, and the log says why`(text: String, why: String) {
        do throws(SCAIPResponseReader.Failure) {
            Issue.record("read as \(try read(text))")
        } catch {
            #expect(error.words.contains(why), "\(error.words)")
        }
    }

    @Test func `survives bytes that are no text`() {
        for byte in UInt8.min...UInt8.max {
            _ = try? SCAIPResponseReader.read([UInt8](repeating: byte, count: 64))
            _ = try? SCAIPResponseReader.read(Array("<mrs><ref>".utf8) + [byte, 0, byte])
        }
    }
}
