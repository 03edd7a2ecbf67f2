internal import GatewayModel

/// Checks of a request that come before its route and its session. Pure.
package struct RequestGuard: Sendable {
    /// Reason for a refusal.
    package enum Refusal: Hashable, Sendable {
        /// The Host is not a name of this box: DNS rebinding, or a wrong address.
        case foreignHost
        /// An act from a page of another origin, or from no page.
        case foreignOrigin
        case method

        /// HTTP status.
        package var status: Int {
            switch self {
            case .foreignHost: 421
            case .foreignOrigin: 403
            case .method: 405
            }
        }
    }

    /// Maximum length of a Host in bytes: a DNS name and a port.
    private static let hostLength = 260

    private let scheme: String
    private let names: Set<String>

    /// - Parameters:
    ///   - isSecure: whether the console itself speaks TLS. No header of a proxy changes this.
    ///   - names: names of the box beside IP literals and `localhost`, in any case.
    package init(isSecure: Bool, names: [String]) {
        scheme = isSecure ? "https" : "http"
        self.names = Set(names.map { $0.lowercased() } + ["localhost"])
    }

    /// Returns the reason to refuse the request, or nil. The Host comes before everything else.
    package func refusal(method: String, host: String?, origin: String?, fetchSite: String?) -> Refusal? {
        guard let host, isOwn(host) else { return .foreignHost }
        switch method {
        case "GET", "HEAD": return nil
        case "POST":
            guard origin == "\(scheme)://\(host)" else { return .foreignOrigin }
            // Browsers send this header only to secure origins and loopback.
            guard fetchSite == nil || fetchSite == "same-origin" else { return .foreignOrigin }
            return nil
        default: return .method
        }
    }

    private func isOwn(_ host: String) -> Bool {
        guard host.utf8.count <= Self.hostLength, let name = Self.name(of: host) else { return false }
        if name.hasPrefix("[") { return Self.isIPv6(name.dropFirst().dropLast()) }
        return Self.isIPv4(name) || names.contains(name.lowercased())
    }

    /// Host without its port; an IPv6 address keeps its brackets. Nil if the form is wrong.
    private static func name(of host: String) -> Substring? {
        let port: Substring
        let name: Substring
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return nil }
            (name, port) = (host[...end], host[host.index(after: end)...])
        } else {
            name = host.prefix { $0 != ":" }
            port = host[name.endIndex...]
        }
        guard port.isEmpty || isPort(port) else { return nil }
        return name
    }

    private static func isPort(_ text: Substring) -> Bool {
        guard text.hasPrefix(":"), isDigits(text.dropFirst()), let number = UInt16(text.dropFirst()) else {
            return false
        }
        return number > 0
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy {
                isDigits($0) && $0.utf8.count <= 3 && UInt8($0) != nil && ($0 == "0" || !$0.hasPrefix("0"))
            }
    }

    /// The alphabet suffices: a text of it is no DNS name, because it is between brackets.
    private static func isIPv6(_ text: Substring) -> Bool {
        text.utf8.count >= 2 && text.utf8.count <= 45 && text.contains(":")
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                    UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    private static func isDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
