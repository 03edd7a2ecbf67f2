/// Kind of quantity that a reading measures. One row of the table holds all that the rest of the product knows of it.
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

    /// Codes of a kind on the wire, with its English title and unit.
    public struct Coding: Hashable, Sendable {
        /// UCUM unit code, case sensitive.
        public let unit: String
        /// LOINC code, where one exists.
        public let loinc: String?
        /// The unit as people read it.
        public let displayUnit: String
        public let title: String
    }

    /// Words for a kind in one language.
    public struct Words: Hashable, Sendable {
        public let title: String
        /// Grammatical gender of the title, where the language has one.
        public let isFeminine: Bool
        /// The unit as people read it.
        public let displayUnit: String
        private let one: String
        private let many: String

        init(_ title: String, isFeminine: Bool = false, _ displayUnit: String, one: String, many: String) {
            (self.title, self.isFeminine, self.displayUnit) = (title, isFeminine, displayUnit)
            (self.one, self.many) = (one, many)
        }

        /// The unit in full, as it is spoken.
        /// - Parameter isOne: the number before it takes the singular.
        public func spokenUnit(isOne: Bool) -> String { isOne ? one : many }
    }

    private struct Row: Sendable {
        /// UCUM unit code, case sensitive.
        let unit: String
        let loinc: String?
        let plausible: ClosedRange<Double>
        let english: Words
        let italian: Words

        init(
            _ unit: String, loinc: String?, _ plausible: ClosedRange<Double>, _ english: Words, _ italian: Words
        ) {
            (self.unit, self.loinc, self.plausible) = (unit, loinc, plausible)
            (self.english, self.italian) = (english, italian)
        }
    }

    /// LOINC and UCUM as FHIR R4 vital signs bind them. Plausible ranges: bedside monitors let their
    /// limits be set within them (LIFEPAK 15, Mindray TM80): heart rate 30...250 and 35...240, SpO2
    /// 50...100, systolic 30...245, diastolic 12...210, temperature 31...41; glucose meters read 10...600.
    private static func row(of kind: QuantityKind) -> Row {
        switch kind {
        case .heartRate:
            // 0 is how straps say "no reading", not an arrest.
            Row(
                "/min", loinc: "8867-4", 20...250,
                Words("Heart rate", "bpm", one: "beat per minute", many: "beats per minute"),
                Words(
                    "Frequenza cardiaca", isFeminine: true, "bpm", one: "battito al minuto",
                    many: "battiti al minuto"))
        case .rrInterval:
            // 60 000 ms over 250 and over 20 beats.
            Row(
                "ms", loinc: nil, 240...3_000,
                Words("RR interval", "ms", one: "millisecond", many: "milliseconds"),
                Words("Intervallo tra i battiti", "ms", one: "millisecondo", many: "millisecondi"))
        case .systolicPressure:
            pressure("Systolic pressure", "Pressione sistolica", loinc: "8480-6", 40...280)
        case .diastolicPressure:
            pressure("Diastolic pressure", "Pressione diastolica", loinc: "8462-4", 20...210)
        case .meanArterialPressure:
            pressure("Mean arterial pressure", "Pressione arteriosa media", loinc: "8478-0", 20...250)
        case .oxygenSaturation:
            Row(
                "%", loinc: "59408-5", 50...100,
                Words("Oxygen saturation", "%", one: "percent", many: "percent"),
                Words("Saturazione di ossigeno", isFeminine: true, "%", one: "per cento", many: "per cento"))
        case .respirationRate:
            // No wearable that is decoded yet sends it. Monitors take 5...60 (LIFEPAK 15) and 6...55 (Mindray).
            Row(
                "/min", loinc: "9279-1", 3...60,
                Words("Respiration rate", "/min", one: "breath per minute", many: "breaths per minute"),
                Words(
                    "Frequenza respiratoria", isFeminine: true, "respiri/min", one: "respiro al minuto",
                    many: "respiri al minuto"))
        case .bodyTemperature:
            Row(
                "Cel", loinc: "8310-5", 28...44,
                Words("Body temperature", "°C", one: "degree", many: "degrees"),
                Words("Temperatura corporea", isFeminine: true, "°C", one: "grado", many: "gradi"))
        case .glucose:
            Row(
                "mg/dL", loinc: "41653-7", 20...600,
                Words("Glucose", "mg/dL", one: "milligram per decilitre", many: "milligrams per decilitre"),
                Words(
                    "Glicemia", isFeminine: true, "mg/dL", one: "milligrammo per decilitro",
                    many: "milligrammi per decilitro"))
        case .bodyWeight:
            Row(
                "kg", loinc: "29463-7", 2...300,
                Words("Weight", "kg", one: "kilogram", many: "kilograms"),
                Words("Peso", "kg", one: "chilogrammo", many: "chilogrammi"))
        case .bodyFat:
            Row(
                "%", loinc: "41982-0", 2...75,
                Words("Body fat", "%", one: "percent", many: "percent"),
                Words("Grasso corporeo", "%", one: "per cento", many: "per cento"))
        case .runningSpeed:
            // A world record sprint peaks near 12.4 m/s.
            Row(
                "m/s", loinc: nil, 0...13,
                Words("Running speed", "m/s", one: "metre per second", many: "metres per second"),
                Words(
                    "Velocità di corsa", isFeminine: true, "m/s", one: "metro al secondo",
                    many: "metri al secondo"))
        case .runningCadence:
            Row(
                "/min", loinc: nil, 0...255,
                Words("Running cadence", "steps/min", one: "step per minute", many: "steps per minute"),
                Words(
                    "Cadenza di corsa", isFeminine: true, "passi/min", one: "passo al minuto",
                    many: "passi al minuto"))
        case .energyExpended:
            Row(
                "kJ", loinc: nil, 0...65_535,
                Words("Energy expended", "kJ", one: "kilojoule", many: "kilojoules"),
                Words("Energia consumata", isFeminine: true, "kJ", one: "chilojoule", many: "chilojoule"))
        }
    }

    private static func pressure(
        _ title: String, _ italian: String, loinc: String, _ plausible: ClosedRange<Double>
    ) -> Row {
        Row(
            "mm[Hg]", loinc: loinc, plausible,
            Words(title, "mmHg", one: "millimetre of mercury", many: "millimetres of mercury"),
            Words(
                italian, isFeminine: true, "mmHg", one: "millimetro di mercurio",
                many: "millimetri di mercurio"))
    }

    public var coding: Coding {
        let row = Self.row(of: self)
        return Coding(
            unit: row.unit, loinc: row.loinc, displayUnit: row.english.displayUnit, title: row.english.title)
    }

    /// Values a working sensor on a living person gives; outside lies an artefact, never an alarm.
    public var plausible: ClosedRange<Double> { Self.row(of: self).plausible }

    public func words(in language: PersonProfile.Language) -> Words {
        switch language {
        case .english: Self.row(of: self).english
        case .italian: Self.row(of: self).italian
        }
    }
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
