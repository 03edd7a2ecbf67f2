import Foundation
import GatewayModel
import Hub
import SOSLocal
import Samples
import Settings
import SettingsSamples
import TestSupport
import Testing
import Vault

@Suite struct `The writer of the state` {
    private static let row = StateRow(key: "a", content: [1, 2, 3])

    private func snapshot() throws -> SOSSnapshot {
        let settings = try SettingsSample().load()
        var machine = SOSMachine(
            plans: settings.persons.map(\.plan), installed: settings.installed,
            startingAt: Sample.moment(0).boot)
        for number in 1...4 {
            _ = machine.handle(
                .reading(Sample.reading(number, bpm: 190)), at: Sample.moment(Double(number)).boot)
        }
        return machine.snapshot
    }

    @Test func `writes the open alarms before all else that waits`() async throws {
        let rig = try StateRig()
        // The disk hangs: the thread has not begun.
        for number in 0..<50 {
            rig.writer.put([.put(.seenRecord, StateRow(key: "\(number)", content: [1]))])
        }
        rig.writer.commit([.put(.command, Self.row)]) { _ in }
        rig.writer.keep(try snapshot())
        try await rig.running { _ in }
        #expect(rig.writes.values.first == "others" && rig.writes.values.count == 52)
        let file = AlarmStateFile(path: rig.scratch.file("alarms.json").path, boot: "b-1")
        #expect(try file.load(at: Sample.moment(10)) != nil)
    }

    @Test func `writes again what the disk did not take, and a commit only once`() async throws {
        let scratch = try ScratchDirectory()
        let folder = scratch.file("later")
        let rig = try StateRig(in: scratch, directory: folder.path)
        try await rig.running { writer in
            writer.put([.put(.seenRecord, Self.row)])
            let failures = Recorder<DiskFailure?>()
            writer.commit([.put(.command, Self.row)]) { failures.add($0) }
            #expect(await failures.wait { $0.count == 1 && $0[0] != nil })
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            writer.retry()
            #expect(await rig.results.wait { $0.last == "well" })
            writer.retry()
        }
        #expect(try rig.database.rows(of: .seenRecord) == [Self.row])
        #expect(try rig.database.rows(of: .command).isEmpty)
        #expect(rig.results.values.count { $0 == "well" } == 1, "nothing was left to be written again")
    }
}
