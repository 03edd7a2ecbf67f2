import Alarms
import Consent
import ConsentService
import Contract
import ControlSocket
import DataSources
import DeskWatch
import DeviceSetup
import Doctor
import GatewayModel
import HistoryService
import HomeAssistant
import Hub
import Locations
import Logging
import MyData
import Notices
import OutboxService
import PersonalSettings
import Race
import Readings
import RealTime
import ServiceLifecycle
import Settings
import SettingsService
import ShutdownDelay
import SignedCommands
import Supervision
import UnixSignals
import Vault
import WalkTest

/// The daemon: builds the parts of the gateway once, and runs their services.
///
/// A reading goes to the SOS inbox first, on the thread that received it; consent, encoding, queue and broker come after, and
/// cannot hold it up.
struct Daemon {
    static let version = ProductVersion.current.description
    /// Limit of an orderly stop, for which systemd allows 5 s at least (`TimeoutStopSec=`): services that still run are
    /// cancelled.
    private static let longestStop = Duration.milliseconds(4_000)
    /// Limit after which the process ends without the services that hang.
    private static let stopLimit = Duration.milliseconds(4_500)

    private let core: GatewayCore
    private let services: [any Service]

    /// Errors: a part that could not be made, such as a socket that is taken or one thread too many; nothing has been started
    /// then. TLS files that cannot be used are no error: the house is watched all the same.
    init(_ start: StartSettings, settingsFile: String, log: Logger) async throws {
        let (settings, running, boot) = (start.settings, RunningSettings(start), Boot.id())
        let marks = StateMarks(in: settings.gateway.stateDirectory, boot: boot)
        let (gate, ledger) = ConsentStart(of: settings, marks, log).parts
        let clock = ClockTrust(isAssumedRight: settings.commands.clock == .assumedRight)
        let core = try GatewayCore(
            version: Self.version, settings: { running.settings }, boot: boot, marks: marks, gate: gate,
            ledger: ledger, isClockTrusted: { clock.isTrusted }, log: log)

        // Before all parts that read the profiles.
        let choices = PersonChoiceStore(core, running)

        // Parts that several capabilities share.
        let sos = try SOSInbox()
        let devicesFile = DevicesFileCheck(path: settings.devicesFile, marks: marks, damage: core.damage)
        devicesFile.reportStart(start.devicesDamage, earlier: start.copy?.devices)
        let wearables = try ReadingState(core)
        let receipts = ReceiptSigner(core)
        let commanded = CommandedSettings(core)
        let heartbeats = Heartbeats(core, every: commanded.heartbeat(insteadOf: settings.gateway.heartbeat))
        let house = try HouseService(core, inbox: sos)
        let help = try HelpService(core, inbox: sos)
        let grantEnds = GrantEndReporter(core, ledger: ledger, sendReceipt: receipts.sendEnd)
        let outboxReporter = OutboxReporter(core, reportGrantEnd: grantEnds.reportEnd)
        let delivery = OutboxDelivery(
            core.queue, observers: [help.broker.settled, heartbeats.settled, outboxReporter.settled])
        let outbox = try OutboxWriter(
            core, delivery: delivery, open: gate.snapshot.open(asOf: ledger.mark.sequence),
            report: outboxReporter.report)
        let power = PowerMonitor(health: core.health)
        let buttons = SOSButtonSupervision(core, broadcasters: wearables.broadcasters)
        let supervisor = Supervisor(
            of: settings.wearables, wearables.broadcasters, health: core.health, buttons: buttons)
        let settingsHealth = SettingsHealth(core.health, log)
        let archive = SettingsArchive(running, file: settingsFile, log: log)

        // Capabilities.
        let dashboard = DashboardSession(core)
        let alarms = try AlarmService(
            core, inbox: sos, house: house, help: help, wearables: wearables.alarmWearables,
            abilities: wearables.abilities,
            limits: { commanded.rules(of: $0) })
        let questions = LimitQuestions(core)
        let consent = ConsentRegister(
            core, outbox: outbox, clock: clock,
            answers: AnswerReporter(core, send: receipts.sendDecision), house: house,
            openAlarms: alarms.openAlarms, limits: sos.limits, limitQuestions: { questions.waiting })
        let history = try HistoryKeeper(settings, marks: marks, damage: core.damage) {
            wearables.lastReadings.all
        }
        let locations = LocationService(core, history: history)
        let raceIntake = try RaceIntake()
        let readings = try ReadingService(
            core, sos: sos, supervision: supervisor,
            consumers: ReadingService.Consumers(
                readings: [history, dashboard], positions: [raceIntake, locations], tags: raceIntake,
                time: { raceIntake.consume($0) }), state: wearables, openAlarms: alarms.openAlarms,
            sampleInterval: { commanded.sampleInterval(of: $0, $1) })
        let sources = try SourceService(
            core, pipeline: readings.pipeline, history: history, seen: wearables.seenRecords)
        let race = try RaceService(
            core, raceIntake, adverts: readings.adverts, readings: wearables, house: house, sos: sos,
            outbox: outbox, powerSupply: { power.supply })
        let devices = DeviceReload(
            core, settingsFile: settingsFile, file: devicesFile, house: house,
            apply: { readings.replace($0) }, onReload: { archive.recordDevicesReload() })
        let deviceSetup = DeviceSetupService(
            core, settingsFile: settingsFile, broadcasters: wearables.broadcasters,
            search: { readings.setSearching($0) }, reload: { devices.reload() })
        let doctor = DoctorService(core, settingsFile: settingsFile) { alarms.openAlarms.count > 0 }
        let walks = WalkService(core, supervisor: supervisor, signals: wearables.advertSignals)
        let settingsService = SettingsService(
            core, running, file: settingsFile, health: settingsHealth, archive: archive,
            openAlarms: alarms.openAlarms, help: help, devices: devices,
            followers: [alarms, consent, sources])
        let personal = PersonalSettings(
            core, store: choices, commanded: commanded, sos: sos, help: help, settings: settingsService)
        let isClockTrusted: @Sendable () -> Bool = { clock.isTrusted }
        let commands = try await CommandControl(
            core, commanded: commanded, sos: sos, heartbeats: heartbeats, receipts: receipts,
            questions: questions, isClockTrusted: isClockTrusted,
            capabilities: [alarms, consent, devices, race, personal]
        ) { settingsHealth.set(.issuers, SettingsHealth.conditions(of: $0)) }
        let desks = DeskWatch(core) { commands.issuers }
        let session = CloudSession(
            core, outbox: outbox, delivery: delivery,
            routes: [help.acceptanceRoute(core.topics) { commands.issuers }] + commands.routes + [desks.route]
        ) {
            help.brokerSession(isUp: $0)
            desks.brokerSession(isUp: $0)
        }
        let supervision = try SupervisionService(
            core, supervisor, buttons: buttons, alarms: alarms, house: house, power: power,
            heartbeats: heartbeats,
            lastReadings: wearables.lastReadings, isClockTrusted: { clock.isTrusted })
        let notices = NoticeService(core, help: help, openAlarms: alarms.openAlarms)
        let shutdown = try ShutdownDelay(core, openAlarms: alarms.openAlarms)
        let sending: [any Capability] = [session] + [dashboard].compactMap { $0 }
        let judging: [any Capability] = [
            race, commands, consent, history, readings, devices, supervision, settingsService, personal,
            notices, locations, deviceSetup, doctor, walks, desks, shutdown,
        ]
        let known = sending + [alarms] + judging
        let all = known + [sources]
        let status = StatusReport(
            core, sos: sos, openAlarms: alarms.openAlarms, supervisor: supervisor, on: all.reversed(),
            consumers: [dashboard].compactMap(\.self))
        // The inboxes first: a file must not become a reading after the other stores were erased.
        let personData = PersonDataControl(over: [sources] + known, gateway: core.gateway, log: log)
        for capability in all { capability.reportStart() }
        let control = try ControlServer(
            path: settings.gateway.controlSocket,
            console: ConsoleDoor(
                path: settings.gateway.consoleSocket,
                facts: core.consoleFacts(of: alarms.openAlarms)),
            feed: core.feed, poison: core.poison, greeting: status.greet,
            onConsoleFailure: {
                let condition = HealthCondition(.consoleUnavailable)
                core.health.set(condition, true)
                core.health.explain(condition, "\($0)")
                log.error("the console's pages have no socket", metadata: ["reason": "\($0)"])
            }, router: ControlRouter((all + [personData, status]).flatMap(\.controls)))

        self.core = core
        // Stopped from the last to the first: no more input, then the last dispatch, then the channels of help, then what is
        // unsent and the state are kept.
        let keeping = core.writer.service {
            readings.keepState()
            supervision.keepState()
            consent.keepState()
            race.keepState()
            commands.removeSentReceipts()
        }
        services =
            [ThreadService(run: outbox.run, stop: outbox.stop), keeping] + commands.inboxServices
            + sending.flatMap(\.services) + alarms.services + [control.service]
            + judging.flatMap(\.services) + sources.services + [
                try Caretaker((all + [status]).flatMap(\.careTasks))
            ]
    }

    /// Runs every service until SIGTERM or SIGINT, then stops them in order and keeps the unsent messages.
    func run() async throws {
        let stopLimit = StopLimit(Self.stopLimit) { [self] in reportStop() }
        var configuration = ServiceGroupConfiguration(
            services: (services + [stopLimit]).map { .init(service: $0) },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: core.log)
        configuration.maximumGracefulShutdownDuration = Self.longestStop
        core.log.notice("started", metadata: ["version": "\(Self.version)", "gateway": "\(core.gateway)"])
        defer { reportStop() }
        try await ServiceGroup(configuration: configuration).run()
    }

    /// Messages that only memory holds are lost where the disk has not taken them until now.
    private func reportStop() {
        let lost = core.queue.undurable
        core.log.notice("stopped", metadata: ["unsent_kept": "\(core.queue.count - lost)"])
        if lost > 0 { core.log.critical("unsent messages are lost", metadata: ["count": "\(lost)"]) }
    }
}
