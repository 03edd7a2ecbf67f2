public import GatewayModel
import HelpLine

extension SCAIPChannel {
    /// Which centre, as whom, and how protected. A change needs a new channel.
    public struct Settings: Sendable {
        public enum Transport: Hashable, Sendable {
            case udp
            case tcp
            /// TLS 1.2 or newer; the server's certificate must be for exactly `host`. There is no way to
            /// leave that unchecked. `caFile` is the PEM file of the authority; nil: those that the system
            /// trusts.
            case tls(caFile: String?)

            /// 5060 and 5061 by IANA assignment.
            public var port: UInt16 { if case .tls = self { 5061 } else { 5060 } }
        }

        /// For SIP digest (MD5, what libre speaks).
        public struct Account: Hashable, Sendable {
            public var user: String
            /// A file that holds the password in its first line.
            public var passwordFile: String
            /// Whether the address of this box is registered at the centre's server, and kept so.
            public var registers: Bool

            public init(user: String, passwordFile: String, registers: Bool = true) {
                self.user = user
                self.passwordFile = passwordFile
                self.registers = registers
            }
        }

        public var id: ChannelID
        /// How the centre is called in messages and in the record of an alarm.
        public var centreName: String
        /// Name or address of the SIP server; looked up by the system's resolver, SRV records are not asked.
        public var host: String
        public var port: UInt16
        public var transport: Transport
        /// To whom: `sip:` and the host unless the centre names a user.
        public var centreURI: String
        /// From whom, `sip:26317@centre.example`: the number under which the centre knows this box.
        public var fromURI: String
        /// `cid`, 1 to 16 digits.
        public var controllerID: String
        public var account: Account?
        /// 0: any free one.
        public var localPort: UInt16 = 0
        /// Nil: no heartbeats.
        public var heartbeatInterval: Duration? = .seconds(3600)
        /// What each `hbi` of this centre (0 to 4) stands for, as it says; the standard's table was not read.
        /// A number that is not here changes nothing.
        public var heartbeatSteps: [Int: Duration] = [:]
        public var attemptLimit: Duration = HelpChannelLimits.attempt
        /// How the house is called back: `gsm:+39…`, `sip:…`, or a number, which becomes `gsm:`. Nil: the
        /// message says that there is no way to speak.
        public var callBack: String?
        /// Whether the centre's ok to a confirmed call means that it looks after the person, which ends the
        /// alarm. False where the centre's machine answers before anyone has read it: then it counts as
        /// handed over, and the alarm goes on until a person accepts it elsewhere.
        public var isAnswerAcceptance = false

        public init(
            id: ChannelID, centreName: String, host: String, port: UInt16? = nil, transport: Transport,
            fromURI: String, controllerID: String
        ) {
            self.id = id
            self.centreName = centreName
            self.host = host
            self.port = port ?? transport.port
            self.transport = transport
            // An IPv6 address stands in brackets in a URI.
            centreURI = host.contains(":") ? "sip:[\(host)]" : "sip:\(host)"
            self.fromURI = fromURI
            self.controllerID = controllerID
        }
    }
}
