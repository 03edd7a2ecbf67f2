package import GatewayModel
package import Hub
package import Logging
import RealTime
package import Settings
import Wearables

/// Exchange of the wearables while the gateway runs.
package final class DeviceReload: Sendable {
    private enum Refusal: Error {
        case settings(SettingsError)
        case newPerson(PersonID)

        var lines: [String] {
            switch self {
            case .settings(let error):
                ["the settings are wrong; the gateway goes on as before:"]
                    + error.description.split(separator: "\n").map(String.init)
            case .newPerson(let person):
                [
                    "the person '\(person)' is new to the running gateway, which goes on as before; to have it read "
                        + "all settings: homegateway reload"
                ]
            }
        }
    }

    private let settingsFile: String
    private let persons: @Sendable () -> Set<PersonID>
    private let roster: DeviceRoster
    private let file: DevicesFileCheck
    private let log: Logger
    private let apply: @Sendable ([GatewaySettings.Wearable]) -> Void
    private let onReload: @Sendable (RosterChange) -> Void

    /// - Parameters:
    ///   - persons: returns the persons of the running settings.
    ///   - apply: hands changed wearables to the radio, the scanners and supervision.
    ///   - onReload: called after a reload of the devices alone.
    package init(
        settingsFile: String, persons: @escaping @Sendable () -> Set<PersonID>, roster: DeviceRoster,
        file: DevicesFileCheck, log: Logger, apply: @escaping @Sendable ([GatewaySettings.Wearable]) -> Void,
        onReload: @escaping @Sendable (RosterChange) -> Void
    ) {
        self.settingsFile = settingsFile
        self.persons = persons
        self.roster = roster
        self.file = file
        self.log = log
        self.apply = apply
        self.onReload = onReload
    }

    /// Replaces the wearables by those of settings that were read already.
    package func replace(with wearables: [GatewaySettings.Wearable]) -> RosterChange {
        roster.reload({ wearables }, apply: apply)
    }

    /// Reads the devices of both settings files again. Blocking I/O.
    package func reload() -> ControlReply {
        do throws(Refusal) {
            let change = try roster.reload({ () throws(Refusal) in try load() }, apply: apply)
            onReload(change)
            file.report()
            log.notice(
                "devices reloaded",
                metadata: [
                    "added": "\(change.added.count)", "removed": "\(change.removed.count)",
                    "changed": "\(Set(change.altered + change.chosen).count)",
                ])
            return ControlReply(isDone: true, lines: change.lines)
        } catch {
            log.error("devices not reloaded", metadata: ["reason": "\(error.lines.joined(separator: " "))"])
            return ControlReply(isDone: false, lines: error.lines)
        }
    }

    /// Answers the control verb, on a thread of its own: the control thread, which cancels alarms, must not wait for a disk.
    package func answer(_ reply: @escaping ControlAnswer) {
        do throws(SystemCallError) {
            _ = try NamedThread("reload") { [self] in reply(reload()) }
        } catch {
            reply(.refused("the gateway cannot reload now: \(error)"))
        }
    }

    private func load() throws(Refusal) -> [GatewaySettings.Wearable] {
        let fresh: GatewaySettings
        do throws(SettingsError) {
            fresh = try GatewaySettings.load(path: settingsFile)
            _ = try Broadcaster.all(in: fresh.wearables)
        } catch {
            throw .settings(error)
        }
        let persons = persons()
        if let stranger = fresh.wearables.first(where: { !persons.contains($0.person) }) {
            throw .newPerson(stranger.person)
        }
        return fresh.wearables
    }
}
