import Testing
import WireFormats

@Suite struct `Blood pressure` {
    @Test func `decodes with all fields`() throws {
        let pressure = try decodeHex(
            "1E 78 00 50 00 5D 00 E8 07 06 17 0E 23 0A 48 00 01 04 00", BloodPressureMeasurement.init(from:))
        #expect(pressure.systolicMillimetresOfMercury == 120)
        #expect(pressure.diastolicMillimetresOfMercury == 80)
        #expect(pressure.meanMillimetresOfMercury == 93)
        #expect(pressure.timeStamp?.bytes == [UInt8](hex: "E8 07 06 17 0E 23 0A"))
        #expect(pressure.pulseRate?.value == 72)
        #expect(pressure.userID == .user(1))
        #expect(pressure.status == .irregularPulse)
        #expect(!pressure.isFailed)
    }

    @Test func `has only what its flags promise`() throws {
        let pressure = try decodeHex("00 78 00 50 00 5D 00", BloodPressureMeasurement.init(from:))
        #expect(pressure.timeStamp == nil && pressure.pulseRate == nil)
        #expect(pressure.userID == nil && pressure.status == nil)
    }

    @Test func `comes in kilopascals too`() throws {
        let pressure = try decodeHex("01 A0 F0 6B F0 7C F0", BloodPressureMeasurement.init(from:))
        #expect(pressure.unit == .kilopascals)
        #expect(pressure.systolic.description == "16.0")
        #expect(pressure.diastolic.value == 10.7)
        #expect(pressure.meanArterialPressure.value == 12.4)
        // 16 000 Pa / 133.322387415 Pa.
        #expect(abs(try #require(pressure.systolicMillimetresOfMercury) - 120.00985) < 0.00001)
        // The rounded factor of the tables, 7.50062, is no further away than its last digit.
        #expect(abs(try #require(pressure.systolicMillimetresOfMercury) - 16 * 7.50062) < 16 * 0.000005)
    }

    /// As a real cuff sends it, with all status bits clear.
    @Test func `that failed is told by its NaN`() throws {
        let pressure = try decodeHex(
            "16 FF 07 FF 07 FF 07 E8 07 06 17 0E 23 0A FF 07 00 00", BloodPressureMeasurement.init(from:))
        #expect(pressure.isFailed && pressure.status == [])
        #expect(pressure.systolicMillimetresOfMercury == nil && pressure.pulseRate?.value == nil)
    }

    @Test func `without a mean has not failed`() throws {
        let pressure = try decodeHex("00 78 00 50 00 FF 07", BloodPressureMeasurement.init(from:))
        #expect(!pressure.isFailed && pressure.meanMillimetresOfMercury == nil)
    }

    @Test func `of an unknown user is not that of the only user`() throws {
        #expect(
            try decodeHex("08 78 00 50 00 5D 00 FF", BloodPressureMeasurement.init(from:)).userID == .unknown)
    }

    @Test(
        arguments: [
            (0x00, .within), (0x08, .aboveUpperLimit), (0x10, .belowLowerLimit), (0x18, .reserved),
        ] as [(UInt16, BloodPressureStatus.PulseRange)]) func `has its pulse range in two bits`(
            _ bits: UInt16, _ range: BloodPressureStatus.PulseRange
        )
    {
        #expect(BloodPressureStatus(rawValue: bits | 0xFFE7).pulseRange == range)
    }

    @Test func `in its enhanced form has two times`() throws {
        let pressure = try decodeHex(
            "62 80 00 52 00 61 00 80 CD 08 2E A0 E9 08 2E", EnhancedBloodPressureMeasurement.init(from:))
        #expect(pressure.systolicMillimetresOfMercury == 128 && pressure.diastolicMillimetresOfMercury == 82)
        #expect(pressure.meanMillimetresOfMercury == 97)
        #expect(pressure.timeStamp == 1_719_013_632 && pressure.userFacingTime == 1_719_020_832)
    }

    @Test func `in its enhanced form may count from 1900`() throws {
        let pressure = try decodeHex(
            "02 80 00 52 00 61 00 80 7E AA 83", EnhancedBloodPressureMeasurement.init(from:))
        #expect(pressure.timeStamp == 0)
    }
}

@Suite struct `Body temperature` {
    @Test(
        arguments: [
            ("00 6E 01 00 FF", 36.6), ("06 71 0E 00 FE EA 07 01 0F 08 1E 00 06", 36.97), ("01 DA 03 00 FF", 37),
            ("00 FF FF 7F 00", nil), ("01 FF FF 7F 00", nil), ("00 00 00 80 00", nil),
        ] as [(String, Double?)]) func `is in Celsius whatever was sent`(_ hex: String, _ celsius: Double?)
        throws
    {
        let decoded = try decodeHex(hex, TemperatureMeasurement.init(from:)).celsius
        #expect((decoded == nil) == (celsius == nil))
        #expect(abs((decoded ?? 0) - (celsius ?? 0)) < 1e-12)
    }

