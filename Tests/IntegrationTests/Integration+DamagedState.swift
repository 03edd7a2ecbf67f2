import Foundation
import TestSupport
import Testing

@testable import Settings

extension Integration {
    /// With any damage to a file of the state directory, the house is watched, and a loss is reported.
    /// `workbench/damaged_state.py` damages every file in every way.
    @Suite struct DamagedState {
        private static func garbage(_ file: URL) throws {
            try Data([UInt8](repeating: UInt8(ascii: "["), count: 20_000)).write(to: file)
        }

        private static var settings: HouseSettings {
            var settings = HouseSettings()
            settings.residents = [HouseSettings.maria, HouseSettings.paolo]
            return settings
        }

        @Test func `what is restored from its copy loses nothing, and the next start finds all well`()
            async throws
        {
            try await House.with(Self.settings) { house in
                try await Self.fill(house)
                let key = try await house.command("contract", "keys").output
                for name in ["identity.key", "alarms.json"] {
                    try Self.garbage(house.scratch.file("state/\(name)"))
                }
                let first = try await house.start()
                try await first.daemon.child.errors.first("the alarm of before") {
                    $0.contains("alarms of an earlier run go on") && $0.contains("count=1")
                }
                let after = try await house.command("contract", "keys").output
                #expect(after == key)
                try await house.status(showing: "(identity.key). The key was restored from its copy")
                _ = try await first.daemon.terminate()
                let second = try await house.start()
                let healed = try await house.command("status")
                #expect(!healed.output.contains("was damaged"), "\(healed)")
                #expect(second.daemon.log.contains("alarms of an earlier run go on"))
            }
        }

        @Test func `a database of the state that is gone costs no open alarm, and the loss is shown`()
            async throws
        {
            try await House.with(Self.settings) { house in
                try await Self.fill(house)
                // After a kill its log has all of it still.
                for name in ["state.sqlite", "state.sqlite-wal"] {
                    try Self.garbage(house.scratch.file("state/\(name)"))
                }
                let first = try await house.start()
                try await first.daemon.child.errors.first("the alarm of before") {
                    $0.contains("alarms of an earlier run go on") && $0.contains("count=1")
                }
                try await house.status(showing: "(state.sqlite). Records of earlier alarms")
                let names = try FileManager.default.contentsOfDirectory(
                    atPath: house.scratch.file("state").path)
                #expect(names.contains { $0.hasPrefix("state.sqlite.damaged-") }, "\(names)")
                _ = try await first.daemon.terminate()
                _ = try await house.start()
                let healed = try await house.command("status")
                #expect(!healed.output.contains("was damaged"), "\(healed)")
            }
        }

        @Test func `the state of an earlier version is taken over once, whatever kills the gateway`()
            async throws
        {
            let cloud = try Cloud()
            var settings = Self.settings
            settings.more += cloud.sections()
            try await House.with(settings) { house in
                let state = house.scratch.file("state")
                let old = Rig.directory.deletingLastPathComponent().appending(
                    path: "OldState/before-state-sqlite")
                for name in ["alarms.jsonl", "commanded.json", "commands.json"] {
                    try FileManager.default.copyItem(
                        at: old.appending(path: name), to: state.appending(path: name))
                }
                // Beside the gateway, before its first start.
                let before = try await house.command("alarms", "list")
                #expect(before.output.contains("resolved"), "\(before)")
                // At three points of the start: before the takeover, during it and after it.
                let signs: [@Sendable () -> Bool] = [
                    { true }, { Self.exists("state.sqlite", in: state) },
                    { !Self.exists("alarms.jsonl", in: state) },
                ]
                for isReached in signs {
                    let gateway = try house.launch()
                    #expect(await eventually(within: patience, isReached))
                    gateway.child.signal(SIGKILL)
                    _ = try await gateway.child.exitCode()
                }
                _ = try await house.start()
                let after = try await house.command("alarms", "list")
                #expect(after.output == before.output)
                let keys = try await house.command("contract", "keys")
                #expect(keys.output.contains("its last seq was 1795424415334"), "\(keys)")
                let left = try FileManager.default.contentsOfDirectory(atPath: state.path)
                #expect(!left.contains { $0.hasPrefix("alarms.jsonl") || $0.hasPrefix("command") }, "\(left)")
                let status = try await house.command("status")
                #expect(!status.output.contains("damaged"), "\(status)")
            }
        }

