import Hub
package import Settings
package import Wearables

extension GatewaySettings.Wearable {
    /// Nil: as follows from what it is subscribed to.
    package var rhythm: Wearable.Rhythm? { sleeps ? .sleeps : silence.map { .streams(limit: $0) } }
}

extension Wearable {
    /// As the radio needs to know it. Vibration and motion come by adverts, which are not its business.
    package init(_ settings: GatewaySettings.Wearable) {
        self.init(
            id: settings.id, address: settings.address, person: settings.person,
            users: settings.users,
            signals: settings.signals.button.map { [.tagButton: $0] } ?? [:], rhythm: settings.rhythm,
            linkLossAlert: settings.linkLossAlert,
            alarmAlert: settings.alarmAlert)
    }
}
