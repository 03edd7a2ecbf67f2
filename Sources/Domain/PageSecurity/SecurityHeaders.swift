/// Headers of every answer to a browser, errors included.
public struct SecurityHeaders: Sendable {
    public enum Content: Hashable, Sendable {
        /// Holds names and states of the session: no cache keeps it.
        case page
        /// Style or script with its hash in the address. It says nothing of a person.
        case asset
    }

    /// Only own files load, nothing runs inline, nobody frames a page, and forms go to this server alone.
    private let policy: String
    private let isStrictTransport: Bool

    /// - Parameters:
    ///   - trustedTypes: name of the policy by which the server's own script puts pages of the server in place; nil where the
    ///     scripts write text alone.
    ///   - isStrictTransport: whether browsers shall come by HTTPS alone for a year.
    public init(trustedTypes: StaticString?, isStrictTransport: Bool) {
        policy =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
            + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
            + "trusted-types \(trustedTypes?.description ?? "'none'")"
        self.isStrictTransport = isStrictTransport
    }

    public func fields(for content: Content) -> [(name: String, value: String)] {
        [
            ("Content-Security-Policy", policy),
            ("X-Frame-Options", "DENY"),
            // No page of another origin keeps a hold on a window of this server, or embeds its pages.
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("X-Content-Type-Options", "nosniff"),
            // `no-referrer` would make browsers send the origin `null` with the forms of a page.
            ("Referrer-Policy", "same-origin"),
            ("Cache-Control", content == .asset ? "public, max-age=31536000, immutable" : "no-store"),
        ] + (isStrictTransport ? [("Strict-Transport-Security", "max-age=31536000")] : [])
    }
}
