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
