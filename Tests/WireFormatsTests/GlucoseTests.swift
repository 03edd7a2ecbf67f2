import Testing

@testable import WireFormats

@Suite struct `Glucose` {
    @Test func `decodes in kilograms per litre`() throws {
        let glucose = try decodeHex(
            "0B 05 00 EA 07 01 0F 08 1E 00 3C 00 5F B0 11 00 00", GlucoseMeasurement.init(from:))
        #expect(glucose.sequenceNumber == 5 && glucose.timeOffset == 60)
        // 08:30 and an hour.
        #expect(glucose.secondsSince1970AsUTC == 1_768_469_400)
        #expect(glucose.concentration?.wire.value == 0.00095)
        #expect(glucose.concentration?.milligramsPerDecilitre == 95)
        #expect(glucose.sample?.fluid == .known(.capillaryWholeBlood))
        #expect(glucose.sample?.location == .known(.finger))
        #expect(glucose.sensorStatus == [] && !glucose.contextFollows)
    }

    @Test func `decodes in moles per litre`() throws {
        let glucose = try decodeHex("06 06 00 EA 07 01 0F 08 2D 00 38 C0 11", GlucoseMeasurement.init(from:))
        #expect(glucose.sequenceNumber == 6)
        #expect(glucose.concentration?.millimolesPerLitre == 5.6)
        #expect(glucose.concentration?.milligramsPerDecilitre == 5.6 * 18.016)
    }

    @Test func `announces a context`() throws {
        let glucose = try decodeHex("12 07 00 EA 07 01 0F 09 00 00 6E B0 19", GlucoseMeasurement.init(from:))
        #expect(glucose.contextFollows && glucose.concentration?.milligramsPerDecilitre == 110)
        #expect(glucose.sample?.fluid == .known(.interstitialFluid))
    }

    @Test func `in the customary unit, against the field's, is seen as that`() throws {
        // 95 as an integer: 95 kg/L would be 9.5 million mg/dL.
        let mass = GlucoseConcentration(unit: .kilogramsPerLitre, wire: MedFloat16(rawValue: 95))
        #expect(mass.milligramsPerDecilitre == 95)
        let moles = GlucoseConcentration(unit: .molesPerLitre, wire: MedFloat16(rawValue: 0xF038))
        #expect(moles.millimolesPerLitre == 5.6)
    }

    @Test func `that is no number has no value in any unit`() {
        let none = GlucoseConcentration(unit: .kilogramsPerLitre, wire: MedFloat16(rawValue: 0x07FF))
        #expect(none.milligramsPerDecilitre == nil && none.millimolesPerLitre == nil)
    }

    @Test func `of the control solution is nobody's`() throws {
        let control = try decodeHex("02 07 00 EA 07 01 0F 09 00 00 6E B0 4A", GlucoseMeasurement.init(from:))
        #expect(control.sample?.isControlSolution == true)
        let reserved = try decodeHex("02 07 00 EA 07 01 0F 09 00 00 6E B0 70", GlucoseMeasurement.init(from:))
        #expect(reserved.sample?.fluid == .other(0) && reserved.sample?.location == .other(7))
    }

    @Test func `has a context with every field`() throws {
        let context = try decodeHex(
            "FF 07 00 00 02 3C D0 01 21 08 07 4B 01 08 D0 3D F0", GlucoseMeasurementContext.init(from:))
        #expect(context.sequenceNumber == 7 && context.extendedFlags == 0)
        #expect(context.carbohydrate?.id == .known(.lunch) && context.carbohydrate?.grams == 60)
        #expect(context.meal == .known(.beforeMeal))
        #expect(context.tester == .known(.oneself) && context.health == .known(.majorIssues))
        #expect(context.exercise?.seconds == 1_800 && context.exercise?.intensityPercent == 75)
        #expect(context.medication?.id == .known(.rapidActingInsulin) && context.medication?.unit == .litres)
        #expect(context.medication?.inThousandths == 8 && context.hbA1c?.value == 6.1)
    }

    @Test func `has a context with none, and one whose exercise is too long to say`() throws {
        let bare = try decodeHex("00 07 00", GlucoseMeasurementContext.init(from:))
        #expect(bare.carbohydrate == nil && bare.tester == nil && bare.hbA1c == nil)
        #expect(
            try decodeHex("08 07 00 FF FF 00", GlucoseMeasurementContext.init(from:)).exercise?.seconds == nil)
        // Kilograms here.
        let medication = try decodeHex("10 07 00 04 0A A0", GlucoseMeasurementContext.init(from:)).medication
        #expect(medication?.inThousandths == 10)
    }
}

@Suite struct `Record Access Control Point` {
    @Test(
        arguments: [
            (.report(.all), "01 01"), (.report(.last), "01 06"),
            (.report(.from(sequenceNumber: 5)), "01 03 01 05 00"),
            (.report(.from(sequenceNumber: 0xABCD)), "01 03 01 CD AB"), (.reportNumber(.all), "04 01"),
            (.reportNumber(.from(sequenceNumber: 5)), "04 03 01 05 00"), (.abort, "03 00"),
        ] as [(RecordAccessControlPoint.Request, String)]) func `is asked in the bytes of the service`(
            _ request: RecordAccessControlPoint.Request, _ hex: String
        )
    {
        #expect(request.bytes == [UInt8](hex: hex))
    }

