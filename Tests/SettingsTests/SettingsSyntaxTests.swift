import Settings
import SettingsReading
import SettingsSamples
import Testing

@Suite struct SettingsSyntaxTests {
    @Test(arguments: [
        ("a = 1\na = 2", 2), ("[gateway]\n[gateway]", 2), ("[gateway]\nid = \"x", 2), ("x", 1), ("a = 07", 1),
        ("\n\n= 1", 3), ("a = \"\n\"", 1), ("[[[1]]]", 1), ("è = 1", 1), ("a = 99999999999999999999", 1),
    ])
    func `a syntax error is reported at its line`(text: String, line: Int) throws {
        let error = #expect(throws: SettingsError.self) {
            try GatewaySettings.parse(Array(text.utf8), file: "gateway.toml")
        }
        guard case .syntax(let problem) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.line == line)
        #expect(problem.description.hasPrefix("gateway.toml:\(line): is not TOML: "))
        #expect(
            problem.description.hasSuffix(
                "; a text stands in straight quotes, a number without, each key and section once"))
    }

    @Test(
        arguments: [
            [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are reported`(bytes: [UInt8]) {
        let complaints = settingsComplaints(Array("[gateway]\nid = \"".utf8) + bytes + Array("\"\n".utf8))
        #expect(complaints.count == 1)
        #expect(complaints.first?.hasPrefix("gateway.toml:2: is not TOML: ") == true)
    }

    @Test func `a byte order mark and Windows line ends are fine`() {
        let text = SettingsSample().text.replacing("\n", with: "\r\n")
        #expect(settingsComplaints([0xEF, 0xBB, 0xBF] + Array(text.utf8)).isEmpty)
        #expect(settingsComplaints([0xEF, 0xBB, 0xBF]).count == 4)
    }

    @Test(arguments: [
        SettingsBomb(piece: "["), SettingsBomb(before: "a = ", piece: "["),
        SettingsBomb(before: "a = ", piece: "{a = "), SettingsBomb(before: "[", piece: "a.", after: "a]\n"),
        SettingsBomb(piece: "a.", after: "a = 1\n"), SettingsBomb(before: "a = [", piece: "\n["),
    ])
    func `a nesting bomb is refused`(bomb: SettingsBomb) {
        #expect(settingsComplaints(bomb.text).count == 1)
    }

    @Test func `the deepest nesting that is parsed is reported as any other mistake`() {
        let key = String(repeating: "a.", count: 127) + "a"
        let opening = String(repeating: "[\n{\(key) = ", count: 3)
        let closing = String(repeating: "}\n]", count: 3)
        let complaints = settingsComplaints("[\(key)]\n\(key) = \(opening)1\(closing)\n")
        #expect(complaints.contains { $0.hasPrefix("gateway.toml:1: a: there is no such section") })
    }

    @Test func `a hostile key is shown escaped`() {
        let complaints = settingsComplaints("\"\\u001b[31m\\n\" = 1\n" + SettingsSample().text)
        #expect(complaints.count == 1)
        #expect(complaints.first?.unicodeScalars.contains("\u{1B}") == false)
    }
}

/// One piece a hundred thousand times over. Described by the piece: the whole would drown the test log.
struct SettingsBomb: Sendable, CustomTestStringConvertible {
    var before = ""
    let piece: String
    var after = ""

    var text: String { before + String(repeating: piece, count: 100_000) + after }
    var testDescription: String { (before + piece + piece + "…" + after).debugDescription }
}
