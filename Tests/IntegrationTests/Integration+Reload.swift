import Foundation
import Glibc
import TestSupport
import Testing

extension Integration {
    /// Settings that are read again while the gateway runs, and settings on the disk that would not start.
    @Suite struct Reload {
        private static let band = "C0:FF:EE:00:00:03"

        @Test func `a reload moves a limit, and a bad file changes nothing and says why`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try house.edit("confirm_readings = 1", "confirm_readings = 1\nhigh = 100")
                try await gateway.feed.health("settings-not-applied", true)
                let reload = try await house.command("reload")
                #expect(reload.code == 0 && reload.output.contains("person maria: changed"), "\(reload)")
                try await gateway.feed.health("settings-not-applied", false)

                try house.edit("high = 100", "high = \"1OO\"")
                let line = try house.line(of: "1OO")
                let place = "gateway.toml:\(line) person.sos.heart_rate.high"
                try await gateway.feed.first("health") {
                    $0.isHealth("settings-file-wrong", true) && $0.subject == place
                }
                let refused = try await house.reload()
                #expect(refused.contains("\"is_done\":false") || refused.contains("\"isDone\":false"))
                #expect(refused.contains("gateway.toml:\(line): person.sos.heart_rate.high: saw"), "\(refused)")
                // A strap that has sent nothing for a while is connected anew.
                try await house.rig.sendWhenSubscribed(110)
                let alarm = try await gateway.alarm()
                #expect(alarm.person == "maria")

