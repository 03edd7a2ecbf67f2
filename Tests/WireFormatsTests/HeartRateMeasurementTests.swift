import Testing

@testable import WireFormats

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

    @Test(arguments: vectors) func specificationVectorsDecode(_ vector: Vector) throws {
        var reader = ByteReader(vector.bytes)
        let decoded = try HeartRateMeasurement(from: &reader)
        #expect(decoded.rate == vector.rate)
        #expect(decoded.contact == vector.contact)
        #expect(decoded.energyExpended == vector.energy)
        #expect(decoded.intervals == vector.intervals)
        #expect(reader.left == 0)
    }

    /// Flags, uint16 rate and energy are 5 bytes; after them any even number of bytes is whole intervals.
    @Test(arguments: 0...6) func aPacketCutInAPromisedFieldIsAnError(_ length: Int) throws {
        let whole: [UInt8] = [0x1F, 0x2C, 0x01, 0x10, 0x27, 0xCD, 0x00]
        var reader = ByteReader(Array(whole.prefix(length)))
        if length < 5 {
            #expect(throws: DecodeError.self) { try HeartRateMeasurement(from: &reader) }
        } else {
            #expect(try HeartRateMeasurement(from: &reader).rate == 300)
        }
    }

    @Test func reservedFlagBitsAreIgnored() throws {
        var reader = ByteReader([0xE0, 0x48])
        #expect(try HeartRateMeasurement(from: &reader).rate == 72)
    }

    @Test(arguments: [[0x00, 0x48, 0xFF], [0x10, 0x48, 0x00, 0x04, 0x01]] as [[UInt8]])
    func whatFollowsTheLastFieldIsLeftAndDoesNotSpoilTheRate(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        #expect(try HeartRateMeasurement(from: &reader).rate == 72)
        #expect(reader.left == 1)
    }
}
