public import Accounts
public import PageSecurity

/// Request as a server received it, without the server's own types.
public struct WebRequest: Sendable {
    public enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
    }

    /// Bytes of a body, unless its route takes more. A form of these pages has some 300.
    public static let largestBody = 16_384

    /// Nil for a method that no route has.
    public let method: Method?
    public let isHead: Bool
    /// Still percent-encoded.
    public let path: String
    /// Still percent-encoded, without the question mark.
    public let query: String
    /// By lowercase name. A header that comes twice is joined by `, `, a cookie by `; `.
    public let headers: [String: String]
    public let body: [UInt8]
    /// Nil if the server does not know it.
    public let client: ClientAddress?

    public init(
        method: String, path: String, query: String = "", headers: [String: String] = [:], body: [UInt8] = [],
        client: ClientAddress? = nil
    ) {
        isHead = method == "HEAD"
        self.method = isHead ? .get : Method(rawValue: method)
        (self.path, self.query, self.headers, self.body) = (path, query, headers, body)
        self.client = client
    }

    /// Access token of a program (RFC 6750 section 2.1; RFC 9110 section 11.1: the name of the scheme in any case). Nil for
    /// none, and for one that this server has not made.
    public var bearerToken: RandomSecret? {
        let parts = (headers["authorization"] ?? "").split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return RandomSecret(parts[1])
    }
}
