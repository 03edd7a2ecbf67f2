import GatewayModel
import Hub
import Logging
import RealTime
import Settings
import SettingsService
import Vault
import Wearables

// Devices that come and go while the gateway runs.
extension Gateway {
    private enum ReloadRefusal: Error {
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

    /// What the run before has told of what wearables store. Where that cannot be read, they are told once more, under
    /// the ids that they had.
    static func toldRecords(
        _ file: ToldRecords.File, _ wearables: [GatewaySettings.Wearable], _ damage: StateDamage, _ log: Logger
    ) -> ToldRecords {
        var kept: [String: [UInt64]] = [:]
        do throws(DiskFailure) {
            kept = try file.load() ?? [:]
        } catch {
            if error.isDamage { damage.report(.toldRecords, error) }
            log.error(
                "which records of wearables were told cannot be restored", metadata: ["reason": "\(error)"])
        }
        return ToldRecords(kept, of: wearables.map(\.id))
    }

    /// Reports a devices file that is damaged. Blocking I/O.
    ///
    /// - Parameters:
    ///   - fault: why it could not be read, at the start. The file is set aside then.
    ///   - earlier: the devices by which the gateway watched last: written in its place. Without them the file is away.
    func reportDevices(_ fault: SettingsProblem? = nil, earlier: [UInt8]? = nil) {
        let name = StateFileName.devices.rawValue
        if let fault {
            let aside = try? marks.setAside(name)
            if aside != nil, let earlier { try? DevicesFile.restore(earlier, at: settings.devicesFile) }
            return damage.report(.devices, because: "\(fault)", asidePath: aside)
        }
        let wasSealed = marks[name].map { $0.sequence > 0 } ?? false
        switch try? DevicesFile.seal(at: settings.devicesFile) {
        case .whole: marks.note(name, 1)
        case .broken:
            damage.report(
                .devices,
                because: "it was changed by something else than a command; the next command that changes "
                    + "it signs it as it is")
        case .absent:
            if wasSealed { damage.report(.devices, because: "its last line is gone: it was cut") }
        case nil:
            guard wasSealed else { return }
            damage.report(.devices, because: "it is gone")
            marks.note(name, 0, isSynced: true)
        }
    }

    /// Reads the devices of both settings files again. On a thread of its own: the control thread, which
    /// cancels alarms, waits for no disk.
    func reload(_ reply: @escaping ControlAnswer) {
        do throws(SystemCallError) {
            _ = try NamedThread("reload") { [self] in reply(reloadDevices()) }
        } catch {
            reply(.refused("the gateway cannot reload now: \(error)"))
        }
    }

    /// Blocking I/O.
    func reloadDevices() -> ControlReply {
        do throws(ReloadRefusal) {
            let (change, isFollowed) = try roster.reload { () throws(ReloadRefusal) in try loadWearables() }
            // A wearable may be somebody else's now, who agrees to less.
            if change.concernsTheRadio { announceStatus() }
            noteCancelWays()
            settingsService.recordDevicesReload()
            reportDevices()
            log.notice(
                "devices reloaded",
                metadata: [
                    "added": "\(change.added.count)", "removed": "\(change.removed.count)",
                    "changed": "\(Set(change.altered + change.chosen).count)",
                ])
            return ControlReply(isDone: true, lines: change.lines(isFollowed: isFollowed))
        } catch {
            log.error("devices not reloaded", metadata: ["reason": "\(error.lines.joined(separator: " "))"])
            return ControlReply(isDone: false, lines: error.lines)
        }
    }

    private func loadWearables() throws(ReloadRefusal) -> [GatewaySettings.Wearable] {
        let fresh: GatewaySettings
        do throws(SettingsError) {
            fresh = try GatewaySettings.load(path: settingsFile)
            _ = try Beacon.all(in: fresh.wearables)
        } catch {
            throw .settings(error)
        }
        let persons = Set(settings.persons.map(\.id))
        if let stranger = fresh.wearables.first(where: { !persons.contains($0.person) }) {
            throw .newPerson(stranger.person)
        }
        return fresh.wearables
    }
}
