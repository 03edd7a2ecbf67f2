public import GatewayModel
public import SOSLocal

/// Everything one gateway is told by its settings files: checked as a whole, nothing left to guess.
public struct GatewaySettings: Hashable, Sendable {
    /// Path of the settings file of an installed gateway.
    public static let standardFile = "/etc/homegateway/gateway.toml"

    public let gateway: Gateway
    public internal(set) var installed: InstalledPlace
    public let bluetooth: Bluetooth
    public let gpsd: GPSD
    public internal(set) var broker: Broker
    public let outbox: Outbox
    public let history: History
    public internal(set) var house: House
    /// Nil where the home has no dashboard, or none that is written down.
    public let homeAssistant: HomeAssistant?
    public internal(set) var sos: SOS
    public let commands: Commands
    public let race: Race
    /// The ways to help besides the broker; ids differ.
    public internal(set) var channels: [Channel]
    /// At least one; ids differ.
    public internal(set) var persons: [Person]
    /// Of both files; ids and addresses differ; each belongs to one of `persons`.
    public internal(set) var wearables: [Wearable]
    /// Allowed, and yet likely not what was meant. By line.
    public internal(set) var warnings: [SettingsProblem]

    public struct Gateway: Hashable, Sendable {
        /// Path of the control socket where the settings name none.
        public static let standardControlSocket = "/run/homegateway/control.sock"

        public let id: GatewayID
        /// Absolute.
        public let stateDirectory: String
        /// Absolute; short enough for a socket address.
        public let controlSocket: String
        public let logLevel: LogLevel
        public let heartbeat: Duration
    }

    /// The levels of swift-log, by their names.
    public enum LogLevel: String, CaseIterable, Hashable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    public struct Bluetooth: Hashable, Sendable {
        public enum Bus: Hashable, Sendable {
            case system
            /// A D-Bus address, `unix:path=/tmp/bus`.
            case address(String)
        }

        public let bus: Bus
        /// `hci0`, or a controller's address in upper case. Nil for any adapter.
        public let adapter: String?
        /// In the same form: the controller that listens to adverts. Nil leaves that to `adapter`.
        public let tracksideAdapter: String?
        public let mayRestartBluetooth: Bool
    }

    /// What is kept until the broker has it.
    public struct Outbox: Hashable, Sendable {
        /// The least there is between two syncs of the disk, alarms aside.
        public let group: Duration
        /// In bytes.
        public let quota: Int
        public let age: Duration
    }

    public struct GPSD: Hashable, Sendable {
        public let isEnabled: Bool
        public let host: String
        public let port: Int
    }

    public struct Person: Hashable, Sendable {
        public let id: PersonID
        /// As people call them; personal, never logged.
        public let name: String
        public let dataPolicy: Acceptance
        /// Accepted only together with `dataPolicy`.
        public let automatedSOS: Acceptance
        /// On the home's own dashboard.
        public let homeDashboard: Acceptance
        /// Who decides about consent for them besides themselves; nil for whoever is let in at the box.
        public let decidedBy: [String]?
        /// What helpers are told of them; its home is `GatewaySettings.installed`.
        public let profile: PersonProfile
        /// Keeps the promise (T2) on every rule.
        public let plan: SOSPlan
        /// Declared: it is meant that nothing in the house cancels an alarm of theirs.
        public let cannotCancel: Bool
    }

    /// What a person has agreed to, as the installer wrote it down.
    public enum Acceptance: String, CaseIterable, Hashable, Sendable {
        case accepted = "accepted"
        case notAccepted = "not-accepted"
    }

}
