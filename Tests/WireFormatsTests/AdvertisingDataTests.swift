import GatewayModel
import Testing
import WireSamples

@testable import WireFormats

@Suite struct `Advertising data` {
    private static let flags = ADStructure(type: .flags, content: 2..<3)

    @Test func `is walked structure by structure, in place`() {
        let (found, fault) = structures(of: octets("02 01 06 01 99 03 19 41 03"))
        #expect(
            found == [
                Self.flags, ADStructure(type: ADType(rawValue: 0x99), content: 5..<5),
                ADStructure(type: .appearance, content: 7..<9),
            ])
        #expect(fault == nil)
    }

    @Test func `ends at a length of zero`() {
        let (found, fault) = structures(of: octets("02 01 06 00 05 09 48 52 4D 31"))
        #expect(found == [Self.flags] && fault == nil)
    }

    @Test func `with a length beyond its end keeps the structures before it, and reports the fault`() {
        let (found, fault) = structures(of: octets("02 01 06 05 09 48 52"))
        #expect(found == [Self.flags])
        #expect(fault == .truncated(field: "AD structure", needed: 5, left: 3))
    }

    @Test func `of any bytes does not trap`() {
        var random = SeededBytes()
        for _ in 0..<20_000 {
            let bytes = random.bytes(upTo: 40)
            _ = structures(of: bytes)
            _ = iBeacon(bytes)
            _ = try? eddystone(([0xAA, 0xFE] + bytes))
            _ = try? btHome(([0xD2, 0xFC, 0x40] + bytes))
            _ = try? btHome(([0xD2, 0xFC] + bytes))
        }
    }
}

@Suite struct `A radio address` {
    @Test func `is the device address, both ways`() throws {
        let address = try #require(DeviceAddress("C0:0F:EE:00:00:01"))
        #expect(address.octets == 0xC00F_EE00_0001)
        #expect(DeviceAddress(octets: address.octets) == address)
        #expect(DeviceAddress(octets: 1).description == "00:00:00:00:00:01")
    }

    @Test func `is resolvable by its two highest bits, if random`() {
        #expect(RadioAddress(octets: 0x7081_940D_FBAA, kind: .random).isResolvablePrivate)
        #expect(!RadioAddress(octets: 0x7081_940D_FBAA, kind: .public).isResolvablePrivate)
        #expect(!RadioAddress(octets: 0xC081_940D_FBAA, kind: .random).isResolvablePrivate)
        #expect(!RadioAddress(octets: 0x3081_940D_FBAA, kind: .random).isResolvablePrivate)
    }
}

@Suite struct `An iBeacon` {
    /// The layout of Apple's Proximity Beacon Specification with the sample UUID of its tools.
    private static let data = octets(
        "02 01 06 1A FF 4C 00 02 15 E2 C5 6D B5 DF FB 48 D2 B0 60 D0 F5 A7 10 96 E0 00 01 00 02 C5")

    @Test func `tells UUID, major, minor and power`() throws {
        let bytes = try #require(content(of: .manufacturerData, in: Self.data))
        let beacon = try #require(iBeacon(bytes))
        let uuid = try #require(BluetoothUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
        #expect(beacon.uuid == ProximityUUID(uuid.description))
        #expect(beacon.major == 1)
        #expect(beacon.minor == 2)
        #expect(beacon.measuredPower == -59)
    }

    @Test func `is nothing shorter, longer, or of another company or type`() throws {
        let bytes = try #require(content(of: .manufacturerData, in: Self.data))
        for length in 0..<bytes.count {
            #expect(iBeacon(Array(bytes.prefix(length))) == nil)
        }
        #expect(iBeacon((bytes + [0])) == nil)
        for index in 0..<4 {
            var other = bytes
            other[index] ^= 0x10
            #expect(iBeacon(other) == nil)
        }
    }
}

@Suite struct `An Eddystone` {
    private static let uid = octets("AA FE 00 EE 00 11 22 33 44 55 66 77 88 99 01 02 03 04 05 06 00 00")
    private static let telemetry = octets("AA FE 20 00 0B B8 15 80 00 00 03 E8 00 00 8C A0")

    @Test func `tells namespace and instance`() throws {
        guard case .uid(let uid) = try eddystone(Self.uid) else {
            Issue.record("not a UID")
            return
        }
        #expect(uid.namespace == Eddystone.Namespace(high: 0x0011_2233_4455_6677, low: 0x8899))
        #expect(uid.instance == 0x0102_0304_0506)
        #expect(uid.txPower == -18)
    }

    @Test func `tells a URL`() throws {
        // https://www.google.com/ of the Eddystone-URL document.
        let bytes = octets("AA FE 10 EE 01 67 6F 6F 67 6C 65 00")
        #expect(try eddystone(bytes) == .url("https://www.google.com/", txPower: -18))
        #expect(throws: DecodeError.self) { try eddystone(octets("AA FE 10 EE 04 67")) }
        #expect(throws: DecodeError.self) { try eddystone(octets("AA FE 10 EE 01 20")) }
    }

