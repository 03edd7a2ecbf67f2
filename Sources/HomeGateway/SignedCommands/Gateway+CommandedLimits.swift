import Alarms
import CloudCommands
import GatewayModel
import Hub
import RealTime
import SOSLocal
import Settings

// Limits that a signed command moves.
extension Gateway {
    /// Within the bounds of the settings, on the disk before it holds. An alarm that is open goes on.
    func move(_ thresholds: CloudCommand.Thresholds, _ disk: PatientDisk) async -> CommandBook.Outcome {
        guard let plan = settings.persons.first(where: { $0.id == thresholds.person })?.plan else {
            return .refused(CommandRefusal(.unknownPerson, "no person of this id lives here"))
        }
        // What the settings say, with what was moved before and what is moved now; null takes a move back.
        var limits = commanded.moves(of: plan).first { $0.kind == thresholds.kind }?.limits ?? [:]
        for (slot, limit) in thresholds.limits { limits[slot] = limit }
        let move = LimitMove(thresholds.kind, limits)
        do throws(LimitMove.Refusal) {
            _ = try move.applied(to: plan.rules)
        } catch {
            return .refused(CommandRefusal(.outOfBounds, error.text))
        }
        let written = plan.rules.filter { $0.kind == thresholds.kind }
        let isKept = await disk.perform { [commanded] in
            (try? commanded.change { $0.keep(move, insteadOf: written, of: thresholds.person) }) != nil
        }
        guard isKept == true else {
            return .refused(.notKept)
        }
        inbox.submit(.limits(plan.person, commanded.rules(of: plan)), at: Clock.boot())
        return .done(commanded.lines(of: plan).joined(separator: "; "))
    }

    /// What holds instead of the settings, for people.
    var commandedLines: [String] { settings.persons.flatMap { commanded.lines(of: $0.plan) } }
}

extension CommandedSettings.Content {
    mutating func keep(_ move: LimitMove, insteadOf written: [LimitRule], of person: PersonID) {
        var kept: [String: CommandedSettings.Instead<Double>] = [:]
        for rule in written {
            guard let limit = move.limits[rule.slot] else { continue }
            kept[rule.slot.rawValue] = CommandedSettings.Instead(value: limit, of: rule.limit)
        }
        limits = limits ?? [:]
        limits?[person.text, default: [:]][move.kind.rawValue] = kept.isEmpty ? nil : kept
    }
}

extension CommandedSettings {
    /// `maria: heart-rate high is 140.0 by command, 131.0 in the settings`
    func lines(of plan: SOSPlan) -> [String] {
        moves(of: plan).flatMap { move in
            plan.rules.filter { $0.kind == move.kind }.compactMap { rule in
                move.limits[rule.slot].map {
                    "\(plan.person): \(move.kind.rawValue) \(rule.slot.rawValue) is \($0) by command, \(rule.limit) in the settings"
                }
            }
        }
    }
}
