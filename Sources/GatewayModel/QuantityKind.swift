/// What a reading measures. One row of the table holds all that the rest of the product knows of it.
public enum QuantityKind: String, CaseIterable, Hashable, Sendable {
    case heartRate = "heart-rate"

    /// How it is coded on the wire and shown to people.
    public struct Coding: Hashable, Sendable {
        /// UCUM unit code, case sensitive.
        public let unit: String
        /// LOINC code, where one exists.
        public let loinc: String?
        /// The unit as people read it.
        public let displayUnit: String
        public let title: String
    }

    /// Codes: LOINC and UCUM as FHIR R4 vital signs bind them.
    public var coding: Coding {
        switch self {
        case .heartRate: Coding(unit: "/min", loinc: "8867-4", displayUnit: "bpm", title: "Heart rate")
        }
    }

    /// Values a working sensor on a living person gives; outside lies an artefact, never an alarm.
    ///
    /// Heart rate 20...250: bedside monitors let their limits be set within 30...250 (LIFEPAK 15) and
    /// 35...240 (Mindray); 0 is how straps say "no reading", not an arrest.
    public var plausible: ClosedRange<Double> {
        switch self {
        case .heartRate: 20...250
        }
    }
}

/// A measured value in the unit of its kind.
public struct Quantity: Hashable, Sendable {
    public let kind: QuantityKind
    /// In `kind.coding.unit`.
    public let value: Double

    public init(_ kind: QuantityKind, _ value: Double) {
        self.kind = kind
        self.value = value
    }

    public var isPlausible: Bool { kind.plausible.contains(value) }
}
