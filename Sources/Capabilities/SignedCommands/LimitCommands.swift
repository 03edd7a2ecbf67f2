import Alarms
import CloudCommands
import Contract
import GatewayModel
import Hub
import RealTime
import SOSLocal
import Settings
import Vault

/// Commands that move limits of the alarms. A move that makes an alarm less likely waits for a yes of the house; every
/// other one holds at once.
struct LimitCommands: Sendable {
    private let commanded: CommandedSettings
    private let questions: LimitQuestions
    private let receipts: ReceiptSigner
    private let inbox: SOSInbox
    private let persons: @Sendable () -> [GatewaySettings.Person]

    /// - Parameter persons: those of the settings that run now.
    init(
        commanded: CommandedSettings, questions: LimitQuestions, receipts: ReceiptSigner, inbox: SOSInbox,
        persons: @escaping @Sendable () -> [GatewaySettings.Person]
    ) {
        (self.commanded, self.questions, self.receipts) = (commanded, questions, receipts)
        (self.inbox, self.persons) = (inbox, persons)
    }

    var handlers: [CommandKind: SettingHandler] {
        [
            .thresholds: { command in
                guard case .thresholds(let thresholds) = command.command else {
                    return .refused(.unsupported(command.kind))
                }
                return move(thresholds, command.name)
            }
        ]
    }

    private static let busy = CommandRefusal(.busy, "other limits are being written: send it again later")

    private func plan(of person: PersonID) -> SOSPlan? { persons().first { $0.id == person }?.plan }

    // MARK: Commands

    /// Moves limits within the bounds of the settings. A move is on the disk before it holds; an open alarm goes on.
    private func move(_ thresholds: CloudCommand.Thresholds, _ name: CommandName) -> SettingEffect {
        let (person, kind) = (thresholds.person, thresholds.kind)
        guard let plan = plan(of: person) else {
            return .refused(CommandRefusal(.unknownPerson, "no person of this id lives here"))
        }
        guard let turn = commanded.turn.take(at: Clock.boot()) else { return .refused(Self.busy) }
        let split = LimitWidening(
            thresholds.limits, of: kind, written: plan.rules, inForce: commanded.rules(of: plan))
        // A later command about the same kind is the asker's last word.
        let replaced = questions.waiting(about: person, kind)?.answered(
            .replaced, by: name.issuer.text, at: Clock.wall())
        do throws(LimitMove.Refusal) {
            // Bounds of the whole command, whatever waits.
            let whole = try commanded.propose(thresholds.limits, of: kind, for: plan)
            guard !split.widening.isEmpty else {
                return effect(
                    (whole, plan), [replaced].compactMap(\.self),
                    .done(whole.lines.joined(separator: "; ")), turn)
            }
            // The limits that only narrow hold at once, where they are possible without the others.
            let narrowed = split.rest.isEmpty ? nil : try? commanded.propose(split.rest, of: kind, for: plan)
            let waiting =
                narrowed == nil && !split.rest.isEmpty
                ? moves(thresholds.limits, of: kind, plan) : split.widening
            let question = LimitQuestion(
                questions.next, person: person, kind: kind, moves: waiting, name: name, asked: Clock.wall())
            return effect(
                narrowed.map { ($0, plan) }, [replaced, question].compactMap(\.self),
                .waits("it makes an alarm less likely, and waits for a yes in the house: \(question.line)"),
                turn)
        } catch {
            commanded.turn.give(turn)
            return .refused(CommandRefusal(.outOfBounds, error.text))
        }
    }

    /// All limits of a command as moves from the figures in force.
    private func moves(
        _ requested: [LimitSlot: Double?], of kind: QuantityKind, _ plan: SOSPlan
    ) -> [LimitQuestion.Move] {
        let inForce = commanded.rules(of: plan)
        return requested.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { slot, limit in
            func figure(_ rules: [LimitRule]) -> Double? {
                rules.first { $0.kind == kind && $0.slot == slot }?.limit
            }
            guard let from = figure(inForce), let to = limit ?? figure(plan.rules) else { return nil }
            return LimitQuestion.Move(slot: slot, from: from, to: to, isBack: limit == nil)
        }
    }

    /// - Parameters:
    ///   - next: values to hold, and the plan that they change; nil where none changes.
    ///   - changed: questions that are new, or answered.
    ///   - turn: given back when the effect holds.
    private func effect(
        _ next: (proposal: LimitProposal, plan: SOSPlan)?, _ changed: [LimitQuestion],
        _ outcome: CommandJournal.Outcome, _ turn: ChangeTurn.Ticket
    ) -> SettingEffect {
        let kept = questions.keeping(changed)
        let told = changed.compactMap(\.told).compactMap(receipts.makeReceipt)
        let rows = (next?.proposal.rows ?? []) + kept.rows + told.map { .put(.receipt, $0.row) }
        return .change(
            rows, outcome,
            hold: { [commanded, inbox, questions, receipts] in
                questions.hold(kept.questions)
                if let next {
                    commanded.hold(next.proposal)
                    let rules = commanded.rules(of: next.plan)
                    inbox.submit(.limits(next.plan.person, rules), at: Clock.boot())
                }
                commanded.turn.give(turn)
                told.forEach(receipts.send)
            })
    }

    // MARK: Answers of the house

    /// Determines the effect of an answer. Called by the service of commands, between two commands.
    func answer(
        _ verdict: LimitAnswer.Verdict, about person: PersonID, _ kind: QuantityKind, by name: String
    ) -> SettingEffect {
        guard let question = questions.waiting(about: person, kind) else {
            return .refused(
                CommandRefusal(
                    .notPossible,
                    "no change of \(kind.rawValue) of '\(person)' waits for an answer; see: homegateway limits list"
                ))
        }
        guard verdict == .expired || questions.mayAnswer(for: person, by: name) else {
            return .refused(
                CommandRefusal(
                    .notAllowed,
                    "the settings say who decides for '\(person)' (decided_by), and this name is not among them; say "
                        + "who decides with --by"))
        }
        guard let turn = commanded.turn.take(at: Clock.boot()) else { return .refused(Self.busy) }
        let answered = question.answered(verdict, by: name, at: Clock.wall())
        // A refusal and the end of the time need no person in the settings: somebody may have moved out.
        guard verdict == .accepted else { return effect(nil, [answered], .done(answered.line), turn) }
        guard let plan = plan(of: person) else {
            commanded.turn.give(turn)
            return .refused(CommandRefusal(.unknownPerson, "no person '\(person)' in the settings"))
        }
        do throws(LimitMove.Refusal) {
            let next = try commanded.propose(question.limits, of: kind, for: plan)
            return effect((next, plan), [answered], .done(answered.line), turn)
        } catch {
            commanded.turn.give(turn)
            return .refused(
                CommandRefusal(.outOfBounds, "the limits no longer fit the others, refuse them: \(error.text)"))
        }
    }

    /// Returns the questions with no answer in time. The caller's clock is trusted.
    func lapsed(at now: WallTime) -> [(PersonID, QuantityKind)] {
        questions.all.filter { $0.answer == nil && $0.hasLapsed(at: now) }.compactMap { question in
            PersonID(question.person).map { ($0, question.kind) }
        }
    }
}
