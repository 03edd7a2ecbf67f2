import Alarms
import Consent
import Contract
import GatewayModel
import Hub
import OutboxService
import Readings
import Settings

/// Content of a heartbeat: the state of the box, and of each wearable whose wearer agrees. From any thread.
struct HeartbeatContent: Sendable {
    /// Start of the gateway.
    let started: BootInstant
    let health: HealthBoard
    let roster: DeviceRoster
    let gate: ConsentGate
    let openAlarms: OpenAlarms
    let queue: OutboundQueue
    let lastReadings: LastReadings
    let power: PowerMonitor

    func heartbeat(at now: BootInstant) -> Heartbeat {
        let wearables = roster.wearables
        let agrees: (PersonID) -> Bool = { [gate] in gate.holds(.dataPolicy, for: $0) }
        return Heartbeat(
            uptime: started.duration(to: now),
            conditions: HealthCondition.leaving(health.conditions, of: wearables, agrees: agrees),
            openAlarms: openAlarms.count, unsent: queue.count,
            wearables: wearables.filter { agrees($0.person) }.map {
                Heartbeat.Wearable(
                    device: $0.id, person: $0.person, lastReadingAge: lastReadings.age(of: $0.id, at: now))
            },
            power: power.supply.map {
                Heartbeat.Power(hasMains: $0.hasMains, batteryPercent: $0.batteryPercent)
            })
    }
}
