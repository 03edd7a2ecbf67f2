import SettingsReading

/// `[gpsd]`: where position fixes come from.
enum GPSDSection {
    static let enabled = Key("enabled", .truth, .standard(true), "Whether gpsd is asked for fixes at all.")
    static let host = Key("host", .host, .standard("127.0.0.1"), "Where gpsd listens.")
    // 2947 is gpsd's registered port (IANA).
    static let port = Key("port", .wholeNumber(1...65535), .standard(2947), "The port gpsd listens on.")

    static let section = Section(["gpsd"], "Where position fixes come from.", keys: [enabled, host, port])

    static func read(_ reader: SectionReader) -> GatewaySettings.GPSD? {
        let enabled = reader.value(enabled)
        let host = reader.value(host)
        let port = reader.value(port)
        guard let enabled, let host, let port else { return nil }
        return GatewaySettings.GPSD(isEnabled: enabled, host: host, port: port)
    }
}

extension GatewaySettings {
    public struct GPSD: Hashable, Sendable {
        public let isEnabled: Bool
        public let host: String
        public let port: Int
    }
}
