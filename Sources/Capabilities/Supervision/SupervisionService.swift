package import Alarms
package import ControlContract
package import GatewayModel
package import Hub
package import OutboxService
package import Readings
import RealTime
package import ServiceLifecycle

/// Supervision of the box and its wearables: their conditions, the words about them in the house, the heartbeats, and the
/// loop that feeds systemd's watchdog.
package final class SupervisionService: Capability {
    package static let names = CapabilityNames(
        conditions: [
            .advertsRefused, .batteryLow, .batteryUnconfirmed, .certificateEnding, .clockNotSet,
            .houseBatteryLow, .mainsLost,
            .readingsUnproven, .sensorContactLost, .sosButtonUntested, .wearableAway, .wearableNeverHeard,
            .wearableSilent, .wearableUnsupported,
        ], topics: ["heartbeat"])

    /// Interval of the attempts to write the state that the disk did not take.
    private static let retryInterval = Duration.seconds(5)

    private let writer: StateWriter
    private let power: PowerMonitor
    private let clock: ClockMonitor
    private let certificates: CertificateWatch
    private let announcer: SupervisionAnnouncer
    private let heartbeats: Heartbeats
    private let content: HeartbeatContent
    private let buttons: SOSButtonSupervision
    private let buttonTests: ButtonTestAnnouncer
    private let watchdog: Watchdog

    /// - Parameter isClockTrusted: returns whether the clock has been synchronised for long enough to be believed.
    package init(
        _ core: GatewayCore, _ supervisor: Supervisor, buttons: SOSButtonSupervision, alarms: AlarmService,
        house: HouseService,
        power: PowerMonitor, heartbeats: Heartbeats, lastReadings: LastReadings,
        isClockTrusted: @escaping @Sendable () -> Bool
    ) throws {
        let (health, roster, queue) = (core.health, core.roster, core.queue)
        (writer, self.power) = (core.writer, power)
        clock = ClockMonitor(marks: core.marks, health: health, isTrusted: isClockTrusted)
        certificates = CertificateWatch(core)
        announcer = SupervisionAnnouncer(
            house, roster: roster, health: health, settings: core.settings)
        self.buttons = buttons
        buttonTests = ButtonTestAnnouncer(buttons, house: house, alarms: alarms)
        self.heartbeats = heartbeats
        content = HeartbeatContent(
            started: Clock.boot(), health: health, roster: roster, gate: core.gate,
            openAlarms: alarms.openAlarms,
            queue: queue, lastReadings: lastReadings, power: power)
        let summary = GatewaySummary(core)
        watchdog = try Watchdog(
            completedRounds: { alarms.completedRounds }, summary: { summary.line },
            tasks: [
                { supervisor.look(at: $0.boot) },
                // An alarm that waits for the broker must not wait out a long pause between attempts.
                { _ in queue.hurryAlarms() },
            ])
    }

    package var services: [any Service] { [watchdog] }

    package var careTasks: [CareTask] {
        [
            CareTask(every: PowerMonitor.interval) { [power] _ in power.look() },
            CareTask(every: Self.retryInterval) { [writer] _ in writer.retry() },
            CareTask { [announcer] in announcer.look(at: $0) },
            CareTask { [heartbeats, content] now in
                heartbeats.tick(at: now) { content.heartbeat(at: now.boot) }
            },
            CareTask { [clock] in clock.look(at: $0) },
            CareTask(every: CertificateWatch.interval) { [certificates] in certificates.look(at: $0.wall) },
            // After the clock, so that a clock that is not set is known.
            CareTask { [buttonTests] in buttonTests.look(at: $0) },
        ]
    }

    package var statusLines: [String] { buttons.lines }

    package func describe(in snapshot: inout HouseSnapshot, at now: Moment) { snapshot.buttons = buttons.rows }

    package func collectData(
        of person: PersonID, into data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void
    ) {
        var data = data
        data.add("buttons", buttons.rows.filter { $0.person == person.text })
        done(.success(data))
    }

    /// Erases nothing: without them the gateway would not know which button has to be tested.
    package func eraseData(of person: PersonID, _ done: @escaping @Sendable ([ErasureStep]) -> Void) {
        let worn = buttons.rows.filter { $0.person == person.text }.map(\.device)
        guard !worn.isEmpty else { return done([]) }
        done([
            ErasureStep(
                isDone: true,
                line:
                    "last press and last sign of life of \(worn.joined(separator: ", ")): kept until the device is "
                    + "removed, because the gateway supervises it by them")
        ])
    }

    /// Keeps the last signs of life of the buttons. To be called when nothing is heard any more.
    package func keepState() { buttons.keepState() }
}
