/// What a reading measures. One row of the table holds all that the rest of the product knows of it.
public enum QuantityKind: String, CaseIterable, Hashable, Codable, Sendable {
    case heartRate = "heart-rate"
    case rrInterval = "rr-interval"
    case systolicPressure = "systolic-pressure"
    case diastolicPressure = "diastolic-pressure"
    case meanArterialPressure = "mean-arterial-pressure"
    case oxygenSaturation = "oxygen-saturation"
    case respirationRate = "respiration-rate"
    case bodyTemperature = "body-temperature"
    case glucose
    case bodyWeight = "body-weight"
    case bodyFat = "body-fat"
    case runningSpeed = "running-speed"
    case runningCadence = "running-cadence"
    case energyExpended = "energy-expended"

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

    private struct Row {
        let coding: Coding
        let plausible: ClosedRange<Double>

        init(
            _ title: String, unit: String, as displayUnit: String, loinc: String?,
            plausible: ClosedRange<Double>
        ) {
            coding = Coding(unit: unit, loinc: loinc, displayUnit: displayUnit, title: title)
            self.plausible = plausible
        }
    }

    /// LOINC and UCUM as FHIR R4 vital signs bind them. Plausible ranges: bedside monitors let their
    /// limits be set within them (LIFEPAK 15, Mindray TM80): heart rate 30...250 and 35...240, SpO2
    /// 50...100, systolic 30...245, diastolic 12...210, temperature 31...41; glucose meters read 10...600.
    private var row: Row {
        switch self {
        case .heartRate:
            // 0 is how straps say "no reading", not an arrest.
            Row("Heart rate", unit: "/min", as: "bpm", loinc: "8867-4", plausible: 20...250)
        case .rrInterval:
            // 60 000 ms over 250 and over 20 beats.
            Row("RR interval", unit: "ms", as: "ms", loinc: nil, plausible: 240...3_000)
        case .systolicPressure:
            Row("Systolic pressure", unit: "mm[Hg]", as: "mmHg", loinc: "8480-6", plausible: 40...280)
        case .diastolicPressure:
            Row("Diastolic pressure", unit: "mm[Hg]", as: "mmHg", loinc: "8462-4", plausible: 20...210)
        case .meanArterialPressure:
            Row("Mean arterial pressure", unit: "mm[Hg]", as: "mmHg", loinc: "8478-0", plausible: 20...250)
        case .oxygenSaturation:
            Row("Oxygen saturation", unit: "%", as: "%", loinc: "59408-5", plausible: 50...100)
        case .respirationRate:
            // No wearable that is decoded yet sends it. Monitors take 5...60 (LIFEPAK 15) and 6...55 (Mindray).
            Row("Respiration rate", unit: "/min", as: "/min", loinc: "9279-1", plausible: 3...60)
        case .bodyTemperature:
            Row("Body temperature", unit: "Cel", as: "°C", loinc: "8310-5", plausible: 28...44)
        case .glucose:
            Row("Glucose", unit: "mg/dL", as: "mg/dL", loinc: "41653-7", plausible: 20...600)
        case .bodyWeight:
            Row("Weight", unit: "kg", as: "kg", loinc: "29463-7", plausible: 2...300)
        case .bodyFat:
            Row("Body fat", unit: "%", as: "%", loinc: "41982-0", plausible: 2...75)
        case .runningSpeed:
            // A world record sprint peaks near 12.4 m/s.
            Row("Running speed", unit: "m/s", as: "m/s", loinc: nil, plausible: 0...13)
        case .runningCadence:
            Row("Running cadence", unit: "/min", as: "steps/min", loinc: nil, plausible: 0...255)
        case .energyExpended:
            Row("Energy expended", unit: "kJ", as: "kJ", loinc: nil, plausible: 0...65_535)
        }
    }

    public var coding: Coding { row.coding }

    /// Values a working sensor on a living person gives; outside lies an artefact, never an alarm.
    public var plausible: ClosedRange<Double> { row.plausible }
}

/// A measured value in the unit of its kind.
public struct Quantity: Hashable, Codable, Sendable {
    public let kind: QuantityKind
    /// In `kind.coding.unit`.
    public let value: Double

    public init(_ kind: QuantityKind, _ value: Double) {
        self.kind = kind
        self.value = value
    }

    public var isPlausible: Bool { kind.plausible.contains(value) }
}
