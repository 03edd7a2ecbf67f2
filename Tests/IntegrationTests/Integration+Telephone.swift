import Foundation
import TestSupport
import Testing

extension Integration {
    /// A telephone is called; a pressed key is a person's act.
    @Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sipp"))) struct Telephone {
        private func phones(_ peer: TelephonePeer, _ scratch: ScratchDirectory, port: UInt16) throws
            -> ChildProcess
        {
            try ChildProcess(
                "/usr/bin/sipp",
                [
                    "-sf", Repository.root.appending(path: "Tests/Rig/sip/callee.xml").path, "-i", "127.0.0.1",
                    "-p", "\(port)", "-t", "u1", "-nostdin", "-trace_msg", "-message_file",
                    scratch.file("messages").path, "-key", "voice_port", "\(peer.port)", "-key", "first",
                    "busy",
                    "-key", "keys", "none",
                ], output: scratch.file("log"), in: scratch.url)
        }

        @Test func `is called after an SOS press, and the key 1 accepts for the house and for the others`()
            async throws
        {
            let (peer, scratch, port) = (try TelephonePeer(), try ScratchDirectory(), freePort())
            let phones = try phones(peer, scratch, port: port)
            var settings = HouseSettings()
            settings.beacons = [HouseSettings.Beacon()]
            settings.person = "contact = [{ name = \"Carlo Rossi\", phone = \"+393337654321\" }]"
            settings.calls = "channels = [\"mqtt\", \"family\"]\ncall = \"side-by-side\""
            settings.more = """
                [[channel]]
                id = "family"
                type = "telephone"
                recipients = ["+393331234567", "+393337654321"]
                via = "sip"
                server = "127.0.0.1"
                port = \(port)
                transport = "udp"
                from = "sip:house@127.0.0.1"
                """
            try await House.with(settings) { house in
                let check = try await house.command("check", "--offline")
                #expect(
                    check.output.contains(
                        "calls are accepted by the key 1 on a telephone that family has called"),
                    "\(check)")
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.hearsAdverts()
                // One press of a button that only advertises.
                try await house.rig.advertise([0x44, 0x00, 9, 0x3A, 0x01], from: "button", times: 6)
                let alarm = try #require(try await gateway.alarm().alarm)
                #expect(await peer.hear(2), "\(phones.text)")
                peer.press(1)
                let accepted = try await gateway.feed.first("accepted")
                #expect(
                    accepted.alarm == alarm && accepted.by == "Carlo Rossi" && accepted.channel == "family",
                    "\(accepted)")
                // The other channel learns the name.
                let told = try await witness.call("accepted")
                #expect(told.payload.alarm == alarm && told.payload.ending?.by == "Carlo Rossi", "\(told)")
                let messages = try String(contentsOf: scratch.file("messages"), encoding: .utf8)
                #expect(messages.contains("486 Busy Here"))
                for digits in ["1234567", "7654321"] {
                    #expect(!gateway.daemon.log.contains(digits), "a log names no number")
                }
            }
        }

        @Test func `is tried by check without calling anybody`() async throws {
            let (peer, scratch, port) = (try TelephonePeer(), try ScratchDirectory(), freePort())
            let phones = try phones(peer, scratch, port: port)
            var settings = HouseSettings()
            settings.calls = "channels = [\"family\"]"
            settings.more = """
                [[channel]]
                id = "family"
                type = "telephone"
                recipients = ["+393331234567"]
                via = "sip"
                server = "127.0.0.1"
                port = \(freePort())
                transport = "tcp"
                from = "sip:house@127.0.0.1"
                """
            try await House.with(settings) { house in
                let check = try await house.command("check")
                #expect(check.code != 0)
                #expect(check.output.contains("family cannot be reached at 127.0.0.1"), "\(check)")
                #expect(check.output.contains("help is called by telephone alone"), "\(check)")
            }
            #expect(!phones.text.contains("INVITE"))
        }
    }
}
