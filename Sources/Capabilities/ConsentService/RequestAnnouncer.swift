import Alarms
import GatewayModel
import HouseAlarm
import Hub
import Logging
import OutboxService
import Settings
import Synchronization
import Vault

/// Tells the house and the deciders of questions that wait for an answer: requests of third parties, and commands that
/// widen limits.
final class RequestAnnouncer: Sendable {
    private let plan: Mutex<RequestNoticePlan>
    private let core: GatewayCore
    private let house: HouseService
    private let openAlarms: OpenAlarms
    private let questions: @Sendable () -> [HouseQuestion]

    /// Restores the state of the last run. Where it cannot be read, the house is told anew. Blocking I/O.
    ///
    /// - Parameter questions: returns all that wait.
    init(
        _ core: GatewayCore, house: HouseService, openAlarms: OpenAlarms,
        questions: @escaping @Sendable () -> [HouseQuestion]
    ) {
        var rows: [StateRow] = []
        do throws(DiskFailure) {
            rows = try core.database.rows(of: .requestNotice)
        } catch {
            core.log.error(
                "the notices of waiting requests cannot be restored", metadata: ["reason": "\(error)"])
        }
        plan = Mutex(RequestNoticePlan(rows))
        (self.core, self.house, self.openAlarms, self.questions) = (core, house, openAlarms, questions)
    }

    /// Says the words that are due. Call about once a second.
    func look(at now: WallTime) {
        let situation = RequestNoticePlan.Situation(
            now: now, isClockSet: !core.health.conditions.contains(HealthCondition(.clockNotSet)),
            isAwake: core.settings().house.wakingHours.contains(LocalTime(now).time),
            personsInAlarm: openAlarms.owners)
        let questions = questions()
        let outcome = plan.withLock { $0.look(questions, situation) }
        for word in outcome.words {
            switch word {
            case .arrived(let question):
                question.noticeAtOnce(naming: name(question.person)).map(core.notices.post)
            case .tell(let question):
                house.say(.question(question))
                core.notices.post(question.notice(naming: name(question.person)))
            }
        }
        core.writer.put(outcome.rows)
    }

    private func name(_ person: PersonID) -> String {
        core.settings().persons.first { $0.id == person }?.profile.name ?? person.text
    }
}

// A text crosses the networks of others: it names no purpose, no figure and, of a request, no kind of reading.
extension HouseQuestion {
    /// Notice for those who decide with the person.
    func notice(naming name: String) -> Notice {
        switch matter {
        case .request(let asked):
            Notice(
                about: person, id, to: .deciders, .wakingHours,
                Text(
                    en: "\(asked.party) asks for data of \(name). Nothing is sent until somebody accepts. "
                        + "At the box: homegateway consent show \(asked.id)",
                    it:
                        "\(asked.party) chiede i dati di \(name). Niente viene inviato finché qualcuno non accetta. "
                        + "Alla centralina: homegateway consent show \(asked.id)"))
        case .limits(let issuer, let kind, _):
            Notice(
                about: person, id, to: .deciders, .wakingHours, text(issuer, kind, name))
        }
    }

    /// Notice for the carers that a protection of the person may become weaker; nil for a request.
    func noticeAtOnce(naming name: String) -> Notice? {
        guard case .limits(let issuer, let kind, _) = matter else { return nil }
        return Notice(
            about: person, id, to: .carers, .atOnce, text(issuer, kind, name))
    }

    private func text(_ issuer: IssuerID, _ kind: QuantityKind, _ name: String) -> Text {
        Text(
            en:
                "\(issuer) asks to sound the alarm of \(name) less readily (\(kind.words(in: .english).title.lowercased())). "
                + "Nothing changes until somebody accepts. At the box: homegateway limits list",
            it:
                "\(issuer) chiede che l'allarme di \(name) suoni meno facilmente (\(kind.words(in: .italian).title.lowercased())). "
                + "Niente cambia finché qualcuno non accetta. Alla centralina: homegateway limits list")
    }
}
