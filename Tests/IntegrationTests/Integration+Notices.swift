import Foundation
import SettingsSamples
import TestSupport
import Testing

extension Integration {
    /// News of the supervision, at the broker and on the phone of a contact that is marked for them.
    @Suite struct Notices {
        private static let daughter = "+393331234567"
        private static let neighbour = "+393337654321"

        private static func settings(_ texts: ModemManagerRig, after seconds: Int = 5) -> HouseSettings {
            var settings = HouseSettings()
            settings.person = """
                contact = [
                  { name = "Anna Rossi", phone = "\(daughter)", notices = true },
                  { name = "Carlo", phone = "\(neighbour)" },
                ]
                """
            settings.calls = "carers = [\"mqtt\"]"
            settings.more = """
                [sos]
                notice_after_seconds = \(seconds)

                [[channel]]
                id = "family"
                type = "sms"
                recipients = ["\(neighbour)"]
                bus = "\(texts.address)"
                """
            return settings
        }

        private static func isNotice(_ message: WireMessage, _ phase: String) -> Bool {
            message.topic == "trackme/v1/house-12/notices/maria"
                && message.text.contains("\"phase\":\"\(phase)\"")
        }

        /// Waits until the gateway knows that everybody has every notice: a text that is under way at a stop comes again.
        private static func handedOver(_ house: House) async throws {
            var status = try await house.command("status")
            for _ in 0..<60 where status.output.contains("wait for a recipient") {
                try await Task.sleep(for: .seconds(1))
                status = try await house.command("status")
            }
            #expect(!status.output.contains("wait for a recipient"), "\(status)")
        }

