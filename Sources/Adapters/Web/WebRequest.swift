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

/// Fields of `application/x-www-form-urlencoded` text (URL Standard, section 5.1).
enum FormFields {
    static let most = 64

    /// Returns nil for more than 64 fields, a field that comes twice, a broken percent sign, a NUL, and text that is not
    /// UTF-8.
    static func decoded(_ bytes: some Collection<UInt8>) -> [String: String]? {
        var fields: [String: String] = [:]
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard fields.count < most, let first = parts.first, let name = text(first),
                let value = parts.count > 1 ? text(parts[1]) : "", fields[name] == nil
            else { return nil }
            fields[name] = value
        }
        return fields
    }

    private static func text(_ encoded: some Collection<UInt8>) -> String? {
        unescaped(encoded, plusIsSpace: true)
    }

    /// Returns nil for a broken percent sign, a NUL, and text that is not UTF-8.
    static func unescaped(_ encoded: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(encoded)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