        private static func exists(_ name: String, in folder: URL) -> Bool {
            FileManager.default.fileExists(atPath: folder.appending(path: name).path)
        }

        /// Lets a gateway write all that it writes, and kills it with an alarm open.
        private static func fill(_ house: House) async throws {
            let text = """
                # Written by: a test.

                [[wearable]]
                id = "spare"
                address = "C0:FF:EE:00:00:09"
                person = "maria"

                """
            // No command of a test wears anything: sealed as a command seals it.
            try Data(DevicesSeal.seal(text).utf8).write(to: house.scratch.file("state/devices.toml"))
            let first = try await house.start()
            try await house.rig.subscribed()
            for bpm in 70..<80 { try await house.rig.send(bpm) }
            // Written in groups; a question is answered after all before it is written.
            let page = try await house.command(
                "history", "show", "--person", "maria", "--kind", "heart-rate", "--json")
            #expect(page.code == 0, "\(page)")
            try await house.rig.send(150)
            let alarm = try #require(try await first.alarm().alarm)
            _ = try await house.record(of: alarm, showing: "message given to mqtt")
            first.daemon.child.signal(SIGKILL)
            _ = try await first.daemon.child.exitCode()
        }
    }

    /// One state directory, one gateway.
    @Suite struct SecondGateway {
        @Test func `is kept off, is told by whom, and may try again; the first goes on`() async throws {
            try await House.with { house in
                let first = try await house.start()
                try await house.rig.subscribed()
                let ledger = try Data(contentsOf: house.scratch.file("state/ledger.jsonl"))
                let second = try house.launch()
                // A strap that is silent for 5 s is connected anew, and this takes as long.
                while second.child.isRunning {
                    try await house.rig.send(72)
                    try await Task.sleep(for: .milliseconds(200))
                }
                #expect(try await second.child.exitCode() == 75)
                #expect(second.log.contains("uses this state directory"), "\(second.log)")
                #expect(try Data(contentsOf: house.scratch.file("state/ledger.jsonl")) == ledger)
                try await house.rig.send(150)
                try await first.alarm()
            }
        }

        @Test func `that replaces one that was killed starts at once`() async throws {
            try await House.with { house in
                let first = try await house.start()
                let mark = house.rig.mark
                first.daemon.child.signal(SIGKILL)
                _ = try await first.daemon.child.exitCode()
                let begin = ContinuousClock.now
                let second = try await house.start()
                #expect(begin.duration(to: .now) < .seconds(4), "it did not wait for the lock")
                try await house.rig.subscribed(after: mark)
                try await house.rig.send(150)
                try await second.alarm()
            }
        }
    }

    /// A box that starts in 1970.
    @Suite struct UnsetClock {
        @Test func `is told at the start, until the clock is set; alarms are judged all the same`() async throws
        {
            try await House.with { house in
                let library = house.scratch.file("wall_shift.so").path
                let source = Rig.directory.deletingLastPathComponent().appending(path: "E2ESOS/wall_shift.c")
                    .path
                let built = try await BuiltProgram.answer(
                    of: ["/usr/bin/cc", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"])
                #expect(built.code == 0, "\(built)")
                let shift = try house.scratch.write("-\(Int(Date().timeIntervalSince1970) - 100)", to: "shift")
                let gateway = try await house.start(
                    environment: ["LD_PRELOAD": library, "WALL_SHIFT": shift.path])
                try await gateway.feed.health("clock-not-set", true)
                let status = try await house.command("status")
                #expect(status.output.contains("The box's clock is not set"), "\(status)")
                try await house.rig.subscribed()
                try await house.rig.send(150)
                try await gateway.alarm()
                _ = try house.scratch.write("0", to: "shift")
                try await gateway.feed.health("clock-not-set", false)
            }
        }
    }
}
