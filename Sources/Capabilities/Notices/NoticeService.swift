package import Alarms
import Consent
package import GatewayModel
import HelpLine
package import Hub
import Logging
package import OutboxService
import RealTime
import SOSLocal
import Settings
import Synchronization
import Vault

/// Notices to people outside the house: news of the supervision, and news that other parts have posted.
///
/// All decisions and hand-overs are made on the care thread. A channel takes a notice at once, and reports its outcome on
/// its own thread, where the next round takes it.
package final class NoticeService: Capability {
    package static let names = CapabilityNames(topics: ["notices"])

    private let machine: Mutex<NoticeMachine>
    private let core: GatewayCore
    private let help: HelpService
    private let openAlarms: OpenAlarms

    /// Restores the matters that were told in the last run. Blocking I/O.
    package init(_ core: GatewayCore, help: HelpService, openAlarms: OpenAlarms) {
        var records: [NoticeRecord] = []
        do throws(DiskFailure) {
            records = try core.database.rows(of: .notice).compactMap { $0.decoded() }
        } catch {
            core.log.error("the notices of the last run cannot be restored", metadata: ["reason": "\(error)"])
        }
        var random = SystemRandomNumberGenerator()
        machine = Mutex(NoticeMachine(of: core.gateway, resuming: records, seed: random.next()))
        (self.core, self.help, self.openAlarms) = (core, help, openAlarms)
    }

    package var careTasks: [CareTask] { [CareTask { [self] in look(at: $0) }] }

    private func look(at now: Moment) {
        for (message, channel, outcome) in help.takeNoticeOutcomes() {
            record(outcome, of: message.notice.id, to: message.target(of: channel), at: now.boot)
        }
        let situation = situation(at: now)
        for notice in core.notices.take() {
            perform(machine.withLock { $0.post(notice, in: situation) })
        }
        perform(machine.withLock { $0.tick(situation) })
    }

    private func situation(at now: Moment) -> NoticeMachine.Situation {
        let (settings, gate) = (core.settings(), core.gate)
        let persons = settings.persons.map { person in
            let recipients = NoticeRecipients(of: person, channels: settings.channels)
            return (
                person.id,
                NoticeMachine.Situation.Person(
                    name: person.profile.name, mayTell: gate.holds(.automatedSOS, for: person.id),
                    mayAsk: gate.holds(.dataPolicy, for: person.id), carers: recipients.carers,
                    deciders: recipients.deciders)
            )
        }
        let findings = NoticeFinding.all(
            of: core.health.conditions,
            persons: settings.persons.map {
                NoticeFinding.Person(id: $0.id, name: $0.profile.name, channels: $0.plan.ways.channels)
            },
            wearers: Dictionary(core.roster.wearables.map { ($0.id.text, $0.person) }) { first, _ in first })
        return NoticeMachine.Situation(
            now: now, isAwake: settings.house.wakingHours.contains(LocalTime(now.wall).time),
            isAlarmOpen: openAlarms.count > 0, patience: settings.sos.noticesAfter, findings: findings,
            persons: Dictionary(persons) { first, _ in first })
    }

    private func perform(_ outcome: NoticeMachine.Outcome) {
        // Before the sending: a notice that has left is not told again after a kill.
        core.writer.put(outcome.rows)
        for begun in outcome.begun {
            core.log.info(
                "notice", metadata: ["matter": "\(begun.matter)", "phase": "\(begun.phase.rawValue)"])
        }
        for delivery in outcome.deliveries { deliver(delivery) }
    }

    private func deliver(_ delivery: NoticeMachine.Delivery) {
        let settings = core.settings()
        guard let person = settings.persons.first(where: { $0.id == delivery.notice.person }) else {
            return fail(delivery, because: "the person is not in the settings any more")
        }
        let channel: ChannelID
        var phone: String?
        switch delivery.target {
        case .channel(let id): channel = id
        case .phone(let number):
            let usable = Set(help.usableChannels)
            let ways = NoticeRecipients(of: person, channels: settings.channels).textChannels
                .filter(usable.contains)
            guard !ways.isEmpty else { return fail(delivery, because: "no channel can send a text") }
            // The next one after a failure.
            (channel, phone) = (ways[delivery.failures % ways.count], number)
        }
        let message = NoticeMessage(delivery.notice, of: person.profile, phone: phone)
        do throws(ConsentGate.Withheld) {
            let cleared = try core.gate.clear(message)
            guard help.send(cleared, through: channel) else {
                return fail(delivery, because: "there is no channel \(channel) any more")
            }
        } catch {
            // A withdrawal of this instant; the next round forgets the matter.
            fail(delivery, because: Dispatcher.termsMissing)
        }
    }

    private func fail(_ delivery: NoticeMachine.Delivery, because reason: String) {
        record(.failed(reason: reason), of: delivery.notice.id, to: delivery.target, at: Clock.boot())
    }

    private func record(
        _ outcome: NoticeOutcome, of id: MessageID, to target: NoticeTarget, at now: BootInstant
    ) {
        let (rows, isNews) = machine.withLock {
            $0.ended(id, target, isHandedOver: outcome == .handedOver, at: now)
        }
        core.writer.put(rows)
        guard case .failed(let reason) = outcome, isNews else { return }
        core.log.warning(
            "a notice does not leave, and is tried again",
            metadata: ["notice": "\(id)", "reason": "\(reason)"])
    }

    // MARK: Status

    package var statusLines: [String] {
        let settings = core.settings()
        let lines = settings.persons.flatMap { person -> [String] in
            let terms =
                core.gate.holds(.automatedSOS, for: person.id)
                ? [] : ["\(person.id): no news leaves before the AutomatedSOS terms are accepted"]
            return NoticeRecipients(of: person, channels: settings.channels).lines + terms
        }
        let waiting = machine.withLock(\.waiting)
        return lines + (waiting == 0 ? [] : ["\(waiting) notices wait for a recipient"])
    }

    // MARK: A person's data

    package func collectData(
        of person: PersonID, into data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void
    ) {
        var data = data
        data.add("notices", machine.withLock { $0.records(of: person) })
        done(.success(data))
    }

    package func eraseData(of person: PersonID, _ done: @escaping @Sendable ([ErasureStep]) -> Void) {
        let (rows, spared) = machine.withLock { $0.erase(person) }
        core.writer.commit(rows) { failure in
            guard let failure else {
                let stays = spared > 0 ? "; \(spared) stay, of matters that go on" : ""
                return done([ErasureStep(isDone: true, line: "notices: \(rows.count) erased\(stays)")])
            }
            done([ErasureStep(isDone: false, line: "notices: NOT ERASED, ask again: \(failure)")])
        }
    }
}

extension NoticeMessage {
    fileprivate func target(of channel: ChannelID) -> NoticeTarget {
        phone.map(NoticeTarget.phone) ?? .channel(channel)
    }
}
