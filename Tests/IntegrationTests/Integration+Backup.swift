import Foundation
import TestSupport
import Testing

extension Integration {
    @Suite struct Backup {
        /// The words stand alone on a line of the answer.
        private static func words(in answer: BuiltProgram.Answer) throws -> String {
            try #require(
                answer.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                    .first { $0.wholeMatch(of: /[a-z]+( [a-z]+){6}/) != nil }, "\(answer)")
        }

        @Test func `names no open alarm after a drill that was taken`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                #expect(try await house.command("drill", "--person", "maria", "--by", "Anna").code == 0)
                func isTaken() async throws -> Bool {
                    try await house.command("accept", "--by", "Luca").code == 0
                }
                #expect(try await eventually { try await isTaken() })
                // The drill stays in the file of the alarms: its end can be taken back for a while.
                #expect(
                    FileManager.default.fileExists(atPath: house.scratch.file("state/alarms.json").path),
                    "the test needs the file")
                let made = try await house.command(
                    "backup", house.scratch.file("house.hgb").path, "--console-config",
                    house.scratch.file("no-console.toml").path, "--bluetooth", house.scratch.file("none").path)
                #expect(made.code == 0 && !made.output.contains("An alarm is open"), "\(made)")
                #expect(try await gateway.daemon.terminate().code == 0)
            }
        }

        @Test func `of a running gateway with an open alarm brings the house back on an empty box`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(72)
                try await gateway.feed.first("reading") { $0.value == 72 }
                for _ in 0..<4 { try await house.rig.send(180) }
                let alarm = try #require(try await gateway.alarm().alarm)
                let show = [
                    "history", "--person", "maria", "--kind", "heart-rate", "--resolution", "raw", "--json",
                ]
                func hasReading() async throws -> Bool {
                    try await house.command(show).output.contains(/"mean" ?: ?72\b/)
                }
                #expect(try await eventually { try await hasReading() }, "before the backup")
                let file = house.scratch.file("house.hgb").path
                let pairings = house.scratch.file("no-pairings").path
                let made = try await house.command(
                    "backup", file, "--console-config", house.scratch.file("no-console.toml").path,
                    "--bluetooth", pairings)
                #expect(made.code == 0, "\(made)")
                let words = try Self.words(in: made)
                // The box burns down: no settings, no state.
                await gateway.daemon.child.killed()
                try FileManager.default.removeItem(at: house.scratch.file("state"))
                try FileManager.default.removeItem(at: house.scratch.file("gateway.toml"))

                let scratch = house.scratch.file("").path
                func restore(
                    _ words: String, _ options: [String] = ["--yes", "--also", scratch]
                ) async throws -> BuiltProgram.Answer {
                    try await BuiltProgram.answer(
                        of: [BuiltProgram.homegateway, "restore", file] + options, input: [words])
                }
                let wrong = try await restore("gills chill mate dab scope apple tusk")
                #expect(wrong.code != 0, "\(wrong)")
                let unasked = try await restore(words, ["--also", scratch])
                #expect(unasked.code != 0 && unasked.errors.contains("--yes"), "\(unasked)")
                let foreign = try await restore(words, ["--yes"])
                #expect(foreign.code != 0 && foreign.errors.contains("--also PATH"), "\(foreign)")
                #expect(!FileManager.default.fileExists(atPath: house.scratch.file("gateway.toml").path))
                let restored = try await restore(words)
                #expect(restored.code == 0, "\(restored)")

                let next = try await house.start()
                let status = try await house.command("status")
                #expect(status.output.contains("OPEN ALARM \(alarm) of maria"), "\(status)")
                // Everybody accepts anew.
                #expect(status.output.contains("maria: data-policy not accepted"), "\(status)")
                #expect(try await hasReading())
                #expect(try await house.command("abort").code == 0)
                #expect(try await next.daemon.terminate().code == 0)
                let again = try await restore(words)
                #expect(again.code != 0 && again.errors.contains("--replace"), "a box with a house: \(again)")
            }
        }
    }
}