    @Test func `tells its telemetry`() throws {
        guard case .telemetry(let telemetry) = try eddystone(Self.telemetry) else {
            Issue.record("no telemetry")
            return
        }
        #expect(telemetry.battery == 3_000)
        #expect(telemetry.temperature == 21.5)
        #expect(telemetry.adverts == 1_000)
        #expect(telemetry.uptime == .seconds(3_600))
        let nothing = octets("AA FE 20 00 00 00 80 00 00 00 00 00 00 00 00 00")
        guard case .telemetry(let unknown) = try eddystone(nothing) else {
            Issue.record("no telemetry")
            return
        }
        #expect(unknown.battery == nil)
        #expect(unknown.temperature == nil)
    }

    @Test func `tells an ephemeral identifier, and keeps what it does not know`() throws {
        let ephemeral = octets("AA FE 30 EE 01 02 03 04 05 06 07 08")
        #expect(
            try eddystone(ephemeral)
                == .ephemeralID(0x0102_0304_0506_0708, txPower: -18))
        #expect(try eddystone(octets("AA FE 40 00")) == .other(frameType: 0x40))
        #expect(try eddystone(octets("AA FE 20 01 AB")) == .encryptedTelemetry([0xAB]))
        #expect(try eddystone(octets("0F 18 64")) == nil)
    }

    @Test(arguments: [(uid, 20), (telemetry, 16)]) func `that is cut is a fault`(
        _ whole: [UInt8], _ needed: Int
    ) {
        for length in 2..<needed {
            #expect(throws: DecodeError.self) {
                try eddystone(Array(whole.prefix(length)))
            }
        }
    }
}

@Suite struct `An advert filter` {
    private static let uuid = IBeacon.ProximityUUID(high: 1, low: 2)

    private static func match(_ rules: [AdvertFilter.Rule], _ address: RadioAddress, _ data: [UInt8])
        -> AdvertFilter.Match
    {
        let report = AdvertReport(
            address: address, rssi: nil, txPower: nil, properties: .legacy, dataStatus: .complete, set: nil,
            data: 0..<data.count)
        return AdvertFilter(rules).match(report, in: data.span)
    }

    private static func iBeacon(major: UInt8, minor: UInt8) -> [UInt8] {
        octets("1A FF 4C 00 02 15 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 02") + [0, major, 0, minor, 0]
    }

    private static let stranger = RadioAddress(octets: 0xC000_0000_0001, kind: .random)

    @Test func `wants nothing where nothing is asked for`() {
        #expect(Self.match([], Self.stranger, octets("02 01 06")).isEmpty)
        #expect(Self.match([.all], Self.stranger, []) == .all)
    }

    @Test func `knows a device whichever kind of address it reports`() throws {
        let rule = AdvertFilter.Rule.address(try #require(DeviceAddress("C0:00:00:00:00:01")))
        #expect(Self.match([rule], Self.stranger, []) == .address)
        #expect(
            Self.match([rule], RadioAddress(octets: 0xC000_0000_0001, kind: .publicIdentity), []) == .address)
        #expect(Self.match([rule], RadioAddress(octets: 0xC000_0000_0002, kind: .random), []).isEmpty)
        #expect(Self.match([rule], RadioAddress(octets: 0xC000_0000_0001, kind: .anonymous), []).isEmpty)
    }

    @Test(
        arguments: [
            (nil, nil, true), (7, nil, true), (7, 9, true), (nil, 9, true), (8, nil, false), (7, 8, false),
            (nil, 8, false),
        ] as [(UInt16?, UInt16?, Bool)])
    func `knows an iBeacon by as much of its name as the rule has`(
        _ major: UInt16?, _ minor: UInt16?, _ isWanted: Bool
    ) {
        let rule = AdvertFilter.Rule.iBeacon(Self.uuid, major: major, minor: minor)
        let match = Self.match([rule], Self.stranger, Self.iBeacon(major: 7, minor: 9))
        #expect(match == (isWanted ? .iBeacon : []))
        let other = AdvertFilter.Rule.iBeacon(
            IBeacon.ProximityUUID(high: 1, low: 3), major: major, minor: minor)
        #expect(Self.match([other], Self.stranger, Self.iBeacon(major: 7, minor: 9)).isEmpty)
    }

