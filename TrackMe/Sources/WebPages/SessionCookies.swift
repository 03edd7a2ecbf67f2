import Accounts

/// Cookies of the pages: that of a session, that of a visitor who is not signed in and fills in a form, and that by which a
/// browser is known to the accounts that have signed in there.
public struct SessionCookies: Sendable {
    enum Purpose: String {
        case session = "trackme"
        case visitor = "trackme-visitor"
        case browser = "trackme-browser"
    }

    private let isSecure: Bool

    /// - Parameter isSecure: false only for plain HTTP on loopback, where browsers refuse the prefix `__Host-`.
    public init(isSecure: Bool) { self.isSecure = isSecure }

    private func name(_ purpose: Purpose) -> String { (isSecure ? "__Host-" : "") + purpose.rawValue }

    private var attributes: String { "Path=/; \(isSecure ? "Secure; " : "")HttpOnly; SameSite=Lax" }

    /// Header that sets a cookie.
    ///
    /// - Parameter life: nil for a cookie that ends with the browser, as that of a visitor.
    func setting(
        _ token: SessionToken, as purpose: Purpose, for life: Duration? = nil
    ) -> (name: String, value: String) {
        let age = life.map { "; Max-Age=\($0.components.seconds)" } ?? ""
        return ("Set-Cookie", "\(name(purpose))=\(token.cookieValue); \(attributes)\(age)")
    }

    func clearing(_ purpose: Purpose) -> (name: String, value: String) {
        ("Set-Cookie", "\(name(purpose))=; \(attributes); Max-Age=0")
    }

    /// Token in the header `Cookie`. Nil for no token, and for two: one of them was planted.
    func token(_ purpose: Purpose, in header: String?) -> SessionToken? {
        let name = name(purpose)
        let values = (header ?? "").split(separator: ";").compactMap { pair -> Substring? in
            let trimmed = pair.drop { $0 == " " }
            guard trimmed.hasPrefix(name + "=") else { return nil }
            return trimmed.dropFirst(name.count + 1)
        }
        return values.count == 1 ? SessionToken(values[0]) : nil
    }
}

/// Headers of every answer, errors included.
enum SecurityHeaders {
    /// Only own files load, nothing runs inline, nobody frames a page, and forms go to this server alone. The one script
    /// writes text alone: no policy of Trusted Types is allowed.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
        + "trusted-types 'none'"

    static func fields(isSecure: Bool, isAsset: Bool) -> [(name: String, value: String)] {
        [
            ("Content-Security-Policy", policy),
            ("X-Frame-Options", "DENY"),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cache-Control", isAsset ? "public, max-age=31536000, immutable" : "no-store"),
        ] + (isSecure ? [("Strict-Transport-Security", "max-age=31536000")] : [])
    }
}
