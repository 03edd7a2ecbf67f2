import Testing

@testable import WireFormats

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
