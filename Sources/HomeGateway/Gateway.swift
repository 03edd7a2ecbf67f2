import Alarms
import Ciphers
import Consent
import ConsentService
import Contract
import GatewayModel
import HelpLine
import HistoryService
import HomeAssistant
import HouseAlarm
import Hub
import Logging
import OutboxService
import Readings
import RealTime
import RunBeacon
import SOSLocal
import Sealing
import Settings
import SettingsService
import SignedCommands
import Synchronization
import Vault
import Wearables

/// The daemon: every part made once and wired.
///
/// A reading goes to the SOS inbox first, on the thread that received it; consent, encoding, queue and
/// broker come after, and cannot hold it up.
final class Gateway: Sendable {
    static let version = "0.1.0"

    let running: RunningSettings
    let settingsHealth: SettingsHealth
    let settingsArchive: SettingsArchive
    /// Where they were read, and are read again from.
    let settingsFile: String
    let roster: DeviceRoster
    let toldRecords: SeenRecords
    let log: Logger
    let topics: Topics
    let feed: Feed
    let inbox: SOSInbox
    let gate: ConsentGate
    let broker: BrokerSwitch
    let status: StatusPublisher
    let consent: ConsentRegister
    let queue: OutboundQueue
    let health: HealthBoard
    let marks: StateMarks
    let damage: StateDamage
    let poison: PoisonGuard
    let help: HelpService
    let house: HouseService
    let drills: DrillService
    let keeper: StateWriter
    let alarmFile: AlarmStateFile
    let alarmRecords: AlarmRecords
    let broadcasters: BroadcasterState
    let devicesFile: DevicesFileCheck
    let radioInbox: RadioInbox
    let followed: FollowedPersons
    let raceInbox: RaceInbox
    let raceBearers = RacePositions.Bearers()
    let passings: PassingRecorder
    let raceTime: RaceTime
    let clockRecord: ClockRecord
    let clockTrust: ClockTrust
    let boxStatus = BoxStatus()
    let outbox: OutboxWriter
    let history: HistoryKeeper
    /// Nil where the home has none.
    let dashboard: DashboardSession?
    /// Signs what the cloud is told of its commands, and of grants that have ended.
    let signer: ReceiptSigner
    let commanded: CommandedSettings
    let heartbeats: Heartbeats
    let runs: RunStore
    let lastReadings = LastReadings()
    let sealer = HPKESealer()
    let publisher: ReadingPublisher
    let started = Clock.boot()

    /// As they are now.
    var settings: GatewaySettings { running.settings }

