import Alarms
import Consent
import GatewayModel
import HelpLine
import Hub
import OutboxService
import Readings
import RealTime
import SOSLocal
import Settings
import SettingsService
import Synchronization

// Reload of the settings by the parts that have no target of their own yet.
extension Gateway {
    func makeSettingsService(_ devices: DeviceReload) -> SettingsService {
        SettingsService(
            running, file: settingsFile, health: settingsHealth, archive: settingsArchive, log: log,
            surroundings: SettingsService.Surroundings(
                isAlarmOpen: { [openAlarms] in openAlarms.count > 0 },
                isBrokerConnected: { [health] in
                    !health.conditions.contains(HealthCondition(.brokerUnreachable))
                },
                renewSession: { [broker] in broker.renew() },
                announceStatus: { [self] in announceStatus() },
                unusableChannels: { [channels] in
                    channels.unusable.map {
                        SettingsService.UnusableChannel(id: $0.id, problem: $0.problem)
                    }
                },
                usableChannels: { [self] in
                    var usable = Set(channels.all.map(\.id))
                    if !settings.broker.addresses.isEmpty { usable.insert(MQTTChannel.id) }
                    return usable
                },
                replaceDevices: { devices.replace(with: $0) }, apply: { [self] in apply($0) }))
    }

    private func apply(_ reload: SettingsReload) {
        channels.replace(with: reload.current.channels)
        let all: [any HelpChannel] = [mqttChannel] + channels.all
        ways.watch(all, every: reload.next.sos.channelTests)
        dispatcher.replace(channels: all, profiles: reload.current.persons.map(\.profile))
        annunciator.replace(people: reload.current.people)
        follow(consentOf: reload.current)
        // Last: an order by the new plans finds its channels.
        inbox.submit(
            .plans(
                reload.next.persons.map { $0.plan.with(rules: commanded.rules(of: $0.plan)) },
                reload.next.installed),
            at: Clock.boot())
    }

    private func follow(consentOf settings: GatewaySettings) {
        let entries = deciding.withLock { _ in
            let entries = ConsentStart.follow(settings, by: gate)
            if !entries.isEmpty { keeper.keep(entries) { _ in } }
            return entries
        }
        if !entries.isEmpty { outbox.purge(open: nil) { _ in } }
        applyConsent()
    }
}
