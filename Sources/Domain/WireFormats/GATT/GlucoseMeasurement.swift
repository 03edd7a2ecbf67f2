/// Glucose Measurement, characteristic 0x2A18 (GATT Specification Supplement, "Glucose Measurement"; Glucose
/// Service 1.0, section 3.1).
public struct GlucoseMeasurement: Hashable, Sendable {
    /// Orders the records; the times do not, a user may have set the clock between two of them.
    public let sequenceNumber: UInt16
    public let baseTime: DateTime
    /// Minutes from `baseTime` to what the meter showed its user.
    public let timeOffset: Int16?
    public let concentration: GlucoseConcentration?
    public let sample: GlucoseSample?
    public let sensorStatus: GlucoseSensorStatus?
    /// A Glucose Measurement Context of the same sequence number comes after it.
    public let contextFollows: Bool

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try reader.uint8("flags")
        sequenceNumber = try reader.uint16("sequence number")
        baseTime = try DateTime(from: &reader)
        // Bit 0: time offset present.
        timeOffset = flags & 0x01 == 0 ? nil : try reader.int16("time offset")
        // Bit 1: concentration and type-sample location present. Bit 2: moles per litre.
        concentration =
            flags & 0x02 == 0
            ? nil
            : GlucoseConcentration(
                unit: flags & 0x04 == 0 ? .kilogramsPerLitre : .molesPerLitre,
                wire: try MedFloat16(from: &reader, "glucose concentration"))
        sample = flags & 0x02 == 0 ? nil : try GlucoseSample(from: &reader)
        // Bit 3: sensor status annunciation present.
        sensorStatus =
            flags & 0x08 == 0
            ? nil : GlucoseSensorStatus(rawValue: try reader.uint16("sensor status annunciation"))
        // Bit 4: a context follows.
        contextFollows = flags & 0x10 != 0
    }

    /// Base time plus offset, as if that wall time were UTC. Nil where the base time is none.
    public var secondsSince1970AsUTC: Int64? {
        baseTime.secondsSince1970AsUTC.map { $0 + Int64(timeOffset ?? 0) * 60 }
    }
}

/// The concentration in a Glucose Measurement, with its unit of bit 2 of the flags.
public struct GlucoseConcentration: Hashable, Sendable {
    public enum Unit: Hashable, Sendable {
        case kilogramsPerLitre, molesPerLitre
    }

    public let unit: Unit
    public let wire: MedFloat16

    /// 1 mmol/L of glucose: its molar mass, 180.16 g/mol, in milligrams per decilitre.
    public static let milligramsPerDecilitrePerMillimole = 18.016

    /// Nil where the meter gave no number.
    public var milligramsPerDecilitre: Double? {
        switch unit {
        case .kilogramsPerLitre: inCustomaryUnit
        case .molesPerLitre: inCustomaryUnit.map { $0 * Self.milligramsPerDecilitrePerMillimole }
        }
    }

    /// Nil where the meter gave no number.
    public var millimolesPerLitre: Double? {
        switch unit {
        case .kilogramsPerLitre: inCustomaryUnit.map { $0 / Self.milligramsPerDecilitrePerMillimole }
        case .molesPerLitre: inCustomaryUnit
        }
    }

    /// mg/dL or mmol/L. The field is in kg/L or mol/L, but the text of the flag names mg/dL and mmol/L, and some
    /// meters follow that. More than 1 kg/L or 1 mol/L is no glucose in any blood, so it is the customary unit.
    private var inCustomaryUnit: Double? {
        guard let value = wire.value, value <= 1 else { return wire.value }
        return wire.value(timesTenTo: unit == .kilogramsPerLitre ? 5 : 3)
    }
}

/// Type-Sample Location of Glucose Measurement and CGM Feature: two nibbles in one byte (GATT Specification
/// Supplement, "Glucose Measurement", "CGM Feature").
public struct GlucoseSample: Hashable, Sendable {
    public enum Fluid: UInt8, Hashable, Sendable {
        case capillaryWholeBlood = 1
        case capillaryPlasma = 2
        case venousWholeBlood = 3
        case venousPlasma = 4
        case arterialWholeBlood = 5
        case arterialPlasma = 6
        case undeterminedWholeBlood = 7
        case undeterminedPlasma = 8
        case interstitialFluid = 9
        /// A test of the meter, not of a person.
        case controlSolution = 10
    }

    public enum Location: UInt8, Hashable, Sendable {
        case finger = 1
        case alternateSite = 2
        case earLobe = 3
        case controlSolution = 4
        /// CGM only.
        case subcutaneousTissue = 5
        case notAvailable = 15
    }

    /// Low nibble.
    public let fluid: OpenCode<Fluid>
    /// High nibble.
    public let location: OpenCode<Location>

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let both = try reader.uint8("type-sample location")
        fluid = OpenCode(both & 0x0F)
        location = OpenCode(both >> 4)
    }

    /// Whether the value is a test of the meter and no glucose of anybody.
    public var isControlSolution: Bool {
        fluid == .known(.controlSolution) || location == .known(.controlSolution)
    }
}

/// Sensor Status Annunciation of Glucose Measurement. Bits 12-15 are reserved.
public struct GlucoseSensorStatus: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let deviceBatteryLow = GlucoseSensorStatus(rawValue: 1 << 0)
    public static let sensorMalfunction = GlucoseSensorStatus(rawValue: 1 << 1)
    public static let sampleSizeInsufficient = GlucoseSensorStatus(rawValue: 1 << 2)
    public static let stripInsertionError = GlucoseSensorStatus(rawValue: 1 << 3)
    public static let stripTypeIncorrect = GlucoseSensorStatus(rawValue: 1 << 4)
    public static let resultTooHigh = GlucoseSensorStatus(rawValue: 1 << 5)
    public static let resultTooLow = GlucoseSensorStatus(rawValue: 1 << 6)
    public static let temperatureTooHigh = GlucoseSensorStatus(rawValue: 1 << 7)
    public static let temperatureTooLow = GlucoseSensorStatus(rawValue: 1 << 8)
    public static let readInterrupted = GlucoseSensorStatus(rawValue: 1 << 9)
    public static let generalDeviceFault = GlucoseSensorStatus(rawValue: 1 << 10)
    public static let timeFault = GlucoseSensorStatus(rawValue: 1 << 11)
}
