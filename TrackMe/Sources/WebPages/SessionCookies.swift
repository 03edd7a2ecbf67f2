import PageSecurity

/// Cookies of the pages: that of a session, that of a visitor who is not signed in and fills in a form, and that by which a
/// browser is known to the accounts that have signed in there.
public struct SessionCookies: Sendable {
    let session, visitor, browser: SessionCookie

    /// - Parameter isSecure: false only for plain HTTP on loopback.
    public init(isSecure: Bool) {
        session = SessionCookie("trackme", isSecure: isSecure, sameSite: .lax)
        visitor = SessionCookie("trackme-visitor", isSecure: isSecure, sameSite: .lax)
        browser = SessionCookie("trackme-browser", isSecure: isSecure, sameSite: .lax)
    }
}

extension WebAnswer {
    /// - Parameter values: of `Set-Cookie`.
    mutating func setCookies(_ values: String...) { headers += values.map { ("Set-Cookie", $0) } }
}
