import ArgumentParser
import Settings

extension SettingsOption {
    /// The settings, or every problem on standard error and exit code 78.
    func load() throws -> GatewaySettings {
        do throws(SettingsError) {
            let settings = try GatewaySettings.load(path: config)
            for warning in settings.warnings { Self.complain("\(warning) (warning)") }
            return settings
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
