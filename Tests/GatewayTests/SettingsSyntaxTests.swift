import Settings
import Testing

@Suite struct SettingsSyntaxTests {
    @Test(arguments: [
        ("a = 1\na = 2", 2), ("[gateway]\n[gateway]", 2), ("[gateway]\nid = \"x", 2), ("x", 1), ("a = 07", 1),
        ("\n\n= 1", 3), ("a = \"\n\"", 1), ("[[[1]]]", 1), ("è = 1", 1), ("a = 99999999999999999999", 1),
    ])
    func aSyntaxErrorIsReportedAtItsLine(text: String, line: Int) throws {
        let error = #expect(throws: SettingsError.self) {
            try GatewaySettings.parse(Array(text.utf8), file: "gateway.toml")
        }
        guard case .syntax(let problem) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.line == line)
        #expect(problem.description.hasPrefix("gateway.toml:\(line): is not TOML: "))
    }

    @Test(
        arguments: [
            [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80],
        ] as [[UInt8]])
    func whatIsNotUTF8IsReported(bytes: [UInt8]) {
        let complaints = settingsComplaints(Array("[gateway]\nid = \"".utf8) + bytes + Array("\"\n".utf8))
        #expect(complaints.count == 1)
        #expect(complaints.first?.hasPrefix("gateway.toml:2: is not TOML: ") == true)
    }

    @Test func aByteOrderMarkAndWindowsLineEndsAreFine() {
        let text = SettingsSample().text.replacing("\n", with: "\r\n")
        #expect(settingsComplaints([0xEF, 0xBB, 0xBF] + Array(text.utf8)).isEmpty)
        #expect(settingsComplaints([0xEF, 0xBB, 0xBF]).count == 4)
    }

    @Test(arguments: [
        String(repeating: "[", count: 100_000), "a = " + String(repeating: "[", count: 100_000),
        "a = " + String(repeating: "{a = ", count: 100_000),
        "[" + String(repeating: "a.", count: 100_000) + "a]\n",
        String(repeating: "a.", count: 100_000) + "a = 1\n",
        "a = [" + String(repeating: "\n[", count: 100_000),
    ])
    func aNestingBombIsRefused(text: String) {
        #expect(settingsComplaints(text).count == 1)
    }

    @Test func theDeepestNestingThatIsParsedIsReportedAsAnyOtherMistake() {
        let key = String(repeating: "a.", count: 127) + "a"
        let opening = String(repeating: "[\n{\(key) = ", count: 3)
        let closing = String(repeating: "}\n]", count: 3)
        let complaints = settingsComplaints("[\(key)]\n\(key) = \(opening)1\(closing)\n")
        #expect(complaints.contains { $0.hasPrefix("gateway.toml:1: a: there is no such key") })
    }

    @Test func aHostileKeyIsShownEscaped() {
        let complaints = settingsComplaints("\"\\u001b[31m\\n\" = 1\n" + SettingsSample().text)
        #expect(complaints.count == 1)
        #expect(complaints.first?.unicodeScalars.contains("\u{1B}") == false)
    }
}
