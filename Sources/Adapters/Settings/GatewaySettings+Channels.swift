public import GatewayModel

extension GatewaySettings {
    /// One way to call for help, besides the broker: it is called for those whose `channels` or `carers` name it.
    public struct Channel: Hashable, Sendable {
        public let id: ChannelID
        public let way: Way
        /// Where it is written.
        public let place: Place

        public enum Way: Hashable, Sendable {
            case https(HTTPS)
            case scaip(SCAIP)
            case sms(SMS)
        }
    }

    /// An ambulance service, called over HTTPS. Paths are absolute; whether the files exist and fit is asked when
    /// the channel is made.
    public struct HTTPS: Hashable, Sendable {
        public let url: String
        public let format: CallFormat
        public let trial: Trial
        public let credential: Credential
        /// Nil for the authorities that the system trusts.
        public let caFile: String?
        /// At least one where the format is CAP.
        public let addresses: [String]
        /// Until the whole answer is there.
        public let attemptLimit: Duration

        public enum CallFormat: String, CaseIterable, Hashable, Sendable { case cap, json }

        /// What a test of the way sends.
        public enum Trial: String, CaseIterable, Hashable, Sendable { case message, options }

        public enum Credential: Hashable, Sendable {
            case none
            case bearer(tokenFile: String)
            case certificate(ClientCertificate)
        }

        public struct ClientCertificate: Hashable, Sendable {
            public let certificateFile: String
            public let keyFile: String
        }
    }

    /// A care centre that takes SCAIP, called over SIP.
    public struct SCAIP: Hashable, Sendable {
        public let host: String
        /// Nil for the registered one.
        public let port: Int?
        public let transport: Transport
        public let fromURI: String
        /// Nil for the host alone.
        public let centreURI: String?
        public let controllerID: String
        public let login: Login?
        public let heartbeatInterval: Duration
        /// Nil where the house cannot be called back.
        public let callBack: String?
        public let isAnswerAcceptance: Bool

        public enum Transport: Hashable, Sendable {
            case udp, tcp
            /// Nil for the authorities that the system trusts.
            case tls(caFile: String?)
        }

        /// At the centre's server.
        public struct Login: Hashable, Sendable {
            public let username: String
            public let passwordFile: String
        }
    }

    /// Texts to the family. Paths are absolute.
    public struct SMS: Hashable, Sendable {
        /// E.164, each once.
        public let recipients: [String]
        public let way: Way
        /// For one text.
        public let attemptLimit: Duration
        /// Between two texts to somebody that say the same.
        public let repeatInterval: Duration
        /// Whom a test sends a text; nil where none is sent.
        public let testRecipient: String?

        public enum Way: Hashable, Sendable {
            /// Nil for the only modem.
            case modemManager(bus: Bluetooth.Bus, modem: String?)
            case gammu(outbox: String, sent: String, error: String, pidFile: String)
        }
    }
}
