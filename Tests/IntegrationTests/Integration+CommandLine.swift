import Foundation
import TestSupport
import Testing

extension Integration {
    @Suite struct CommandLineTool {
        private static let threeMistakes = """
            [gateway]
            id = "House 12"

            [installed]
            address = "Via Dante 7"

            [broker]
            host = "127.0.0.1"
            port = 99999
            tls = false

            [[person]]
            id = "maria"
            name = "Maria Rossi"

            [person.sos]
            abort_window_seconds = "two"
            """

        @Test func `every mistake in the settings is told with its line, and nothing starts`() async throws {
            let scratch = try ScratchDirectory()
            let file = try scratch.write(Self.threeMistakes, to: "gateway.toml")
            for words in [["check", file.path], ["run", "--config", file.path]] {
                let answer = try await BuiltProgram.run(words)
                #expect(answer.code == 78, "\(answer)")
                #expect(answer.errors.contains("\(file.path):2: gateway.id: "), "\(answer)")
                #expect(answer.errors.contains("\(file.path):9: broker.port: "), "\(answer)")
                #expect(
                    answer.errors.contains("\(file.path):17: person.sos.abort_window_seconds: "), "\(answer)")
                let mistakes = answer.errors.split(separator: "\n").filter { $0.hasPrefix(file.path) }
                #expect(mistakes.count == 3, "\(answer)")
                #expect(answer.output.isEmpty)
            }
        }

        /// Whether a user without any right of their own can start what is tested.
        private static var isForAll: Bool {
            get throws {
                var folders = URL(filePath: BuiltProgram.homegateway).pathComponents
                while !folders.isEmpty {
                    let path = NSString.path(withComponents: folders)
                    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                    guard let mode, mode & 0o001 != 0 else { return false }
                    folders.removeLast()
                }
                return geteuid() == 0
            }
        }

