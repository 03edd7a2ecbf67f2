public import GatewayModel
internal import SOSLocal

extension GatewaySettings {
    /// Returns a warning for a kind with alarm rules that no device of the person measures any more; nil where one
    /// device still measures it.
    public func silenced(_ kind: QuantityKind, of person: PersonID) -> String? {
        let hasRule = persons.first { $0.id == person }?.plan.rules.contains { $0.kind == kind } ?? false
        let isLeft = wearables.contains { $0.person == person && !$0.off.contains(kind) }
        guard hasRule, !isLeft else { return nil }
        return "from now on \(kind.rawValue) raises no alarm for \(person): no device of theirs gives it"
    }
}

extension DevicesFile {
    /// Switches a kind of reading of a device on or off, or chooses the device as the source for SOS.
    ///
    /// - Parameter settings: as they are now.
    /// - Returns: the settings from now on; nil where nothing changes. Blocking I/O.
    public func track(
        _ kind: QuantityKind, of id: DeviceID, isOn: Bool, isSOSSource: Bool?, in settings: GatewaySettings,
        by command: String
    ) throws(DevicesFileError) -> GatewaySettings? {
        let before = try settings.wearable(id)
        let (off, sosFor) = before.tracking(kind, isOn: isOn, isSOSSource: isSOSSource)
        guard off != before.off || sosFor != before.sosFor else { return nil }
        try checkIsHere(before)
        return try choose(id, off: off, sosFor: sosFor, by: command)
    }
}

extension GatewaySettings.Wearable {
    /// Returns the kinds that are off, and the kinds for which the device is the source of SOS, after `kind` was switched.
    ///
    /// - Parameter isSOSSource: nil leaves the source as it is; a kind that is off has no source.
    public func tracking(
        _ kind: QuantityKind, isOn: Bool, isSOSSource: Bool?
    ) -> (off: Set<QuantityKind>, sosFor: Set<QuantityKind>) {
        var (off, sosFor) = (off, sosFor)
        if isOn { off.remove(kind) } else { off.insert(kind) }
        if isSOSSource == true, isOn { sosFor.insert(kind) }
        if isSOSSource == false || !isOn { sosFor.remove(kind) }
        return (off, sosFor)
    }
}
