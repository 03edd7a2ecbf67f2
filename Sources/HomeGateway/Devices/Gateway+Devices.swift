import GatewayModel
import Logging
import RealTime
import Settings
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
                    "the person '\(person)' is new, and persons are read at the start only; the gateway goes on as "
                        + "before: systemctl restart homegateway"
                ]
            }
        }
    }

    /// What the run before has told of what wearables store. Where that cannot be read, they are told once more, under
    /// the ids that they had.
    static func toldRecords(
        _ file: ToldRecords.File, _ wearables: [GatewaySettings.Wearable], _ log: Logger
    ) -> ToldRecords {
        var kept: [String: [UInt64]] = [:]
        do throws(DiskFailure) {
            kept = try file.load() ?? [:]
        } catch {
            log.error(
                "which records of wearables were told cannot be restored", metadata: ["reason": "\(error)"])
        }
        return ToldRecords(kept, of: wearables.map(\.id))
    }

    /// Reads the devices of both settings files again. On a thread of its own: the control thread, which
    /// cancels alarms, waits for no disk.
    func reload(_ reply: @escaping ControlServer.Answer) {
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
