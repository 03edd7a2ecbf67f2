import Alarms
import Consent
import GatewayModel
import Hub
import Logging
import OutboxService
import RealTime
import Settings
import Vault

// What a person asks about their own data. On the control thread; answered by the threads with the disks.
extension Gateway {
    func myData(_ request: ControlRequest, _ reply: @escaping ControlAnswer) {
        guard let person = Self.subject(of: request, reply) else { return }
        let start = Int(max(request.from ?? 0, 0))
        let decisions = gate.snapshot.entries.filter { $0.decision.person == person }
        let devices = roster.wearables.filter { $0.person == person }.map {
            MyDataPage.Device(id: $0.id.text, address: "\($0.address)")
        }
        let isHistoryKept = history != nil
        let gateway = settings.gateway.id
        alarmRecords.export(of: person) { [outbox] result in
            switch result {
            case .failure(let failure): reply(.refused("the alarms cannot be read: \(failure)"))
            case .success(let alarms):
                outbox.count(of: person) { unsent in
                    let page = MyDataPage(
                        from: start, decisions: decisions, alarms: alarms, devices: devices, unsent: unsent,
                        isHistoryKept: isHistoryKept, gateway: gateway)
                    reply(ControlReply(isDone: true, lines: [], myData: page))
                }
            }
        }
    }

    /// One store after the other; what fails is told, and the others go on.
    func eraseMyData(_ request: ControlRequest, _ reply: @escaping ControlAnswer) {
        guard let person = Self.subject(of: request, reply) else { return }
        log.notice("the data of a person is erased", metadata: ["by": "\(request.callerName)"])
        eraseHistory(of: person) { [self] history in
            outbox.erase(readingsOf: person) { [self] unsent in
                alarmRecords.erase(of: person) { alarms in
                    let steps = [history, Self.step(unsent: unsent), Self.step(alarms: alarms)]
                    reply(
                        ControlReply(
                            isDone: steps.allSatisfy(\.isDone), lines: steps.map(\.line)))
                }
            }
        }
    }

    private struct Step {
        let isDone: Bool
        let line: String
    }

    private func eraseHistory(of person: PersonID, _ done: @escaping @Sendable (Step) -> Void) {
        guard let history else {
            return done(
                Step(
                    isDone: true,
                    line: "no history is kept now; a file of an earlier time is erased by deleting it"))
        }
        history.inbox.ask(
            .erase(person) { result in
                switch result {
                case .success(let rows): done(Step(isDone: true, line: "history: \(rows) rows erased"))
                case .failure(let failure):
                    done(Step(isDone: false, line: "history: NOT ERASED, ask again: \(failure)"))
                }
            })
    }

    private static func step(unsent: Int?) -> Step {
        guard let unsent else {
            return Step(isDone: false, line: "unsent readings: NOT ERASED, the disk fails; ask again")
        }
        return Step(isDone: true, line: "unsent readings: \(unsent) erased")
    }

    private static func step(alarms: Result<AlarmJournal.Erased, DiskFailure>) -> Step {
        switch alarms {
        case .failure(let failure):
            Step(isDone: false, line: "records of alarms: NOT ERASED, ask again: \(failure)")
        case .success(let erased) where erased.spared > 0:
            Step(
                isDone: true,
                line:
                    "records of alarms: \(erased.count) erased; \(erased.spared) stay, of alarms that are open")
        case .success(let erased):
            Step(isDone: true, line: "records of alarms: \(erased.count) erased")
        }
    }

    /// Also somebody who has moved out: what was kept of them is theirs still.
    private static func subject(
        of request: ControlRequest, _ reply: @escaping ControlAnswer
    ) -> PersonID? {
        guard let person = request.person.flatMap({ PersonID($0) }) else {
            reply(.refused("say of whom, with --person ID; expected \(PersonID.form)"))
            return nil
        }
        return person
    }
}
