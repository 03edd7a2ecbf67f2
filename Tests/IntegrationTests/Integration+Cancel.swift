import ControlContract
import ControlLink
import Foundation
import TestSupport
import Testing

extension Integration {
    /// A false alarm is cancelled with any state of the settings file, and by every way that `check` prints.
    @Suite struct Cancel {
        private static func house() -> HouseSettings {
            var settings = HouseSettings()
            // Long enough for a command to be started in it on a busy machine.
            settings.abortWindow = 4
            return settings
        }

        /// Lets the pulse fall and rise again.
        private static func nextAlarm(_ house: House, _ gateway: House.Gateway) async throws -> FeedLine {
            let mark = gateway.feed.mark
            try await house.rig.send(72)
            try await house.rig.send(151)
            return try await gateway.alarm(after: mark)
        }

        @Test func `needs no settings file`() async throws {
            try await House.with(Self.house()) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                let socket = ["HOMEGATEWAY_SOCKET": house.controlSocket]
                // In the middle of an edit.
                try house.replaceSettings(with: "[gateway\ncontrol_socket = \"\(house.controlSocket)\"\nid = ")
                var alarm = try await Self.nextAlarm(house, gateway)
                let broken = try await house.command("abort", "--by", "Maria")
                #expect(broken.code == 0 && broken.output.contains("nobody was called"), "\(broken)")
                let aborted = try await gateway.feed.first("aborted") { [alarm] in $0.alarm == alarm.alarm }
                #expect(aborted.by == "Maria")

                try house.replaceSettings(with: nil)
                alarm = try await Self.nextAlarm(house, gateway)
                let away = try await BuiltProgram.answer(
                    of: [BuiltProgram.homegateway, "abort", "--by", "Anna"], environment: socket)
                #expect(away.code == 0, "\(away)")
                try await gateway.feed.first("aborted") { [alarm] in $0.alarm == alarm.alarm && $0.by == "Anna"
                }

                alarm = try await Self.nextAlarm(house, gateway)
                let named = try await house.command("resolve", "--socket", house.controlSocket)
                #expect(named.code == 0, "\(named)")
                try await gateway.feed.first("resolved") { [alarm] in $0.alarm == alarm.alarm }

                for words in [
                    ["status"], ["consent", "list"], ["consent", "history"], ["runs", "list"],
                    ["exercise", "--person", "maria", "--minutes", "1"], ["runs", "reload"],
                ] {
                    let answer = try await BuiltProgram.answer(
                        of: [BuiltProgram.homegateway] + words, environment: socket)
                    #expect(answer.code == 0, "\(words): \(answer)")
                }
            }
        }

        @Test(arguments: ["abort", "resolve"])
        func `that reaches no gateway says which socket was tried, and what to do now`(verb: String)
            async throws
        {
            let path = "/nonexistent/control.sock"
            for words in [
                [verb, "--socket", path], [verb, "--config", "/nonexistent/gateway.toml", "--socket", path],
            ] {
                let answer = try await BuiltProgram.run(words)
                #expect(answer.code == 1 && answer.output.isEmpty, "\(answer)")
                #expect(answer.errors.contains("no gateway answers at \(path)"), "\(answer)")
                #expect(answer.errors.contains("THE ALARM IS NOT"), "\(answer)")
            }
        }

