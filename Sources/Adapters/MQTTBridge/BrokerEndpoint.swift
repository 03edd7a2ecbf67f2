/// Where one broker listens.
public struct BrokerEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// Name or address, IPv6 without brackets. Under TLS the broker's certificate must be for exactly this.
    public let host: String
    /// 1...65535: 1883 plain, 8883 TLS by IANA assignment.
    public let port: UInt16

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// As a URL would have it: `broker.example:8883`, `[fe80::1]:8883`.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
