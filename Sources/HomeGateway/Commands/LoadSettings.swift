import ArgumentParser
import Settings

extension SettingsOption {
    /// The settings, or every problem on standard error and exit code 78.
    func load() throws -> GatewaySettings {
        let settings = try loading { () throws(SettingsError) in try GatewaySettings.load(path: config) }
        for warning in settings.warnings { Self.complain("\(warning) (warning)") }
        return settings
    }

    /// The settings file alone, for what only has to find the running gateway: whoever may cancel an alarm
    /// may not always read the state directory, and a mistake there must not keep anyone from it. Warnings
    /// are for those who change the settings.
    func loadWithoutDevices() throws -> GatewaySettings {
        try loading { () throws(SettingsError) in try GatewaySettings.loadWithoutDevices(path: config) }
    }

    private func loading(_ body: () throws(SettingsError) -> GatewaySettings) throws -> GatewaySettings {
        do throws(SettingsError) {
            return try body()
        } catch {
            Self.complain(error.description)
            throw ExitCode.settingsWrong
        }
    }

    static func complain(_ line: String) {
        StandardStream.error.write(line)
    }
}

/// Codes of sysexits.h, so that systemd and scripts can tell what trying again would mend.
extension ExitCode {
    /// EX_CONFIG: the settings are wrong; the same again will fail the same.
    static let settingsWrong = ExitCode(78)
    /// EX_UNAVAILABLE: something the gateway needs cannot be reached.
    static let unavailable = ExitCode(69)
}
