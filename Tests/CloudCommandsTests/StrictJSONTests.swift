import GatewayModel
import Testing

@testable import CloudCommands

@Suite struct `Strict JSON` {
    private func read(_ text: String) throws(StrictJSON.Fault) -> StrictJSON {
        try StrictJSON(Array(text.utf8))
    }

    @Test func `takes what RFC 8259 calls JSON`() throws {
        #expect(
            try read(" {\n\"a\" : [ 1 , -0 , 2.5e-1 , true , false , null ] } ")
                == .object([
                    StrictJSON.Member(
                        name: "a",
                        value: .array([.whole(1), .whole(0), .number(0.25), .truth(true), .truth(false), .null])
                    )
                ]))
        #expect(try read(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00è""#) == .text("\"\\/\u{8}\u{C}\n\r\té😀è"))
        #expect(try read("{}") == .object([]))
        #expect(try read("[]") == .array([]))
        #expect(try read("1E3") == .number(1_000))
    }

    @Test(arguments: [
        "", " ", "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}", "[1,]", "[1 2]", "01", "-",
        "+1",
        ".5", "1.", "1e", "1e+", "0x10", "NaN", "Infinity", "-Infinity", "1e999", "tru", "nul", "True", "\"",
        "\"\u{1}\"",
        "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "1 1", "{} x", "//\n1",
        "123456789012345678901", "\u{FEFF}1", "[[[[[[[1]]]]]]]",
    ])
    func `refuses what is none`(_ text: String) {
        #expect(throws: StrictJSON.Fault.self) { try read(text) }
    }

    @Test(arguments: [#"{"a":1,"a":1}"#, #"{"a":1,"b":2,"\u0061":3}"#, #"[{"x":{"é":1,"e\u0301":2}}]"#])
    func `refuses a member that is there twice`(_ text: String) {
        #expect {
            try read(text)
        } throws: { error in
            guard case StrictJSON.Fault.duplicate = error else { return false }
            return true
        }
    }

    @Test func `refuses every beginning of a text`() {
        let text = #"{"a":[1,{"b":"\u00e9"},true]}"#
        for length in 0..<text.utf8.count {
            #expect(throws: StrictJSON.Fault.self, "\(length)") {
                try StrictJSON(Array(text.utf8.prefix(length)))
            }
        }
    }

    @Test func `has one base64url for each text of bytes`() {
        for length in 0...40 {
            let bytes = (0..<length).map { UInt8($0 * 37 & 0xFF) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
        // RFC 4648 section 10, without the padding.
        #expect(Base64URL.encode(Array("foobar".utf8)) == "Zm9vYmFy")
        #expect(Base64URL.encode(Array("foob".utf8)) == "Zm9vYg")
        for wrong in ["Zm9vYh", "Zm9vYg==", "Zm9v Yg", "Zm9vY", "Zm9+Yg", "Zm9/Yg", "é"] {
            #expect(Base64URL.decode(wrong) == nil, "\(wrong)")
        }
    }
}
