package import Consent
import Contract
package import GatewayModel

/// Vital signs of a runner that one third party, such as the family, may see at an instant.
package struct RunnerVitals: Codable, Sendable {
    package struct Value: Codable, Sendable {
        package let kind: QuantityKind
        package let value: Double
        /// Unit in UCUM.
        package let unit: String
        package let measured: String
        package var ageMs: Int64

        package init(kind: QuantityKind, value: Double, unit: String, measured: String, ageMs: Int64) {
            self.kind = kind
            self.value = value
            self.unit = unit
            self.measured = measured
            self.ageMs = ageMs
        }
    }

    /// Kind that is not shown, with the reason.
    package struct Withheld: Codable, Sendable {
        package let kind: QuantityKind
        package let reason: String

        package init(kind: QuantityKind, reason: String) {
            self.kind = kind
            self.reason = reason
        }
    }

    /// Kinds that are shown of a runner.
    package static let kinds: [QuantityKind] = [.heartRate, .energyExpended]

    package let party: String
    package private(set) var values: [Value] = []
    package private(set) var withheld: [Withheld] = []

    /// - Parameter latest: returns the last reading of the person of a kind.
    package init(
        of person: PersonID, for party: PartyID, by gate: ConsentGate, at now: Moment,
        latest: (QuantityKind) -> Reading?
    ) {
        self.party = party.text
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
    }

    /// Copy without ages, for comparison.
    package var ageless: RunnerVitals {
        var vitals = self
        for index in vitals.values.indices { vitals.values[index].ageMs = 0 }
        return vitals
    }

    /// Lines for people, one for each kind.
    package var lines: [String] {
        values.map(\.line) + withheld.map { "\($0.kind.coding.title): \($0.reason)" }
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
    /// Joules of a thermochemical calorie (ISO 31-4).
    private static let joulesInCalorie = 4.184

    fileprivate init(_ reading: Reading, at now: Moment) {
        kind = reading.quantity.kind
        value = reading.quantity.value
        unit = kind.coding.unit
        measured = reading.measured.rfc3339
        ageMs = reading.arrival.boot.duration(to: now.boot).wholeMilliseconds
    }

    fileprivate var line: String {
        let calories =
            kind == .energyExpended ? " (\(Int((value / Self.joulesInCalorie).rounded())) kcal)" : ""
        return "\(kind.coding.title): \(Int(value.rounded())) \(kind.coding.displayUnit)\(calories), "
            + "\(ageMs / 1_000) s ago"
    }
}
