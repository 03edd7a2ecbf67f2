public import GatewayModel

extension GatewaySettings {
    /// The session with the TrackMe broker.
    public struct Broker: Hashable, Sendable {
        /// In the order in which they are tried. Empty where the section was set aside: no session can be made.
        public let addresses: [Address]
        public let security: Security
        /// Nil where the broker knows the gateway by its certificate, or not at all.
        public let login: Login?
        public let keepAlive: Duration
        /// For how long the broker is to keep what is sent to a gateway that is away.
        public let sessionExpiry: Duration
        /// In which form readings are sent to it.
        public let readings: ReadingFormat
        /// How long readings of one person wait for each other, to leave in one message; zero: they do not.
        public var gathering = Duration.zero
        /// Whether an acceptance without a signature ends the calling for help.
        public var takesUnsignedAcceptances = false

        /// The section could not be used.
        static let setAside = Broker(
            addresses: [], security: .none, login: nil, keepAlive: .seconds(30),
            sessionExpiry: .zero, readings: .samples)

        /// Where one broker listens.
        public struct Address: Hashable, Sendable {
            public let host: String
            public let port: Int
        }

        public enum Security: Hashable, Sendable {
            case tls(TLS)
            /// In the clear, because `tls = false` was written out.
            case none
        }

        /// Paths are absolute; whether the files exist and fit is asked when they are used.
        public struct TLS: Hashable, Sendable {
            /// What the broker's certificate is checked against.
            public let caFile: String
            public let client: ClientCertificate?
        }

        public struct ClientCertificate: Hashable, Sendable {
            public let certificateFile: String
            public let keyFile: CredentialFile
        }

        public struct Login: Hashable, Sendable {
            public let username: Username
            /// The password is read from here when it is needed; it is never in the settings.
            public let passwordFile: CredentialFile?
        }

        public enum Username: Hashable, Sendable {
            case written(String)
            case file(CredentialFile)
        }
    }
}
