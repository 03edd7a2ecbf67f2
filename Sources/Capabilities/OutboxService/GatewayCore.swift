package import Consent
package import Contract
package import GatewayModel
package import Hub
package import Logging
package import RealTime
package import Settings
package import Vault

/// Parts that every capability uses: the settings that run, the wearables, consent, the outbox, conditions and events.
package struct GatewayCore: Sendable {
    /// Names of the parts that all capabilities share.
    package static let names = CapabilityNames(
        settings: ["gateway"],
        conditions: [.consoleUnavailable, .inputSetAside, .storageDamaged, .storageUnavailable])

    package let version: String
    /// Returns the settings as they are now.
    package let settings: @Sendable () -> GatewaySettings
    package let roster: DeviceRoster
    package let topics: Topics
    package let feed: Feed
    /// News for people outside that are no emergency.
    package let notices = NoticeInbox()
    /// Marks of the files in the state directory.
    package let marks: StateMarks
    package let gate: ConsentGate
    package let broker: BrokerSwitch
    package let queue: OutboundQueue
    /// Wakes the outbox's thread.
    package let outboxWork: Wakeup
    /// Signalled when messages wait for the outbox's thread that nobody watches.
    package let outboxWatch: Wakeup
    package let status: StatusPublisher
    package let damage: StateDamage
    package let poison: PoisonGuard
    /// State that survives a restart, and its only writer.
    package let database: StateDatabase
    package let writer: StateWriter
    /// File of the open alarms.
    package let alarmFile: AlarmStateFile
    package let log: Logger

    /// - Parameters:
    ///   - settings: returns the settings as they are now.
    ///   - boot: start of the machine.
    ///   - ledger: file of the decisions about consent.
    ///   - isClockTrusted: returns whether the clock has been synchronised for long enough to be believed.
    ///
    /// Blocking I/O. Errors: the kernel has no descriptor left.
    package init(
        version: String, settings: @escaping @Sendable () -> GatewaySettings, boot: String, marks: StateMarks,
        gate: ConsentGate, ledger: LedgerFile, isClockTrusted: @escaping @Sendable () -> Bool, log: Logger
    ) throws {
        let start = settings()
        let directory = start.gateway.stateDirectory
        let (roster, topics) = (DeviceRoster(start.wearables), Topics(gateway: start.gateway.id))
        let feed = try Feed()
        let broker = BrokerSwitch(isOpen: gate.isAnythingAccepted)
        let (outboxWork, outboxWatch) = (try Wakeup(), try Wakeup())
        let queue = OutboundQueue(
            gate: gate, wake: broker.wake, wakeDisk: { outboxWork.signal() },
            wakeWatch: { outboxWatch.signal() }, isTimeSure: isClockTrusted)
        let status = StatusPublisher(version: version, roster: roster, queue: queue, gate: gate, topics: topics)
        let health = HealthBoard(log: log, feed: feed) { status.publishStatus($0) }
        damage = StateDamage(health: health, log: log)
        poison = PoisonGuard(
            recordingAt: start.gateway.controlSocket + ".handling",
            file: SetAsideFile(stateDirectory: directory), log: log
        ) { health.set($0, true) }
        database = StateDatabase(in: directory, marks: marks) { [damage] in damage.report($0) }
        alarmFile = AlarmStateFile(path: directory + "/alarms.json", boot: boot, marks: marks)
        writer = try StateWriter(
            ledger: ledger, alarms: alarmFile, database: database, boot: boot, reportingTo: damage)
        if let reason = marks.damage { damage.report(.marks, because: reason) }
        (self.version, self.settings, self.marks, self.gate, self.log) = (version, settings, marks, gate, log)
        (self.roster, self.topics, self.feed) = (roster, topics, feed)
        (self.broker, self.queue, self.status) = (broker, queue, status)
        (self.outboxWork, self.outboxWatch) = (outboxWork, outboxWatch)
    }

    package var health: HealthBoard { damage.health }
    package var gateway: GatewayID { topics.gateway }
    package var stateDirectory: String { settings().gateway.stateDirectory }

    /// Publishes the status with the conditions that hold now.
    package func announceStatus() { status.publishStatus(health.conditions) }
}
