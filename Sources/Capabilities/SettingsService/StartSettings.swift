package import GatewayModel
import Hub
package import Settings
package import SettingsReading
import Vault

/// The settings of a start: those of the file without the unusable parts. If that would weaken safety or security: the
/// last settings that worked.
package struct StartSettings: Sendable {
    package let settings: GatewaySettings
    package let setAside: [SalvagedSettings.SetAside]
    /// Mistakes in the file that caused earlier settings to be used; empty if the file itself is used.
    package let refused: [SettingsProblem]
    /// The text behind `settings`.
    package let copy: SettingsCopy?
    /// The reason for which the devices file could not be read; nil if it could.
    package let devicesDamage: SettingsProblem?

    /// Loads the settings of the file, or else the kept ones. Blocking I/O.
    ///
    /// Errors: every mistake, if the file allows no supervision of any person and no earlier settings are kept.
    package static func load(path: String) throws(SettingsError) -> StartSettings {
        let salvaged = SalvagedSettings(path: path) { LastSettings(stateDirectory: $0).read(of: path)?.devices }
        if let settings = salvaged.settings, !salvaged.isGrave {
            return StartSettings(
                settings, salvaged.setAside, refused: [], salvaged.copy, salvaged.devicesDamage)
        }
        if let earlier = earlier(than: salvaged, path), let settings = earlier.settings {
            return StartSettings(
                settings, earlier.setAside, refused: salvaged.problems, earlier.copy, salvaged.devicesDamage)
        }
        if let settings = salvaged.settings {
            return StartSettings(
                settings, salvaged.setAside, refused: [], salvaged.copy, salvaged.devicesDamage)
        }
        // Reports every mistake, also those of parts that were skipped because no person could be supervised.
        _ = try GatewaySettings.load(path: path)
        throw .problems(salvaged.problems)
    }

    private static func earlier(than salvaged: SalvagedSettings, _ path: String) -> SalvagedSettings? {
        let directory =
            salvaged.copy.map { GatewaySettings.stateDirectory(in: $0.settings, file: path) }
            ?? GatewaySettings.defaultStateDirectory
        // The state directory may itself be one of the mistakes: then the default may hold the copy.
        for directory in [directory, GatewaySettings.defaultStateDirectory] {
            guard let copy = LastSettings(stateDirectory: directory).read(of: path) else { continue }
            return SalvagedSettings(copy)
        }
        return nil
    }

    /// Leaves out wearables whose keys cannot be read. They are never accepted unencrypted instead.
    private init(
        _ settings: GatewaySettings, _ setAside: [SalvagedSettings.SetAside], refused: [SettingsProblem],
        _ copy: SettingsCopy?, _ devicesDamage: SettingsProblem?
    ) {
        let deaf = settings.wearablesWithoutKey
        self.settings = settings.without(wearables: Set(deaf.map(\.id)))
        self.setAside = setAside + deaf.map(\.setAside)
        (self.refused, self.copy, self.devicesDamage) = (refused, copy, devicesDamage)
    }

    package init(
        settings: GatewaySettings, setAside: [SalvagedSettings.SetAside], refused: [SettingsProblem],
        copy: SettingsCopy?, devicesDamage: SettingsProblem?
    ) {
        self.settings = settings
        self.setAside = setAside
        self.refused = refused
        self.copy = copy
        self.devicesDamage = devicesDamage
    }
}

extension GatewaySettings {
    /// Wearables without a usable key file, and the reasons. Blocking I/O.
    package var wearablesWithoutKey: [(id: DeviceID, setAside: SalvagedSettings.SetAside)] {
        var deaf: [(id: DeviceID, setAside: SalvagedSettings.SetAside)] = []
        for wearable in wearables where wearable.heardBy == .advertising {
            do throws(SettingsError) {
                _ = try wearable.readKey()
            } catch {
                let part = "[[wearable]] \"\(wearable.id)\""
                for problem in error.problems(in: wearable.place.file) {
                    deaf.append(
                        (
                            wearable.id,
                            SalvagedSettings.SetAside(problem: problem, part: part, concernsHelp: true)
                        ))
                }
            }
        }
        return deaf
    }
}
