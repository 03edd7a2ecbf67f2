package import GatewayModel
package import Settings

extension HealthCondition {
    /// Returns the conditions that may leave the house. A condition of a wearable reveals whether its person is at
    /// home: it stays here without a data policy of that person. A condition of a wearable that was removed stays
    /// here, too, because its person is unknown.
    ///
    /// - Parameters:
    ///   - wearables: the present wearables, not those of the start.
    ///   - agrees: whether the person has accepted the data policy.
    package static func leaving(
        _ conditions: [HealthCondition], of wearables: [GatewaySettings.Wearable],
        agrees: (PersonID) -> Bool
    ) -> [HealthCondition] {
        let wearers = Dictionary(wearables.map { ($0.id.text, $0.person) }) { first, _ in first }
        return conditions.filter { condition in
            guard let subject = condition.subject else { return true }
            guard let wearer = wearers[subject] else { return !condition.code.isOfAWearable }
            return agrees(wearer)
        }
    }
}

extension HealthCode {
    /// Whether its subject is a wearable.
    package var isOfAWearable: Bool {
        switch self {
        case .advertsRefused, .batteryUnconfirmed, .wearableAway, .wearableUnsupported, .wearableSilent,
            .readingsUnproven, .batteryLow, .sensorContactLost, .undecodableReadings, .wearableUserUnnamed,
            .wearableNeverHeard,
            .sosButtonUntested:
            true
        default: false
        }
    }
}
