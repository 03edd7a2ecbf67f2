import Hub
package import Logging
import Settings
import Vault

/// Keeps the text of the settings in force in the state directory, for a start whose settings file has mistakes.
package struct SettingsArchive: Sendable {
    private let running: RunningSettings
    private let file: String
    private let log: Logger

    /// - Parameter file: path of the settings file.
    package init(_ running: RunningSettings, file: String, log: Logger) {
        (self.running, self.file, self.log) = (running, file, log)
    }

    /// Keeps the settings of this start. To be called after the first round of the rules: these settings have worked.
    /// Blocking I/O.
    package func keepStart() {
        guard running.refused.isEmpty, let copy = running.copy else { return }
        keep(copy)
    }

    /// Records that the devices alone were read again: the text in force has theirs. Blocking I/O.
    package func recordDevicesReload() {
        guard let before = running.copy else { return }
        let devices = SalvagedSettings(path: file).copy?.devices
        let copy = SettingsCopy(file: before.file, settings: before.settings, devices: devices)
        running.replace(copy: copy)
        keep(copy)
    }

    func keep(_ copy: SettingsCopy) {
        do throws(DiskFailure) {
            try LastSettings(stateDirectory: running.settings.gateway.stateDirectory).keep(copy)
        } catch {
            log.warning("the settings that work are not kept", metadata: ["reason": "\(error)"])
        }
    }
}
