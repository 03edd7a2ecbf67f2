import GatewayModel
import Testing

@testable import WireFormats

@Suite struct `What a device says of itself` {
    @Test(arguments: [("00", 0), ("55", 85), ("64", 100), ("65", nil), ("FF", nil)] as [(String, UInt8?)])
    func `has a battery of at most 100 percent`(_ hex: String, _ percent: UInt8?) throws {
        #expect(try decodeHex(hex, BatteryLevel.init(from:)).percent == percent)
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

    @Test func `has a place on the body`() {
        #expect(BodySensorLocation(rawValue: 1)?.title == "chest")
        #expect(BodySensorLocation(rawValue: 5)?.title == "ear lobe")
        #expect(BodySensorLocation(rawValue: 7) == nil)
    }

    @Test func `is alerted with one byte`() {
        #expect([AlertLevel.none, .mild, .high].map(\.bytes) == [[0], [1], [2]])
    }
}

@Suite struct `The table of services` {
    @Test func `has no service without a title or a use`() {
        for service in GATTService.allCases {
            #expect(!service.title.isEmpty)
            #expect(service == .bthome || !service.characteristics.isEmpty)
        }
    }

    @Test func `names each characteristic once, except those that services share`() {
        let numbers = GATTService.allCases.flatMap(\.characteristics).map(\.uuid)
        let twice = Dictionary(grouping: numbers) { $0 }.filter { $0.value.count > 1 }.keys
        // Date Time is the clock of a cuff, a scale or a thermometer that has it in its measuring service.
        #expect(Set(twice) == [.alertLevel, .dateTime])
    }

    @Test func `decodes each measurement, and nothing else`() {
        for row in GATTService.allCases.flatMap(\.characteristics) {
            #expect((row.decode != nil) == row.role.isMeasurement)
        }
    }

    @Test func `tells the uses of a shared characteristic apart by its service`() {
        let glucose = GATTService.glucose.uuid
        #expect(CharacteristicRole(.alertLevel, service: GATTService.immediateAlert.uuid) == .immediateAlert)
        #expect(CharacteristicRole(.alertLevel, service: GATTService.linkLoss.uuid) == .linkLoss)
        #expect(CharacteristicRole(.alertLevel, service: nil) == nil)
        #expect(CharacteristicRole(.recordAccessControlPoint, service: glucose) == .recordControl)
        #expect(CharacteristicRole(.recordAccessControlPoint, service: GATTService.pulseOximeter.uuid) == nil)
        #expect(CharacteristicRole(.heartRateMeasurement, service: nil)?.isMeasurement == true)
    }

    @Test func `shows a person the services that tell devices apart`() {
        let shown = [GATTService.battery, .heartRate, .deviceInformation, .bthome].map(\.uuid.description)
        #expect(GATTService.known(among: shown).filter(\.isTelling) == [.heartRate, .battery, .bthome])
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
            (0x2A37, "heartRate"), (0x2A35, "bloodPressure"), (0x2B34, "enhancedBloodPressure"),
            (0x2A1C, "temperature"), (0x2A5E, "plxSpotCheck"), (0x2A5F, "plxContinuous"), (0x2A18, "glucose"),
            (0x2A34, "glucoseContext"), (0x2AA7, "cgm"), (0x2A9D, "weight"), (0x2A9C, "bodyComposition"),
            (0x2A53, "rsc"),
        ] as [(UInt16, String)]) func `goes to the decoder of its number`(_ number: UInt16, _ name: String)
        throws
    {
        // Zeros promise nothing, so that they are a value of nearly each type; a CGM record says its size first.
        let bytes = [number == 0x2AA7 ? 6 : 0] + [UInt8](repeating: 0, count: 19)
        let decoded = try GATTMeasurement.decode(characteristic: BluetoothUUID(assigned: number), bytes: bytes)
        #expect(Mirror(reflecting: decoded).children.first?.label == name)
    }

    @Test func `without a decoder says so`() {
        let uuid = BluetoothUUID(assigned: 0x2AFF)
        #expect(throws: DecodeError.unknown(uuid)) {
            try GATTMeasurement.decode(characteristic: uuid, bytes: [1])
        }
    }
}

@Suite struct BluetoothUUIDTests {
    @Test func `an assigned number is shown as blue z shows it`() {
        #expect(BluetoothUUID(assigned: 0x2A37).description == "00002a37-0000-1000-8000-00805f9b34fb")
        #expect(BluetoothUUID(assigned: 0x0001).description == "00000001-0000-1000-8000-00805f9b34fb")
    }

    @Test func `upper case is the same`() {
        #expect(BluetoothUUID("00002A37-0000-1000-8000-00805F9B34FB") == .heartRateMeasurement)
    }

    @Test(arguments: [
        "", "2a37", "00002a37-0000-1000-8000-00805f9b34f", "0000ｱa37-0000-1000-8000-00805f9b34fb",
    ])
    func `a text that is no UUID is refused`(_ text: String) {
        #expect(BluetoothUUID(text) == nil)
    }
}