    @Test func `has its time and place`() throws {
        let temperature = try decodeHex(
            "06 71 0E 00 FE EA 07 01 0F 08 1E 00 06", TemperatureMeasurement.init(from:))
        #expect(temperature.temperature.description == "36.97")
        #expect(temperature.timeStamp?.secondsSince1970AsUTC == 1_768_465_800)
        #expect(temperature.type == .known(.mouth))
        #expect(try decodeHex("04 6E 01 00 FF 0A", TemperatureMeasurement.init(from:)).type == .other(10))
        #expect(try decodeHex("04 6E 01 00 FF 00", TemperatureMeasurement.init(from:)).type == .other(0))
    }
}

@Suite struct `Pulse oximetry` {
    @Test func `decodes a spot check`() throws {
        let plain = try decodeHex("00 62 00 48 00", PLXSpotCheckMeasurement.init(from:))
        #expect(plain.reading.saturation.value == 98 && plain.reading.pulseRate.value == 72)
        #expect(plain.validity == .valid && !plain.deviceClockIsNotSet)

        let full = try decodeHex(
            "1F 61 00 41 00 EA 07 01 0F 08 1E 00 A0 00 20 00 00 2D F0", PLXSpotCheckMeasurement.init(from:))
        #expect(full.reading.saturation.value == 97 && full.reading.pulseRate.value == 65)
        #expect(full.timeStamp?.secondsSince1970AsUTC == 1_768_465_800)
        #expect(full.deviceClockIsNotSet)
        #expect(full.measurementStatus == [.validatedData, .measurementOngoing])
        #expect(full.deviceAndSensorStatus == .lowPerfusion)
        #expect(full.pulseAmplitudeIndex?.description == "4.5")
        #expect(full.validity == .questionable)
    }

    @Test func `has no value where there is no reading`() throws {
        let none = try decodeHex("00 FF 07 FF 07", PLXSpotCheckMeasurement.init(from:))
        #expect(none.reading.saturation.value == nil && none.reading.pulseRate.value == nil)
    }

    @Test func `decodes a continuous measurement`() throws {
        let plain = try decodeHex("00 60 00 46 00", PLXContinuousMeasurement.init(from:))
        #expect(plain.normal.saturation.value == 96 && plain.normal.pulseRate.value == 70)
        #expect(plain.fast == nil && plain.slow == nil)

        let full = try decodeHex(
            "0D 60 00 46 00 61 00 47 00 20 20 00 08 00", PLXContinuousMeasurement.init(from:))
        #expect(full.fast?.saturation.value == 97 && full.fast?.pulseRate.value == 71 && full.slow == nil)
        #expect(full.measurementStatus == [.measurementOngoing, .measurementUnavailable])
        #expect(full.deviceAndSensorStatus == .sensorUnconnectedToUser)
        #expect(full.validity == .invalid)
    }

    @Test(arguments: 0..<24) func `judges each status bit`(_ bit: Int) {
        let invalid: [Set<Int>] = [[10, 11, 13, 15], [1, 3, 7, 11, 12, 13, 14, 15]]
        let questionable: [Set<Int>] = [[14], [4, 5, 6, 8]]
        func expected(_ field: Int) -> PLXValidity {
            invalid[field].contains(bit) ? .invalid : questionable[field].contains(bit) ? .questionable : .valid
        }
        if bit < 16 {
            #expect(PLXValidity(PLXMeasurementStatus(rawValue: 1 << UInt16(bit)), nil) == expected(0))
        }
        #expect(PLXValidity(nil, PLXDeviceAndSensorStatus(rawValue: 1 << UInt32(bit))) == expected(1))
    }
}

/// Vectors: computed by hand from the characteristic's table in the GATT Specification Supplement.
@Suite struct HeartRateMeasurementTests {
    struct Vector: Sendable {
        let bytes: [UInt8]
        let rate: UInt16
        var contact = HeartRateMeasurement.Contact.unsupported
        var energy: UInt16?
        var intervals: [UInt16] = []
    }

    static let vectors = [
        Vector(bytes: [0x00, 0x48], rate: 72),
        // The contact bit means nothing where contact is not supported.
        Vector(bytes: [0x02, 0x48], rate: 72),
        Vector(bytes: [0x06, 0x48], rate: 72, contact: .detected),
        Vector(bytes: [0x04, 0x00], rate: 0, contact: .lost),
        Vector(
            bytes: [0x16, 0x4A, 0x2E, 0x03, 0x48, 0x03], rate: 74, contact: .detected, intervals: [814, 840]),
        Vector(
            bytes: [0x1F, 0x2C, 0x01, 0x10, 0x27, 0xCD, 0x00], rate: 300, contact: .detected,
            energy: 10_000, intervals: [205]),
        Vector(bytes: [0x10, 0x3C, 0x00, 0x04], rate: 60, intervals: [1024]),
        Vector(bytes: [0x10, 0x20], rate: 32),
    ]

    @Test(arguments: vectors) func `specification vectors decode`(_ vector: Vector) throws {
        var reader = ByteReader(vector.bytes)
        let decoded = try HeartRateMeasurement(from: &reader)
        #expect(decoded.rate == vector.rate)
        #expect(decoded.contact == vector.contact)
        #expect(decoded.energyExpended == vector.energy)
        #expect(decoded.intervals == vector.intervals)
        #expect(reader.left == 0)
    }

