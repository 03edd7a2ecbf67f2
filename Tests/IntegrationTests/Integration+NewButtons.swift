import ControlContract
import Foundation
import GatewayModel
import TestSupport
import Testing
import WireFormats
import WireSamples

extension Integration {
    /// Buttons that only advertise, added by an installer through the running gateway, at the console's socket. Their adverts
    /// come through the virtual bluetoothd.
    @Suite struct NewButtons {
        private static let address = DeviceAddress("C0:FF:EE:00:00:05")!
        private static let button = DeviceID("button")!
        private static let press: [UInt8] = [0x3A, 0x01]
        private static let sealed = SealedBTHome(
            key: AES128Key(hexadecimal: SealedBTHome.example)!, address: address)
        private static let wrongKey = "00000000000000000000000000000001"

        /// Maria's strap is in the settings; two buttons are on the air. No scanner of the test machine hears anything.
        private static var settings: HouseSettings {
            var settings = HouseSettings()
            settings.bluetooth = "trackside_adapter = \"hci99\""
            settings.strangers = [
                Rig.Wearable(
                    id: "button", kind: "beacon", address: address.description,
                    name: "<img src=x onerror=alert(1)>"),
                Rig.Wearable(id: "plain", kind: "beacon", address: "C0:FF:EE:00:00:06"),
            ]
            return settings
        }

        private static func order(
            key: String?, _ address: DeviceAddress = address, id: DeviceID = button
        ) throws -> Verb.AddBroadcaster {
            try Verb.AddBroadcaster(
                id: id, address: address, person: PersonID("maria")!, key: key,
                meanings: [("button", "sos-button"), ("double_press", "cancel")])
        }

        private static func frame(_ counter: UInt32) -> [UInt8] { sealed.frame(press, counter: counter) }

        /// Presses the button until the search lists it with its name, as a person does.
        private static func find(
            _ id: String, _ address: DeviceAddress = address, by frame: [UInt8], _ house: House
        ) async throws -> DeviceSetupDocument.Found {
            var found: DeviceSetupDocument.Found?
            for _ in 0..<100 where found == nil {
                try await house.rig.advertise(frame, from: id, times: 3)
                _ = try await eventually(within: .milliseconds(300)) {
                    found = try Pairing.state(house).found.first {
                        $0.address == address.description && $0.broadcast != nil && $0.name != nil
                    }
                    return found != nil
                }
            }
            guard let found else { throw Missing(description: "\(id) in the search") }
            return found
        }

        private static func end(_ house: House) async throws -> DeviceSetupDocument.Outcome {
            try #require(try await Pairing.wait(house, "the end") { $0.outcome != nil }.outcome)
        }

        private static func alarms(_ gateway: House.Gateway) -> Int {
            gateway.feed.lines.values.count { $0.event == "alarm" && $0.repetition == 0 }
        }

        private static func endAlarm(_ house: House, _ alarm: String?) async throws {
            let abort = try await house.command("abort")
            #expect(abort.code == 0, "\(abort)")
            let file = house.scratch.file("state/alarms.json")
            #expect(
                await eventually {
                    !((try? String(contentsOf: file, encoding: .utf8)) ?? "").contains(alarm ?? "")
                })
        }

