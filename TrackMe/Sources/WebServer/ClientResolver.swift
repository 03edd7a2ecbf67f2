public import Accounts
public import SettingsReading

/// Finds the address of a client behind the servers with TLS.
public struct ClientResolver: Sendable {
    private let proxies: [IPNetwork]

    /// - Parameter proxies: servers whose `X-Forwarded-For` holds.
    public init(proxies: [IPNetwork]) { self.proxies = proxies }

    /// Returns the address of a client.
    ///
    /// Each proxy adds the address of its own peer at the end of the list, and the client may have written the rest. So the
    /// last address that is not a proxy's is the client's.
    ///
    /// - Parameters:
    ///   - peer: of the connection.
    ///   - forwarded: value of `X-Forwarded-For`; nil for a request without it.
    /// - Returns: nil if a proxy does not tell the address.
    public func client(peer: IPAddress?, forwarded: String?) -> ClientAddress? {
        guard let peer else { return nil }
        guard isProxy(peer) else { return ClientAddress(peer.bytes) }
        for entry in (forwarded ?? "").split(separator: ",").reversed() {
            guard let address = Self.address(entry) else { return nil }
            if !isProxy(address) { return ClientAddress(address.bytes) }
        }
        return nil
    }

    private func isProxy(_ address: IPAddress) -> Bool { proxies.contains { $0.contains(address) } }

    /// Some proxies write a port, and brackets around an IPv6 address.
    private static func address(_ entry: Substring) -> IPAddress? {
        let text = entry.trimmingPrefix { $0 == " " }.prefix { $0 != " " }
        if text.hasPrefix("[") { return IPAddress(text.dropFirst().prefix { $0 != "]" }) }
        let isWithPort = text.contains(".") && text.count { $0 == ":" } == 1
        return IPAddress(isWithPort ? text.prefix { $0 != ":" } : text)
    }
}