    /// Flags, uint16 rate and energy are 5 bytes; after them any even number of bytes is whole intervals.
    @Test(arguments: 0...6) func `a packet cut in a promised field is an error`(_ length: Int) throws {
        let whole: [UInt8] = [0x1F, 0x2C, 0x01, 0x10, 0x27, 0xCD, 0x00]
        var reader = ByteReader(Array(whole.prefix(length)))
        if length < 5 {
            #expect(throws: DecodeError.self) { try HeartRateMeasurement(from: &reader) }
        } else {
            #expect(try HeartRateMeasurement(from: &reader).rate == 300)
        }
    }

    @Test func `reserved flag bits are ignored`() throws {
        var reader = ByteReader([0xE0, 0x48])
        #expect(try HeartRateMeasurement(from: &reader).rate == 72)
    }

    @Test(arguments: [[0x00, 0x48, 0xFF], [0x10, 0x48, 0x00, 0x04, 0x01]] as [[UInt8]])
    func `bytes behind the last field are left and do not spoil the rate`(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        #expect(try HeartRateMeasurement(from: &reader).rate == 72)
        #expect(reader.left == 1)
    }
}

/// Words: the supplement's medfloat16 and medfloat32, HL7's Personal Health Device guide ("FLOATS"), Nordic's tests.
@Suite struct `Medical decimals` {
    @Test(
        arguments: [
            (0x0002, 2, "2"), (0xF014, 2, "2.0"), (0xE0C8, 2, "2.00"), (0x1002, 20, "20"),
            (0x0B2E, -1234, "-1234"),
            (0xF3E9, 100.1, "100.1"), (0x8001, 1e-8, "0.00000001"), (0x7001, 1e7, "10000000"),
            (0x0FFF, -1, "-1"),
            (0xE6F4, 17.8, "17.80"), (0x0000, 0, "0"), (0xE000, 0, "0.00"), (0x3000, 0, "0"),
            (0xFFFF, -0.1, "-0.1"),
            // A special mantissa with another exponent is a number.
            (0xF7FF, 204.7, "204.7"), (0xF800, -204.8, "-204.8"), (0x1802, -20_460, "-20460"),
            // The outermost mantissas that are no special word.
            (0x07FD, 2045, "2045"), (0x0803, -2045, "-2045"),
        ] as [(UInt16, Double, String)]) func `keep value and precision in 16 bits`(
            _ word: UInt16, _ value: Double, _ text: String
        )
    {
        let float = MedFloat16(rawValue: word)
        #expect(float.special == nil)
        #expect(float.value == value)
        #expect(float.description == text)
    }

    @Test(
        arguments: [
            (0xFF00_016E, 36.6, "36.6"), (0xFE00_0E71, 36.97, "36.97"), (0x00FF_FB2E, -1234, "-1234"),
            (0xFF00_0014, 2, "2.0"), (0xFD00_9088, 37, "37.000"), (0x007F_FFFD, 8_388_605, "8388605"),
            (0x0080_0003, -8_388_605, "-8388605"), (0x0180_0000, -83_886_080, "-83886080"),
            // Rounded once: a product with 10^127 would round twice.
            (0x7F7F_FFFD, 8_388_605e127, "8388605e127"), (0x8000_0001, 1e-128, "1e-128"),
        ] as [(UInt32, Double, String)]) func `keep value and precision in 32 bits`(
            _ word: UInt32, _ value: Double, _ text: String
        )
    {
        let float = MedFloat32(rawValue: word)
        #expect(float.special == nil)
        #expect(float.value == value)
        #expect(float.description == text)
    }

    @Test(
        arguments: [
            (0x07FF, 0x007F_FFFF, .notANumber), (0x0800, 0x0080_0000, .notAtThisResolution),
            (0x07FE, 0x007F_FFFE, .positiveInfinity), (0x0802, 0x0080_0002, .negativeInfinity),
            (0x0801, 0x0080_0001, .reserved),
        ] as [(UInt16, UInt32, MedFloatSpecial)]) func `have no value where the word is special`(
            _ short: UInt16, _ long: UInt32, _ special: MedFloatSpecial
        )
    {
        #expect(MedFloat16(rawValue: short).special == special)
        #expect(MedFloat16(rawValue: short).value == nil)
        #expect(MedFloat32(rawValue: long).special == special)
        #expect(MedFloat32(rawValue: long).value == nil)
    }

    @Test func `are mantissa times a power of ten in every word of 16 bits`() {
        let powers = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7]
        for word in UInt16.min...UInt16.max {
            let mantissa = Double(word & 0x0FFF) - (word & 0x0800 == 0 ? 0 : 4096)
            let exponent = Int(word >> 12) - (word >> 12 < 8 ? 0 : 16)
            guard let value = MedFloat16(rawValue: word).value else { continue }
            #expect(abs(value - mantissa * powers[exponent + 8]) <= abs(value) * 1e-15)
        }
    }
}
