/// Cookie with the token of a browser. The token has no other place: not in an address, a form or another header.
public struct SessionCookie: Sendable {
    /// Whether the browser sends the cookie when a link of another site is followed.
    public enum SameSite: String, Sendable {
        case strict = "Strict"
        case lax = "Lax"
    }

    private let name: String
    private let attributes: String

    /// - Parameter isSecure: false only for plain HTTP, where browsers refuse the prefix `__Host-`.
    public init(_ name: StaticString, isSecure: Bool, sameSite: SameSite) {
        self.name = (isSecure ? "__Host-" : "") + name.description
        attributes = "Path=/; \(isSecure ? "Secure; " : "")HttpOnly; SameSite=\(sameSite.rawValue)"
    }

    /// Value of `Set-Cookie`.
    ///
    /// - Parameter life: nil for a cookie that ends with the browser.
    public func setting(_ token: SessionToken, for life: Duration? = nil) -> String {
        let age = life.map { "; Max-Age=\($0.components.seconds)" } ?? ""
        return "\(name)=\(token.cookieValue); \(attributes)\(age)"
    }

    /// Value of `Set-Cookie` that deletes the cookie.
    public var clearing: String { "\(name)=; \(attributes); Max-Age=0" }

    /// Token in the header `Cookie`. Nil for no token, and for two: one of them was planted.
    public func token(in header: String?) -> SessionToken? {
        let values = (header ?? "").split(separator: ";").compactMap { pair -> Substring? in
            let trimmed = pair.drop { $0 == " " }
            guard trimmed.hasPrefix(name + "=") else { return nil }
            return trimmed.dropFirst(name.count + 1)
        }
        return values.count == 1 ? SessionToken(values[0]) : nil
    }
}