    @Test func `knows an Eddystone by namespace and instance`() {
        let data = octets("15 16 AA FE 00 EE 00 11 22 33 44 55 66 77 88 99 01 02 03 04 05 06")
        let namespace = Eddystone.Namespace(high: 0x0011_2233_4455_6677, low: 0x8899)
        #expect(
            Self.match([.eddystone(namespace, instance: nil)], Self.stranger, data) == .eddystone)
        #expect(
            Self.match([.eddystone(namespace, instance: 0x0102_0304_0506)], Self.stranger, data) == .eddystone)
        #expect(Self.match([.eddystone(namespace, instance: 1)], Self.stranger, data).isEmpty)
    }

    @Test func `knows manufacturer data by how it begins`() {
        func meets(_ company: UInt16, _ bytes: [UInt8], _ data: String) -> Bool {
            let rule = AdvertFilter.Rule.manufacturer(.init(company: company, bytes: bytes))
            return Self.match([rule], Self.stranger, octets(data)) == .manufacturer
        }
        #expect(meets(0x0059, [0xCA, 0xFE], "06 FF 59 00 CA FE 01"))
        #expect(meets(0x0059, [], "03 FF 59 00"))
        #expect(!meets(0x0059, [0xCA, 0xFE], "04 FF 59 00 CA"))
        #expect(!meets(0x0059, [0xCA, 0xFE], "06 FF 59 00 CA FF 01"))
        #expect(!meets(0x0058, [0xCA, 0xFE], "06 FF 59 00 CA FE 01"))
        #expect(!meets(0x0059, [], "02 FF 59"))
    }

    @Test func `knows BTHome and private addresses, and says which rules are met`() {
        let data = octets("04 16 D2 FC 40 ")
        let address = RadioAddress(octets: 0x7081_940D_FBAA, kind: .random)
        #expect(Self.match([.btHome], Self.stranger, data) == .btHome)
        #expect(Self.match([.btHome, .resolvablePrivate], address, data) == [.btHome, .resolvablePrivate])
        #expect(Self.match([.resolvablePrivate], Self.stranger, data).isEmpty)
    }

    @Test func `judges broken data by what comes before the fault`() {
        #expect(Self.match([.btHome], Self.stranger, octets("04 16 D2 FC 40 09 FF")) == .btHome)
        #expect(Self.match([.btHome], Self.stranger, octets("09 FF 04 16 D2 FC 40")).isEmpty)
    }
}

/// Vectors: encoded with opendroneid-core-c at beb5639 (`encodeLocationMessage`, `encodeMessagePack`), behind application code
/// and counter as that project's transmitters send them.
@Suite struct `Remote ID` {
    private func read(_ hex: String) throws -> RemoteID? {
        try read([0xFA, 0xFF] + Self.bytes(hex))
    }

    private func read(_ content: [UInt8]) throws -> RemoteID? { try RemoteID(serviceData: content.span) }

    private static func bytes(_ hex: String) -> [UInt8] {
        hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }

    private static let place =
        "0D 2A 12 16 24 0D 00 35 C2 15 1B A5 89 79 05 98 08 AC 08 D3 07 6B 53 15 0E 02 00"
    private static let south =
        "0D 01 12 15 14 16 00 5C DD D1 EB 79 60 DE A5 98 08 AC 08 D3 07 60 53 FF FF 02 00"
    private static let unknown =
        "0D 01 12 03 B5 FF 7E 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
    private static let basicID =
        "0D 01 02 10 31 31 32 36 32 34 31 35 30 41 39 30 45 33 41 45 31 45 43 30 00 00 00"
    private static let pack =
        "0D 07 F2 19 02 02 10 31 31 32 36 32 34 31 35 30 41 39 30 45 33 41 45 31 45 43 30 00 00 00 "
        + "12 13 B5 FF 7E 35 C2 15 1B A5 89 79 05 00 00 00 00 00 00 0A 00 50 46 00 00"

    @Test func `says where, how sure, and when in the hour`() throws {
        let message = try #require(try read(Self.place))
        let place = try #require(message.location)
        #expect(message.counter == 0x2A)
        #expect(place.latitude == 454_410_805 && place.longitude == 91_851_173)
        #expect(place.latitudeDegrees == 45.4410805 && place.longitudeDegrees == 9.1851173)
        #expect(place.horizontalAccuracy == 3)
        #expect(place.timeInHour == 3_605)
    }

    @Test func `says south and west too, and not what it does not know`() throws {
        let place = try #require(try read(Self.south)?.location)
        #expect(place.latitudeDegrees == -33.8567844 && place.longitudeDegrees == -151.2152967)
        #expect(place.horizontalAccuracy == nil && place.timeInHour == nil)
        #expect(try #require(try read(Self.unknown)).location == nil)
        #expect(try #require(try read(Self.basicID)).location == nil)
    }

    @Test func `is found in a pack of messages`() throws {
        let place = try #require(try read(Self.pack)?.location)
        #expect(place.latitude == 454_410_805 && place.horizontalAccuracy == 10 && place.timeInHour == 18_000)
    }

    @Test func `of another service or application is none`() throws {
        #expect(try read([0xFB, 0xFF, 0x0D]) == nil)
        #expect(try read([0xFA]) == nil)
        #expect(try read("0E 01") == nil)
    }

    @Test(arguments: [place, south, pack]) func `that is cut anywhere is an error`(hex: String) {
        let bytes = Self.bytes(hex)
        for length in bytes.indices {
            #expect(throws: DecodeError.self, "\(length)") {
                try read([0xFA, 0xFF] + bytes.prefix(length))
            }
        }
    }

    @Test func `that lies on no globe, or in a pack of another measure, is an error`() {
        for hex in [
            Self.place.replacing("35 C2 15 1B", with: "FF FF FF 7F"),
            Self.place.replacing("A5 89 79 05", with: "00 00 00 80"),
            Self.pack.replacing("F2 19", with: "F2 18"),
        ] {
            #expect(throws: DecodeError.self) { try read(hex) }
        }
    }
}
