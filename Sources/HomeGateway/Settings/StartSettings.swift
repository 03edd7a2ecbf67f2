import GatewayModel
import Hub
import Settings
import Vault

/// The settings that a start runs with: those of the file without the parts that cannot be used, or, where that would
/// weaken safety or security, the last settings that worked.
struct StartSettings: Sendable {
    let settings: GatewaySettings
    let setAside: [SalvagedSettings.SetAside]
    /// Mistakes in the file for which earlier settings are used instead; empty where the file itself is.
    let refused: [SettingsProblem]
    /// The text behind `settings`.
    let copy: SettingsCopy?
    /// Why the devices file could not be read; nil where it could.
    let devicesDamage: SettingsProblem?

    /// Blocking I/O.
    ///
    /// Errors: every mistake, where nobody can be watched by the file and no earlier settings are kept.
    static func load(path: String) throws(SettingsError) -> StartSettings {
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
        // Every mistake, also those of parts that were not looked at once nobody could be watched.
        _ = try GatewaySettings.load(path: path)
        throw .problems(salvaged.problems)
    }

    private static func earlier(than salvaged: SalvagedSettings, _ path: String) -> SalvagedSettings? {
        let directory =
            salvaged.copy.map { GatewaySettings.stateDirectory(in: $0.settings, file: path) }
            ?? GatewaySettings.defaultStateDirectory
        // A wrong state directory is itself one of the mistakes: then the default may hold the copy.
        for directory in [directory, GatewaySettings.defaultStateDirectory] {
            guard let copy = LastSettings(stateDirectory: directory).read(of: path) else { continue }
            return SalvagedSettings(copy)
        }
        return nil
    }

    /// Leaves wearables out whose keys cannot be read: in the clear they are never heard instead.
    private init(
        _ settings: GatewaySettings, _ setAside: [SalvagedSettings.SetAside], refused: [SettingsProblem],
        _ copy: SettingsCopy?, _ devicesDamage: SettingsProblem?
    ) {
        let deaf = settings.wearablesWithoutKey
        self.settings = settings.without(wearables: Set(deaf.map(\.id)))
        self.setAside = setAside + deaf.map(\.setAside)
        (self.refused, self.copy, self.devicesDamage) = (refused, copy, devicesDamage)
    }
}

extension GatewaySettings {
    /// Wearables whose key files cannot be used, and why. Blocking I/O.
    var wearablesWithoutKey: [(id: DeviceID, setAside: SalvagedSettings.SetAside)] {
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

/// The text of the last settings by which the gateway watched, in the state directory: readable by the gateway alone.
struct LastSettings: Sendable {
    private let file: StateFile<SettingsCopy>

    init(stateDirectory: String) {
        let separator = stateDirectory.hasSuffix("/") ? "" : "/"
        file = StateFile(path: stateDirectory + separator + "last-settings.json")
    }

    /// Nil where none are kept of this settings file. Blocking I/O.
    func read(of path: String) -> SettingsCopy? {
        guard let copy = try? file.peek(), copy.file == path else { return nil }
        return copy
    }

    /// Durable where it does not throw. Blocking I/O.
    func keep(_ copy: SettingsCopy) throws(DiskFailure) {
        if let kept = try? file.peek(), kept == copy { return }
        try file.save(copy)
    }
}
