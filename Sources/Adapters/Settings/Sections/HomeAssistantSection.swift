public import GatewayModel
public import SettingsReading

/// `[home_assistant]`: the broker of the home's own dashboard. Its keys are those of `[broker]`, and so are their rules.
enum HomeAssistantSection {
    static let isEnabled = Key(
        "enabled", .truth, .standard(false),
        "Whether readings are shown there, of those whose `home_dashboard` is accepted. `false` takes back what was."
    )
    static let showsStates = Key(
        "states", .truth, .standard(false),
        "Whether their alarms, supervision, batteries and waiting requests are shown too, and conditions of the box."
    )
    static let host = Key(
        "host", .host, .optional("required in this section"),
        "The MQTT broker that Home Assistant listens to, usually in the home itself.")
    static let prefix = Key<GatewaySettings.HomeAssistant.Prefix>(
        "discovery_prefix", .name, .standard("homeassistant"), "As Home Assistant has it in its MQTT options.")

    static let section = Section(
        ["home_assistant"],
        "The home's own dashboard; see [docs/installer/home-assistant.md](home-assistant.md).",
        keys: [isEnabled, showsStates, host] + BrokerSection.access.besideHosts + [prefix],
        refused: BrokerSection.access.refused, cost: .entry)

    /// Nil where it is not written, or wrong.
    static func read(_ reader: SectionReader) -> GatewaySettings.HomeAssistant? {
        guard reader.table != nil else { return nil }
        let isEnabled = reader.value(isEnabled)
        let showsStates = reader.value(showsStates)
        let prefix = reader.value(prefix)
        guard let broker = BrokerSection.access.read(reader), let isEnabled, let showsStates, let prefix else {
            return nil
        }
        return GatewaySettings.HomeAssistant(
            isEnabled: isEnabled, showsStates: showsStates, broker: broker, prefix: prefix)
    }

    /// A person with an accepted dashboard that is not switched on waits in vain.
    static func warn(_ persons: [PersonSection.Entry], _ settings: GatewaySettings.HomeAssistant?) {
        guard settings?.isEnabled != true else { return }
        for entry in persons where entry.person?.homeDashboard == .accepted {
            entry.reader.warn(
                "saw \"accepted\" while nothing is shown: write [home_assistant] with enabled = true",
                PersonSection.homeDashboard.name)
        }
    }
}

extension GatewaySettings {
    /// The home's own dashboard.
    public struct HomeAssistant: Hashable, Sendable {
        /// False: entities that were shown there are taken back, and nothing is shown.
        public let isEnabled: Bool
        /// Alarms, supervision, batteries and waiting requests are shown beside the readings.
        public let showsStates: Bool
        public let broker: BrokerAccess
        public let prefix: Prefix

        /// The first level of Home Assistant's discovery topics.
        public struct Prefix: Name {
            public let text: String
            public init(_ name: CheckedName) { text = name.text }
        }
    }
}
