import GatewayModel
import Testing

struct PlainTextTests {
    @Test(arguments: [
        "a", "Via Roma 12, Milano", "~", "~~~~~~~~~~~~~~~~~~~~", " a ", "Nonn\u{E0}", "e\u{301}",
        "\u{1F475}\u{1F3FB}",
        "\u{928}\u{92E}\u{938}\u{94D}\u{924}\u{947}",
    ])
    func `one line of visible characters is plain`(text: String) {
        #expect(PlainText.holds(text, 1...20))
    }

    @Test(arguments: [
        "", " ", "      ", "\u{A0}", "a\nb", "a\r\nb", "\t", "a\u{7F}", "a\u{0}", "a\u{85}", "a\u{202E}b",
        "a\u{2028}b", "a\u{E000}", "~~~~~~~~~~~~~~~~~~~~~", String(repeating: "\u{E0}", count: 21),
    ])
    func `other texts are not`(text: String) {
        #expect(!PlainText.holds(text, 1...20))
    }

    @Test func `a length is counted in characters`() {
        #expect(PlainText.holds("12345", 5...5) && PlainText.holds("1234\u{E0}", 5...5))
        #expect(!PlainText.holds("1234", 5...5) && !PlainText.holds("123\u{E0}", 5...5))
        // A character of many scalars.
        #expect(!PlainText.holds("a" + String(repeating: "\u{301}", count: 40), 1...5))
    }
}
