import ControlContract
import ControlLink
import Foundation
import GatewayModel
import TestSupport
import Testing

extension Integration {
    @Suite struct Devices {
        /// One of a house that no settings name.
        private static let band = "C0:FF:EE:00:00:09"

        /// Maria's strap is in the settings; a band of hers is on the air.
        private static var house: HouseSettings {
            var settings = HouseSettings()
            settings.strangers = [Rig.Wearable(id: "band", address: band)]
            return settings
        }

        @Test func `a device is found, paired, listed and forgotten while the gateway is stopped`() async throws
        {
            try await House.with(Self.house) { house in
                let scan = try await house.command("devices", "scan", "--seconds", "1")
                #expect(scan.code == 0 && scan.output.contains("known as strap"), "\(scan)")
                #expect(scan.output.contains("\(Self.band)  -58 dBm"), "\(scan)")
                let pair = try await house.command(
                    "devices", "pair", Self.band, "--id", "band", "--person", "maria")
                #expect(pair.code == 0 && pair.output.contains("added as 'band' of maria"), "\(pair)")
                #expect(pair.errors.contains("it takes effect at the gateway's next start"), "\(pair)")
                let list = try await house.command("devices", "list")
                #expect(list.output.contains("state/devices.toml:4"), "\(list)")
                let unsure = try await house.command("devices", "forget", "band")
                #expect(unsure.code == 1 && unsure.errors.contains("--yes"), "\(unsure)")
                let forget = try await house.command("devices", "forget", "band", "--yes")
                #expect(forget.code == 0 && forget.output.contains("its bond is deleted"), "\(forget)")
                #expect(try await !house.command("devices", "list").output.contains(Self.band))
            }
        }

        @Test func `a bracelet buzzes for the person who looks for it, and for no one while an alarm is open`()
            async throws
        {
            var settings = HouseSettings(
                more: "[[wearable]]\nid = \"bracelet\"\naddress = \"\(Self.band)\"\nperson = \"maria\"\n")
            settings.strangers = [Rig.Wearable(id: "bracelet", kind: "bracelet", address: Self.band)]
            (settings.abortWindow, settings.calls) = (60, "early_notice = true")
            try await House.with(settings) { house in
                let gateway = try await house.start()
                for id in ["strap", "bracelet"] { try await house.rig.subscribed(id) }
                func written(_ hex: String, after mark: Int) async throws {
                    try await house.rig.event("the alert \(hex)", after: mark) {
                        $0.event == "written" && $0.id == "bracelet" && $0.hex == hex
                    }
                }
                let mark = house.rig.mark
                let buzz = try await house.command("devices", "buzz", "bracelet")
                #expect(buzz.code == 0 && buzz.output.contains("bracelet buzzes for 3 s"), "\(buzz)")
                try await written("02", after: mark)
                try await written("00", after: mark)

                let plain = try await house.command("devices", "buzz", "strap")
                #expect(plain.code == 1 && plain.errors.contains("no service to buzz"), "\(plain)")
                let unknown = try await house.command("devices", "buzz", "belt")
                #expect(unknown.code == 1 && unknown.errors.contains("no wearable has this id"), "\(unknown)")
                let console = URL(filePath: house.controlSocket).deletingLastPathComponent()
                    .appending(path: "console.sock").path
                // The gateway ends a connection after its answer.
                func asked(_ role: ControlSession.Role, of person: String?) throws -> ControlReply<NoDocument> {
                    var client = try ControlClient(path: console)
                    return try client.ask(
                        Verb.Buzz(DeviceID("bracelet")!),
                        for: try ControlSession(
                            role: role, person: person.flatMap { PersonID($0) }, name: "Anna"))
                }
                #expect(try asked(.carer, of: "luigi").refusal == .otherPerson)
                #expect(try asked(.room, of: "maria").refusal == .notForRole)
                let again = house.rig.mark
                #expect(try asked(.carer, of: "maria").isDone)
                try await written("02", after: again)
                try await written("00", after: again)

                for _ in 0..<4 { try await house.rig.send(150) }
                _ = try await gateway.alarm()
                let refused = try await house.command("devices", "buzz", "bracelet")
                #expect(refused.code == 1 && refused.errors.contains("an alarm is open"), "\(refused)")
            }
        }

