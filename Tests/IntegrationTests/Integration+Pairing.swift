import ControlContract
import ControlLink
import Foundation
import GatewayModel
import TestSupport
import Testing

extension Integration {
    /// Wearables that an installer pairs through the running gateway, at the console's socket.
    @Suite struct Pairing {
        private static let address = DeviceAddress("C0:FF:EE:00:00:09")!
        private static let band = DeviceID("band")!
        private static let maria = PersonID("maria")!

        /// Maria's strap is in the settings; a band is on the air, with a name that nobody should trust.
        private static func settings(_ pairing: String) -> HouseSettings {
            var settings = HouseSettings()
            settings.strangers = [
                Rig.Wearable(
                    id: "band", address: address.description, name: "<img src=x onerror=alert(1)>",
                    pairing: pairing)
            ]
            return settings
        }

        static func ask<Act: ControlVerb>(
            _ house: House, _ act: Act, _ role: ControlSession.Role = .installer, id: String = "0a0b"
        ) throws -> ControlReply<Act.Document> {
            let path = URL(filePath: house.controlSocket).deletingLastPathComponent()
                .appending(path: "console.sock").path
            var client = try ControlClient(path: path)
            return try client.ask(
                act,
                for: try ControlSession(role: role, person: nil, name: "Gino").identified(by: id))
        }

        static func state(
            _ house: House, id: String = "0a0b"
        ) throws -> DeviceSetupDocument {
            guard let state = try ask(house, Verb.DeviceSetup(), id: id).document else {
                throw Missing(description: "the state of the work on wearables")
            }
            return state
        }

        /// Waits for a state, as a page does.
        static func wait(
            _ house: House, _ what: String, _ isIt: (DeviceSetupDocument) -> Bool
        ) async throws -> DeviceSetupDocument {
            for _ in 0..<300 {
                let state = try state(house)
                if isIt(state) { return state }
                try await Task.sleep(for: .milliseconds(100))
            }
            throw Missing(description: what)
        }

        private static var order: Verb.PairDevice {
            Verb.PairDevice(id: band, address: address, person: maria)
        }

        @Test func `is scanned for, paired with its passkey and watched, while the others are supervised`()
            async throws
        {
            try await House.with(Self.settings("passkey:271828")) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed("strap")
                // Away until it was connected: the start raises that.
                try await house.rig.send(70)
                try await gateway.feed.first("reading") { $0.value == 70 }
                let before = gateway.feed.lines.values.count
                #expect(try Self.ask(house, try Verb.ScanDevices(seconds: 30)).isDone)
                let heard = try await Self.wait(house, "the band in the scan") { state in
                    state.found.contains { $0.address == Self.address.description }
                }
                let found = try #require(heard.found.first { $0.address == Self.address.description })
                #expect(found.name == "<img src=x onerror=alert(1)>" && found.bars > 0 && found.isOfUse)
                #expect(heard.found.contains { $0.knownAs == "strap" })
                // The strap is judged meanwhile.
                try await house.rig.send(71)
                try await gateway.feed.first("reading") { $0.value == 71 }
                // Another installer sees nothing of it, and cannot interfere.
                #expect(try Self.state(house, id: "0c0d").found.isEmpty)
                #expect(try !Self.ask(house, try Verb.ScanDevices(seconds: 30), id: "0c0d").isDone)

                #expect(try Self.ask(house, Self.order).isDone)
                _ = try await Self.wait(house, "the question for the passkey") { $0.question?.kind == .passkey }
                #expect(try !Self.ask(house, try Verb.AnswerPairing("271828"), id: "0c0d").isDone)
                try await house.rig.send(73)
                try await gateway.feed.first("reading") { $0.value == 73 }
                #expect(try Self.ask(house, try Verb.AnswerPairing("271828")).isDone)
                let end = try await Self.wait(house, "the end of the pairing") { $0.outcome != nil }
                #expect(end.outcome?.isDone == true && end.outcome?.device == "band", "\(end)")
                #expect(end.outcome?.lines.contains("band: watched from now on") == true, "\(end)")
                #expect(end.outcome?.lines.contains("heart-rate: on, raises alarms") == true, "\(end)")
                try await house.rig.subscribed("band")
                try await house.rig.send(74, from: "band")
                try await gateway.feed.first("reading") { $0.value == 74 && $0.device == "band" }
                let wasStrapDisturbed = gateway.feed.lines.values.dropFirst(before).contains {
                    $0.subject == "strap" && $0.isHealth("wearable-away", true)
                }
                #expect(!wasStrapDisturbed)
                let list = try await house.command("devices", "list")
                #expect(
                    list.output.contains("state/devices.toml:"), "the settings file is the installer's: \(list)"
                )

