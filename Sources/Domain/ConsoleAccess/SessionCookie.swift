/// Cookie of a session. The token has no other place: not in an address, a form or another header.
package struct SessionCookie: Sendable {
    /// Seconds that the browser keeps the cookie: 400 days, the most that browsers allow (RFC 6265bis).
    private static let maximumAge = 34_560_000

    private let isSecure: Bool

    /// - Parameter isSecure: false only for plain HTTP, where browsers refuse the prefix `__Host-`.
    package init(isSecure: Bool) {
        self.isSecure = isSecure
    }

    private var name: String { isSecure ? "__Host-hg" : "hg" }

    /// Value of `Set-Cookie` for a paired device.
    package func setting(_ token: SessionToken) -> String {
        "\(name)=\(token.cookieValue); \(attributes); Max-Age=\(Self.maximumAge)"
    }

    /// Value of `Set-Cookie` that deletes the cookie.
    package var clearing: String { "\(name)=; \(attributes); Max-Age=0" }

    private var attributes: String { "Path=/; \(isSecure ? "Secure; " : "")HttpOnly; SameSite=Strict" }

    /// Token in the header `Cookie`. Nil for no token, and for two: one of them was planted.
    package func token(in header: String?) -> SessionToken? {
        guard let header else { return nil }
        let values = header.split(separator: ";").compactMap { pair -> Substring? in
            let trimmed = pair.drop { $0 == " " }
            guard trimmed.hasPrefix(name + "=") else { return nil }
            return trimmed.dropFirst(name.count + 1)
        }
        guard values.count == 1 else { return nil }
        return SessionToken(values[0])
    }
}

/// Headers of every answer, errors included.
package enum SecurityHeaders {
    package enum Content: Hashable, Sendable {
        /// Holds names and states of the session: no cache keeps it.
        case page
        /// Style or script with its hash in the address. It holds nothing of the house.
        case asset
    }

    /// `homegateway` is the policy of the one script, for the pages that the server renders. Only own files load, nothing runs inline, nobody frames a page, and forms go to the console alone.
    package static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
        + "trusted-types homegateway"

    package static func fields(for content: Content) -> [(name: String, value: String)] {
        [
            ("Content-Security-Policy", policy),
            ("X-Frame-Options", "DENY"),
            // No page of another origin keeps a hold on a window of the house, or embeds what it shows.
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("X-Content-Type-Options", "nosniff"),
            // `no-referrer` would make browsers send the origin `null` with the forms of a page.
            ("Referrer-Policy", "same-origin"),
            ("Cache-Control", content == .asset ? "public, max-age=31536000, immutable" : "no-store"),
        ]
    }
}