        @Test(.enabled("needs root, and programs that all may start") { try isForAll })
        func `what another user may not read is wrong in their eyes`() async throws {
            let scratch = try ScratchDirectory()
            let file = try scratch.write(Self.threeMistakes, to: "gateway.toml")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.url.path)
            for (mode, expected) in [
                (0o600, "chgrp homegateway \(file.path) && chmod 640"), (0o644, ":2: gateway.id: "),
            ] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
                let answer = try await BuiltProgram.run(["check", "--as", "nobody", file.path])
                #expect(answer.code == 78 && answer.errors.contains(expected), "\(answer)")
            }
        }

        @Test(.enabled("needs root, and programs that all may start") { try isForAll })
        func `whoever may not enter the state directory is told to come as root, not to open it`() async throws
        {
            let scratch = try ScratchDirectory()
            let text = HouseSettings().text(
                bus: "unix:path=/nonexistent", gpsdPort: 1, brokerPort: 1, directory: scratch.url)
            let file = try scratch.write(text, to: "gateway.toml")
            let state = scratch.file("state")
            try FileManager.default.createDirectory(at: state, withIntermediateDirectories: false)
            for (path, mode) in [(scratch.url.path, 0o755), (file.path, 0o644), (state.path, 0o700)] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            }
            let answer = try await BuiltProgram.run(["check", "--offline", "--as", "nobody", file.path])
            #expect(answer.code == 78, "\(answer)")
            #expect(answer.errors.contains("\(state.path)/devices.toml: cannot be read: "), "\(answer)")
            #expect(answer.errors.contains("sudo homegateway devices"), "\(answer)")
        }

        @Test func `nobody looks as a user who is not there`() async throws {
            let answer = try await BuiltProgram.run([
                "check", "--as", "nobody-at-all", "/nonexistent/gateway.toml",
            ])
            #expect(answer.code == 64 && answer.errors.contains("--as nobody-at-all: "), "\(answer)")
        }

        @Test func `a settings file that is not there stops the start`() async throws {
            let answer = try await BuiltProgram.run(["run", "--config", "/nonexistent/gateway.toml"])
            #expect(answer.code == 78 && answer.errors.contains("/nonexistent/gateway.toml"), "\(answer)")
        }

        @Test func `the version is told`() async throws {
            let answer = try await BuiltProgram.run(["--version"])
            #expect(answer.code == 0)
            #expect(answer.output.wholeMatch(of: /homegateway \d+\.\d+\.\d+/) != nil, "\(answer)")
        }

        @Test func `every command explains itself`() async throws {
            let commands: [[String]] = [
                [], ["run"], ["check"], ["say"], ["status"], ["watch"], ["abort"], ["resolve"],
                ["exercise"], ["drill"], ["consent"],
                ["consent", "list"], ["consent", "accept"], ["consent", "withdraw"], ["devices"],
                ["devices", "scan"], ["devices", "pair"], ["devices", "list"], ["devices", "show"],
                ["devices", "track"], ["devices", "forget"], ["alarms"], ["alarms", "list"],
                ["alarms", "show"], ["alarms", "export"], ["history"], ["history", "show"],
                ["history", "rotate-key"], ["passings"], ["passings", "list"], ["passings", "export"],
                ["passings", "merge"], ["passings", "verify"],
            ]
            for words in commands {
                let answer = try await BuiltProgram.run(words + ["--help"])
                #expect(answer.code == 0 && answer.output.contains("USAGE: homegateway"), "\(words): \(answer)")
                #expect(answer.output.contains("OVERVIEW: "), "\(words): \(answer)")
            }
        }

        @Test func `a command without a running gateway says so`() async throws {
            try await House.with { house in
                for words in ["abort", "resolve", "status", "watch"] {
                    let answer = try await house.command(words)
                    #expect(answer.code == 1 && answer.output.isEmpty, "\(words): \(answer)")
                    #expect(
                        answer.errors.contains("no gateway answers at \(house.controlSocket); is it running?"),
                        "\(words): \(answer)")
                }
            }
        }

        @Test func `a second gateway at the same control socket is refused, and the first goes on`()
            async throws
        {
            try await House.with { house in
                let first = try await house.start()
                let settings = try String(contentsOf: house.scratch.file("gateway.toml"), encoding: .utf8)
                // With a state directory of its own: else the lock of that keeps it off.
                let other = try house.scratch.write(
                    settings.replacingOccurrences(of: "/state\"", with: "/other\""), to: "other.toml")
                let second = try await BuiltProgram.run(["run", "--config", other.path])
                #expect(second.code == 1)
                #expect(
                    second.errors.contains("another gateway already listens at \(house.controlSocket)"),
                    "\(second)")
                try await house.rig.subscribed()
                try await house.rig.send(72)
                try await first.feed.first("reading") { $0.value == 72 }
                let status = try await house.command("status")
                #expect(status.code == 0, "\(status)")
            }
        }

        @Test func `a control socket left behind by a gateway that was killed is taken over`() async throws {
            try await House.with { house in
                let first = try await house.start()
                first.daemon.child.signal(9)
                _ = try await first.daemon.child.exitCode()
                let second = try await house.start()
                let status = try await house.command("status")
                #expect(status.code == 0 && status.output.contains("gateway house-12"), "\(status)")
                #expect(try await second.daemon.terminate().code == 0)
            }
        }

        @Test func `an abort without an alarm says that there is none`() async throws {
            try await House.with { house in
                _ = try await house.start()
                let abort = try await house.command("abort")
                #expect(abort.code == 1 && abort.errors.contains("there is no open alarm"), "\(abort)")
                let unknown = try await house.command(
                    "abort", "--alarm", "0190c3a2-0000-7000-8000-000000000000")
                #expect(
                    unknown.code == 1 && unknown.errors.contains("no alarm of this id is known"), "\(unknown)")
                let malformed = try await house.command("abort", "--alarm", "x")
                #expect(malformed.code == 1 && malformed.errors.contains("'x' is no alarm id"), "\(malformed)")
            }
        }

        @Test func `a watch shows what happens, in words or as JSON, until the gateway stops`() async throws {
            try await House.with(without: []) { house in
                let gateway = try await house.start()
                let words = try house.running("watch")
                let lines = try house.running("watch", "--json")
                // Positions come by themselves: both are listening when they show one.
                try await words.output.first("a position in words") { $0.contains("  position 45.") }
                try await lines.output.first("a position") { $0.contains(#""event":"position""#) }
                try await house.rig.subscribed()
                try await house.rig.send(72)
                try await words.output.first("the reading in words") {
                    $0.hasSuffix("  maria: heart-rate 72 /min from strap")
                }
                try await lines.output.first("the reading") { line in
                    let event = try? SnakeCase.decode(FeedLine.self, from: line)
                    return event?.event == "reading" && event?.value == 72 && event?.device == "strap"
                }
                #expect(try await gateway.daemon.terminate().code == 0)
                for watch in [words, lines] {
                    #expect(try await watch.exitCode() == 1)
                    #expect(watch.errors.values == ["the gateway has stopped"])
                }
            }
        }

        @Test func `a check with everything there finds all well`() async throws {
            try await House.with(without: []) { house in
                let answer = try await house.command("check")
                #expect(answer.code == 0, "\(answer)")
                #expect(answer.output.contains("the settings are right"))
                #expect(!answer.output.contains("PROBLEM"))
                #expect(
                    answer.output.contains("broker session: connection accepted as house-12-check"), "\(answer)"
                )
                #expect(answer.output.contains("sound: off, by the settings"), "\(answer)")
            }
        }

        @Test func `a check fails for a person without calls for help, unless that is meant`() async throws {
            var settings = HouseSettings()
            settings.residents[0].automatedSOS = false
            for (key, code) in [("", 69), ("calls_nobody = true", 0)] {
                settings.person = key
                try await House.with(settings) { house in
                    let check = try await house.command("check", "--offline")
                    #expect(check.code == Int32(code), "\(check)")
                    let isProblem = check.output.contains("PROBLEM  nobody is called for maria")
                    #expect(isProblem == (code != 0), "\(check)")
                    #expect(check.output.contains("calls_nobody = true"), "\(check)")
                }
            }
            settings.person = ""
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let accept = try await house.command(
                    "consent", "accept", "--person", "maria", "automated-sos", "--by", "Maria")
                #expect(accept.code == 0, "\(accept)")
                #expect(try await gateway.daemon.terminate().code == 0)
                // The decision at the box stands above the file.
                let check = try await house.command("check", "--offline")
                #expect(check.code == 0 && !check.output.contains("nobody is called"), "\(check)")
            }
        }

        @Test func `a check advises on settings that are allowed and doubtful`() async throws {
            let house = HouseSettings()
            let scratch = try ScratchDirectory()
            let text = house.text(
                bus: "unix:path=/nonexistent", gpsdPort: 1, brokerPort: 1, directory: scratch.url)
            func check(_ text: String) async throws -> String {
                let file = try scratch.write(text, to: "gateway.toml")
                return try await BuiltProgram.run(["check", "--offline", file.path]).output
            }
            let usual = try await check(text)
            #expect(
                usual.contains("ADVICE   warnings are judged, and nobody outside hears of them"), "\(usual)")
            #expect(!usual.contains("ADVICE   latitude"), "\(usual)")
            let ocean = try await check(
                text.replacing("latitude = 45.4661", with: "latitude = 0").replacing(
                    "longitude = 9.1860", with: "longitude = 0"))
            #expect(ocean.contains("ADVICE   latitude and longitude are 0"), "\(ocean)")
            let example = try await check(
                text.replacing("host = \"127.0.0.1\"", with: "host = \"broker.trackme.example\""))
            #expect(example.contains("ADVICE   the settings are those of the example"), "\(example)")
            let texts = """
                [[channel]]
                id = "text"
                type = "sms"
                recipients = ["+390200000000"]
                """
            let onlyTexts = try await check(
                text.replacing("repeat_seconds = 30", with: "repeat_seconds = 30\nchannels = [\"text\"]")
                    + "\n" + texts)
            #expect(onlyTexts.contains("ADVICE   help is called by text message alone"), "\(onlyTexts)")
        }

        @Test(.enabled(if: MosquittoProcess.isInstalled))
        func `a check tells why the broker refuses the gateway`() async throws {
            let broker = try MosquittoProcess("allow_anonymous false")
            try await broker.start()
            try await House.with(brokerPort: broker.port) { house in
                let check = try await house.command("check")
                #expect(check.code == 69, "\(check)")
                #expect(
                    check.output.contains(
                        "PROBLEM  broker session: the broker refuses the connection as house-12-check"),
                    "\(check)")
                #expect(check.output.lowercased().contains("not authorized"), "\(check)")
            }
        }

        @Test func `a check tells coordinates that are swapped`() async throws {
            let scratch = try ScratchDirectory()
            let text = HouseSettings().text(
                bus: "unix:path=/nonexistent", gpsdPort: 1, brokerPort: 1, directory: scratch.url
            ).replacing("latitude = 45.4661", with: "latitude = 9.1860").replacing(
                "longitude = 9.1860", with: "longitude = 45.4661")
            let file = try scratch.write(text, to: "gateway.toml")
            let answer = try await BuiltProgram.answer(
                of: [BuiltProgram.homegateway, "check", "--offline", file.path],
                environment: ["TZ": "Europe/Rome"])
            #expect(answer.output.contains("ADVICE   latitude and longitude seem to be swapped"), "\(answer)")
            // A box that nobody has told its time zone: the country of the telephone numbers tells the place.
            let contact = "\n[[person.contact]]\nname = \"Anna\"\nphone = \"+390212345678\"\n"
            _ = try scratch.write(
                text.replacing("\n[[wearable]]", with: contact + "[[wearable]]"), to: "gateway.toml")
            let bare = try await BuiltProgram.answer(
                of: [BuiltProgram.homegateway, "check", "--offline", file.path], environment: ["TZ": "UTC"])
            #expect(bare.output.contains("ADVICE   latitude and longitude seem to be swapped"), "\(bare)")
            #expect(bare.output.contains("the time zone of this machine is UTC"), "\(bare)")
        }

        @Test func `a check tells of a mute house, and of a quote that is not closed`() async throws {
            let scratch = try ScratchDirectory()
            let text = HouseSettings().text(
                bus: "unix:path=/nonexistent", gpsdPort: 1, brokerPort: 1, directory: scratch.url)
            let file = try scratch.write(text, to: "gateway.toml")
            func check() async throws -> String {
                let answer = try await BuiltProgram.run(["check", "--offline", file.path])
                return answer.output + answer.errors
            }
            let answer = try await check()
            #expect(answer.contains("ADVICE   an alarm makes no sound and lights no lamp"), "\(answer)")
            _ = try scratch.write(
                text.replacing("name = \"Maria Rossi\"", with: "name = \"Maria Rossi"), to: "gateway.toml")
            let broken = try await check()
            #expect(broken.contains("is not TOML: a quote is not closed"), "\(broken)")
        }

        @Test func `a check and a status promise only what the wearables can raise`() async throws {
            var settings = HouseSettings()
            settings.beacons = [
                HouseSettings.Beacon(id: "pendant", signals: "button = \"sos-button\"\nvibration = \"fall\"")
            ]
            try await House.with(settings) { house in
                let before = try await house.command("check", "--offline").output
                #expect(
                    before.contains("maria wears strap: not known until it was connected once"), "\(before)")
                #expect(before.contains("nothing maria wears can detect shaking"), "\(before)")
                #expect(!before.contains("\n  shaking "), "\(before)")
                #expect(before.contains(/\n  sos-button .* pendant \(not known yet\)/), "\(before)")

                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(72)
                try await gateway.feed.first("reading") { $0.value == 72 }
                let status = try await house.command("status").output
                #expect(
                    status.contains("maria wears strap: energy expended, heart rate, RR interval"), "\(status)")
                #expect(status.contains("nothing maria wears measures oxygen saturation"), "\(status)")
                try await house.rig.hearsAdverts()
                try await house.rig.advertise([0x44, 0x3A, 0x01], from: "pendant")
                try await gateway.alarm()
                #expect(try await gateway.daemon.terminate().code == 0)

                // As the gateway has seen them.
                let after = try await house.command("check", "--offline").output
                #expect(after.contains(/\n  heart-rate-high .* strap\n/), "\(after)")
                #expect(after.contains(/\n  sos-button .* pendant\n/), "\(after)")
                #expect(after.contains(/\n  fall .* pendant \(not known yet\)\n/), "\(after)")
                #expect(!after.contains("glucose-low"), "\(after)")
                #expect(after.contains("vibration means fall, not known until it was heard once"), "\(after)")
            }
        }

        @Test func `a program can wait until no alarm is open`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                #expect(try await house.command("status", "--until-calm").code == 0)
                try await house.rig.send(150)
                try await gateway.alarm()
                let waiting = try house.running("status", "--until-calm")
                // The state comes each second.
                try await Task.sleep(for: .milliseconds(1_500))
                #expect(waiting.isRunning)
                #expect(try await house.command("abort").code == 0)
                #expect(try await waiting.exitCode() == 0)
                let confused = try await house.command("status", "--json", "--until-calm")
                #expect(confused.code == 64 && confused.errors.contains("at most one of --json"), "\(confused)")
                #expect(try await gateway.daemon.terminate().code == 0)
                #expect(try await house.command("status", "--until-calm").code == 1)
            }
        }

        @Test func `limits on the respiration, which nothing measures, cost a warning`() async throws {
            var settings = HouseSettings()
            settings.more = "[person.sos.respiration_rate]\nlow = 8\n"
            try await House.with(settings) { house in
                let check = try await house.command("check", "--offline")
                #expect(check.code == 0, "\(check)")
                #expect(
                    check.errors.contains("person.sos.respiration_rate: these limits have no effect"),
                    "\(check)")
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                try await gateway.alarm()
            }
        }

        @Test func `a check without a broker names it and tells it from wrong settings`() async throws {
            try await House.with(without: ["gpsd", "broker"]) { house in
                let answer = try await house.command("check")
                #expect(answer.code == 69, "\(answer)")
                #expect(answer.output.contains("PROBLEM  broker: 127.0.0.1:\(house.brokerPort)"), "\(answer)")
                #expect(answer.output.contains("PROBLEM  gpsd: "), "\(answer)")
                #expect(answer.output.contains("ok       bluetooth: "), "\(answer)")
            }
        }
    }
}
