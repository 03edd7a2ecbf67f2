import Alarms
import Consent
import ConsentService
import GatewayModel
import HelpLine
import Hub
import OutboxService
import Readings
import RealTime
import SOSLocal
import Settings
import SettingsService
import SignedCommands
import Synchronization

// Reload of the settings by the parts that have no target of their own yet.
extension Gateway {
    func makeSettingsService(_ devices: DeviceReload) -> SettingsService {
        SettingsService(
            running, file: settingsFile, health: settingsHealth, archive: settingsArchive, log: log,
            surroundings: SettingsService.Surroundings(
                isAlarmOpen: { [alarmRecords] in alarmRecords.open.count > 0 },
                isBrokerConnected: { [health] in
                    !health.conditions.contains(HealthCondition(.brokerUnreachable))
                },
                renewSession: { [broker] in broker.renew() },
                announceStatus: { [self] in announceStatus() },
                unusableChannels: { [help] in
                    help.unusableChannels.map {
                        SettingsService.UnusableChannel(id: $0.id, problem: $0.problem)
                    }
                },
                usableChannels: { [self] in
                    var usable = Set(help.usableChannels)
                    if !settings.broker.addresses.isEmpty { usable.insert(MQTTChannel.id) }
                    return usable
                },
                replaceDevices: { devices.replace(with: $0) }, apply: { [self] in apply($0) }))
    }

    private func apply(_ reload: SettingsReload) {
        help.replace(
            channels: reload.current.channels, persons: reload.current.persons,
            testedEvery: reload.next.sos.channelTests)
        house.replace(people: reload.current.people)
        consent.follow(reload.current)
        // Last: an order by the new plans finds its channels.
        inbox.submit(
            .plans(
                reload.next.persons.map { $0.plan.with(rules: commanded.rules(of: $0.plan)) },
                reload.next.installed),
            at: Clock.boot())
    }
}

extension GatewaySettings {
    /// Persons who may be called for now.
    func personsToHelp(by gate: ConsentGate) -> [PersonID] {
        persons.map(\.id).filter { gate.holds(.automatedSOS, for: $0) }
    }
}
