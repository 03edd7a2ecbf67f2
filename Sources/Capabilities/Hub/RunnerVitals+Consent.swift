package import Consent
import Contract
package import ControlContract
package import GatewayModel

extension RunnerVitals {
    /// - Parameter latest: returns the last reading of the person of a kind.
    package init(
        of person: PersonID, for party: PartyID, by gate: ConsentGate, at now: Moment,
        latest: (QuantityKind) -> Reading?
    ) {
        var values: [Value] = []
        var withheld: [Withheld] = []
        for kind in Self.kinds {
            let reading = latest(kind)
            let shares = reading.map { gate.clearShares(of: $0, at: now.wall) } ?? []
            // Only readings that the consent gate has cleared are shown.
            if let share = shares.first(where: { $0.value.grant.party.id == party })?.value.value {
                values.append(Value(share, at: now))
            } else {
                withheld.append(
                    Withheld(kind: kind, reason: Self.reason(kind, of: person, for: party, gate, at: now.wall)))
            }
        }
        self.init(party: party.text, values: values, withheld: withheld)
    }

    private static func reason(
        _ kind: QuantityKind, of person: PersonID, for party: PartyID, _ gate: ConsentGate, at wall: WallTime
    ) -> String {
        let requests = gate.snapshot.requests.values.filter {
            $0.request.person == person && $0.party.id == party && $0.request.kinds.contains(.quantity(kind))
        }
        if requests.contains(where: { $0.grant?.isOpen(at: wall) == true }) {
            return "granted, and nothing was measured that it covers"
        }
        guard let last = requests.max(by: { $0.latest.sequence < $1.latest.sequence }) else {
            return
                "not shown: \(party) has not asked \(person) for it; a request for \(kind.rawValue) has to come, "
                + "and be accepted"
        }
        return "not shown: request \(last.request.id) \(last.stateInWords); see: homegateway consent show "
            + last.request.id.text
    }
}

extension RunnerVitals.Value {
    fileprivate init(_ reading: Reading, at now: Moment) {
        self.init(
            kind: reading.quantity.kind, value: reading.quantity.value,
            unit: reading.quantity.kind.coding.unit, measured: reading.measured.rfc3339,
            ageMs: reading.arrival.boot.duration(to: now.boot).wholeMilliseconds)
    }
}
