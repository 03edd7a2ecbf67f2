/// Glucose Measurement Context, characteristic 0x2A34 (GATT Specification Supplement, "Glucose Measurement
/// Context"; Glucose Service 1.0, section 3.2).
public struct GlucoseMeasurementContext: Hashable, Sendable {
    public enum CarbohydrateID: UInt8, Hashable, Sendable {
        case breakfast = 1
        case lunch = 2
        case dinner = 3
        case snack = 4
        case drink = 5
        case supper = 6
        case brunch = 7
    }

    public enum Meal: UInt8, Hashable, Sendable {
        case beforeMeal = 1
        case afterMeal = 2
        case fasting = 3
        case casual = 4
        case bedtime = 5
    }

    public enum Tester: UInt8, Hashable, Sendable {
        case oneself = 1
        case healthCareProfessional = 2
        case laboratory = 3
        case notAvailable = 15
    }

    public enum Health: UInt8, Hashable, Sendable {
        case minorIssues = 1
        case majorIssues = 2
        case duringMenses = 3
        case underStress = 4
        case noIssues = 5
        case notAvailable = 15
    }

    public enum MedicationID: UInt8, Hashable, Sendable {
        case rapidActingInsulin = 1
        case shortActingInsulin = 2
        case intermediateActingInsulin = 3
        case longActingInsulin = 4
        case premixedInsulin = 5
    }

    public struct Carbohydrate: Hashable, Sendable {
        public let id: OpenCode<CarbohydrateID>
        public let wire: MedFloat16
        public var grams: Double? { wire.value(timesTenTo: 3) }
    }

    public struct Exercise: Hashable, Sendable {
        /// Nil: longer than the field can say (0xFFFF).
        public let seconds: UInt16?
        public let intensityPercent: UInt8
    }

    public struct Medication: Hashable, Sendable {
        public enum Unit: Hashable, Sendable {
            case kilograms, litres
        }

        public let id: OpenCode<MedicationID>
        public let unit: Unit
        public let wire: MedFloat16
        /// Milligrams or millilitres.
        public var inThousandths: Double? { wire.value(timesTenTo: unit == .kilograms ? 6 : 3) }
    }

    /// That of the measurement it belongs to.
    public let sequenceNumber: UInt16
    /// Reserved as a whole.
    public let extendedFlags: UInt8?
    public let carbohydrate: Carbohydrate?
    public let meal: OpenCode<Meal>?
    public let tester: OpenCode<Tester>?
    public let health: OpenCode<Health>?
    public let exercise: Exercise?
    public let medication: Medication?
    /// Percent.
    public let hbA1c: MedFloat16?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try reader.uint8("flags")
        sequenceNumber = try reader.uint16("sequence number")
        // Bit 7: extended flags present.
        extendedFlags = flags & 0x80 == 0 ? nil : try reader.uint8("extended flags")
        // Bit 0: carbohydrate present.
        carbohydrate =
            flags & 0x01 == 0
            ? nil
            : Carbohydrate(
                id: OpenCode(try reader.uint8("carbohydrate ID")),
                wire: try MedFloat16(from: &reader, "carbohydrate"))
        // Bit 1: meal present.
        meal = flags & 0x02 == 0 ? nil : OpenCode(try reader.uint8("meal"))
        // Bit 2: tester (low nibble) and health (high nibble) present.
        let testerAndHealth = flags & 0x04 == 0 ? nil : try reader.uint8("tester-health")
        tester = testerAndHealth.map { OpenCode($0 & 0x0F) }
        health = testerAndHealth.map { OpenCode($0 >> 4) }
        // Bit 3: exercise present.
        exercise = flags & 0x08 == 0 ? nil : try Exercise(from: &reader)
        // Bit 4: medication present. Bit 5: in litres.
        medication =
            flags & 0x10 == 0
            ? nil
            : Medication(
                id: OpenCode(try reader.uint8("medication ID")),
                unit: flags & 0x20 == 0 ? .kilograms : .litres,
                wire: try MedFloat16(from: &reader, "medication"))
        // Bit 6: HbA1c present.
        hbA1c = flags & 0x40 == 0 ? nil : try MedFloat16(from: &reader, "HbA1c")
    }
}

extension GlucoseMeasurementContext.Exercise {
    init(from reader: inout ByteReader) throws(DecodeError) {
        let seconds = try reader.uint16("exercise duration")
        self.seconds = seconds == 0xFFFF ? nil : seconds
        intensityPercent = try reader.uint8("exercise intensity")
    }
}
