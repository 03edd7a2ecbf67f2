package import Alarms
package import CloudCommands
package import ControlContract
package import GatewayModel
package import Hub
import Logging
package import OutboxService
import RealTime
package import Settings
import SettingsReading
import Wearables

/// Exchange of the wearables while the gateway runs.
package final class DeviceReload: Capability {
    package static let names = CapabilityNames(
        conditions: [.devicesDamaged])

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
    private let core: GatewayCore
    private let file: DevicesFileCheck
    private let apply: @Sendable ([GatewaySettings.Wearable]) -> Void
    private let house: HouseService
    private let onReload: @Sendable () -> Void

    /// - Parameters:
    ///   - apply: hands changed wearables to the radio, the scanners and supervision.
    ///   - onReload: called after a reload of the devices alone.
    package init(
        _ core: GatewayCore, settingsFile: String, file: DevicesFileCheck, house: HouseService,
        apply: @escaping @Sendable ([GatewaySettings.Wearable]) -> Void,
        onReload: @escaping @Sendable () -> Void
    ) {
        self.core = core
        self.settingsFile = settingsFile
        (self.file, self.house) = (file, house)
        self.apply = apply
        self.onReload = onReload
    }

    package var controls: [ControlHandler] {
        [ControlHandler(Verb.Reload.self, answer)]
    }

    package func commandHandlers(_ disk: DiskQueue) -> [CommandKind: CommandHandler] {
        DeviceCommands(settingsFile: settingsFile, disk: disk) { [self] in reload() }.handlers
    }

    /// Replaces the wearables by those of settings that were read already.
    package func replace(with wearables: [GatewaySettings.Wearable]) -> RosterChange {
        core.roster.reload({ wearables }, apply: apply)
    }

    /// Reads the devices of both settings files again. Blocking I/O.
    package func reload() -> ControlReply<NoDocument> {
        do throws(Refusal) {
            let change = try core.roster.reload({ () throws(Refusal) in try load() }, apply: apply)
            // A wearable may belong to another person now, with less consent.
            if change.concernsTheRadio { core.announceStatus() }
            house.checkCancelWays(of: core.settings().persons)
            onReload()
            file.report()
            core.log.notice(
                "devices reloaded",
                metadata: [
                    "added": "\(change.added.count)", "removed": "\(change.removed.count)",
                    "changed": "\(Set(change.altered + change.chosen).count)",
                ])
            return ControlReply(isDone: true, lines: change.lines)
        } catch {
            core.log.error(
                "devices not reloaded", metadata: ["reason": "\(error.lines.joined(separator: " "))"])
            return ControlReply(isDone: false, lines: error.lines)
        }
    }

    /// Answers the control verb, on a thread of its own: the control thread, which cancels alarms, must not wait for a disk.
    private func answer(_ reply: ControlAnswer<NoDocument>) {
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
        let persons = Set(core.settings().persons.map(\.id))
        if let stranger = fresh.wearables.first(where: { !persons.contains($0.person) }) {
            throw .newPerson(stranger.person)
        }
        return fresh.wearables
    }
}
