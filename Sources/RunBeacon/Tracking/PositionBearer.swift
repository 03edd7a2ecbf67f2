public import GatewayModel

/// What brings positions that are a runner's.
public enum PositionBearer: Hashable, Sendable {
    /// This box, which the runner carries.
    case box
    /// The wearables of a person of the house.
    case person(PersonID)
}

extension Run {
    /// Whose the positions are that this box may be brought.
    func bearers(of gateway: GatewayID) -> [PositionBearer: Bib] {
        var bearers: [PositionBearer: Bib] = [:]
        for participant in participants {
            if participant.carries == gateway { bearers[.box] = participant.bib }
            if let person = participant.person { bearers[.person(person)] = participant.bib }
        }
        return bearers
    }
}
