import ControlContract
import ControlLink
import Foundation
import GatewayModel
import TestSupport
import Testing

extension Integration {
    /// `check` as data, and as the process of its own that an installer's page asks the running gateway for.
    @Suite struct TheDoctor {
        private static func ask<Act: ControlVerb>(
            _ house: House, _ act: Act
        ) throws -> ControlReply<Act.Document> {
            var client = try ControlClient(path: house.controlSocket)
            return try client.ask(act)
        }

        private static func report(_ house: House) throws -> CheckReport {
            guard let report = try ask(house, Verb.CheckReport()).document else {
                throw Missing(description: "the report of the check")
            }
            return report
        }

        private static func finished(_ house: House) async throws -> CheckReport {
            for _ in 0..<600 {
                let report = try report(house)
                if report.started != nil, !report.isRunning { return report }
                try await Task.sleep(for: .milliseconds(200))
            }
            throw Missing(description: "the end of the check")
        }

        @Test func `tells each mistake of the settings as data, with its line and key`() async throws {
            try await House.with { house in
                try house.edit("confirm_readings = 1", "confirm_readings = \"one\"")
                let line = try house.line(of: "\"one\"")
                let check = try await house.command("check", "--json")
                #expect(check.code == 78, "\(check)")
                let report = try ControlJSON.decode(CheckReport.self, from: Array(check.output.utf8))
                let finding = try #require(report.findings.first { $0.line == line }, "\(report)")
                #expect(finding.severity == .problem && finding.key == "person.sos.heart_rate.confirm_readings")
                #expect(finding.file?.hasSuffix("gateway.toml") == true, "\(finding)")
                #expect(finding.seen.contains("one") && finding.expected != nil, "\(finding)")
            }
        }

        @Test func `runs beside the gateway, once at a time, without the sound, and keeps the report`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                #expect(try Self.report(house).started == nil)
                #expect(try Self.ask(house, Verb.StartCheck()).isDone)
                #expect(try !Self.ask(house, Verb.StartCheck()).isDone)
                // The strap is judged meanwhile.
                try await house.rig.send(71)
                try await gateway.feed.first("reading") { $0.value == 71 }
                let report = try await Self.finished(house)
                let parts = report.findings.map(\.part)
                #expect(parts.contains("bluetooth") && parts.contains("broker session"), "\(parts)")
                #expect(!parts.contains("sound") && report.done == report.total, "\(report)")
                #expect(!"\(report)".contains("Maria"), "a report names no person")
                guard let events = try Self.ask(house, Verb.RecentEvents()).document else {
                    throw Missing(description: "the events")
                }
                #expect(events.contains { $0.code == "wearable-away" }, "\(events)")
            }
        }

        @Test func `counts at a terminal how often the strap is heard, and misses a gateway that is gone`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                func findings() async throws -> [CheckReport.Finding] {
                    let doctor = try await house.command("doctor", "--json", "--seconds", "5")
                    let report: CheckReport = try ControlJSON.decode(
                        CheckReport.self, from: Array(doctor.output.utf8))
                    // Some machines of tests have no right clock.
                    #expect(doctor.code == (report.problems == 0 ? 0 : 69), "\(doctor)")
                    return report.findings
                }
                let sending = Task {
                    while !Task.isCancelled {
                        try await house.rig.send(71)
                        try await Task.sleep(for: .milliseconds(500))
                    }
                }
                let first = try await findings()
                sending.cancel()
                let strap = try #require(first.first { $0.part == "reception of strap" }, "\(first)")
                #expect(strap.severity == .ok && strap.seen.hasPrefix("heard "), "\(strap)")
                #expect(first.first { $0.part == "disk" }?.seen.contains("durable write") == true, "\(first)")
                _ = try await gateway.daemon.terminate()
                let gone = try await findings().last
                #expect(
                    gone?.part == "gateway" && gone?.remedy?.contains("systemctl start") == true,
                    "\(String(describing: gone))")
            }
        }

        /// The sandbox holds the child too: it has to start there, and to read what it reads.
        @Test func `runs in the sandbox of the unit as it does outside`() async throws {
            let asUnit = ["/usr/bin/python3", Rig.directory.appending(path: "as-unit").path, "--"]
            try await House.with { house in
                func findings(_ gateway: House.Gateway) async throws -> [String] {
                    try await house.rig.subscribed()
                    #expect(try Self.ask(house, Verb.StartCheck()).isDone)
                    let report = try await Self.finished(house)
                    #expect(report.done == report.total && report.total > 0, "\(report)")
                    _ = try await gateway.daemon.terminate()
                    return report.findings.map { "\($0.severity) \($0.part)" }.sorted()
                }
                let outside = try await findings(try await house.start())
                let inside = try await findings(try await house.start(through: asUnit))
                #expect(inside == outside)
            }
        }

        @Test func `gives way to an alarm, and is not begun beside one`() async throws {
            var settings = HouseSettings()
            (settings.abortWindow, settings.calls) = (60, "early_notice = true")
            try await House.with(settings) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                #expect(try Self.ask(house, Verb.StartCheck()).isDone)
                for _ in 0..<4 { try await house.rig.send(150) }
                _ = try await gateway.alarm()
                let report = try await Self.finished(house)
                #expect(report.findings.last?.seen.contains("alarm") == true, "\(report)")
                let refused = try Self.ask(house, Verb.StartCheck())
                #expect(!refused.isDone && refused.lines.first?.contains("alarm") == true, "\(refused.lines)")
                guard let events = try Self.ask(house, Verb.RecentEvents()).document else {
                    throw Missing(description: "the events")
                }
                #expect(
                    !events.contains { $0.event.contains("call") }, "an alarm of a person is not in the log")
            }
        }
    }
}
