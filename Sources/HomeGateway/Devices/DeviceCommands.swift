import CloudCommands
import GatewayModel
import Hub
import Readings
import SOSLocal
import Settings

/// Carries out commands that switch the readings of a device on or off, as `homegateway devices track` does.
struct DeviceCommands: Sendable {
    /// Limit for work that reads and writes several files.
    private static let timeout = Duration.seconds(10)

    let settingsFile: String
    let disk: DiskQueue
    /// Reads the devices again; on the thread of `disk`.
    let reload: @Sendable () -> ControlReply

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
            let before = try loaded.wearable(tracking.device)
            let (off, sosFor) = before.tracking(
                tracking.kind, isOn: tracking.isOn, isSOSSource: tracking.isSOSSource)
            guard off != before.off || sosFor != before.sosFor else { return .done("it is so already") }
            let devices = DevicesFile(of: loaded, settingsPath: settingsFile)
            try devices.checkIsHere(before)
            let after = try devices.choose(
                before.id, off: off, sosFor: sosFor, by: "a signed command of \(issuer)")
            let reply = reload()
            guard reply.isDone else {
                return .refused(CommandRefusal(.notPossible, reply.lines.joined(separator: " ")))
            }
            return .done(after.silenced(tracking.kind, of: before.person))
        } catch let error as DevicesFileError {
            let reason: CommandRefusal.Reason =
                if case .unknown = error { .unknownDevice } else { .notPossible }
            return .refused(CommandRefusal(reason, error.description))
        } catch {
            return .refused(CommandRefusal(.notPossible, "\(error)"))
        }
    }
}

extension GatewaySettings {
    /// Warning for a kind with alarm rules that no device of the person measures any more; nil where one does.
    func silenced(_ kind: QuantityKind, of person: PersonID) -> String? {
        let hasRule = persons.first { $0.id == person }?.plan.rules.contains { $0.kind == kind } ?? false
        let isLeft = wearables.contains { $0.person == person && !$0.off.contains(kind) }
        guard hasRule, !isLeft else { return nil }
        return "from now on \(kind.rawValue) raises no alarm for \(person): no device of theirs gives it"
    }
}

extension GatewaySettings.Wearable {
    /// Returns the kinds that are off, and those that the device is the source of for SOS, after `kind` was switched.
    ///
    /// - Parameter isSOSSource: nil leaves the source as it is; a kind that is off has no source.
    func tracking(
        _ kind: QuantityKind, isOn: Bool, isSOSSource: Bool?
    ) -> (off: Set<QuantityKind>, sosFor: Set<QuantityKind>) {
        var (off, sosFor) = (off, sosFor)
        if isOn { off.remove(kind) } else { off.insert(kind) }
        if isSOSSource == true, isOn { sosFor.insert(kind) }
        if isSOSSource == false || !isOn { sosFor.remove(kind) }
        return (off, sosFor)
    }
}
