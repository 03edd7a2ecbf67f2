package import GatewayModel
package import Settings

extension HealthCondition {
    /// Those of `conditions` that may leave the house. What is wrong with the wearable of somebody who has agreed
    /// to nothing tells whether they are at home: it stays here. So does what is told of a wearable that nobody
    /// wears any more: whose it was is not known.
    ///
    /// - Parameters:
    ///   - wearables: as they are now, not as they were at the start.
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
    fileprivate var isOfAWearable: Bool {
        switch self {
        case .advertsRefused, .batteryUnconfirmed, .wearableAway, .wearableSilent, .readingsUnproven,
            .batteryLow,
            .sensorContactLost, .undecodableReadings:
            true
        default: false
        }
    }
}