        @Test(arguments: ["keyboard", "battery"])
        func `a device with nothing to read is not added, unless a person insists`(kind: String) async throws {
            var settings = HouseSettings()
            settings.strangers = [Rig.Wearable(id: "thing", kind: kind, address: Self.band)]
            try await House.with(settings) { house in
                _ = try await house.start()
                let words = ["devices", "pair", Self.band, "--id", "thing", "--person", "maria"]
                let refused = try await house.command(words)
                #expect(refused.code == 1, "\(refused)")
                #expect(refused.output.contains("battery, nothing that this gateway can read"), "\(refused)")
                #expect(!refused.output.contains("watched from now on"), "\(refused)")
                #expect(refused.errors.contains("its bond is deleted again"), "\(refused)")
                #expect(refused.errors.contains("--anyway"), "\(refused)")
                #expect(try await !house.command("devices", "list").output.contains(Self.band))
                // The bond is gone: it is paired anew.
                let insisted = try await house.command(words + ["--anyway"])
                #expect(insisted.code == 0 && !insisted.output.contains("paired with this computer already"))
                #expect(insisted.output.contains("added as 'thing' of maria"), "\(insisted)")
            }
        }

        @Test func `a pairing tells the services of the device before it is watched`() async throws {
            try await House.with(Self.house) { house in
                let pair = try await house.command(
                    "devices", "pair", Self.band, "--id", "band", "--person", "maria")
                #expect(pair.output.contains("(\(Self.band)): heart rate, battery\n"), "\(pair)")
                // bluetoothd keeps the services with the bond: the gateway need not have been connected.
                let check = try await house.command("check")
                #expect(
                    check.output.contains("maria wears band: energy expended, heart rate, RR interval"),
                    "\(check)")
                #expect(check.output.contains("maria wears strap: not known until"), "\(check)")
            }
        }

        @Test func `a device of the settings file is not changed by a command, which says what to write`()
            async throws
        {
            try await House.with { house in
                let forget = try await house.command("devices", "forget", "strap", "--yes")
                #expect(forget.code == 1 && forget.errors.contains("is written by hand at "), "\(forget)")
                let track = try await house.command("devices", "track", "strap", "rr-interval", "--off")
                #expect(track.code == 1 && track.errors.contains("off = [\"rr-interval\"]"), "\(track)")
            }
        }