        @Test
        func
            `an encrypted button is found, added with its key, calls for help over a restart, and is forgotten`()
            async throws
        {
            try await House.with(Self.settings) { house in
                let first = try await house.start()
                try await house.rig.subscribed("strap")
                #expect(try Pairing.ask(house, try Verb.ScanDevices(seconds: 60)).isDone)
                let found = try await Self.find("button", by: Self.frame(7), house)
                #expect(found.broadcast?.isEncrypted == true && found.broadcast?.event == nil)
                #expect(found.name == "<img src=x onerror=alert(1)>" && found.isOfUse && found.knownAs == nil)
                for (key, code) in [
                    (nil, RefusalCode.keyMissing), (Self.wrongKey, .keyWrong),
                ] {
                    let refused = try Pairing.ask(house, try Self.order(key: key))
                    #expect(!refused.isDone && refused.refusal == code, "\(refused.lines)")
                }
                let strange = DeviceAddress("C0:FF:EE:00:00:44")!
                let unheard = try Pairing.ask(house, try Self.order(key: SealedBTHome.example, strange))
                #expect(unheard.refusal == .notHeard)
                let isLessSure = first.feed.lines.values.contains { $0.isHealth("adverts-less-sure", true) }
                #expect(!isLessSure, "a search is no reason for a condition")

                #expect(try Pairing.ask(house, try Self.order(key: SealedBTHome.example)).isDone)
                let end = try await Self.end(house)
                #expect(end.isDone && end.device == "button", "\(end)")
                #expect(end.lines.contains("button: watched from now on"), "\(end)")
                #expect(end.lines.contains("double_press: means cancel"), "\(end)")
                let key = house.scratch.file("state/bindkey-button")
                #expect(try String(contentsOf: key, encoding: .utf8) == SealedBTHome.example)
                let mode = try FileManager.default.attributesOfItem(atPath: key.path)[.posixPermissions]
                #expect((mode as? Int) == 0o600)
                let list = try await house.command("devices", "list", "--json")
                #expect(
                    list.output.contains("\"advertising\"") && list.output.contains("state/devices.toml:"),
                    "\(list)")

                // The press that it was found by, again; then the next one.
                try await house.rig.advertise(Self.frame(7), from: "button", times: 3)
                try await house.rig.advertise(Self.frame(8), from: "button", times: 3)
                let alarm = try await first.alarm()
                #expect(alarm.rule == "sos-button" && alarm.person == "maria" && Self.alarms(first) == 1)
                try await Self.endAlarm(house, alarm.alarm)
                for text in [first.daemon.log, "\(try Pairing.state(house))", list.output] {
                    #expect(!text.contains(SealedBTHome.example) && !text.contains(Self.wrongKey))
                }
                first.daemon.child.signal(9)
                _ = try await first.daemon.child.exitCode()

                let mark = house.rig.mark
                let second = try await house.start()
                try await house.rig.hearsAdverts(after: mark)
                for counter: UInt32 in [7, 8, 9] {
                    try await house.rig.advertise(Self.frame(counter), from: "button", times: 3)
                }
                let again = try await second.alarm()
                #expect(again.person == "maria")
                #expect(Self.alarms(second) == 1)
                try await Self.endAlarm(house, again.alarm)
                #expect(try Pairing.ask(house, Verb.ForgetDevice(Self.button)).isDone)
                #expect(try await Self.end(house).isDone)
                #expect(!FileManager.default.fileExists(atPath: key.path))
                #expect(try await !house.command("devices", "list").output.contains("button"))
            }
        }

        @Test func `a press of a button of the house calls for help during the search and after it`()
            async throws
        {
            var settings = Self.settings
            settings.bluetooth = ""
            settings.beacons = [HouseSettings.Beacon()]
            settings.strangers = [
                Rig.Wearable(id: "plain", kind: "beacon", address: "C0:FF:EE:00:00:06")
            ]
            try await House.with(settings) { house in
                let gateway = try await house.start()
                try await house.rig.hearsAdverts()
                #expect(try Pairing.ask(house, try Verb.ScanDevices(seconds: 60)).isDone)
                func press(_ packet: UInt8) -> [UInt8] { [0x44, 0x00, packet] + Self.press }
                let plain = DeviceAddress("C0:FF:EE:00:00:06")!
                let found = try await Self.find("plain", plain, by: press(1), house)
                #expect(found.broadcast?.isEncrypted == false && found.broadcast?.event == "button")
                #expect(Self.alarms(gateway) == 0)
                try await house.rig.advertise(press(2), from: "button", times: 3)
                let alarm = try await gateway.alarm()
                #expect(alarm.device == nil || alarm.device == "button")
                try await Self.endAlarm(house, alarm.alarm)
                let unused = try Pairing.ask(house, try Self.order(key: Self.wrongKey, plain))
                #expect(unused.refusal == .keyUnused)
                #expect(try Pairing.ask(house, Verb.StopSetup()).isDone)
                _ = try await Pairing.wait(house, "the end of the scan") { $0.phase == .idle }
                let mark = gateway.feed.mark
                try await house.rig.advertise(press(3), from: "button", times: 3)
                let after = try await gateway.alarm(after: mark)
                try await Self.endAlarm(house, after.alarm)
                // The list is there after the search, and the id that is taken is refused.
                #expect(try Pairing.ask(house, try Self.order(key: nil, plain)).isDone)
                let end = try await Self.end(house)
                #expect(!end.isDone && end.lines.first?.contains("'button' is taken") == true, "\(end)")
                #expect(try Pairing.ask(house, try Self.order(key: nil, plain, id: DeviceID("second")!)).isDone)
                #expect(try await Pairing.wait(house, "the end") { $0.outcome?.isDone == true }.outcome != nil)
            }
        }

        @Test(arguments: ControlSession.Role.allCases.filter { $0 != .installer && !$0.isPersonal })
        func `is refused to every other role`(role: ControlSession.Role) async throws {
            try await House.with(HouseSettings()) { house in
                _ = try await house.start()
                let refused = try Pairing.ask(house, try Self.order(key: nil), role)
                #expect(!refused.isDone && refused.refusal == .notForRole)
            }
        }
    }
}
