package import PageSecurity

extension SessionToken {
    private static let site: StaticString = "homegateway-console"

    package var formToken: String { formToken(of: Self.site) }

    package func acceptsForm(_ entered: String?) -> Bool { acceptsForm(entered, of: Self.site) }
}

extension SessionCookie {
    /// Life in the browser: the longest that browsers allow (RFC 6265bis).
    private static let life = Duration.seconds(400 * 86_400)

    /// - Parameter isSecure: false only for plain HTTP.
    package static func console(isSecure: Bool) -> SessionCookie {
        SessionCookie("hg", isSecure: isSecure, sameSite: .strict)
    }

    /// Value of `Set-Cookie` for a paired device.
    package func setting(_ token: SessionToken) -> String { setting(token, for: Self.life) }
}

extension SecurityHeaders {
    /// `homegateway` is the policy of the one script, for the pages that the server renders.
    package static let console = SecurityHeaders(trustedTypes: "homegateway", isStrictTransport: false)
}
