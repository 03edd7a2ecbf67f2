import Testing

@testable import WireFormats

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
