package import GatewayModel
package import SOSLocal
package import Vault

/// Move of a person's limits that was checked, and does not hold yet.
package struct LimitProposal: Sendable {
    package let person: PersonID
    /// Rows that keep it.
    package let rows: [StateChange]
    /// All moves of the person, as lines for people.
    package let lines: [String]
    fileprivate let content: CommandedSettings.Content
}

extension CommandedSettings {
    /// Checks a move of limits within the bounds of the settings. Take `turn` before, and give it back after the move
    /// holds or is given up.
    ///
    /// - Parameters:
    ///   - limits: nil takes a move back; a limit that is not named stays as it is.
    ///   - plan: with the limits of the settings.
    package func propose(
        _ limits: [LimitSlot: Double?], of kind: QuantityKind, for plan: SOSPlan
    ) throws(LimitMove.Refusal) -> LimitProposal {
        var next = content
        // The limits of the settings, with those that were moved before and now.
        var moved = next.moves(of: plan).first { $0.kind == kind }?.limits ?? [:]
        for (slot, limit) in limits { moved[slot] = limit }
        let move = LimitMove(kind, moved)
        _ = try move.applied(to: plan.rules)
        next.keep(move, insteadOf: plan.rules.filter { $0.kind == kind }, of: plan.person)
        return LimitProposal(
            person: plan.person, rows: next.limitChanges(of: plan.person), lines: next.lines(of: plan),
            content: next)
    }

    /// Lets a move hold that is durable.
    package func hold(_ proposal: LimitProposal) {
        hold { $0.takeLimits(of: proposal.person, from: proposal.content) }
    }
}
