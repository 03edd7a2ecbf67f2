import Testing

@testable import WireFormats

@Suite struct `What a device says of itself` {
    @Test(arguments: [("00", 0), ("55", 85), ("64", 100), ("65", nil), ("FF", nil)] as [(String, UInt8?)])
    func `has a battery of at most 100 percent`(_ hex: String, _ percent: UInt8?) throws {
        #expect(try decodeHex(hex, BatteryLevel.init(from:)).percent == percent)
    }

    @Test(arguments: [("F6", -10), ("9C", -100), ("9B", nil), ("14", 20), ("15", nil)] as [(String, Int8?)])
    func `has a power within the range of its field`(_ hex: String, _ power: Int8?) throws {
        #expect(try decodeHex(hex, TxPowerLevel.init(from:)).dBm == power)
    }

    private static func text(_ bytes: [UInt8]) throws(DecodeError) -> String {
        var reader = ByteReader(bytes)
        return try DeviceInformationString(from: &reader, field: "model number").text
    }

    @Test(arguments: [
        ("HRM1", "HRM1"), ("HRM1\0", "HRM1"), ("\0HRM1 \0\0", "HRM1"), ("  HRM 1\t ", "HRM 1"), ("", ""),
        ("\0\0", ""), ("Größe 二", "Größe 二"), ("HRM1\0rubbish", "HRM1"),
        // No terminal, log or page may be steered by a device's name.
        ("a\u{1B}[31mb\r\nc\u{202E}d\u{7F}", "a[31mbcd"),
    ]) func `is printable text without padding`(_ sent: String, _ text: String) throws {
        #expect(try Self.text(Array(sent.utf8)) == text)
    }

    @Test func `is not text where it is not UTF-8 or longer than an attribute`() throws {
        #expect(throws: DecodeError.notUTF8(field: "model number")) { try Self.text([0x48, 0xC3, 0x28]) }
        #expect(throws: DecodeError.outOfRange(field: "model number")) {
            try Self.text([UInt8](repeating: 0x41, count: 513))
        }
        #expect(try Self.text([UInt8](repeating: 0x41, count: 512)).count == 512)
    }

    @Test func `has numbers of its maker`() throws {
        let pnp = try decodeHex("01 6B 00 0A 00 02 01", PnPID.init(from:))
        #expect(pnp.vendorSource == .known(.bluetooth) && pnp.vendor == 0x6B)
        #expect(pnp.product == 10 && pnp.version == 0x0102)
        #expect(try decodeHex("07 00 00 00 00 00 00", PnPID.init(from:)).vendorSource == .other(7))
        let system = try decodeHex("01 02 03 04 05 C0 B0 A0", SystemID.init(from:))
        #expect(system.organizationallyUniqueIdentifier == 0xA0B0C0)
        #expect(system.manufacturerIdentifier == 0x05_0403_0201)
    }

    @Test func `has a place on the body`() throws {
        #expect(try decodeHex("01", BodySensorLocation.decode(from:)) == .known(.chest))
        #expect(try decodeHex("07", BodySensorLocation.decode(from:)) == .other(7))
        #expect(try decodeHex("07", BodySensorLocation.decode(from:)).rawValue == 7)
    }

    @Test func `is alerted and reset with one byte`() throws {
        #expect([AlertLevel.none, .mild, .high].map(\.bytes) == [[0], [1], [2]])
        #expect(try decodeHex("02", AlertLevel.decode(from:)).known == .high)
        #expect(try decodeHex("03", AlertLevel.decode(from:)).known == nil)
        #expect(HeartRateControlPoint.resetEnergyExpended.bytes == [1])
    }
}

@Suite struct `The table of services` {
    @Test func `has each service once, under its assigned number`() {
        #expect(Set(GATTProfile.all.map(\.service)).count == GATTProfile.all.count)
        #expect(GATTProfile.of(service: BluetoothUUID(assigned: 0x180D))?.title == "Heart Rate")
        #expect(GATTProfile.of(service: BluetoothUUID(assigned: 0x1234)) == nil)
    }

    @Test func `uses each characteristic for something`() {
        for profile in GATTProfile.all {
            #expect(!profile.characteristics.isEmpty)
            #expect(Set(profile.characteristics.map(\.uuid)).count == profile.characteristics.count)
            #expect(profile.characteristics.allSatisfy { !$0.role.isEmpty })
        }
    }

    @Test func `subscribes nothing that cannot be decoded`() {
        for uuid in GATTProfile.all.flatMap(\.subscriptions) {
            do throws(DecodeError) {
                _ = try GATTMeasurement.decode(characteristic: uuid, bytes: [])
            } catch {
                #expect(error != .unknown(uuid))
            }
        }
    }

    @Test func `subscribes glucose records before the point that starts them`() throws {
        let glucose = try #require(GATTProfile.of(service: BluetoothUUID(assigned: 0x1808)))
        #expect(
            glucose.subscriptions == [
                .glucoseMeasurement, .glucoseMeasurementContext, .recordAccessControlPoint,
            ])
    }
}

@Suite struct `A notification` {
    @Test func `is decoded by its characteristic`() throws {
        let heart = try GATTMeasurement.decode(characteristic: .heartRateMeasurement, bytes: [0x06, 0x48])
        guard case .heartRate(let rate) = heart else {
            Issue.record("\(heart)")
            return
        }
        #expect(rate.rate == 72)
    }

    @Test(
        arguments: [
            (0x2A37, "heartRate"), (0x2A35, "bloodPressure"), (0x2A36, "intermediateCuffPressure"),
            (0x2B34, "enhancedBloodPressure"), (0x2B35, "enhancedIntermediateCuffPressure"),
            (0x2A1C, "temperature"), (0x2A1E, "intermediateTemperature"), (0x2A21, "measurementInterval"),
            (0x2A5E, "plxSpotCheck"), (0x2A5F, "plxContinuous"), (0x2A18, "glucose"),
            (0x2A34, "glucoseContext"),
            (0x2AA7, "cgm"), (0x2A9D, "weight"), (0x2A9C, "bodyComposition"), (0x2A53, "rsc"),
            (0x2A67, "locationAndSpeed"), (0x2B3C, "generalActivity"), (0x2A19, "batteryLevel"),
            (0x2A2B, "currentTime"),
        ] as [(UInt16, String)]) func `goes to the decoder of its number`(_ number: UInt16, _ name: String)
        throws
    {
        // Zeros promise nothing, so that they are a value of nearly each type; a CGM record says its size first.
        let bytes = [number == 0x2AA7 ? 6 : 0] + [UInt8](repeating: 0, count: 19)
        let decoded = try GATTMeasurement.decode(characteristic: BluetoothUUID(assigned: number), bytes: bytes)
        #expect(Mirror(reflecting: decoded).children.first?.label == name)
    }

    @Test func `of a response is one of the control point`() throws {
        #expect(
            try GATTMeasurement.decode(characteristic: .recordAccessControlPoint, bytes: [5, 0, 12, 0])
                == .recordAccess(.numberOfRecords(12)))
    }

    @Test func `without a decoder says so`() {
        let uuid = BluetoothUUID(assigned: 0x2AFF)
        #expect(throws: DecodeError.unknown(uuid)) {
            try GATTMeasurement.decode(characteristic: uuid, bytes: [1])
        }
    }
}
