import Testing

@testable import CareCentre

@Suite struct `A SCAIP text` {
    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcde"), ("ab cdef", 3, "ab"),
        // e and a combining accent are two code points and one character: never torn.
        ("ae\u{301}", 2, "a"), ("ae\u{301}", 3, "ae\u{301}"),
        // A family of seven code points.
        ("a👩‍👩‍👧‍👦", 7, "a"), ("a👩‍👩‍👧‍👦", 8, "a👩‍👩‍👧‍👦"),
        ("  a \t\n b\u{A0}", 9, "a b"), ("\u{0}a\u{7}b\u{7F}\u{FFFF}", 9, "ab"),
    ])
    func `is cut between characters at its length in code points`(text: String, limit: Int, cut: String) {
        #expect(SCAIPText(text, limit: limit)?.description == cut)
    }

    @Test(arguments: ["", "  ", "\u{0}\n", "👩‍👩‍👧‍👦"])
    func `is left out where nothing would be left`(text: String) {
        #expect(SCAIPText(text, limit: 3) == nil)
    }

    @Test func `leaves whole parts out, the least important first`() {
        #expect(SCAIPText(parts: ["abc", "de", "fghij", "k"], limit: 10)?.description == "abc; de; k")
        #expect(SCAIPText(parts: ["abcdef", "g"], limit: 4)?.description == "abcd")
        #expect(SCAIPText(parts: [], limit: 4) == nil)
    }
}
