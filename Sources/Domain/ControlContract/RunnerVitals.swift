package import GatewayModel

/// Vital signs of a runner that one third party, such as the family, may see at an instant.
package struct RunnerVitals: FieldDocument {
    package static var field: ControlFields.Name { "vitals" }

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
    package private(set) var values: [Value]
    package let withheld: [Withheld]

    package init(party: String, values: [Value], withheld: [Withheld]) {
        (self.party, self.values, self.withheld) = (party, values, withheld)
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
}

extension RunnerVitals.Value {
    /// Joules of a thermochemical calorie (ISO 31-4).
    private static let joulesInCalorie = 4.184

    fileprivate var line: String {
        let calories =
            kind == .energyExpended ? " (\(Int((value / Self.joulesInCalorie).rounded())) kcal)" : ""
        return "\(kind.coding.title): \(Int(value.rounded())) \(kind.coding.displayUnit)\(calories), "
            + "\(ageMs / 1_000) s ago"
    }
}
