import CloudCommands
import GatewayModel
import Hub
import RealTime
import RunBeacon
import Settings

/// Carries out commands about runs.
struct RunCommands: Sendable {
    /// Limit for an order, which reads keys and a course, and writes two files.
    private static let timeout = Duration.seconds(5)

    let runs: RunStore
    let disk: DiskQueue
    /// Settings that run now.
    let settings: @Sendable () -> GatewaySettings
    let notices: NoticeInbox

    var handlers: [CommandKind: CommandHandler] {
        [
            .runCreate: carryOut, .runChange: carryOut, .runCancel: carryOut, .runEnrol: carryOut,
            .runLeave: carryOut,
        ]
    }

    private func carryOut(_ command: VerifiedCommand) async -> CommandJournal.Outcome {
        guard case .run(let order) = command.command else { return .refused(.unsupported(command.kind)) }
        return await carryOut(order)
    }

    private func carryOut(_ order: RunOrder) async -> CommandJournal.Outcome {
        if case .leave(let run, let bibs) = order { return await leave(run, bibs) }
        guard
            !order.entrants.contains(where: {
                $0.carries != nil && $0.carries == settings().boxKeptFromCommands
            })
        else {
            return .refused(
                CommandRefusal(
                    .notAllowed,
                    "carries: this box tells its position by command where its settings allow that: carried_by_command "
                        + "of [race]"))
        }
        let result = await disk.perform(within: Self.timeout) { [runs] in
            Result { () throws(RunRefusal) in try runs.perform(order, at: Clock.wall()) }
        }
        switch result {
        case .success(let isChanged?)?: return runs.book.outcome(of: order.run, isChanged: isChanged)
        case .success(nil)?:
            return .refused(CommandRefusal(.notKept, "the disk does not take it: ask anew later"))
        case .failure(let refusal)?: return .refused(CommandRefusal(refusal))
        case nil:
            return .refused(CommandRefusal(.notKept, "the disk does not answer; it may still be done"))
        }
    }

    /// Holds before the disk has answered: with a slow disk, too, no runner is timed after leaving.
    private func leave(_ run: RunID, _ bibs: [Bib]) async -> CommandJournal.Outcome {
        let isChanged: Bool
        let before = runs.book.runs[run]
        do throws(RunRefusal) {
            isChanged = try runs.leave(run, bibs, at: Clock.wall())
        } catch {
            return .refused(CommandRefusal(error))
        }
        if isChanged, let before { post(before, left: bibs) }
        let isKept = await disk.perform { [runs] in runs.keep() }
        guard isKept == true else {
            return .done("it holds; IT IS NOT WRITTEN DOWN yet, for the disk does not take it")
        }
        return runs.book.outcome(of: run, isChanged: isChanged)
    }

    /// Tells the carers of a runner who is a person of the house that the box does not time them any more.
    ///
    /// - Parameter run: as it was before.
    private func post(_ run: Run, left bibs: [Bib]) {
        let persons = settings().persons
        let title = run.title
        for participant in run.participants where bibs.contains(participant.bib) {
            guard let person = persons.first(where: { $0.id == participant.person }) else { continue }
            notices.post(
                Notice(
                    about: person.id, "run-left \(run.id)", to: .carers, .wakingHours,
                    Text(
                        en:
                            "\(person.profile.name) is no longer in the run \(title): the enrolment was ended, and the box "
                            + "does not time them any more.",
                        it:
                            "\(person.profile.name) non partecipa più alla corsa \(title): l'iscrizione è stata chiusa, e la "
                            + "centralina non rileva più i suoi tempi.")))
        }
    }
}

extension CommandRefusal {
    fileprivate init(_ refusal: RunRefusal) {
        self.init(Reason(rawValue: refusal.code) ?? .notPossible, "\(refusal)")
    }
}

extension RunCatalog {
    /// State of the run for the issuer: `milan: underway, 199 runners`. Names no runner.
    fileprivate func outcome(of run: RunID, isChanged: Bool) -> CommandJournal.Outcome {
        guard isChanged else { return .done("it is so already") }
        guard let found = runs[run], let state = state(of: run, at: Clock.wall()) else {
            return .done("\(run): its file is gone, \(enrolments[run]?.count ?? 0) runners were in it")
        }
        let about = warnings.filter { $0.concerns(run) }.map { "; \($0)" }.joined()
        return .done("\(run): \(state.rawValue), \(found.participants.count) runners\(about)")
    }
}
