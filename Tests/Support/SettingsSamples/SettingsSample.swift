public import Settings
public import SettingsReading

/// A sound settings file in parts, so that a test replaces the one part it is about.
public struct SettingsSample {
    public var gateway = """
        [gateway]
        id = "house-12"
        """
    public var installed = """
        [installed]
        address = "Via Dante 7, 20123 Milano"
        latitude = 45.4661
        longitude = 9.1860
        """
    public var broker = """
        [broker]
        host = "broker.trackme.example"
        ca_file = "/etc/homegateway/ca.pem"
        """
    public var person = """
        [[person]]
        id = "maria"
        name = "Maria Rossi"
        """
    public var wearable = """
        [[wearable]]
        id = "strap"
        address = "C0:FF:EE:00:00:01"
        person = "maria"
        """
    /// Written after the rest.
    public var more = ""

    /// - Parameters: the parts that are not as above.
    public init(
        gateway: String? = nil, installed: String? = nil, broker: String? = nil, person: String? = nil,
        wearable: String? = nil, more: String = ""
    ) {
        self.gateway = gateway ?? self.gateway
        self.installed = installed ?? self.installed
        self.broker = broker ?? self.broker
        self.person = person ?? self.person
        self.wearable = wearable ?? self.wearable
        self.more = more
    }

    public var text: String {
        [gateway, installed, broker, person, wearable, more].joined(separator: "\n") + "\n"
    }

    public func load() throws(SettingsError) -> GatewaySettings {
        try GatewaySettings.parse(Array(text.utf8), file: "gateway.toml")
    }

    /// What is wrong with it, as the installer reads it.
    public var complaints: [String] { settingsComplaints(text) }
}

public func settingsComplaints(_ text: String) -> [String] {
    settingsComplaints(Array(text.utf8))
}

public func settingsComplaints(_ bytes: [UInt8]) -> [String] {
    do {
        _ = try GatewaySettings.parse(bytes, file: "gateway.toml")
        return []
    } catch {
        return error.description.split(separator: "\n").map(String.init)
    }
}
