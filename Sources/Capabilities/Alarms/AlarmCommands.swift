import CloudCommands
import ControlContract
import GatewayModel
import Hub
import RealTime
import SOSLocal

/// Carries out commands that end an alarm or begin a drill.
struct AlarmCommands: Sendable {
    let inbox: SOSInbox

    var handlers: [CommandKind: CommandHandler] {
        [.abort: carryOut, .resolve: carryOut, .drill: carryOut]
    }

    private func carryOut(_ command: VerifiedCommand) async -> CommandJournal.Outcome {
        let act = PersonAct(by: command.by, means: .command)
        return switch command.command {
        case .abort(let target): await end(.abort(target, act), "cancelled")
        case .resolve(let target): await end(.resolve(target, act), "resolved")
        case .drill(let person): await drill(of: person, act)
        default: .refused(.unsupported(command.kind))
        }
    }

    /// - Returns: nil where the SOS thread does not answer, which it does at once.
    private func actions(after event: SOSEvent) async -> [SOSAction]? {
        await withTimeout(DiskQueue.standardLimit) { done in
            inbox.ask(event, at: Clock.boot()) { done($0) }
        }
    }

    private static let unanswered = CommandJournal.Outcome.refused(
        CommandRefusal(.notPossible, "the rules do not answer; it may still be done: look before you ask anew"))

    private func end(_ event: SOSEvent, _ done: String) async -> CommandJournal.Outcome {
        guard let actions = await actions(after: event) else { return Self.unanswered }
        let reply = ControlReply<NoDocument>(to: actions, done: done)
        let words = reply.lines.joined(separator: "; ")
        return reply.isDone ? .done(words) : .refused(CommandRefusal(Self.reason(of: actions), words))
    }

    private func drill(of person: PersonID, _ act: PersonAct) async -> CommandJournal.Outcome {
        let now = Clock.moment()
        let drill = Drill(id: .random(at: now.wall), person: person, act: act, arrival: now)
        guard let actions = await actions(after: .drill(drill)) else { return Self.unanswered }
        if let refusal = actions.firstRefusal {
            return .refused(CommandRefusal(Self.reason(of: actions), refusal.inWords))
        }
        let alarm = actions.compactMap { if case .annunciate(let notice) = $0 { notice.alarm } else { nil } }
            .first
        return alarm.map { .done("alarm \($0)") }
            ?? .refused(CommandRefusal(.notPossible, "a drill of this person goes on already"))
    }

    private static func reason(of actions: [SOSAction]) -> CommandRefusal.Reason {
        switch actions.firstRefusal {
        case .unknownAlarm: .unknownAlarm
        case .unknownPerson: .unknownPerson
        case .nothingOpen: .nothingOpen
        case .notAllowed: .notAllowed
        default: .notPossible
        }
    }
}

extension [SOSAction] {
    fileprivate var firstRefusal: Alarm.Refusal? {
        lazy.compactMap { if case .refuse(let refusal) = $0 { refusal } else { nil } }.first
    }
}