                try house.edit("high = \"1OO\"", "high = 100")
                try await gateway.feed.health("settings-file-wrong", false)
            }
        }

        @Test func `a reload by SIGHUP leaves the deadline of an open alarm as it was`() async throws {
            var settings = HouseSettings()
            settings.abortWindow = 2.5
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try house.edit("abort_window_seconds = 2.5", "abort_window_seconds = 0.5")
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                let begin = ContinuousClock.now
                gateway.daemon.child.signal(SIGHUP)
                try await gateway.daemon.child.errors.first("the reload") { $0.contains("settings reloaded") }
                let reloaded = begin.duration(to: .now)
                let order = try await gateway.feed.first("dispatch")
                #expect(order.alarm == alarm.alarm)
                // The feed told of the alarm a little after its window began.
                #expect(begin.duration(to: .now) > .milliseconds(1_500) || reloaded > .milliseconds(1_500))
                let call = try await witness.call("confirmed")
                #expect(call.payload.alarm == alarm.alarm)
                let abort = try await house.command("abort", "--by", "Maria")
                #expect(abort.code == 0, "\(abort)")
            }
        }

        @Test func `a wearable of the settings file comes and goes, and the others stay connected`()
            async throws
        {
            var settings = HouseSettings()
            settings.strangers = [Rig.Wearable(id: "band", address: Self.band)]
            let section = "\n[[wearable]]\nid = \"band\"\naddress = \"\(Self.band)\"\nperson = \"maria\"\n"
            try await House.with(settings) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try house.append(section)
                let more = try await house.command("reload")
                #expect(more.output.contains("band: watched from now on"), "\(more)")
                try await house.rig.subscribed("band")
                try await house.rig.send(73, from: "band")
                try await gateway.feed.first("reading") { $0.value == 73 && $0.device == "band" }
                let mark = house.rig.mark
                try house.edit(section, "")
                let less = try await house.command("reload")
                #expect(less.output.contains("band: not watched any more from now on"), "\(less)")
                try await house.rig.event("the end of the link", after: mark) {
                    $0.event == "disconnected" && $0.id == "band"
                }
                try await house.rig.send(74)
                try await gateway.feed.first("reading") { $0.value == 74 && $0.device == "strap" }
            }
        }

        @Test func `a channel comes by a reload, stays for the alarm that it has, and goes after it`()
            async throws
        {
            let service = try await AmbulanceProcess()
            do {
                try await Self.exchangeChannels(service)
            } catch {
                await service.end()
                throw error
            }
            await service.end()
        }

        private static func exchangeChannels(_ service: AmbulanceProcess) async throws {
            var settings = HouseSettings()
            settings.calls = "channels = [\"mqtt\"]"
            try await House.with(settings) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try house.append("\n" + service.channel("ambulance", path: "take"))
                try house.edit("channels = [\"mqtt\"]", "channels = [\"ambulance\"]")
                let more = try await house.command("reload")
                #expect(more.output.contains("channel ambulance: added"), "\(more)")
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                try await service.first("Alert", of: alarm.alarm)
                try await gateway.feed.first("handed-over") { $0.channel == "ambulance" }

                try house.edit("channels = [\"ambulance\"]", "channels = [\"mqtt\"]")
                try house.edit(service.channel("ambulance", path: "take"), "")
                let less = try await house.command("reload")
                #expect(less.output.contains("channel ambulance: removed"), "\(less)")
                #expect(less.output.contains("exchanged after it"), "\(less)")
                let abort = try await house.command("abort", "--by", "Maria")
                #expect(abort.code == 0, "\(abort)")
                try await service.first("Cancel", of: alarm.alarm)
                try await gateway.daemon.child.errors.first("the rest of the reload") {
                    $0.contains("the rest of a reload holds now")
                }
                let status = try await house.command("status")
                #expect(!status.output.contains("way to help ambulance"), "\(status)")
            }
        }

        @Test func `another broker gets a session of its own, and nothing is lost`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(71)
                try await witness.sample(71)
                let mark = gateway.daemon.child.errors.mark
                try house.edit("host = \"127.0.0.1\"", "host = \"localhost\"")
                let reload = try await house.command("reload")
                #expect(reload.output.contains("broker: a new session is made"), "\(reload)")
                try await house.rig.send(72)
                try await gateway.daemon.child.errors.first("the new session", after: mark) {
                    $0.contains("broker connected")
                }
                try await house.rig.send(73)
                try await witness.sample(72)
                try await witness.sample(73)
            }
        }

        @Test func `a person who is removed with an open alarm stays until it is over`() async throws {
            var settings = HouseSettings()
            settings.residents.append(HouseSettings.paolo)
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.subscribed("belt")
                try await house.rig.send(150, from: "belt")
                let alarm = try await gateway.alarm()
                #expect(alarm.person == "paolo")
                let text = try house.text
                let end = try #require(text.range(of: "[[person]]\nid = \"paolo\""))
                try house.write(String(text[..<end.lowerBound]))
                let reload = try await house.command("reload")
                #expect(reload.output.contains("person paolo: removed"), "\(reload)")
                let call = try await witness.call("confirmed")
                #expect(call.payload.alarm == alarm.alarm)
                let abort = try await house.command("abort", "--by", "Paolo")
                #expect(abort.code == 0, "\(abort)")
                let cancelled = try await witness.call("cancelled")
                #expect(cancelled.payload.alarm == alarm.alarm)
                try await gateway.daemon.child.errors.first("the rest of the reload") {
                    $0.contains("the rest of a reload holds now")
                }
            }
        }

        @Test func `what is read at a start only is named, and the service manager is told of the reload`()
            async throws
        {
            try await House.with { house in
                let manager = try ServiceManager(in: house.scratch)
                _ = try await house.start(environment: manager.environment)
                try await manager.words.first("the word that it is ready") { $0 == "READY=1" }
                let mark = manager.words.mark
                try house.edit("log_level = \"debug\"", "log_level = \"info\"")
                let reload = try await house.command("reload")
                #expect(
                    reload.code == 0 && reload.output.contains("needs a restart: gateway.log_level"),
                    "\(reload)")
                try await manager.words.first("the reload", after: mark) { $0 == "RELOADING=1" }
                try await manager.words.first("its end", after: mark) { $0 == "READY=1" }
            }
        }
    }
}

extension House {
    private var file: URL { scratch.file("gateway.toml") }

    var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

    func write(_ text: String) throws { try text.write(to: file, atomically: true, encoding: .utf8) }

    func append(_ more: String) throws { try write(try text + more) }

    func edit(_ old: String, _ new: String) throws {
        let before = try text
        guard before.contains(old) else { throw Missing(description: "'\(old)' in the settings") }
        try write(before.replacingOccurrences(of: old, with: new))
    }

    func line(of words: String) throws -> Int {
        let lines = try text.split(separator: "\n", omittingEmptySubsequences: false)
        return try #require(lines.firstIndex { $0.contains(words) }) + 1
    }

    /// Asks the running gateway itself.
    func reload() async throws -> String {
        try await ControlQuestion.ask(#"{"verb":"reload_settings"}"#, at: controlSocket)
    }
}
