public import GatewayModel

extension GatewaySettings {
    /// Who may ask something of this gateway by signed commands.
    public struct Commands: Hashable, Sendable {
        public let clock: Clock
        /// Ids differ; without any the gateway takes no commands.
        public let issuers: [Issuer]

        /// When the wall clock is believed.
        public enum Clock: String, CaseIterable, Hashable, Sendable {
            /// Once the kernel says that it is synchronised.
            case synchronised
            /// Always: for boxes whose kernel cannot tell.
            case assumedRight = "assumed-right"
        }
    }

    public struct Issuer: Hashable, Sendable {
        public let id: IssuerID
        /// Absolute: a JWK set, read at the start.
        public let keys: String
        public let may: Set<CommandKind>
        /// Whether its signed acceptances of calls for help count.
        public let mayAccept: Bool
        /// Where it is written.
        public let place: Place
    }
}
