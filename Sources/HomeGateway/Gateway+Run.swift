import Alarms
import Consent
import ConsentService
import Contract
import ControlSocket
import GatewayModel
import HistoryService
import HomeAssistant
import HouseAlarm
import Hub
import Logging
import MQTTBridge
import MyData
import OutboxService
import Positioning
import Readings
import RealTime
import SOSLocal
import ServiceLifecycle
import Settings
import SettingsService
import SignedCommands
import Supervision
import Synchronization
import Systemd
import UnixSignals
import Vault
import Wearables

extension Gateway {
    /// An orderly stop has 5 s (the unit's `TimeoutStopSec=` is more). Services that are not done by now are
    /// cancelled.
    private static let longestStop = Duration.milliseconds(4_000)
    /// Half a second later, which any of them needs at most that does not hang, the process ends without
    /// those that do.
    private static let stopLimit = Duration.milliseconds(4_500)

    /// Runs every service until SIGTERM or SIGINT, then stops them in order and keeps the unsent messages.
    ///
    /// Errors: a part that could not be made (a socket that is taken, no more threads); nothing has
    /// been started then. TLS files that cannot be used are none: the house is watched all the same.
    func run() async throws {
        // First: what waits in the outbox for runners leaves by it.
        followRuns()
        let supervisor = makeSupervisor()
        let readings = try makeReadings(reportingTo: supervisor)
        let devices = makeDeviceReload(readings)
        let race = makeRace(readings.adverts)
        let alarms = try makeAlarms()
        let settingsService = makeSettingsService(devices)
        let supervision = SupervisionService(
            try makeCaretaker(settingsService), try makeWatchdog(supervisor, alarms))
        let commands = try await makeCommands(devices)
        let session = makeSession(commands)
        let records = HouseholdRecords(
            writer: keeper, roster: roster, openAlarms: { [alarmRecords] in alarmRecords.open.ids })
        let personData = PersonDataControl(
            over: [history, session, consent, records], gateway: settings.gateway.id, log: log)
        let capabilities: [any Capability] = [
            settingsService, alarms, readings, session, commands, consent, history, personData, supervision,
        ]
        settingsService.reportStart()
        let control = try ControlServer(
            path: settings.gateway.controlSocket, feed: feed, poison: poison, greeting: { [self] in greet($0) },
            handle: { [self] in answer($0, by: capabilities, devices, race, $1) })
        // Stopped from the last to the first: no more input, then the last dispatch, then the ways to help.
        var services: [any Service] = [
            ThreadService(run: outbox.run, stop: outbox.stop)
        ]
        if let inbox = commands.inbox { services.append(inbox) }
        services += session.services
        services += dashboard?.services ?? []
        services += [
            ThreadService(
                run: keeper.run,
                stop: { [self] in
                    // Nothing is heard any more by now.
                    keeper.keep(broadcasters.memories)
                    if queue.undurable == 0, let told = toldRecords.last { keeper.keep(told) }
                    keeper.stop()
                })
        ]
        services += alarms.services
        services += [
            ThreadService(run: control.run, stop: control.stop),
            ThreadService(run: passings.run, stop: passings.stop),
            ThreadService(run: race.run, stop: race.stop),
        ]
        services += commands.services
        services += history.services
        services += readings.services
        services += supervision.services
        services += settingsService.services
        services += [
            StopLimit(Self.stopLimit) { [self] in sayStopped() }
        ]
        consent.reportState()
        house.checkCancelWays(of: settings.persons)
        log.notice("started", metadata: ["version": "\(Self.version)", "gateway": "\(settings.gateway.id)"])
        defer { sayStopped() }
        try await group(of: services).run()
    }

    /// What waits in memory only is lost where the disk has not taken it until now.
    private func sayStopped() {
        let lost = queue.undurable
        log.notice("stopped", metadata: ["unsent_kept": "\(queue.count - lost)"])
        if lost > 0 { log.critical("unsent messages are lost", metadata: ["count": "\(lost)"]) }
    }

    private func group(of services: [any Service]) -> ServiceGroup {
        var configuration = ServiceGroupConfiguration(
            services: services.map { ServiceGroupConfiguration.ServiceConfiguration(service: $0) },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: log)
        configuration.maximumGracefulShutdownDuration = Self.longestStop
        return ServiceGroup(configuration: configuration)
    }

    // MARK: Parts

    private func makeAlarms() throws -> AlarmService {
        try AlarmService(
            plans: settings.persons.map { $0.plan.with(rules: commanded.rules(of: $0.plan)) },
            resuming: alarmFile.loadEarlierAlarms(reportingTo: damage), inbox: inbox, house: house, help: help,
            drills: drills, records: alarmRecords, writer: keeper,
            wearables: AlarmWearables(
                buzz: { [radioInbox] in radioInbox.alarm($0, isOn: $1) },
                follow: { [followed] in followed.setPersonsInAlarm($0) }),
            feed: feed, health: health, log: log, settings: { [running] in running.settings })
    }

    private func makeSupervisor() -> Supervisor {
        Supervisor(
            supervision: WearableSupervision(
                wearables: settings.wearables.rhythms, startingAt: Clock.boot()),
            beacons: BeaconSupervision(
                broadcasters.expected(of: settings.wearables).mapValues(BeaconSupervision.Expected.init),
                startingAt: Clock.boot()),
            health: health)
    }

