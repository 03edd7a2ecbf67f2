public import Consent
public import Contract

/// Which broker, as whom, and how protected. All of one session; a change needs a new session.
public struct BrokerSettings: Sendable {
    /// Name or address. Under TLS the broker's certificate must be for exactly this.
    public var host: String
    /// 1...65535: 1883 plain, 8883 TLS by IANA assignment.
    public var port: UInt16
    /// Unique at the broker: two clients with one id throw each other out (reason code 0x8E).
    public var clientID: String
    /// 5 s ... 18 h (libmosquitto's floor, MQTT 5 section 3.1.2.10). A dead connection on which nothing
    /// is in flight is noticed after twice this.
    public var keepAlive: Duration
    public var security: Security
    public var credentials: Credentials?
    /// What the broker publishes, retained and at QoS 1, when the connection ends, however it ends. It
    /// leaves the house at connecting, so it is cleared like everything else.
    public var will: Cleared<Envelope>?

    public init(
        host: String, port: UInt16, clientID: String, keepAlive: Duration = .seconds(30), security: Security,
        credentials: Credentials? = nil, will: Cleared<Envelope>? = nil
    ) {
        self.host = host
        self.port = port
        self.clientID = clientID
        self.keepAlive = keepAlive
        self.security = security
        self.credentials = credentials
        self.will = will
    }

    /// There is no way to leave the broker's name unchecked.
    public enum Security: Sendable {
        case plain
        /// TLS 1.2 or newer. PEM files: the authority that signed the broker's certificate, and the
        /// gateway's own certificate with its unencrypted key, both or neither.
        case tls(caFile: String, certificateFile: String?, keyFile: String?)
    }

    public struct Credentials: Sendable, CustomStringConvertible {
        public let user: String
        public let password: String

        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }

        /// Without the password: this may end in a log.
        public var description: String { "user \(user)" }
    }
}
