package import ControlContract
package import GatewayModel
import SOSLocal
package import Settings

extension KindUse {
    /// Use of each kind that a wearable measures.
    ///
    /// - Parameter kinds: those that it has shown, or that its services can measure. Kinds of the settings are added.
    package static func all(
        of wearable: GatewaySettings.Wearable, measuring kinds: some Sequence<QuantityKind>,
        among wearables: [GatewaySettings.Wearable], of persons: [GatewaySettings.Person]
    ) -> [KindUse] {
        let known = Set(kinds).union(wearable.off).union(wearable.sosFor)
        return QuantityKind.allCases.filter(known.contains).map { use(of: $0, wearable, wearables, persons) }
    }

    private static func use(
        of kind: QuantityKind, _ wearable: GatewaySettings.Wearable, _ wearables: [GatewaySettings.Wearable],
        _ persons: [GatewaySettings.Person]
    ) -> KindUse {
        guard !wearable.off.contains(kind) else { return KindUse(kind, .off) }
        let person = persons.first { $0.id == wearable.person }
        guard person?.plan.rules.contains(where: { $0.kind == kind }) == true else {
            return KindUse(kind, .kept)
        }
        if wearable.sosFor.contains(kind) { return KindUse(kind, .onlySource) }
        let rival = wearables.first { $0.person == wearable.person && $0.sosFor.contains(kind) }
        return rival.map { KindUse(kind, .otherSource, source: $0.id) } ?? KindUse(kind, .raisesAlarms)
    }

    /// In words for a terminal.
    package var words: String {
        switch use {
        case .off: "off"
        case .kept: "on"
        case .raisesAlarms: "on, raises alarms"
        case .onlySource: "on, the only source for SOS"
        case .otherSource: "on, raises no alarm: the source for SOS is \(source ?? "another one")"
        }
    }
}
