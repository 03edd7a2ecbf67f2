import CloudCommands
import ControlContract
import GatewayModel
import Hub
import SOSLocal
import Settings

/// Carries out commands that switch the readings of a device on or off, as `homegateway devices track` does.
struct DeviceCommands: Sendable {
    /// Limit for work that reads and writes several files.
    private static let timeout = Duration.seconds(10)

    let settingsFile: String
    let disk: DiskQueue
    /// Reads the devices again; on the thread of `disk`.
    let reload: @Sendable () -> ControlReply<NoDocument>

    var handlers: [CommandKind: CommandHandler] {
        [
            .deviceTracking: { command in
                guard case .tracking(let tracking) = command.command else {
                    return .refused(.unsupported(command.kind))
                }
                let issuer = command.name.issuer
                return await disk.perform(within: Self.timeout) { track(tracking, by: issuer) }
                    ?? .refused(.notKept)
            }
        ]
    }

    /// Blocking I/O: the settings and the file of the devices.
    private func track(_ tracking: CloudCommand.DeviceTracking, by issuer: IssuerID) -> CommandJournal.Outcome {
        do {
            let loaded = try GatewaySettings.load(path: settingsFile)
            let person = try loaded.wearable(tracking.device).person
            let after = try DevicesFile(of: loaded, settingsPath: settingsFile).track(
                tracking.kind, of: tracking.device, isOn: tracking.isOn, isSOSSource: tracking.isSOSSource,
                in: loaded, by: "a signed command of \(issuer)")
            guard let after else { return .done("it is so already") }
            let reply = reload()
            guard reply.isDone else {
                return .refused(CommandRefusal(.notPossible, reply.lines.joined(separator: " ")))
            }
            return .done(after.silenced(tracking.kind, of: person))
        } catch let error as DevicesFileError {
            let reason: CommandRefusal.Reason =
                if case .unknown = error { .unknownDevice } else { .notPossible }
            return .refused(CommandRefusal(reason, error.description))
        } catch {
            return .refused(CommandRefusal(.notPossible, "\(error)"))
        }
    }
}