    /// The care tasks, in their order. A task that waits for a disk delays those after it.
    private func makeCaretaker(_ settingsService: SettingsService) throws -> Caretaker {
        let power = PowerMonitor(health: health)
        let announcer = SupervisionAnnouncer(house, roster: roster, health: health) { [running] in
            running.settings
        }
        let clock = ClockMonitor(marks: marks, health: health) { [clockTrust] in clockTrust.isTrusted }
        let content = HeartbeatContent(
            started: started, health: health, roster: roster, gate: gate, openAlarms: alarmRecords.open,
            queue: queue, lastReadings: lastReadings, power: power)
        return try Caretaker([
            Caretaker.every(PowerMonitor.interval) { [boxStatus, settings, keeper] _ in
                power.look()
                boxStatus.look(at: power.supply, settings.gateway.stateDirectory)
                keeper.retry()
            },
            { [help, running, gate] now in
                if !running.settings.personsToHelp(by: gate).isEmpty { help.testChannels(at: now.boot) }
            },
            settingsService.care,
            { [raceTime, passings] now in
                raceTime.look()
                passings.tick(at: now.boot)
            },
            { [toldRecords, queue, keeper] now in
                guard let told = toldRecords.due(at: now.boot, isAllKept: queue.undurable == 0) else { return }
                keeper.keep(told)
            },
            { [drills] in drills.look(at: $0) },
            { announcer.look(at: $0) },
            { [heartbeats] now in heartbeats.tick(at: now) { content.heartbeat(at: now.boot) } },
            { [consent] _ in _ = consent.expireGrants() },
            { clock.look(at: $0) },
            { [consent] _ in consent.applyDecisions() },
            { [dashboard] in dashboard?.update(at: $0.boot) },
        ])
    }

    private func makeWatchdog(_ supervisor: Supervisor, _ alarms: AlarmService) throws -> Watchdog {
        try Watchdog(
            completedRounds: { alarms.completedRounds }, summary: { [self] in summary },
            tasks: [
                { supervisor.look(at: $0.boot) },
                // An alarm that waits for the broker must not wait out a long pause between attempts.
                { [queue] _ in queue.hurryAlarms() },
            ])
    }

    private func makeReadings(reportingTo supervisor: Supervisor) throws -> ReadingService {
        var readings: [any ReadingConsumer] = [lastReadings, DecodingHealth(health), ReadingFeed(feed)]
        readings.append(history)
        if let dashboard { readings.append(dashboard) }
        readings.append(publisher)
        return try ReadingService(
            settings: settings, persons: { [running] in running.settings.persons }, sos: inbox,
            supervision: supervisor,
            consumers: ReadingService.Consumers(
                readings: readings,
                positions: [boxStatus, FixFeed(feed), RacePositions(raceBearers, raceInbox)],
                tags: raceInbox, time: { [raceTime] in raceTime.hear($0) }),
            roster: roster, state: broadcasters, radioInbox: radioInbox, toldRecords: toldRecords,
            writer: keeper,
            health: health, log: log)
    }

    private func makeDeviceReload(_ readings: ReadingService) -> DeviceReload {
        DeviceReload(
            settingsFile: settingsFile, persons: { [running] in Set(running.settings.persons.map(\.id)) },
            roster: roster, file: devicesFile, log: log, apply: { readings.replace($0) },
            onReload: { [self] change in
                // A wearable may belong to another person now, with less consent.
                if change.concernsTheRadio { announceStatus() }
                house.checkCancelWays(of: settings.persons)
                settingsArchive.recordDevicesReload()
            })
    }

    private func makeCommands(_ devices: DeviceReload) async throws -> CommandControl {
        let start = CommandStart(
            settings, marks: marks, damage: damage, receipts: signer, poison: poison,
            reportIssuers: { [settingsHealth] in
                settingsHealth.set(.issuers, SettingsHealth.conditions(of: $0))
            })
        let persons: @Sendable () -> [GatewaySettings.Person] = { [running] in running.settings.persons }
        let service = try await start.makeService { disk in
            let handlers = [
                AlarmCommands(inbox: inbox, reply: { ControlReply(to: $0, done: $1) }).handlers,
                LimitCommands(commanded: commanded, inbox: inbox, disk: disk, persons: persons).handlers,
                HeartbeatCommands(
                    commanded: commanded, heartbeats: heartbeats, disk: disk,
                    written: { [running] in running.settings.gateway.heartbeat }
                ).handlers,
                ConsentCommands(consent, gate: gate, sealer: sealer, gateway: settings.gateway.id).handlers,
                DeviceCommands(
                    settingsFile: settingsFile, disk: disk, reload: { devices.reload() }
                ).handlers,
                RunCommands(runs: runs, disk: disk, settings: { [running] in running.settings }).handlers,
            ]
            return handlers.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        }
        return CommandControl(service, commanded: commanded, topics: topics, persons: persons)
    }

    private func makeSession(_ commands: CommandControl) -> CloudSession {
        CloudSession(
            broker, queue: queue, outbox: outbox, status: status, damage: damage, poison: poison,
            settings: { [running] in running.settings }, routes: [acceptances(commands)] + commands.routes,
            reportSession: { [help] in help.brokerSession(isUp: $0) })
    }
}
