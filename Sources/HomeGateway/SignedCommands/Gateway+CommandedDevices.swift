import CloudCommands
import GatewayModel
import Hub
import Readings
import SOSLocal
import Settings

// What signed commands change of a device: as `homegateway devices track`.
extension Gateway {
    /// Blocking I/O: the settings and the file of the devices.
    func track(_ tracking: CloudCommand.DeviceTracking, by issuer: IssuerID, _ reloading: DeviceReload)
        -> CommandBook.Outcome
    {
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
            let reply = reloading.reload()
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
    /// A kind that alarms are made of, and that nothing gives any more: in words; nil where all is well.
    func silenced(_ kind: QuantityKind, of person: PersonID) -> String? {
        let hasRule = persons.first { $0.id == person }?.plan.rules.contains { $0.kind == kind } ?? false
        let isLeft = wearables.contains { $0.person == person && !$0.off.contains(kind) }
        guard hasRule, !isLeft else { return nil }
        return "from now on \(kind.rawValue) raises no alarm for \(person): no device of theirs gives it"
    }
}

extension GatewaySettings.Wearable {
    /// Which kinds are off and for which it is the source for SOS, once `kind` is taken or not.
    ///
    /// - Parameter isSOSSource: nil leaves that as it is; what is off is none.
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
