public import GatewayModel
public import HelpLine

extension HTTPSChannel {
    /// One ambulance service: where it listens, what it understands, and as whom it is called.
    public struct Settings: Sendable {
        public var id: ChannelID
        /// `https://…`, as the service gave it. `http://` is for a rig on this machine alone: it is taken only
        /// with 127.0.0.1 or [::1] written out.
        public var url: String
        public var format: Format
        /// Who calls: the gateway's id, or the name that the service has given it. The `sender` of CAP.
        public var sender: String
        /// To whom the call is addressed at the service; CAP asks for at least one.
        public var addresses: [String]
        public var credential: Credential
        /// PEM file of the authorities that may vouch for the service, and no others; nil for those that the
        /// system trusts.
        public var caFile: String?
        /// Until the connection stands, TLS included.
        public var connectLimit: Duration
        /// Until the whole answer is there.
        public var attemptLimit: Duration
        /// Between two questions to an address that the service gave for its answer.
        public var pollInterval: Duration
        public var trial: Trial

        public init(
            id: ChannelID, url: String, format: Format, sender: String, addresses: [String] = [],
            credential: Credential = .none, caFile: String? = nil,
            connectLimit: Duration = Settings.defaultConnectLimit,
            attemptLimit: Duration = HelpChannelLimits.attempt,
            pollInterval: Duration = Settings.defaultPollInterval, trial: Trial = .message
        ) {
            self.id = id
            self.url = url
            self.format = format
            self.sender = sender
            self.addresses = addresses
            self.credential = credential
            self.caFile = caFile
            self.connectLimit = connectLimit
            self.attemptLimit = attemptLimit
            self.pollInterval = pollInterval
            self.trial = trial
        }

        /// 4 s: a handshake over a mobile link needs one or two; and it must be over before the machine's
        /// default hand-over limit of 5 s brings in the next channel.
        public static let defaultConnectLimit = Duration.seconds(4)
        /// 3 s: an operator's answer shows in the house before anyone wonders, and a service has one request
        /// in three seconds of the homes that wait.
        public static let defaultPollInterval = Duration.seconds(3)
    }

    /// The language of the call.
    public enum Format: String, CaseIterable, Hashable, Sendable {
        /// OASIS Common Alerting Protocol 1.2, XML.
        case cap
        /// The same content as JSON; see docs/channels/https.md.
        case json
    }

    /// How the service knows the gateway. Files are read once, when the channel is made.
    public enum Credential: Hashable, Sendable {
        case none
        /// A file with one line: the token of RFC 6750.
        case bearer(tokenFile: String)
        /// PEM files: the certificate, with those between it and its authority, and its unencrypted key.
        case certificate(certificateFile: String, keyFile: String)
    }

    /// What `test` sends.
    public enum Trial: String, CaseIterable, Hashable, Sendable {
        /// A message with status `Test`, which the standard tells every recipient to disregard. Nothing of a
        /// person is in it. Proves the whole way.
        case message
        /// An OPTIONS request: for a service that cannot disregard. Proves name, TLS and that something
        /// listens; not that a call would be understood.
        case options
    }
}
