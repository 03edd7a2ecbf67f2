import Foundation
import JSONReading
import Testing

@Suite struct `The reader of JSON` {
    private struct Call: Codable, Equatable {
        var alarm: String
        var afterMs: Int64?
        var parts: [[Double]]?
    }

    private static func read(_ text: String, names: JSONReader.Names = .asWritten) throws -> Call {
        try JSONReader.decode(from: Array(text.utf8), limit: 1 << 20, names: names)
    }

    private static func fault(_ text: String) -> JSONFault? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return error as? JSONFault
        }
    }

    /// Foundation's own scanner traps where its 513th level is the last byte.
    @Test(arguments: ["[", "{\"a\":", "[{\"alarm\":", "[[],[", "{\"alarm\":{\"alarm\":[\"\",", " [ "])
    func `refuses every depth beyond its limit, wherever the text ends`(unit: String) {
        for count in (1...600).map({ $0 }) + [1_000, 4_095, 5_000, 20_000] {
            #expect(Self.fault(String(repeating: unit, count: count)) != nil, "\(count) times \(unit)")
        }
        let deep = String(repeating: "[", count: 513)
        #expect(Self.fault(deep) == .tooDeep(at: 32))
    }

    @Test func `takes as many levels as its limit`() throws {
        func nested(_ levels: Int) -> [UInt8] {
            Array((String(repeating: "[", count: levels) + String(repeating: "]", count: levels)).utf8)
        }
        struct Whatever: Decodable {
            init(from decoder: any Decoder) throws {}
        }
        _ = try JSONReader.decode(Whatever.self, from: nested(JSONReader.depthLimit), limit: 1_000)
        #expect(throws: JSONFault.tooDeep(at: 32)) {
            try JSONReader.decode(Whatever.self, from: nested(JSONReader.depthLimit + 1), limit: 1_000)
        }
    }

    @Test func `takes what RFC 8259 calls JSON`() throws {
        #expect(
            try Self.read(#" { "alarm" : "\"\\\/\b\f\n\r\t\u00e9\ud83d\uDE00è" , "afterMs":-0 } "#).alarm
                == "\"\\/\u{8}\u{C}\n\r\té😀è")
        #expect(
            try Self.read(#"{"alarm":"","parts":[[],[1,-2.5e-1,1E3]],"x":[true,false,null]}"#).parts?[1][2]
                == 1_000)
        #expect(try Self.read(#"{"alarm":"a","after_ms":7}"#, names: .snakeCase).afterMs == 7)
        #expect(try Self.read("\u{FEFF}{\"alarm\":\"a\"}").alarm == "a")
    }

    @Test(arguments: [
        "", " ", "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}", "[1,]", "[1 2]", "[,1]",
        "[}", "{]",
        "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x10", "NaN", "Infinity", "tru", "nul", "True", "\"",
        "\"\u{1}\"",
        #""\x""#, #""\u12""#, #""\u12g4""#, #""\ud83d""#, #""\ud83d\u0041""#, #""\ude00""#, #""\"#, "{} {}",
        "[]]",
        "1 2", "\u{0}", "[1]\u{0}", "{\"a\" 1}", "{1:2}", "// x\n{}",
    ])
    func `refuses malformed text, and says where`(text: String) {
        guard case .malformed(let offset, let expected) = Self.fault(text) else {
            Issue.record("'\(text)' was taken, or refused for another reason")
            return
        }
        #expect((0...text.utf8.count).contains(offset) && !expected.isEmpty)
    }

    @Test func `refuses what is not UTF-8, too large, or a number without end`() {
        #expect(throws: JSONFault.notUTF8) {
            try JSONReader.decode(Call.self, from: [0x22, 0xC3, 0x28, 0x22], limit: 100)
        }
        #expect(throws: JSONFault.tooLarge(bytes: 11, limit: 10)) {
            try JSONReader.decode(Call.self, from: Array("\"123456789\"".utf8), limit: 10)
        }
        #expect(Self.fault(#"{"alarm":"","afterMs":\#(String(repeating: "9", count: 65))}"#) != nil)
        #expect(throws: DecodingError.self) { try Self.read(#"{"alarm":1}"#) }
        #expect(throws: DecodingError.self) { try Self.read(#"{"alarm":"","afterMs":1e400}"#) }
    }

    /// Foundation's encoder is the other implementation.
    @Test func `takes every text that the encoder writes, and no prefix of it`() throws {
        let calls = [
            Call(alarm: "\u{1}\u{7F}\u{2028}\"\\/é😀", afterMs: .min, parts: [[], [.pi, -1e-300, 1.7e308]]),
            Call(alarm: "", afterMs: .max, parts: nil),
        ]
        for call in calls {
            let text = try JSONEncoder().encode(call)
            #expect(try JSONReader.decode(Call.self, from: text, limit: 1_000) == call)
            for end in 0..<text.count {
                #expect(throws: JSONFault.self) {
                    try JSONReader.decode(Call.self, from: text.prefix(end), limit: 1_000)
                }
            }
        }
    }
}
