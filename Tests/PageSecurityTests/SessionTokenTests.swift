import PageSecurity
import Testing

@Suite struct `Token of a session` {
    /// Thousands of pairs: a comparison that mixes its bytes in a wrong order accepts one foreign token in some sixty.
    @Test func `no form of another session is accepted, and each own one`() {
        let token = SessionToken()
        let own = token.formToken(of: "site")
        for _ in 0..<5_000 {
            #expect(!token.acceptsForm(SessionToken().formToken(of: "site"), of: "site"))
        }
        #expect(token.acceptsForm(own, of: "site"))
        for text in [
            nil, "", String(own.dropLast()), own + "A", token.cookieValue, token.formToken(of: "other"),
        ] {
            #expect(!token.acceptsForm(text, of: "site"))
        }
    }
}