    init(_ start: StartSettings, settingsFile: String, log: Logger) throws {
        let settings = start.settings
        running = RunningSettings(start)
        self.settingsFile = settingsFile
        let roster = DeviceRoster(settings.wearables)
        self.roster = roster
        let topics = Topics(gateway: settings.gateway.id)
        let feed = try Feed()
        let inbox = try SOSInbox()
        let boot = Boot.id()
        let marks = StateMarks(in: settings.gateway.stateDirectory, boot: boot)
        let consent = ConsentStart(of: settings, marks, log)
        let memories = BeaconMemories(
            path: settings.gateway.stateDirectory + "/beacons.jsonl", marks: marks)
        let told = SeenRecords.File(path: settings.gateway.stateDirectory + "/records.json", marks: marks)
        let gate = consent.gate
        let clockTrust = ClockTrust(isAssumedRight: settings.commands.clock == .assumedRight)
        self.clockTrust = clockTrust
        let broker = BrokerSwitch(isOpen: gate.isAnythingAccepted)
        let queue = OutboundQueue(gate: gate, wake: broker.wake) { clockTrust.isTrusted }
        let status = StatusPublisher(
            version: Gateway.version, roster: roster, queue: queue, gate: gate, topics: topics)
        (self.broker, self.status) = (broker, status)
        let health = HealthBoard { condition, isRaised, all in
            Gateway.log(condition, isRaised, to: log)
            feed.put(.health(condition, isRaised: isRaised, at: Clock.moment()))
            status.publishStatus(all)
        }
        settingsHealth = SettingsHealth(health, log)
        settingsArchive = SettingsArchive(running, file: settingsFile, log: log)
        publisher = ReadingPublisher(
            gate: gate, queue: queue, topics: topics, sealer: sealer,
            format: { [running] in running.settings.broker.readings })
        let damage = StateDamage(health: health, log: log)
        (self.marks, self.damage) = (marks, damage)
        if let reason = marks.damage { damage.report(.marks, because: reason) }
        toldRecords = .restored(from: told, of: settings.wearables, damage, log)
        broadcasters = try BroadcasterState(of: settings.wearables, from: memories, damage, log)
        devicesFile = DevicesFileCheck(path: settings.devicesFile, marks: marks, damage: damage)
        let radioInbox = try RadioInbox()
        self.radioInbox = radioInbox
        followed = FollowedPersons { radioInbox.followPositions(of: $0) }
        raceInbox = try RaceInbox()
        poison = PoisonGuard(
            recordingAt: settings.gateway.controlSocket + ".handling",
            file: SetAsideFile(stateDirectory: settings.gateway.stateDirectory), log: log
        ) { health.set($0, true) }
        let signer = ReceiptSigner(
            identity: .load(of: settings.gateway, marks, damage), gate: gate, queue: queue,
            log: log)
        self.signer = signer
        let house = try HouseService(
            settings, roster: roster, gate: gate, inbox: inbox, health: health, log: log)
        commanded = CommandedSettings(stateDirectory: settings.gateway.stateDirectory, marks: marks) {
            damage.report(.commanded, $0)
        }
        runs = Gateway.runs(settings, marks, damage)
        let heartbeats = Heartbeats(
            every: commanded.heartbeat(insteadOf: settings.gateway.heartbeat), version: Gateway.version,
            queue: queue, gate: gate, topics: topics)
        let help = try HelpService(
            settings, queue: queue, topics: topics, gate: gate, inbox: inbox, house: house, feed: feed,
            health: health, log: log)
        let alarmFile = AlarmStateFile(
            path: settings.gateway.stateDirectory + "/alarms.json", boot: boot, marks: marks)
        let keeper = try StateWriter(
            ledger: consent.ledger, alarms: alarmFile,
            records: AlarmJournal(of: settings.gateway, marks: marks, reportingTo: damage),
            beacons: memories, told: told, boot: boot,
            onResult: { failure in
                let isNews = health.set(HealthCondition(.storageUnavailable), failure != nil)
                if isNews, let failure { log.error("the disk fails", metadata: ["reason": "\(failure)"]) }
            })
        let grantEnds = GrantEndReporter(
            gate: gate, ledger: consent.ledger, log: log, sendReceipt: signer.sendEnd)
        let outboxReporter = OutboxReporter(
            queue: queue, damage: damage, topics: topics, reportGrantEnd: grantEnds.reportEnd)
        queue.onSettled { envelope, fate in
            help.broker.settled(envelope, fate)
            if case .postponed = fate {
            } else {
                heartbeats.settled(envelope.id)
            }
            outboxReporter.report(fate, of: envelope)
        }
        let outbox = try OutboxWriter(
            path: settings.gateway.stateDirectory + "/outbox.sqlite", queue: queue,
            limits: OutboxWriter.Limits(settings.outbox), marks: marks,
            open: gate.snapshot.open(asOf: consent.ledger.mark.sequence),
            gap: { OutboxReporter.gapMessage($0, for: $1, topics) }, report: outboxReporter.report)
        self.outbox = outbox
        self.consent = ConsentRegister(
            gate: gate, queue: queue, outbox: outbox, broker: broker, status: status, writer: keeper,
            clock: clockTrust, health: health, log: log, persons: { [running] in running.settings.persons })
        history = try HistoryKeeper(settings, marks: marks, damage: damage)
        dashboard = DashboardSession(
            settings, version: Gateway.version, gate: gate, roster: roster, health: health, log: log)
        let place = PassingPlace(
            directory: settings.gateway.stateDirectory, gateway: settings.gateway.id, boot: boot, marks: marks)
        passings = try Gateway.passingRecord(in: place, of: runs.book, health, log) {
            Gateway.tell($0, feed, gate, queue, topics)
        }
        let clockRecord = ClockRecord(passings)
        self.clockRecord = clockRecord
        let raceTime = RaceTime { clockRecord.note($0.mark) }
        self.raceTime = raceTime
        (self.keeper, self.alarmFile) = (keeper, alarmFile)
        alarmRecords = AlarmRecords(writer: keeper)
        self.heartbeats = heartbeats
        drills = DrillService(settings, inbox: inbox, damage: damage) { [running] in
            running.settings.personsToHelp(by: gate)
        }
        (self.log, self.topics, self.feed) = (log, topics, feed)
        (self.inbox, self.gate, self.queue) = (inbox, gate, queue)
        (self.health, self.help, self.house) = (health, help, house)
    }

    private static func log(_ condition: HealthCondition, _ isRaised: Bool, to log: Logger) {
        let declaration = condition.code.declaration
        var metadata: Logger.Metadata = ["code": "\(condition.code.rawValue)"]
        if let subject = condition.subject { metadata["subject"] = "\(subject)" }
        guard isRaised else {
            log.notice("condition cleared", metadata: metadata)
            return
        }
        metadata["title"] = "\(declaration.title)"
        metadata["remedy"] = "\(declaration.remedy)"
        log.log(
            level: declaration.severity == .notice ? .notice : .warning, "condition raised", metadata: metadata)
    }

    func announceStatus() { status.publishStatus(health.conditions) }
}
