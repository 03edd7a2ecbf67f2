import Foundation
import GatewayModel
import TestSupport
import Testing
import Vault

@testable import HomeGateway
@testable import Hub

@Suite struct `What was told of stored records` {
    private static let meter = DeviceID(checked: "meter")

    private func instant(_ seconds: Int64) -> BootInstant { BootInstant(nanoseconds: seconds * 1_000_000_000) }

    @Test func `is written when what it stands for has been on the disk for a minute`() {
        let records = SeenRecords([:], of: [Self.meter])
        #expect(records.due(at: instant(0), isAllKept: true) == nil && records.last == nil)
        records.note([1], of: Self.meter)
        #expect(records.due(at: instant(1), isAllKept: true) == nil)
        // Not with what is written: its reading may not be on the disk yet.
        records.note([1, 2], of: Self.meter)
        #expect(records.due(at: instant(60), isAllKept: true) == nil)
        #expect(records.due(at: instant(61), isAllKept: false) == nil)
        #expect(records.due(at: instant(62), isAllKept: true) == [Self.meter: [1]])
        #expect(records.due(at: instant(63), isAllKept: true) == nil)
        #expect(records.last == [Self.meter: [1, 2]])
        #expect(records.due(at: instant(123), isAllKept: true) == [Self.meter: [1, 2]])
        #expect(records.due(at: instant(500), isAllKept: true) == nil && records.last == nil)
    }

    @Test func `comes back from the disk, but of a device that is there no more`() throws {
        let scratch = try ScratchDirectory()
        let file = SeenRecords.File(path: scratch.file("records.json").path)
        #expect(try file.load() == nil)
        let kept: [String: [UInt64]] = ["meter": [1, .max], "gone": [7]]
        try file.save(kept)
        #expect(try file.load() == kept)
        #expect(SeenRecords(kept, of: [Self.meter]).marks == [Self.meter: [1, .max]])
    }
}
