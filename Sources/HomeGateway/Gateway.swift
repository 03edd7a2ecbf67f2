import Consent
import Contract
import GatewayModel
import Logging
import RealTime
import SOSLocal
import Settings
import Synchronization
import Vault

/// The daemon: every part made once and wired.
///
/// A reading goes to the SOS inbox first, on the thread that received it; consent, encoding, queue and
/// broker come after, and cannot hold it up.
final class Gateway: Sendable {
    static let version = "0.1.0"

    let settings: GatewaySettings
    /// Where they were read, and are read again from.
    let settingsFile: String
    let roster: DeviceRoster
    let log: Logger
    let topics: Topics
    let feed: Mailbox<FeedEvent>
    let inbox: SOSInbox
    let gate: ConsentGate
    let queue: OutboundQueue
    let health: HealthBoard
    let annunciator: Annunciator
    let dispatcher: Dispatcher
    let spool: Spool
    let isUnsentKept = Mutex(false)

    init(settings: GatewaySettings, settingsFile: String, log: Logger) throws {
        self.settingsFile = settingsFile
        roster = DeviceRoster(settings.wearables)
        let topics = Topics(gateway: settings.gateway.id)
        let names = Dictionary(uniqueKeysWithValues: settings.persons.map { ($0.id, $0.name) })
        let feed = try Mailbox<FeedEvent>(bound: ControlServer.feedBound)
        let inbox = try SOSInbox()
        let gate = Gateway.gate(for: settings.persons)
        let queue = OutboundQueue(gate: gate)
        let annunciator = try Annunciator(names: names) { alarm, instant in
            inbox.submit(.annunciated(alarm), at: instant)
        }
        let channel = MQTTChannel(
            gate: gate, queue: queue, topics: topics, names: names,
            reports: MQTTChannel.Reports(
                toMachine: { inbox.submit($0, at: Clock.boot()) }, toFeed: { feed.put($0) },
                nobodyCalled: { annunciator.say(.nobodyCalled($0, reason: $1)) }))
        queue.onSettled { envelope, fate in channel.settled(envelope, fate) }
        dispatcher = try Dispatcher(through: channel)
        health = HealthBoard { condition, isRaised, all in
            Gateway.log(condition, isRaised, to: log)
            feed.put(.health(condition, isRaised: isRaised, at: Clock.moment()))
            Gateway.announce(all, through: queue, gate, topics)
        }
        spool = Spool(path: settings.gateway.stateDirectory + "/unsent.jsonl")
        (self.settings, self.log, self.topics, self.feed) = (settings, log, topics, feed)
        (self.inbox, self.gate, self.queue, self.annunciator) = (inbox, gate, queue, annunciator)
    }

    /// The ledger as the settings found the persons, before any command.
    private static func gate(for persons: [GatewaySettings.Person]) -> ConsentGate {
        let gate = ConsentGate(ledger: ConsentLedger(persons: Set(persons.map(\.id))))
        let now = Clock.wall()
        for person in persons {
            let accepted: [(ConsentSubject, GatewaySettings.Acceptance)] = [
                (.dataPolicy, person.dataPolicy), (.automatedSOS, person.automatedSOS),
            ]
            for (subject, acceptance) in accepted where acceptance == .accepted {
                // Refused only for strangers or AutomatedSOS alone; the settings have neither.
                _ = try? gate.record(
                    ConsentDecision(
                        person: person.id, subject: subject, verdict: .accepted, by: "settings file",
                        means: .settings, at: now))
            }
        }
        return gate
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

    /// The retained word about the box, with what is wrong now.
    private static func announce(
        _ conditions: [HealthCondition], through queue: OutboundQueue, _ gate: ConsentGate, _ topics: Topics
    ) {
        let envelope = status(.online, conditions, topics)
        guard let cleared = try? gate.clear(envelope) else { return }
        queue.enqueue(cleared)
    }

    func announceStatus() {
        Gateway.announce(health.conditions, through: queue, gate, topics)
    }

    static func status(
        _ presence: Envelope.Presence, _ conditions: [HealthCondition], _ topics: Topics
    ) -> Envelope {
        let now = Clock.wall()
        return .status(
            presence, version: version, conditions: conditions, id: .random(at: now), at: now, topics: topics)
    }
}