        @Test func `a strap that goes away is told once, over a restart, and once when it is back`()
            async throws
        {
            let texts = try await ModemManagerRig()
            let modem = texts.modem
            try await House.with(Self.settings(texts)) { house in
                let check = try await house.command("check", "--offline")
                #expect(
                    check.output.contains("news of the supervision of maria goes to: mqtt, Anna Rossi by text"),
                    "\(check)")
                let first = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(71)
                // Silent after 5 s, and told 5 s later.
                let began = try await witness.first("that nobody watches") { Self.isNotice($0, "began") }
                #expect(began.text.contains("Nobody is watching over Maria Rossi at the moment"), "\(began)")
                #expect(began.text.contains("\"matter\":\"unwatched strap\""), "\(began)")
                #expect(await eventually(within: .seconds(60)) { !modem.whole.isEmpty })
                let text = "NOTICE, no emergency. Nobody is watching over Maria Rossi at the moment"
                #expect(modem.whole.first?.hasPrefix("\(Self.daughter): \(text)") == true, "\(modem.whole)")
                try await house.status(showing: "goes to: mqtt, Anna Rossi by text")
                try await Self.handedOver(house)
                for digits in ["1234567", "7654321"] {
                    #expect(!first.daemon.log.contains(digits), "a log names no number")
                }
                let export = house.scratch.file("export")
                let exported = try await house.command(
                    "my-data", "export", "--person", "maria", "--to", export.path)
                #expect(exported.code == 0, "\(exported)")
                let rows = try String(contentsOf: export.appending(path: "notices.json"), encoding: .utf8)
                #expect(rows.contains("unwatched strap") && rows.contains(Self.daughter), "\(rows)")
                #expect(try await first.daemon.terminate().code == 0)

                let mark = house.rig.mark
                let second = try await house.start()
                try await house.rig.subscribed(after: mark)
                // It is raised anew, and holds for longer than the patience: only then it is back.
                try await second.feed.health("wearable-silent", true)
                try await Task.sleep(for: .seconds(8))
                let isOver = { @Sendable in witness.messages.contains { Self.isNotice($0, "ended") } }
                for _ in 0..<60 where !isOver() {
                    try await house.rig.send(72)
                    try await Task.sleep(for: .seconds(1))
                }
                let ended = try await witness.first("that it is over") { Self.isNotice($0, "ended") }
                #expect(ended.text.contains("\"ends\":\"\(began.payload.id ?? "none")\""), "\(ended)")
                #expect(ended.text.contains("Maria Rossi is watched over again."), "\(ended)")
                #expect(await eventually(within: .seconds(60)) { modem.whole.count >= 2 })
                #expect(
                    modem.whole.dropFirst() == [
                        "\(Self.daughter): NOTICE, no emergency. Maria Rossi is watched over again."
                    ])
                let ids = Set(witness.messages.filter { $0.topic.contains("/notices/") }.map(\.payload.id))
                #expect(ids.count == 2, "\(witness.messages)")
            }
        }

        @Test
        func
            `the death of the only way to help is told within two minutes by the way that is left, and its return`()
            async throws
        {
            let texts = try await ModemManagerRig()
            let modem = texts.modem
            var settings = Self.settings(texts)
            settings.calls = "channels = [\"mqtt\"]\ncarers = [\"mqtt\"]"
            try await House.with(settings) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await gateway.feed.health("broker-unreachable", false)
                let died = ContinuousClock.now
                try await house.rig.perform("broker", "stop")
                let told = try await gateway.feed.lines.first(
                    "that nobody can be called", within: .seconds(120)
                ) {
                    $0.isHealth("help-unreachable", true)
                }
                #expect(told.subject == "maria")
                let text =
                    "\(Self.daughter): NOTICE, no emergency. No help can be called for Maria Rossi: none of the ways to "
                    + "call help works. Stay with them, and have the box checked."
                let isTold = await eventually(within: .seconds(120)) { modem.whole.contains(text) }
                #expect(isTold && died.duration(to: .now) < .seconds(120), "\(modem.whole)")
                let status = try await house.command("status")
                #expect(status.output.contains("No way to call help works for a person"), "\(status)")
                let mark = gateway.feed.mark
                try await house.rig.perform("broker", "start")
                try await gateway.feed.lines.first("that help can be called", after: mark, within: .seconds(60))
                {
                    $0.isHealth("help-unreachable", false)
                }
            }
        }

        @Test func `no news leaves without AutomatedSOS, and status says so`() async throws {
            let texts = try await ModemManagerRig()
            let modem = texts.modem
            var settings = Self.settings(texts)
            settings.residents[0].automatedSOS = false
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await gateway.feed.health("wearable-silent", true)
                try await house.status(
                    showing: "maria: no news leaves before the AutomatedSOS terms are accepted")
                // The news is told as soon as the person accepts: until then nothing has left.
                try await Task.sleep(for: .seconds(8))
                #expect(!witness.messages.contains { $0.topic.contains("/notices/") } && modem.whole.isEmpty)
                let accepted = try await house.command(
                    "consent", "accept", "--person", "maria", "--by", "Maria", "automated-sos")
                #expect(accepted.code == 0, "\(accepted)")
                try await witness.first("that nobody watches") { Self.isNotice($0, "began") }
            }
        }

        @Test func `carers are told when the enrolment of a person of the house is ended by command`()
            async throws
        {
            let cloud = try Cloud()
            let runs = try RunSample()
            let participants = """
                [[participants]]
                bib = 17
                person = "maria"
                tags = ["C0:FF:EE:00:00:11"]
                """
            func time(in seconds: Double) -> String {
                Date(timeIntervalSinceNow: seconds).formatted(Date.ISO8601FormatStyle())
            }
            try runs.write(
                RunSample.text(participants: participants)
                    .replacing("2026-05-10T09:00:00+02:00", with: time(in: -86_400))
                    .replacing("2026-05-10T12:00:00+02:00", with: time(in: 86_400)), to: "milan.toml")
            var settings = HouseSettings()
            settings.sound = "sound = false\nwaking_hours = \"00:00-23:59\""
            settings.calls = "carers = [\"mqtt\"]"
            settings.more = cloud.sections() + "\n[race]\nruns_directory = \"\(runs.folder.path)\"\n"
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(gateway)
                let named = try await house.command(
                    "profile", "set", "--name", "Nonna Maria", "--person", "maria", "--by", "Maria")
                #expect(named.code == 0, "\(named)")
                let left = try await cloud.ask(#"{"type":"run-leave","run":"milan","bibs":[17]}"#, of: witness)
                #expect(left.result == "done", "\(left)")
                let news = try await witness.first("that the enrolment was ended") { Self.isNotice($0, "news") }
                #expect(news.text.contains("Nonna Maria is no longer in the run"), "\(news)")
            }
        }

        @Test func `check and status say that nobody is told`() async throws {
            try await House.with { house in
                let check = try await house.command("check", "--offline")
                #expect(
                    check.output.contains("NOBODY outside is told that nobody watches over maria"), "\(check)")
                _ = try await house.start()
                try await house.status(showing: "NOBODY outside is told that nobody watches over maria")
            }
        }
    }
}
