import GatewayModel
import RunBeacon
import Testing
import WireFormats

@Suite struct TagTextTests {
    @Test(arguments: [
        ("c0:ff:ee:00:00:01", "C0:FF:EE:00:00:01"),
        (
            "ibeacon:FDA50693-A4E2-4FB1-AFCF-C6EB07647825/10/4711",
            "ibeacon:fda50693-a4e2-4fb1-afcf-c6eb07647825/10/4711"
        ),
        (
            "iBeacon:00000000-0000-0000-0000-000000000001/0/65535",
            "ibeacon:00000000-0000-0000-0000-000000000001/0/65535"
        ),
        ("eddystone:EDD1EBEAC04E5DEFA017/00000000000A", "eddystone:edd1ebeac04e5defa017/00000000000a"),
        ("manufacturer:FFFF/1A2B", "manufacturer:ffff/1a2b"), ("key-file:bib-17.key", "key-file:bib-17.key"),
    ]) func `a tag reads as it is written, in either case`(written: String, text: String) throws {
        let tag = try TagName(written)
        #expect(tag.description == text)
        #expect(try TagName(text) == tag)
    }

    /// By the layouts of Apple's and Google's specifications, as an advertisement has them.
    @Test func `its numbers are those of the advertisement`() throws {
        let uuid = IBeacon.ProximityUUID(high: 0xFDA5_0693_A4E2_4FB1, low: 0xAFCF_C6EB_0764_7825)
        #expect(
            try TagIdentity("ibeacon:fda50693-a4e2-4fb1-afcf-c6eb07647825/10/4711")
                == .iBeacon(uuid, major: 10, minor: 4711))
        #expect(
            try TagIdentity("eddystone:edd1ebeac04e5defa017/00000000000a")
                == .eddystone(
                    Eddystone.Namespace(high: 0xEDD1_EBEA_C04E_5DEF, low: 0xA017), instance: 0x0A))
        #expect(try TagIdentity("manufacturer:004c/0215") == .manufacturer(company: 0x4C, prefix: [2, 0x15]))
    }

    @Test(arguments: [
        ("", TagIdentity.Flaw.unknownKind), ("17", .unknownKind), ("nfc:04aabbcc", .unknownKind),
        ("C0:FF:EE:00:00", .notAnAddress), ("C0:FF:EE:00:00:0G", .notAnAddress),
        ("C0-FF-EE-00-00-01", .unknownKind),
        ("ibeacon:fda50693-a4e2-4fb1-afcf-c6eb07647825/10", .notIBeacon),
        ("ibeacon:fda50693-a4e2-4fb1-afcf-c6eb07647825/10/65536", .notIBeacon),
        ("ibeacon:fda50693-a4e2-4fb1-afcf-c6eb07647825/+1/2", .notIBeacon),
        ("ibeacon:fda50693a4e24fb1afcfc6eb07647825/1/2", .notIBeacon),
        ("eddystone:edd1ebeac04e5defa0/000000000017", .notEddystone),
        ("eddystone:+dd1ebeac04e5defa017/000000000017", .notEddystone),
        ("eddystone:edd1ebeac04e5defa017/17", .notEddystone), ("manufacturer:ffff/", .notManufacturer),
        ("manufacturer:ff/1a2b", .notManufacturer), ("manufacturer:ffff/1a2", .notManufacturer),
        ("manufacturer:ffff/" + String(repeating: "00", count: 28), .notManufacturer),
        ("irk:00112233445566778899aabbccddeeff", .keyInTheOpen),
        ("key-file:00112233445566778899aabbccddeeff", .keyInTheOpen), ("key-file:../shadow", .keyInTheOpen),
        ("key-file:/etc/shadow", .keyInTheOpen), ("key-file:", .keyInTheOpen),
    ]) func `what names no tag is told by what was expected, and not repeated`(
        written: String, flaw: TagIdentity.Flaw
    ) {
        #expect(throws: flaw) { try TagName(written) }
        #expect(!flaw.description.contains("00112233445566778899aabbccddeeff"))
    }

    @Test func `a key has no text, wherever it is shown`() {
        let tag = TagIdentity.identityKey([UInt8](repeating: 0xAB, count: 16))
        let runner = Participant(bib: Bib(17)!, wave: WaveID("all")!, tags: [tag])
        var dumped = ""
        dump(runner, to: &dumped)
        for text in ["\(tag)", String(reflecting: tag), "\(runner)", String(reflecting: runner), dumped] {
            #expect(!text.contains("171") && !text.lowercased().contains("abab"), "\(text)")
        }
        #expect(tag.text == nil)
    }
}
