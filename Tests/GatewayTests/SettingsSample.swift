import Settings

/// A sound settings file in parts, so that a test replaces the one part it is about.
struct SettingsSample {
    var gateway = """
        [gateway]
        id = "house-12"
        """
    var installed = """
        [installed]
        address = "Via Dante 7, 20123 Milano"
        latitude = 45.4661
        longitude = 9.1860
        """
    var broker = """
        [broker]
        host = "broker.trackme.example"
        ca_file = "/etc/homegateway/ca.pem"
        """
    var person = """
        [[person]]
        id = "maria"
        name = "Maria Rossi"
        """
    var wearable = """
        [[wearable]]
        id = "strap"
        address = "C0:FF:EE:00:00:01"
        person = "maria"
        """
    /// Written after the rest.
    var more = ""

    var text: String {
        [gateway, installed, broker, person, wearable, more].joined(separator: "\n") + "\n"
    }

    func load() throws(SettingsError) -> GatewaySettings {
        try GatewaySettings.parse(Array(text.utf8), file: "gateway.toml")
    }

    /// What is wrong with it, as the installer reads it.
    var complaints: [String] { settingsComplaints(text) }
}

func settingsComplaints(_ text: String) -> [String] {
    settingsComplaints(Array(text.utf8))
}

func settingsComplaints(_ bytes: [UInt8]) -> [String] {
    do {
        _ = try GatewaySettings.parse(bytes, file: "gateway.toml")
        return []
    } catch {
        return error.description.split(separator: "\n").map(String.init)
    }
}
