package import ArgumentParser
import Hub
import Settings
import SettingsReading

/// Option that names the settings file, the same for every command that reads it.
package struct SettingsOption: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The settings file.", valueName: "file"))
    package var config = GatewaySettings.standardFile

    package init() {}

    /// Returns the settings. Otherwise prints every problem on standard error and ends with exit code 78.
    func load() throws -> GatewaySettings {
        let settings = try loading { () throws(SettingsError) in try GatewaySettings.load(path: config) }
        for warning in settings.warnings { Self.complain("\(warning) (warning)") }
        return settings
    }

    /// As `load`. Prints each mistake with the part that a start would set aside for it.
    func loadForCheck() throws -> GatewaySettings {
        do throws(SettingsError) {
            _ = try GatewaySettings.load(path: config)
        } catch {
            Self.complain(error.description)
            let found = SalvagedSettings(path: config)
            if !found.setAside.isEmpty { Self.complain("at a start these parts would be ignored:") }
            for mistake in found.setAside {
                Self.complain("  \(mistake.problem.file):\(mistake.problem.line): \(mistake.part)")
            }
            if found.isGrave {
                Self.complain("a start goes back to the last settings that worked, where there are some")
            }
            throw ExitCode.settingsWrong
        }
        return try load()
    }

    /// Returns the settings file alone, without the devices that were added by command: a user who may not read the
    /// state directory can load it. Warnings are left to the commands that change the settings.
    func loadWithoutDevices() throws -> GatewaySettings {
        try loading { () throws(SettingsError) in try GatewaySettings.loadWithoutDevices(path: config) }
    }

    private func loading<Result>(_ body: () throws(SettingsError) -> Result) throws -> Result {
        do throws(SettingsError) {
            return try body()
        } catch {
            Self.complain(error.description)
            throw ExitCode.settingsWrong
        }
    }

    /// Prints a line on standard error.
    package static func complain(_ line: String) {
        StandardStream.error.write(line)
    }
}

/// Exit codes of sysexits.h, so that systemd and scripts can tell which failures a retry can mend.
extension ExitCode {
    /// EX_CONFIG: the settings are wrong; a retry fails the same way.
    package static let settingsWrong = ExitCode(78)
    /// EX_TEMPFAIL: another gateway uses the state directory; systemd tries again.
    package static let stateInUse = ExitCode(75)
    /// EX_UNAVAILABLE: something the gateway needs cannot be reached, or a person has not agreed to calls for help.
    static let unavailable = ExitCode(69)
}
