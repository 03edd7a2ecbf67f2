import GatewayModel

/// What a position brings about.
public struct RunnersLocated: Sendable {
    /// To be told.
    public var positions: [(owner: Enrolment, position: RunnerPosition)] = []
    /// At the checkpoints between the position before and this one.
    public var passings: [RecordedPassing] = []

    public init(
        positions: [(owner: Enrolment, position: RunnerPosition)] = [], passings: [RecordedPassing] = []
    ) {
        (self.positions, self.passings) = (positions, passings)
    }
}

extension RaceTracker {
    /// A position of whoever runs in a run that is underway; anybody else's is not looked at.
    public mutating func locate(_ report: PositionReport, of bearer: PositionBearer) -> RunnersLocated {
        guard positions.bearers.contains(bearer) else { return RunnersLocated() }
        var located = RunnersLocated()
        for found in positions.take(report.dated(by: clock), of: bearer) {
            if found.isToTell { located.positions.append((owner: found.owner, position: found.position)) }
            located.passings += found.crossings.map { passing(of: $0, by: found.owner) }
        }
        return located
    }

    private func passing(of crossing: LineCrossing, by owner: Enrolment) -> RecordedPassing {
        let instant = crossing.at.boot
        let passing = crossing.passing(
            id: makeID(crossing.time), run: owner.run, bib: owner.bib, gateway: timers.gateway,
            clock: clock.time(of: instant).clock, marks: clock.flags(from: instant, to: instant))
        return RecordedPassing(
            passing, boot: boot, nearest: instant, first: instant, last: instant, passageBound: crossing.bound)
    }
}
