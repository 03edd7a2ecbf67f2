import ControlContract
import Foundation
import TestSupport
import Testing

extension Integration {
    @Suite struct History {
        private static let show = ["history", "--person", "maria", "--kind", "heart-rate"]

        private struct Shown: Decodable {
            struct Point: Decodable {
                let mean: Double
                let device: String?
            }

            let unit: String
            let points: [Point]
        }

        private static func shown(_ house: House, _ words: String...) async throws -> [Double] {
            let answer = try await house.command(show + ["--json"] + words)
            #expect(answer.code == 0, "\(answer)")
            let shown = try JSONDecoder().decode(Shown.self, from: Data(answer.output.utf8))
            #expect(shown.unit == "/min")
            return shown.points.map(\.mean)
        }

        @Test func `what was measured is shown, over a restart and a change of the key`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                for rate in [71, 72, 76] { try await house.rig.send(rate) }
                try await witness.sample(76)
                #expect(try await Self.shown(house, "--resolution", "raw") == [71, 72, 76])
                let day = try await house.command(Self.show + ["--resolution", "day"])
                #expect(day.output.contains("71.0   73.0  76.0  3"), "\(day)")
                let rotated = try await house.command("history", "rotate-key")
                #expect(rotated.code == 0 && rotated.output.contains("a new key is in force"), "\(rotated)")
                #expect(try await Self.shown(house, "--resolution", "raw") == [71, 72, 76])
                await gateway.daemon.child.killed()
                _ = try await house.start()
                #expect(try await Self.shown(house, "--resolution", "raw") == [71, 72, 76])
                // The turn that answered is over when another is.
                _ = try await Self.shown(house)
                let state = house.scratch.file("state")
                let names = try FileManager.default.contentsOfDirectory(atPath: state.path)
                #expect(names.contains("history.key") && !names.contains("history.key.next"), "\(names)")
            }
        }

        @Test func `a key that is another switches the history off, and an alarm calls all the same`()
            async throws
        {
            try await House.with { house in
                let first = try await house.start()
                // Made by now, as it answers.
                #expect(try await Self.shown(house).isEmpty)
                await first.daemon.child.killed()
                let key = house.scratch.file("state").appending(path: "history.key")
                let old = try Data(contentsOf: key)
                try Data(String(repeating: "00", count: 32).utf8).write(to: key)
                let restart = house.rig.mark
                let gateway = try await house.start()
                try await gateway.feed.health("history-off", true)
                let answer = try await house.command(Self.show)
                #expect(
                    answer.code == 1 && answer.errors.contains("is sealed with another key"), "\(answer)")
                try await house.rig.subscribed(after: restart)
                try await house.rig.send(200)
                try await gateway.alarm()
                // Put back, it is tried again by itself; what was measured meanwhile has waited.
                let mark = gateway.feed.mark
                try old.write(to: key)
                try await gateway.feed.health("history-off", false, after: mark)
                #expect(try await Self.shown(house, "--resolution", "raw") == [200])
            }
        }

        @Test func `a command with a mistake says what was expected`() async throws {
            try await House.with(without: ["gpsd", "broker"]) { house in
                _ = try await house.start()
                for (words, reason) in [
                    (["--person", "maria", "--kind", "pulse"], "one of heart-rate"),
                    (["--person", "maria", "--kind", "heart-rate", "--from", "2026-02-30"], "is no date"),
                    (
                        ["--person", "maria", "--kind", "heart-rate", "--resolution", "week"],
                        "one of raw, minute, hour, day"
                    ),
                ] {
                    let answer = try await house.command(["history"] + words)
                    #expect(answer.code != 0 && answer.errors.contains(reason), "\(answer)")
                }
            }
        }
    }
}
