import Testing
import WireFormats

@Suite struct `Scales` {
    @Test func `weigh in kilograms and pounds`() throws {
        #expect(try decodeHex("00 98 3A", WeightMeasurement.init(from:)).kilograms == 75)
        let pounds = try decodeHex("01 98 3A", WeightMeasurement.init(from:))
        #expect(pounds.weight == 15_000 && pounds.units == .imperial)
        // 150 lb.
        #expect(abs(try #require(pounds.kilograms) - 68.0388555) < 1e-9)
        // 69 in.
        #expect(abs(BodyScaleUnits.imperial.metres(690) - 1.7526) < 1e-12)
    }

    @Test func `tell the user, the height and the index`() throws {
        let weight = try decodeHex(
            "0E 98 3A EA 07 01 0F 08 1E 00 02 F5 00 D6 06", WeightMeasurement.init(from:))
        #expect(weight.kilograms == 75 && weight.userID == .user(2))
        #expect(weight.timeStamp?.secondsSince1970AsUTC == 1_768_465_800)
        #expect(weight.kilogramsPerSquareMetre == 24.5 && weight.metres == 1.75)
    }

    @Test func `have no value where the measurement failed`() throws {
        #expect(try decodeHex("00 FF FF", WeightMeasurement.init(from:)).kilograms == nil)
        #expect(try decodeHex("00 00 FF FF", BodyCompositionMeasurement.init(from:)).bodyFatPercent == nil)
    }

    @Test func `decode body composition`() throws {
        #expect(try decodeHex("00 00 D7 00", BodyCompositionMeasurement.init(from:)).bodyFatPercent == 21.5)
        let body = try decodeHex(
            "9E 06 D7 00 EA 07 01 0F 08 1E 00 01 40 1A A4 01 E0 2E 88 13 98 3A",
            BodyCompositionMeasurement.init(from:))
        #expect(body.bodyFatPercent == 21.5 && body.userID == .user(1) && body.basalMetabolism == 6_720)
        #expect(body.musclePercent == 42 && body.softLeanMass.map(body.units.kilograms) == 60)
        #expect(body.impedanceOhms == 500 && body.kilograms == 75)
        #expect(body.muscleMass == nil && body.fatFreeMass == nil && body.bodyWaterMass == nil)
        #expect(body.height == nil && !body.isMultiplePacket)
        #expect(try decodeHex("00 10 D7 00", BodyCompositionMeasurement.init(from:)).isMultiplePacket)
    }
}

@Suite struct `Running speed and cadence` {
    @Test func `give each field in its unit`() throws {
        let walk = try decodeHex("00 00 03 50", RSCMeasurement.init(from:))
        #expect(walk.metresPerSecond == 3 && walk.cadence == 80 && !walk.isRunning)
        let run = try decodeHex("07 80 03 5A 82 00 10 27 00 00", RSCMeasurement.init(from:))
        #expect(run.metresPerSecond == 3.5 && run.cadence == 90 && run.isRunning)
        #expect(run.strideMetres == 1.3 && run.totalMetres == 1_000)
    }
}

@Suite struct `Location and speed` {
    @Test func `decode place and time`() throws {
        let place = try decodeHex(
            "C4 00 35 C2 15 1B A5 89 79 05 EA 07 01 0F 08 1E 00", LocationAndSpeed.init(from:))
        #expect(place.location?.latitude == 454_410_805 && place.location?.longitude == 91_851_173)
        #expect(place.location?.latitudeDegrees == 45.4410805)
        #expect(place.utcTime?.secondsSince1970AsUTC == 1_768_465_800)
        #expect(place.positionStatus == .ok && place.speed == nil)
    }

    @Test func `decode movement`() throws {
        let move = try decodeHex(
            "9F 00 F4 01 E8 03 00 35 C2 15 1B A5 89 79 05 D4 30 00 28 23", LocationAndSpeed.init(from:))
        #expect(move.metresPerSecond == 5 && move.totalMetres == 100)
        #expect(move.elevationMetres == 125 && move.headingDegrees == 90)
        #expect(move.positionStatus == .ok && !move.speedIs3D && move.elevationSource == .positioningSystem)
    }

    @Test func `read an elevation below the sea`() throws {
        // -1 cm, and the lowest the field can say.
        #expect(try decodeHex("08 0C FF FF FF", LocationAndSpeed.init(from:)).elevation == -1)
        #expect(try decodeHex("08 1C 00 00 80", LocationAndSpeed.init(from:)).elevation == -8_388_608)
        #expect(try decodeHex("08 0C FF FF FF", LocationAndSpeed.init(from:)).elevationSource == .other)
    }

    @Test(arguments: [
        ("84 00 00 E9 A4 35 00 00 00 80", "longitude"), ("84 00 01 E9 A4 35 00 00 00 00", "latitude"),
        ("84 00 00 00 00 80 00 00 00 00", "latitude"), ("84 00 00 00 00 00 01 D2 49 6B", "longitude"),
    ]) func `refuse a place that is not on Earth`(_ hex: String, _ field: String) {
        #expect(throws: DecodeError.outOfRange(field: field)) {
            try decodeHex(hex, LocationAndSpeed.init(from:))
        }
    }

    @Test func `take the pole and the date line`() throws {
        let pole = try decodeHex("84 00 00 E9 A4 35 00 D2 49 6B", LocationAndSpeed.init(from:)).location
        #expect(pole?.latitudeDegrees == 90 && pole?.longitudeDegrees == 180)
    }

    @Test func `tell how good the position is`() throws {
        let quality = try decodeHex("A9 00 08 2C 01 00 00 05", PositionQuality.init(from:))
        #expect(quality.beaconsInSolution == 8 && quality.horizontalErrorMetres == 3)
        #expect(quality.hdop == 5 && quality.vdop == nil && quality.positionStatus == .ok)
    }
}
