/// The text of both settings files, as it was read.
public struct SettingsCopy: Codable, Hashable, Sendable {
    /// Path of the settings file.
    public let file: String
    public let settings: [UInt8]
    /// Nil where there was no devices file.
    public let devices: [UInt8]?

    public init(file: String, settings: [UInt8], devices: [UInt8]?) {
        self.file = file
        self.settings = settings
        self.devices = devices
    }

    private enum CodingKeys: String, CodingKey {
        case file, settings, devices
    }

    /// As text, so that a person can read the copy too.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        file = try values.decode(String.self, forKey: .file)
        settings = Array(try values.decode(String.self, forKey: .settings).utf8)
        devices = try values.decodeIfPresent(String.self, forKey: .devices).map { Array($0.utf8) }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(file, forKey: .file)
        try values.encode(String(decoding: settings, as: UTF8.self), forKey: .settings)
        try values.encodeIfPresent(
            devices.map { String(decoding: $0, as: UTF8.self) }, forKey: .devices)
    }
}
