import GatewayModel
import Testing

@Suite struct `A language of the pages` {
    @Test(
        arguments: [
            (nil, "en"), ("", "en"), ("it", "it"), ("it-IT,it;q=0.9,en;q=0.8", "it"), ("en-GB, it", "en"),
            ("fr-FR, it;q=0.5, en;q=0.3", "it"), ("de", "en"),
        ] as [(String?, String)])
    func `is the first of the browser's list that there is, else English`(header: String?, expected: String) {
        #expect(PersonProfile.Language(accepted: header).rawValue == expected)
    }
}
