import Testing

@testable import Commands

/// Messages of the house in their parts, for `check --json`.
@Suite struct `A message in parts` {
    @Test(
        arguments: [
            ("saw \"x\", expected 1 to 65535: correct it", "saw \"x\"", "1 to 65535", "correct it"),
            ("saw 3, expected 5 or more", "saw 3", "5 or more", nil),
            (
                "box:1883: no answer within 3 s; check the network", "box:1883: no answer within 3 s", nil,
                "check the network"
            ),
            (
                "saw \"accepted\" while nothing is shown: write x", "saw \"accepted\" while nothing is shown",
                nil, "write x"
            ),
            ("is missing: add host, a name", "is missing", nil, "add host, a name"),
            ("", "", nil, nil), ("; ", "", nil, ""),
        ] as [(String, String, String?, String?)])
    func `has the observation, the expectation and the remedy`(
        text: String, seen: String, expected: String?, remedy: String?
    ) {
        let parts = Sentence(text)
        #expect(parts.seen == seen && parts.expected == expected && parts.remedy == remedy)
    }
}
