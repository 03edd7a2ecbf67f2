public import GatewayModel

/// Parts of new settings that a running gateway applies.
extension GatewaySettings {
    /// The same without some wearables.
    public func without(wearables gone: Set<DeviceID>) -> GatewaySettings {
        var settings = self
        settings.wearables.removeAll { gone.contains($0.id) }
        return settings
    }

    /// These settings, with all of `fresh` that can change while the gateway runs: persons, wearables, channels,
    /// broker, the place, the tests of channels, waking hours.
    public func following(_ fresh: GatewaySettings) -> GatewaySettings {
        var settings = self
        settings.installed = fresh.installed
        settings.broker = fresh.broker
        settings.channels = fresh.channels
        settings.persons = fresh.persons
        settings.wearables = fresh.wearables
        settings.warnings = fresh.warnings
        settings.sos = SOS(channelTests: fresh.sos.channelTests, drill: sos.drill)
        settings.house = house.with(fresh.house.wakingHours)
        return settings
    }

    /// The same with more persons and channels, for alarms that are still open.
    public func with(persons more: [Person], channels others: [Channel]) -> GatewaySettings {
        var settings = self
        settings.persons += more
        settings.channels = others
        return settings
    }

    /// Changed parts of `fresh` that are read at a start only.
    public func partsForRestart(_ fresh: GatewaySettings) -> [String] {
        var parts: [String] = []
        func compare<Value: Equatable>(_ part: String, _ value: (GatewaySettings) -> Value) {
            if value(self) != value(fresh) { parts.append(part) }
        }
        compare("gateway.id") { $0.gateway.id }
        compare("gateway.state_directory") { $0.gateway.stateDirectory }
        compare("gateway.control_socket") { $0.gateway.controlSocket }
        compare("gateway.log_level") { $0.gateway.logLevel }
        compare("gateway.heartbeat_seconds") { $0.gateway.heartbeat }
        compare("[bluetooth]") { $0.bluetooth }
        compare("[gpsd]") { $0.gpsd }
        compare("[outbox]") { $0.outbox }
        compare("[history]") { $0.history }
        compare("[house]") { $0.house.with(house.wakingHours) }
        compare("[home_assistant]") { $0.homeAssistant }
        compare("[sos.drill]") { $0.sos.drill }
        compare("[commands]") { $0.commands.anywhere }
        compare("[race]") { $0.race }
        return parts
    }
}

extension GatewaySettings.House {
    fileprivate func with(_ hours: GatewaySettings.WakingHours) -> GatewaySettings.House {
        GatewaySettings.House(
            wakingHours: hours, sound: sound, voiceSpeed: voiceSpeed, loudness: loudness, language: language,
            lamp: lamp, button: button)
    }
}

extension GatewaySettings.Commands {
    /// The same wherever it is written.
    fileprivate var anywhere: GatewaySettings.Commands {
        let nowhere = GatewaySettings.Place(file: "", line: 0)
        return GatewaySettings.Commands(
            clock: clock,
            issuers: issuers.map {
                GatewaySettings.Issuer(
                    id: $0.id, keys: $0.keys, may: $0.may, mayAccept: $0.mayAccept, place: nowhere)
            })
    }
}

extension GatewaySettings.Channel {
    /// Whether it is the same, wherever it is written.
    public func isSame(as other: GatewaySettings.Channel) -> Bool { id == other.id && way == other.way }

    /// A mistake with a file that it names, at its line.
    public func problem(_ message: String) -> SettingsProblem {
        SettingsProblem(
            file: place.file, line: place.line, column: nil, key: "channel",
            message: "\"\(id)\" cannot be used. \(message)")
    }
}
