import HTML
import Testing

@Suite struct `Typed HTML` {
    static let hostile = [
        "<img src=x onerror=alert(1)>", "\"><script>alert(1)</script>", "' onmouseover='alert(1)", "`x`",
        "a\u{202E}b\u{2066}c", "a\u{0}b\u{1B}c", "&lt;script&gt;", String(repeating: "<", count: 10_000),
        "javascript:alert(1)", "//evil.example/", "a\u{2028}b",
    ]

    @Test(arguments: hostile)
    func `text from outside stays text`(text: String) {
        let source = HTML(.p, text: text).source
        let inner = source.dropFirst(3).dropLast(4)
        #expect(source.hasPrefix("<p>") && source.hasSuffix("</p>"))
        #expect(!inner.contains { "<>\"'`".contains($0) })
        #expect(
            !inner.unicodeScalars.contains { $0.properties.generalCategory == .format || $0.value < 0x20 })
        #expect(inner.count <= HTML.textLength * 6 + 1)
    }

    @Test(arguments: hostile)
    func `a value from outside does not leave its attribute`(text: String) {
        let source = HTML(void: .input, .set(.value, text)).source
        let value = source.dropFirst("<input value=\"".count).dropLast(2)
        #expect(source.hasPrefix("<input value=\"") && source.hasSuffix("\">"))
        #expect(!value.contains { "<>\"'`".contains($0) })
    }

    @Test(arguments: hostile)
    func `a field of a link names no other place`(text: String) {
        let place = HTML.Place("/charts").with("kind", text).text
        #expect(place.hasPrefix("/charts?kind="))
        #expect(
            place.dropFirst("/charts?kind=".count).allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "%-_".contains($0))
            })
        #expect(HTML.Place("/").appending(text).text.dropFirst().first != "/")
    }

    @Test func `a file is sent without its comments and indentation, under a name of its content`() {
        let file = """
            /* Colours. */

            a {
              color: red; /* kept */
            }
            // None of CSS.

            """
        let asset = Asset(.style, "page", in: "/assets", Array(file.utf8), Array("b {}".utf8))
        #expect(String(decoding: asset.bytes, as: UTF8.self) == "a {\ncolor: red; /* kept */\n}\nb {}\n")
        #expect(asset.place.text.hasPrefix("/assets/page-") && asset.place.text.hasSuffix(".css"))
        #expect(asset.kind.mediaType == "text/css; charset=utf-8")
        let other = Asset(.style, "page", in: "/assets", Array("a{}".utf8))
        #expect(other.place.text != asset.place.text)
        #expect(Asset(.script, "page", in: "/", Array("a()".utf8)).place.text.hasSuffix(".js"))
    }
}
