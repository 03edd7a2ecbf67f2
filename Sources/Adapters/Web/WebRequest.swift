/// Request of a browser, within the limits of `WebServer.Limits`.
package struct WebRequest: Sendable {
    package let method: String
    /// Path without the query, decoded.
    package let path: String
    /// Fields of the query. A field that comes twice makes the request invalid.
    package let query: [String: String]
    /// Fields of a form (`application/x-www-form-urlencoded`); empty for other methods than POST.
    package let form: [String: String]
    package let host, origin, fetchSite, cookie, acceptLanguage: String?
    /// Tells clients apart by their addresses; empty where the address is not known.
    package var client = ""
}

/// Answer to a request.
package struct WebReply: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Events of a broadcast, until the client goes away.
        case events(WebSubscription)
    }

    package let status: Int
    /// Besides the length and the date, which the library adds.
    package let headers: [(name: String, value: String)]
    package let body: Body
    /// The request showed a session: connections of its address have the places of paired devices from now on.
    package var isForPairedDevice = false

    package init(status: Int, headers: [(name: String, value: String)], body: Body) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}