                let tracked = try Self.ask(
                    house, Verb.TrackDevice(device: Self.band, kind: .heartRate, isOn: false))
                #expect(tracked.isDone, "\(tracked.lines)")
                #expect(try Self.ask(house, Verb.ForgetDevice(Self.band)).isDone)
                let gone = try await Self.wait(house, "the end of the removal") { $0.outcome != nil }
                #expect(gone.outcome?.lines.contains("its bond is deleted") == true, "\(gone)")
                #expect(try await !house.command("devices", "list").output.contains("band"))
            }
        }

        @Test func `with a wrong passkey says so, leaves nothing behind, and can be tried again`() async throws
        {
            try await House.with(Self.settings("passkey:271828")) { house in
                _ = try await house.start()
                try await house.rig.subscribed("strap")
                #expect(try Self.ask(house, Self.order).isDone)
                _ = try await Self.wait(house, "the question") { $0.question != nil }
                #expect(try Self.ask(house, try Verb.AnswerPairing("000001")).isDone)
                let end = try await Self.wait(house, "the end") { $0.outcome != nil }
                #expect(end.outcome?.isDone == false, "\(end)")
                #expect(end.outcome?.lines.first?.contains("does not accept this passkey") == true, "\(end)")
                #expect(try await !house.command("devices", "list").output.contains("band"))
                #expect(try Self.ask(house, Self.order).isDone)
                _ = try await Self.wait(house, "the question again") { $0.question != nil }
                #expect(try Self.ask(house, Verb.StopSetup()).isDone)
                let stopped = try await Self.wait(house, "the stop") { $0.phase == .idle }
                #expect(stopped.outcome?.lines == ["stopped here: nothing was paired"], "\(stopped)")
                // Its agent at bluetoothd is gone.
                try await house.rig.event("the end of the agent") { $0.event == "agent-gone" }
            }
        }

        @Test(arguments: ["display:314159", "confirm:161803", "allow"])
        func `shows digits, compares digits, or asks nothing, as the device wants it`(pairing: String)
            async throws
        {
            try await House.with(Self.settings(pairing)) { house in
                _ = try await house.start()
                #expect(try Self.ask(house, Self.order).isDone)
                switch pairing {
                case "confirm:161803":
                    let asked = try await Self.wait(house, "the question") { $0.question != nil }
                    #expect(asked.question == DeviceSetupDocument.Question(.compare, shown: "161803"))
                    #expect(try Self.ask(house, try Verb.AnswerPairing("yes")).isDone)
                default: break
                }
                let end = try await Self.wait(house, "the end") { $0.outcome != nil }
                #expect(end.outcome?.isDone == true, "\(end)")
            }
        }

        @Test(arguments: ControlSession.Role.allCases.filter { $0 != .installer && !$0.isPersonal })
        func `is refused to every other role`(role: ControlSession.Role) async throws {
            try await House.with(HouseSettings()) { house in
                _ = try await house.start()
                func isDone(_ act: some ControlVerb) throws -> Bool { try Self.ask(house, act, role).isDone }
                for act in [
                    try Verb.ScanDevices(seconds: 30), Verb.DeviceSetup(), Self.order,
                    Verb.ForgetDevice(Self.band),
                ] as [any ControlVerb] {
                    #expect(try !isDone(act))
                }
            }
        }
    }
}
