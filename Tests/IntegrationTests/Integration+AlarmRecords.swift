import ControlContract
import Foundation
import TestSupport
import Testing

extension Integration {
    @Suite struct AlarmRecords {
        @Test func `an aborted alarm and an accepted one are on record, also after the gateway has stopped`()
            async throws
        {
            var settings = HouseSettings()
            // Long enough for a command to be started in it on a busy machine.
            settings.abortWindow = 4
            try await House.with(settings) { house in
                let none = try await house.command("alarms")
                #expect(none.code == 0 && none.output == "no alarm yet", "\(none)")

                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let first = try await gateway.alarm()
                let aborted = try #require(first.alarm)
                #expect(try await house.command("abort", "--by", "Maria").code == 0)
                let brief = try await house.record(of: aborted, showing: "aborted by Maria", "sounded")
                #expect(brief.contains("heart-rate-high of maria, priority high, by strap"), "\(brief)")
                #expect(brief.contains("first word handed over, from the crossing: not measured"), "\(brief)")
                #expect(brief.contains("limit 250 ms: "), "\(brief)")

                let mark = gateway.feed.mark
                try await house.rig.send(72)
                try await house.rig.send(151)
                let accepted = try #require(try await gateway.alarm(after: mark).alarm)
                try await gateway.feed.first("handed-over") { $0.alarm == accepted }
                try await witness.accept(accepted, of: "maria", by: "Operator 7")
                let whole = try await house.record(
                    of: accepted, showing: "accepted by Operator 7 through mqtt", "sounded",
                    "message given to mqtt", "message handed over through mqtt")
                #expect(whole.contains("limit 5000 ms: "), "\(whole)")

                #expect(try await gateway.daemon.terminate().code == 0)
                let list = try await house.command("alarms")
                let lines = list.output.split(separator: "\n").map(String.init)
                #expect(lines.count == 3, "\(list)")
                #expect(
                    lines[1].contains("accepted by Operator 7 through mqtt") && lines[1].hasSuffix(accepted))
                #expect(lines[2].contains("aborted by Maria") && lines[2].hasSuffix(aborted))
                try await Self.exports(house, accepted: accepted)

                // The family still reads who has it.
                _ = try await house.start()
                let answer = try await house.command("status", "--json")
                let state = try SnakeCase.decode(HouseSnapshot.self, from: answer.output)
                let held = state.recentAlarms.first { $0.id == accepted }
                #expect(held?.help?.state == "taken" && held?.help?.by == "Operator 7", "\(answer)")
            }
        }

        private static func exports(_ house: House, accepted: String) async throws {
            struct Step: Decodable {
                let what: String
                let afterMs: Int
            }
            struct Record: Decodable {
                let id: String
                let steps: [Step]
                let restarts: Int
            }
            let json = try await house.command("alarms", "export", "--format", "json")
            let records = try SnakeCase.decode([Record].self, from: json.output)
            #expect(records.map(\.id).last == accepted)
            let called = try #require(records.last?.steps.first { $0.what == "called" })
            #expect(called.afterMs >= 4_000)
            let csv = try await house.command("alarms", "export", "--format", "csv")
            #expect(csv.output.split(separator: "\n").count == 3, "\(csv)")
            let later = try await house.command("alarms", "export", "--format", "csv", "--since", "2099-01-01")
            #expect(later.output.split(separator: "\n").count == 1, "\(later)")
            let wrong = try await house.command("alarms", "export", "--since", "yesterday")
            #expect(wrong.code == 64 && wrong.errors.contains("'yesterday' is no date"), "\(wrong)")
            let unknown = try await house.command("alarms", "show", "ffff")
            #expect(unknown.code == 1 && unknown.errors.contains("no alarm of the id"), "\(unknown)")
        }

        @Test func `whoever may not read the record is told who may`() async throws {
            try await House.with { house in
                let directory = house.scratch.file("state")
                try Data().write(to: house.scratch.file("state/state.sqlite"))
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: house.scratch.file("state/state.sqlite").path)
                for open in [house.scratch.url, directory] {
                    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: open.path)
                }
                let settings = house.scratch.file("gateway.toml").path
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: settings)
                // Root reads everything; nobody else's file is nobody's.
                try #require(getuid() == 0, "only root can become somebody else")
                let child = try TiedChild([
                    "/usr/bin/setpriv", "--reuid", "65534", "--clear-groups", BuiltProgram.homegateway,
                    "alarms",
                    "--config", settings,
                ])
                #expect(try await child.exitCode() == 1)
                let errors = child.errors.values.joined(separator: "\n")
                #expect(errors.contains("state.sqlite: Permission denied"), "\(errors)")
                #expect(errors.contains("sudo homegateway alarms"), "\(errors)")
            }
        }
    }
}
