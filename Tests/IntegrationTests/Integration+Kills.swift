import Foundation
import TestSupport
import Testing

@testable import Vault

extension Integration {
    /// A gateway that dies at the worst moment (T6): the next one goes on with the same alarm.
    @Suite struct Kills {
        @Test func `before an alarm is believed`() async throws {
            var settings = HouseSettings()
            settings.confirmReadings = 3
            settings.confirmWithin = 4
            try await House.with(settings) { house in
                let witness = try await house.witness()
                let first = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                try await first.feed.first("crossing")
                try await Self.kill(first, in: house)

                _ = try await house.start()
                let call = try await witness.call("confirmed")
                let steps = try await Self.steps(of: try #require(call.payload.alarm), in: house)
                // The instants of the first run, not of the second.
                #expect(steps["confirmed"] == 4_000)
                #expect(steps["called"] ?? 0 >= 4_500)
                #expect(witness.calls.count == 1)
            }
        }

        @Test func `inside the window`() async throws {
            var settings = HouseSettings()
            settings.abortWindow = 4.5
            try await House.with(settings) { house in
                let witness = try await house.witness()
                let first = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let alarm = try #require(try await first.alarm().alarm)
                try await Self.kill(first, in: house)

                let second = try await house.start()
                try await second.daemon.room.first("the alarm again in the room") {
                    $0.contains("Alarm for Maria Rossi")
                }
                let call = try await witness.call("confirmed")
                #expect(call.payload.alarm == alarm)
                let steps = try await Self.steps(of: alarm, in: house)
                #expect(steps["confirmed"] == 0)
                #expect(steps["called"] ?? 0 >= 4_500)
                let record = try await house.record(of: alarm, showing: "restarted meanwhile: 1")
                #expect(!record.contains("the machine was restarted, too"), "\(record)")
            }
        }

        @Test func `after the call and before anybody has accepted it`() async throws {
            try await House.with { house in
                let witness = try await house.witness()
                let first = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let alarm = try #require(try await witness.call("confirmed").payload.alarm)
                _ = try await house.record(of: alarm, showing: "handed over")
                try await Self.kill(first, in: house)

                let second = try await house.start()
                try await second.daemon.child.errors.first("the subscription to acceptances") {
                    $0.contains("subscribed") && $0.contains("/sos/+/accepted")
                }
                try await witness.accept(alarm, of: "maria", by: "Operator 7")
                let record = try await house.record(
                    of: alarm, showing: "accepted by Operator 7 through mqtt", "restarted meanwhile: 1")
                #expect(record.contains("message handed over through mqtt"), "\(record)")
                #expect(witness.calls.compactMap(\.payload.alarm).allSatisfy { $0 == alarm })
            }
        }

        @Test func `and the call is accepted while there is none`() async throws {
            try await House.with { house in
                let witness = try await house.witness()
                let first = try await house.start()
                try await house.rig.subscribed()
                try await first.daemon.child.errors.first("the subscription to acceptances") {
                    $0.contains("subscribed") && $0.contains("/sos/+/accepted")
                }
                try await house.rig.send(150)
                let alarm = try #require(try await witness.call("confirmed").payload.alarm)
                _ = try await house.record(of: alarm, showing: "handed over")
                try await Self.kill(first, in: house)

                try await witness.accept(alarm, of: "maria", by: "Operator 7")
                let second = try await house.start()
                try await second.daemon.child.errors.first("the session of the first run") {
                    $0.contains("broker connected") && $0.contains("session_present=true")
                }
                _ = try await house.record(
                    of: alarm, showing: "accepted by Operator 7 through mqtt", "restarted meanwhile: 1")
            }
        }

        @Test func `with the whole machine, and nobody knows for how long`() async throws {
            var settings = HouseSettings()
            settings.abortWindow = 4.5
            try await House.with(settings) { house in
                let witness = try await house.witness()
                let first = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let alarm = try #require(try await first.alarm().alarm)
                try await Self.kill(first, in: house)
                try Self.pretendReboot(in: house)

                let second = try await house.start()
                let call = try await witness.call("confirmed")
                #expect(call.payload.alarm == alarm)
                #expect(second.daemon.log.contains("nothing is waited for"))
                let record = try await house.record(
                    of: alarm, showing: "the machine was restarted, too", "message given to mqtt")
                #expect(record.contains("first word handed over, from the crossing: not measured"), "\(record)")
                // Counted without the time away: at once, and not at the end of the window.
                let steps = try await Self.steps(of: alarm, in: house)
                #expect(steps["called"] ?? 4_500 < 4_500)
            }
        }

        /// Kills it once the open alarm is on the disk.
        private static func kill(_ gateway: House.Gateway, in house: House) async throws {
            let file = house.scratch.file("state/alarms.json").path
            let isKept = await eventually(within: patience) { FileManager.default.fileExists(atPath: file) }
            #expect(isKept)
            gateway.daemon.child.signal(SIGKILL)
            _ = try await gateway.daemon.child.exitCode()
        }

        private static func pretendReboot(in house: House) throws {
            let file = house.scratch.file("state/alarms.json")
            let text = try String(contentsOf: file, encoding: .utf8)
            let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let other = "00000000-0000-4000-8000-000000000000"
            #expect(text.contains(boot))
            // The rest of the line is the checksum of the text before it.
            let content = text.components(separatedBy: "\n#sha256 ")[0]
            let moved = CheckedFile.seal(Array(content.replacingOccurrences(of: boot, with: other).utf8))
            for name in ["alarms.json", "alarms-copy.json"] {
                try Data(moved).write(to: house.scratch.file("state/\(name)"))
            }
            let directory = house.scratch.file("state").path
            let database = StateDatabase(in: directory, marks: StateMarks(in: directory, boot: boot))
            let rows = try database.rows(of: .alarmRecord).map { row in
                let text = String(decoding: row.content, as: UTF8.self)
                return StateRow(
                    key: row.key, content: Array(text.replacingOccurrences(of: boot, with: other).utf8))
            }
            try database.apply(rows.map { .put(.alarmRecord, $0) })
            database.close()
        }

        /// Returns the first time of each step, in milliseconds from the crossing.
        private static func steps(of alarm: String, in house: House) async throws -> [String: Int] {
            struct Step: Decodable {
                let what: String
                let afterMs: Int
            }
            struct Record: Decodable {
                let id: String
                let steps: [Step]
            }
            _ = try await house.record(of: alarm, showing: "message given to mqtt")
            let answer = try await house.command("alarms", "export", "--format", "json")
            let record = try SnakeCase.decode([Record].self, from: answer.output).first { $0.id == alarm }
            return Dictionary((record?.steps ?? []).map { ($0.what, $0.afterMs) }) { first, _ in first }
        }
    }
}