    @Test(
        arguments: [
            ("05 00 0C 00", .numberOfRecords(12)),
            ("06 00 01 01", .code(request: .known(.reportStoredRecords), .known(.success))),
            ("06 00 01 06", .code(request: .known(.reportStoredRecords), .known(.noRecordsFound))),
            ("06 00 03 07", .code(request: .known(.abortOperation), .known(.abortUnsuccessful))),
            ("06 00 7F 0B", .code(request: .other(0x7F), .other(0x0B))),
        ] as [(String, RecordAccessControlPoint.Response)]) func `answers with a number or a code`(
            _ hex: String, _ response: RecordAccessControlPoint.Response
        ) throws
    {
        #expect(try decodeHex(hex, RecordAccessControlPoint.Response.init(from:)) == response)
    }

    @Test(arguments: ["01 01", "08 00 01 00", "FF 00 01 01"]) func `refuses what is no response`(_ hex: String)
    {
        #expect(throws: DecodeError.outOfRange(field: "op code")) {
            try decodeHex(hex, RecordAccessControlPoint.Response.init(from:))
        }
    }
}

@Suite struct `Continuous glucose` {
    @Test func `decodes a plain record`() throws {
        let records = try decodeHex("06 00 78 00 05 00") { reader throws(DecodeError) in
            try CGMMeasurement(from: &reader)
        }.records
        #expect(records.count == 1)
        #expect(records[0].concentration.value == 120 && records[0].timeOffset == 5)
        #expect(records[0].status == [] && !records[0].isVerified)
    }

    static let full = "0F E3 6E 00 0A 00 02 04 01 14 F0 64 00 BC C1"

    @Test(arguments: [nil, true]) func `decodes a full record and checks its sum`(_ hasCRC: Bool?) throws {
        let record = try decodeHex(Self.full) { reader throws(DecodeError) in
            try CGMMeasurement(from: &reader, hasCRC: hasCRC)
        }.records[0]
        #expect(record.concentration.value == 110 && record.timeOffset == 10)
        #expect(record.status == [.deviceBatteryLow, .calibrationRecommended, .belowPatientLow])
        #expect(record.trend?.description == "2.0" && record.quality?.value == 100)
        #expect(record.isVerified)
    }

    @Test(arguments: 1..<15) func `refuses a record with a wrong bit`(_ index: Int) {
        var bytes = [UInt8](hex: Self.full)
        bytes[index] ^= 0x10
        var reader = ByteReader(bytes)
        #expect(throws: DecodeError.checksum(field: "E2E-CRC")) {
            try CGMMeasurement(from: &reader, hasCRC: true)
        }
    }

    @Test func `must have the sum that its feature promises`() {
        var reader = ByteReader([UInt8](hex: "06 00 78 00 05 00"))
        #expect(throws: DecodeError.checksum(field: "E2E-CRC")) {
            try CGMMeasurement(from: &reader, hasCRC: true)
        }
    }

    @Test func `reads the octets in the order status, calibration, warning`() throws {
        let record = try decodeHex("08 A0 78 00 05 00 02 01") { reader throws(DecodeError) in
            try CGMMeasurement(from: &reader, hasCRC: false)
        }.records[0]
        #expect(record.status == [.deviceBatteryLow, .belowPatientLow])
    }

    @Test func `comes in several records, and what is none is left over`() throws {
        var reader = ByteReader([UInt8](hex: "06 00 78 00 05 00 06 00 79 00 06 00 06 00 7A"))
        let records = try CGMMeasurement(from: &reader).records
        #expect(records.map(\.timeOffset) == [5, 6])
        #expect(reader.left == 3)
    }

    @Test(arguments: ["00 00 78 00 05 00", "05 00 78 00 05 00"]) func `has a size that holds its fields`(
        _ hex: String
    ) {
        #expect(throws: DecodeError.outOfRange(field: "size")) {
            try decodeHex(hex) { reader throws(DecodeError) in try CGMMeasurement(from: &reader) }
        }
    }

    @Test func `ends at its size, whatever follows`() {
        // Trend promised, size 6: the two bytes behind belong to nobody.
        #expect(throws: DecodeError.truncated(field: "CGM trend information", needed: 2, left: 0)) {
            try decodeHex("06 01 78 00 05 00 14 F0") { reader throws(DecodeError) in
                try CGMMeasurement(from: &reader)
            }
        }
    }

    /// Check values of the CRC catalogue and of the CGM service's example.
    @Test func `sums as CRC-16/MCRF4XX`() {
        #expect(E2ECRC.of(Array("123456789".utf8)) == 0x6F91)
        #expect(E2ECRC.of([UInt8](hex: "3E 01 02 03 04 05 06 07 08 09")) == 0x2F01)
    }

    @Test func `has features with a sum that counts where they say so`() throws {
        let feature = try decodeHex("00 80 01 59 FF FF", CGMFeature.init(from:))
        #expect(feature.supported == [.trendInformation, .quality])
        #expect(feature.sample.location == .known(.subcutaneousTissue))
        #expect(throws: DecodeError.checksum(field: "E2E-CRC")) {
            try decodeHex("00 90 01 59 FF FF", CGMFeature.init(from:))
        }
        let content = [UInt8](hex: "00 90 01 59")
        let sum = E2ECRC.of(content)
        var reader = ByteReader(content + [UInt8(sum & 0xFF), UInt8(sum >> 8)])
        #expect(try CGMFeature(from: &reader).supported.contains(.e2eCRC))
    }

    @Test func `has a session that began in a zone`() throws {
        let start = try decodeHex("EA 07 01 0F 08 1E 00 04 00") { reader throws(DecodeError) in
            try CGMSessionStartTime(from: &reader, hasCRC: false)
        }
        #expect(start.secondsSince1970 == 1_768_462_200)
        #expect(throws: DecodeError.checksum(field: "E2E-CRC")) {
            try decodeHex("EA 07 01 0F 08 1E 00 04 00 00 00") { reader throws(DecodeError) in
                try CGMSessionStartTime(from: &reader, hasCRC: true)
            }
        }
    }
}
