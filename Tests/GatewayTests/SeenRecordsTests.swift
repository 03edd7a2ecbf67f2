import Foundation
import GatewayModel
import HomeGateway
import Hub
import ModelSamples
import TestSupport
import Testing
import Vault

@Suite struct `What was told of stored records` {
    private static let meter = DeviceID(sample: "meter")

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

    @Test func `comes back from the disk, but of a device that is there no more`() async throws {
        let state = try StateRig()
        try await state.running { writer in
            writer.keep([Self.meter: [1, .max], DeviceID(sample: "gone"): [7]])
        }
        let rows = try state.database.rows(of: .seenRecord)
        #expect(rows.map(\.key) == ["gone", "meter"])
        let kept = Dictionary(
            uniqueKeysWithValues: rows.map { ($0.key, $0.decoded(as: [UInt64].self) ?? []) })
        #expect(SeenRecords(kept, of: [Self.meter]).marks == [Self.meter: [1, .max]])
    }
}
