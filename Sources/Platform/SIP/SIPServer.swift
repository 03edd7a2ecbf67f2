/// A SIP server with the identity of this box at it.
public struct SIPServer: Hashable, Sendable {
    public enum Transport: Hashable, Sendable {
        case udp
        case tcp
        /// TLS 1.2 or newer; the server's certificate must be for exactly `host`. There is no way to
        /// leave that unchecked. `caFile` is the PEM file of the authority; nil: those that the system
        /// trusts.
        case tls(caFile: String?)

        var name: String {
            switch self {
            case .udp: "udp"
            case .tcp: "tcp"
            case .tls: "tls"
            }
        }
    }

    /// The server in messages for people.
    public var name: String
    /// Name or address; below 256 bytes.
    public var host: String
    public var transport: Transport
    /// Sender of all requests, `sip:26317@centre.example`.
    public var fromURI: String
    /// User of the contact address.
    public var contactUser: String
    public var credentials: SIPCredentials?
    /// Whether the address of this box is registered at the server, and kept so.
    public var registers: Bool
    /// 0: any free one.
    public var localPort: UInt16

    public init(
        name: String, host: String, transport: Transport, fromURI: String, contactUser: String,
        credentials: SIPCredentials?, registers: Bool, localPort: UInt16 = 0
    ) {
        self.name = name
        self.host = host
        self.transport = transport
        self.fromURI = fromURI
        self.contactUser = contactUser
        self.credentials = credentials
        self.registers = registers
        self.localPort = localPort
    }

    /// RFC 3261 section 10.2: the domain alone.
    public var registrar: String {
        "sip:" + (fromURI.split(separator: "@").last.map(String.init) ?? host)
    }
}

/// A call of the system or of the SIP library that failed. For people.
public struct SIPFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
