import Testing
import WireFormats

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
