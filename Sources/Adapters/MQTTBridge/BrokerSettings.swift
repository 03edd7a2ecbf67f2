public import Consent
public import Contract

/// The brokers, the credentials, and the protection. All of one session; a change needs a new session.
public struct BrokerSettings: Sendable {
    /// In the order in which they are tried; at least one. All take the same authority, name and password.
    public var brokers: [BrokerEndpoint]
    /// Unique at the broker: two clients with one id disconnect each other (reason code 0x8E).
    public var clientID: String
    /// 5 s ... 18 h (libmosquitto's minimum, MQTT 5 section 3.1.2.10). A dead connection without a message in flight is
    /// detected after twice this time.
    public var keepAlive: Duration
    /// Time after a loss for which the broker keeps messages for this gateway, up to 2^32-2 seconds (MQTT 5 section
    /// 3.1.2.11.2). Zero: not at all. MQTT 3.1.1 knows only "not at all" and "until the broker's own limit", which is
    /// requested then.
    public var sessionExpiry: Duration
    public var security: Security
    public var credentials: Credentials?
    /// The message that the broker publishes, retained and at QoS 1, when the connection ends, however it ends. It
    /// leaves the house at connecting, so it is cleared like every other message. Requested before each attempt, so
    /// that every connection has one with an id and a time of its own; on the mqtt thread, and must not block.
    public var will: @Sendable () -> Cleared<Envelope>?
    /// Whether the dates of the broker's certificate are checked: false only while this machine does not know the time. Its
    /// chain and its name are verified anyway. Asked before each attempt; on the mqtt thread, and must not block.
    public var checksDates: @Sendable () -> Bool = { true }
    /// Messages that the broker may send before the first is acknowledged (MQTT 5 section 3.1.2.11.3). 20 is the
    /// library's own limit.
    var receiveMaximum: UInt16 = 20
    /// Filters of the session that are requested at QoS 0: the broker keeps none of their messages for an absent gateway, so
    /// they can fill no queue that commands wait in.
    public var fleetingFilters: Set<String> = []
    /// Filters that are given up at each connection: the broker keeps the subscriptions of a lasting session over
    /// restarts of the gateway. Their messages are passed on until then.
    public var endedFilters: [String] = []

    public init(
        brokers: [BrokerEndpoint], clientID: String, keepAlive: Duration = .seconds(30),
        sessionExpiry: Duration = .zero, security: Security, credentials: Credentials? = nil,
        will: @escaping @Sendable () -> Cleared<Envelope>? = { nil }
    ) {
        self.brokers = brokers
        self.clientID = clientID
        self.keepAlive = keepAlive
        self.sessionExpiry = sessionExpiry
        self.security = security
        self.credentials = credentials
        self.will = will
    }

    /// Protection of the connection. TLS always verifies the broker's name.
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

        /// Without the password: the text may reach a log.
        public var description: String { "user \(user)" }
    }
}