        @Test(.enabled(if: geteuid() == 0, "sudo makes root of a user"))
        func `by a user of sudo is told in the user's name`() async throws {
            try await House.with(Self.house()) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                _ = try await Self.nextAlarm(house, gateway)
                let abort = try await BuiltProgram.answer(
                    of: [BuiltProgram.homegateway, "abort", "--socket", house.controlSocket],
                    environment: ["SUDO_USER": "nobody"])
                #expect(abort.code == 0, "\(abort)")
                #expect(try await gateway.feed.first("aborted").by == "nobody")
            }
        }

        @Test func `follows from the first line of status and watch`() async throws {
            try await House.with(Self.house()) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                func firstLine(_ verb: String...) async throws -> String {
                    try await house.command(verb).output.split(separator: "\n").first.map(String.init) ?? ""
                }
                #expect(try await firstLine("status") == "no open alarm")
                let calm = try house.running("watch")
                #expect(try await calm.output.first("a line") { _ in true }.hasSuffix("  no open alarm"))

                let alarm = try await Self.nextAlarm(house, gateway)
                let title = "OPEN ALARM \(alarm.alarm ?? "?") of maria"
                #expect(try await firstLine("status").hasPrefix(title))
                let words = try house.running("watch")
                #expect(try await words.output.first("a line") { _ in true }.contains(title))
                let lines = try house.running("watch", "--json")
                let first = try await lines.output.first("a line") { _ in true }
                let event = try SnakeCase.decode(FeedLine.self, from: first)
                #expect(event.event == "open-alarm" && event.alarm == alarm.alarm && event.person == "maria")
            }
        }

        /// The box's own button needs a GPIO chip: `BoxButtonTests` holds its decisions, and `SimulatedChipTests` presses it
        /// where the kernel simulates a chip.
        @Test func `works by every way that check prints`() async throws {
            var settings = Self.house()
            settings.hasScreen = false
            settings.beacons = [
                HouseSettings.Beacon(
                    id: "pendant", signals: "button = \"sos-button\"\nlong_press = \"cancel\""),
                HouseSettings.Beacon(
                    id: "wristband", address: "C0:FF:EE:00:00:06", signals: "button = \"cancel\""),
            ]
            try await House.with(settings) { house in
                let check = try await house.command("check", "--offline")
                let line = try #require(
                    check.output.split(separator: "\n").first { $0.contains("cancelled by: ") }, "\(check)")
                let ways = line.split(separator: ": ")[1].split(separator: "; ").map(String.init)
                #expect(check.code == 0 && ways.count == 3, "\(check)")
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.hearsAdverts()
                for (number, way) in ways.enumerated() {
                    let alarm = try await Self.nextAlarm(house, gateway)
                    if way.hasPrefix("homegateway ") {
                        let answer = try await house.command(
                            way.split(separator: " ").dropFirst().map(String.init))
                        #expect(answer.code == 0, "\(answer)")
                    } else {
                        let match = try #require(way.wholeMatch(of: /(\S+) \((\w+)\)/), "\(way)")
                        let press: UInt8 = match.2 == "button" ? 1 : 4
                        try await house.rig.advertise(
                            [0x44, 0x00, UInt8(number + 20), 0x3A, press], from: String(match.1), times: 3)
                    }
                    try await gateway.feed.first("aborted") { $0.alarm == alarm.alarm }
                }
            }
        }

        @Test func `by a button only tells the recipients of the call, once a call of the person has arrived`()
            async throws
        {
            var settings = HouseSettings()
            settings.beacons = [
                HouseSettings.Beacon(id: "pendant", signals: "button = \"sos-button\""),
                HouseSettings.Beacon(
                    id: "wristband", address: "C0:FF:EE:00:00:06", signals: "button = \"cancel\""),
            ]
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.hearsAdverts()
                try await house.rig.advertise([0x44, 0x00, 1, 0x3A, 1], from: "pendant", times: 3)
                let alarm = try await gateway.alarm()
                try await gateway.feed.first("handed-over") { $0.alarm == alarm.alarm }
                // The gateway may know of the arrival before the recipient's own client has the call.
                try await witness.call("confirmed")
                let mark = witness.mark
                try await house.rig.advertise([0x44, 0x00, 2, 0x3A, 1], from: "wristband", times: 3)
                try await gateway.feed.first("says-all-right") { $0.alarm == alarm.alarm }
                let told = try await witness.call("confirmed", after: mark)
                #expect(told.payload.alarm == alarm.alarm && told.text.contains("\"said_all_right\":"))
                #expect(told.payload.round == 2)
                try await house.status(showing: "OPEN ALARM \(alarm.alarm ?? "?")")
                #expect(!gateway.feed.lines.values.contains { $0.event == "aborted" })
                let abort = try await house.command("abort", "--by", "Anna")
                #expect(abort.code == 0, "\(abort)")
                try await witness.call("cancelled")
                _ = try await house.record(
                    of: alarm.alarm ?? "", showing: "said to be all right by Maria Rossi")
            }
        }

        @Test func `by a command alone fails the check, and by the screen of the room passes it`() async throws
        {
            for hasScreen in [false, true] {
                var settings = HouseSettings()
                settings.hasScreen = hasScreen
                try await House.with(settings) { house in
                    let check = try await house.command("check", "--offline")
                    let report: CheckReport = try ControlJSON.decode(
                        CheckReport.self,
                        from: Array(try await house.command("check", "--offline", "--json").output.utf8))
                    #expect(check.code == (hasScreen ? 0 : 78), "\(check)")
                    #expect(
                        check.output.contains("nothing within reach of maria cancels a false alarm")
                            == !hasScreen,
                        "\(check)")
                    #expect(check.output.contains("; the screen of the room") == hasScreen, "\(check)")
                    #expect(report.problems == (hasScreen ? 0 : 1), "\(report)")
                }
            }
        }

        @Test func `by nothing fails the check, and is a condition of the gateway`() async throws {
            var settings = HouseSettings()
            settings.calls = "may_end = [\"wearable\"]"
            settings.hasScreen = false
            try await House.with(settings) { house in
                let check = try await house.command("check", "--offline")
                #expect(
                    check.code == 78 && check.output.contains("cancelled by: nothing in the house"), "\(check)")
                #expect(check.output.contains("PROBLEM"), "\(check)")
                let gateway = try await house.start()
                try await gateway.feed.first("health") {
                    $0.isHealth("alarm-not-cancellable", true) && $0.subject == "maria"
                }
            }
        }
    }
}