        @Test func `readings of a device that is not the source for SOS are sent and raise no alarm`()
            async throws
        {
            try await House.with(Self.house) { house in
                let pair = try await house.command(
                    "devices", "pair", Self.band, "--id", "band", "--person", "maria", "--no-bond")
                #expect(pair.code == 0, "\(pair)")
                let gateway = try await house.start()
                try await house.rig.subscribed("strap")
                // The running gateway is told, and the strap counts no more.
                let track = try await house.command(
                    "devices", "track", "band", "heart-rate", "--on", "--sos")
                #expect(
                    track.code == 0 && track.output.contains("gateway: band: what of it counts is changed"),
                    "\(track)")
                try await house.rig.send(180)
                try await gateway.feed.first("reading") { $0.value == 180 }
                // An alarm would have been ordered before the feed was told, and is asked for after.
                let status = try await house.command("status")
                #expect(!status.output.contains("OPEN ALARM"), "\(status)")
                // And off is off: dropped before anyone sees it.
                let off = try await house.command(
                    "devices", "track", "band", "heart-rate", "--off")
                #expect(off.code == 0, "\(off)")
                try await house.rig.subscribed("band")
                try await house.rig.send(181, from: "band")
                try await house.rig.send(91)
                try await gateway.feed.first("reading") { $0.value == 91 }
                let isSeen = gateway.feed.lines.values.contains { $0.value == 181 }
                #expect(!isSeen)
            }
        }

        @Test func `a running gateway follows: it watches what was paired and lets go of what was forgotten`()
            async throws
        {
            try await House.with(Self.house) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed("strap")
                let pair = try await house.command(
                    "devices", "pair", Self.band, "--id", "band", "--person", "maria")
                #expect(pair.code == 0, "\(pair)")
                #expect(pair.output.contains("gateway: band: watched from now on"), "\(pair)")
                try await house.rig.subscribed("band")
                // The link of the pairing is used, or a new one: not waited for in vain.
                #expect(!gateway.daemon.log.contains("the link did not come up"))
                try await house.rig.send(73, from: "band")
                try await gateway.feed.first("reading") { $0.value == 73 && $0.device == "band" }
                let (mark, heard) = (house.rig.mark, gateway.feed.lines.values.count)
                let forget = try await house.command("devices", "forget", "band", "--yes")
                #expect(
                    forget.output.contains("gateway: band: not watched any more from now on"), "\(forget)")
                try await house.rig.event("the end of the link", after: mark) {
                    $0.event == "disconnected" && $0.id == "band"
                }
                let wasStrapDisturbed = gateway.feed.lines.values.dropFirst(heard).contains {
                    $0.subject == "strap" && $0.isHealth("wearable-away", true)
                }
                #expect(!wasStrapDisturbed)
            }
        }

        @Test func `what is wrong with a device that came by a reload is told of whoever has agreed alone`()
            async throws
        {
            var settings = Self.house
            var paolo = HouseSettings.paolo
            (paolo.dataPolicy, paolo.automatedSOS) = (false, false)
            settings.residents.append(paolo)
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                // Not there until it answers: the reload itself raises that.
                let pair = try await house.command(
                    "devices", "pair", Self.band, "--id", "band", "--person", "paolo")
                #expect(pair.output.contains("gateway: band: watched from now on"), "\(pair)")
                try await gateway.feed.first("health") {
                    $0.subject == "band" && $0.isHealth("wearable-away", true)
                }
                // Comes after whatever was sent of it.
                try await house.rig.send(71)
                try await witness.sample(71)
                func tellsOfBand(_ message: WireMessage) -> Bool {
                    message.topic.hasSuffix("/status") && message.text.contains("\"band\"")
                }
                #expect(!witness.messages.contains(where: tellsOfBand))

                let accepted = try await house.command("consent", "accept", "data-policy", "--person", "paolo")
                #expect(accepted.code == 0, "\(accepted)")
                try await house.rig.subscribed("band")
                let mark = witness.mark
                try await house.rig.disconnect("band")
                try await witness.first("that the band is away", after: mark) {
                    $0.topic.hasSuffix("/status") && $0.text.contains("\"band\"")
                }
            }
        }

        @Test func `a devices file that is broken stops neither the start nor an abort`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                try "[[wearable]]\nid = \"x\"".write(
                    to: house.scratch.file("state/devices.toml"), atomically: true, encoding: .utf8)
                let list = try await house.command("devices", "list")
                #expect(
                    list.code == 78 && list.errors.contains("devices.toml:1: wearable.address: "), "\(list)")
                let abort = try await house.command("abort")
                #expect(abort.code == 1 && abort.errors.contains("there is no open alarm"), "\(abort)")
                #expect(try await gateway.daemon.terminate().code == 0)
                let mark = house.rig.mark
                let second = try await house.start()
                try await house.rig.subscribed(after: mark)
                try await house.rig.sendWhenSubscribed(150)
                try await second.alarm()
                let status = try await house.command("status")
                #expect(status.output.contains("devices.toml:1 wearable.address"), "\(status)")
            }
        }
    }
}
