import Testing

@testable import Accounts

/// Bytes of RFC 8949, appendix A, and bytes that the canonical form of CTAP does not have.
struct CBORReaderTests {
    private func item(_ hex: String) -> CBORItem? {
        try? CBORReader.item(of: SpecificationVectors.bytes(hex))
    }

    @Test(
        arguments: [
            ("00", .number(0)), ("17", .number(23)), ("1818", .number(24)), ("1903e8", .number(1_000)),
            ("1a000f4240", .number(1_000_000)), ("1b000000e8d4a51000", .number(1_000_000_000_000)),
            ("20", .number(-1)), ("3863", .number(-100)), ("3903e7", .number(-1_000)), ("40", .bytes([])),
            ("4401020304", .bytes([1, 2, 3, 4])), ("6449455446", .text("IETF")), ("62c3bc", .text("ü")),
            ("80", .list([])),
            (
                "8301820203820405",
                .list([
                    .number(1), .list([.number(2), .number(3)]), .list([.number(4), .number(5)]),
                ])
            ), ("a0", .map([:])), ("a201020304", .map([.number(1): .number(2), .number(3): .number(4)])),
            (
                "a26161016162820203",
                .map([.text("a"): .number(1), .text("b"): .list([.number(2), .number(3)])])
            ),
            ("f4", .truth(false)), ("f5", .truth(true)), ("f6", .null),
            ("1b7fffffffffffffff", .number(.max)), ("3b7fffffffffffffff", .number(.min)),
        ] as [(String, CBORItem)])
    func `an item has its value`(hex: String, expected: CBORItem) {
        #expect(item(hex) == expected)
    }

    @Test(
        arguments: [
            // Indefinite lengths.
            "5f42010243030405ff", "7f657374726561646d696e67ff", "9fff", "bfff",
            // Heads that are longer than needed.
            "1817", "190017", "1900ff", "1a0000ffff", "1b00000000ffffffff", "5801ff", "780161",
            // Fractions, tags, other simple values, reserved lengths, a break alone.
            "f90000", "fa47c35000", "fb3ff199999999999a", "c11a514b67b0", "f7", "f0", "f8ff", "1c", "3d", "5e",
            "ff",
            // Numbers of 64 bits.
            "1b8000000000000000", "3b8000000000000000", "3bffffffffffffffff",
            // Keys twice, keys of another kind, no value.
            "a201020103", "a2616101616102", "a14001", "a18001", "a101",
            // Lengths beyond the end.
            "", "18", "41", "5bffffffffffffffff", "9bffffffffffffffff", "bbffffffffffffffff", "9affffffff",
            "8201",
            // Bytes behind the item, five levels, and a text that is not UTF-8.
            "0000", "818181818000", "818181818100", "a101a101a101a101a10101", "61ff",
        ]) func `bytes of another form are refused`(hex: String)
    {
        #expect(item(hex) == nil)
    }

    @Test func `four levels are read, and thousands end nothing`() {
        #expect(item("8181818100") == nil)
        #expect(item("81818100") != nil)
        #expect(item("81818180") != nil)
        #expect(item(String(repeating: "81", count: 100_000)) == nil)
        #expect(item(String(repeating: "a100", count: 100_000)) == nil)
    }

    @Test func `each beginning of an attestation is refused`() throws {
        for vector in try SpecificationVectors.all() {
            let whole = vector.registration.attestation
            #expect(throws: Never.self) { try CBORReader.item(of: whole) }
            for count in 0..<whole.count {
                #expect((try? CBORReader.item(of: Array(whole.prefix(count)))) == nil)
            }
        }
    }
}
