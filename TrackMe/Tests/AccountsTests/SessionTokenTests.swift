import Accounts
import Testing

/// Rules of the secrets of sessions.
struct SessionTokenTests {
    /// Thousands of pairs: a comparison that mixes its bytes in a wrong order accepts one foreign token in some sixty.
    @Test func `no form of another session is accepted, and each own one`() {
        let token = SessionToken()
        for _ in 0..<5_000 { #expect(!token.acceptsForm(SessionToken().formToken)) }
        #expect(token.acceptsForm(token.formToken))
        for text in [nil, "", String(token.formToken.dropLast()), token.formToken + "A", token.cookieValue] {
            #expect(!token.acceptsForm(text))
        }
    }
}
