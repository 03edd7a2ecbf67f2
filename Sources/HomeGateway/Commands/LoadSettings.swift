import ArgumentParser
import Settings

extension SettingsOption {
    /// The settings, or every problem on standard error and exit code 1.
    func load() throws -> GatewaySettings {
        do throws(SettingsError) {
            let settings = try GatewaySettings.load(path: config)
            for warning in settings.warnings { Self.complain("\(warning) (warning)") }
            return settings
        } catch {
            Self.complain(error.description)
            throw ExitCode(1)
        }
    }

    static func complain(_ line: String) {
        StandardStream.error.write(line)
    }
}
