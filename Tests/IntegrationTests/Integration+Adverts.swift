import Foundation
import GatewayModel
import TestSupport
import Testing
import Vault
import WireFormats
import WireSamples

extension Integration {
    /// Wearables that only advertise, heard through the virtual bluetoothd: no process of a test has a radio of
    /// its own. The raw scanner is tried in the BLE rig.
    @Suite struct Adverts {
        private static let button = "C0:FF:EE:00:00:05"

        private static func house(_ beacon: HouseSettings.Beacon = HouseSettings.Beacon()) -> HouseSettings {
            var settings = HouseSettings()
            settings.beacons = [beacon]
            settings.strangers = [
                Rig.Wearable(id: "stranger", kind: "beacon", address: "C0:FF:EE:00:00:77"),
                Rig.Wearable(id: "tag", kind: "beacon", address: "C0:FF:EE:00:00:06"),
            ]
            return settings
        }

        /// In the clear, trigger based: a packet id, then one press.
        private static func press(_ packet: UInt8) -> [UInt8] { [0x44, 0x00, packet, 0x3A, 0x01] }

        @Test
        func `a press of a button calls for help, once however often it is told, and nothing connects to it`()
            async throws
        {
            try await House.with(Self.house()) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.hearsAdverts()
                try await house.rig.advertise(Self.press(9), from: "button", times: 6)
                let alarm = try await gateway.alarm()
                #expect(alarm.rule == "sos-button" && alarm.person == "maria")
                let call = try await witness.call("confirmed")
                #expect(call.payload.alarm == alarm.alarm && call.payload.cause?.rule == "sos-button")
                try await house.rig.advertise(Self.press(9), from: "button", times: 6)
                // Told after them, on the same way.
                try await house.rig.advertise([0x44, 0x00, 10, 0x01, 0x08], from: "button")
                try await gateway.feed.health("battery-low", true)
                #expect(gateway.feed.lines.values.count { $0.event == "alarm" && $0.repetition == 0 } == 1)
                let wasAsked = house.rig.hasTold { $0.event == "connect-refused" }
                #expect(!wasAsked)
                let status = try await house.command("status")
                #expect(
                    status.output.contains("Adverts are heard through bluetoothd, less surely"), "\(status)")
                #expect(status.output.contains("adverts heard through bluetoothd: "), "\(status)")
            }
        }

        @Test func `an encrypted press calls for help, and no recording of it does, over a kill either`()
            async throws
        {
            let sealed = SealedBTHome(
                key: AES128Key(hexadecimal: SealedBTHome.example)!, address: DeviceAddress(Self.button)!)
            let press: [UInt8] = [0x3A, 0x01]
            try await House.with(Self.house(HouseSettings.Beacon(hasKey: true))) { house in
                try house.useKey(SealedBTHome.example)
                let first = try await house.start()
                try await house.rig.hearsAdverts()
                let old = sealed.frame(press, counter: 500)
                let newest = sealed.frame(press, counter: 600)
                for frame in [old, newest] { try await house.rig.advertise(frame, from: "button", times: 3) }
                let alarm = try await first.alarm()
                #expect(await Self.memory(house) { $0.contains("600") })
                // Else it would be open again after the restart, and the next press no news. Only now: a press that
                // is heard after it is a call of its own.
                let abort = try await house.command("abort")
                #expect(abort.code == 0, "\(abort)")
                let id = try #require(alarm.alarm)
                #expect(await Self.state(house, "alarms.json") { !$0.contains(id) })
                first.daemon.child.signal(9)
                _ = try await first.daemon.child.exitCode()

                let mark = house.rig.mark
                let second = try await house.start()
                try await house.rig.hearsAdverts(after: mark)
                for frame in [newest, old, Self.press(1)] {
                    try await house.rig.advertise(frame, from: "button", times: 3)
                    try await Self.waitForRefusal(of: frame, newest, second)
                }
                // A new one, in its turn after them, is believed, and is the only alarm.
                try await house.rig.advertise(sealed.frame(press, counter: 601), from: "button", times: 3)
                try await second.alarm()
                try await second.feed.health("adverts-refused", false)
                #expect(second.feed.lines.values.count { $0.event == "alarm" && $0.repetition == 0 } == 1)
            }
        }

        @Test
        func `no recorded cancel ends an alarm, and a new battery calls at once and cancels once confirmed`()
            async throws
        {
            let sealed = SealedBTHome(
                key: AES128Key(hexadecimal: SealedBTHome.example)!, address: DeviceAddress(Self.button)!)
            let (press, double): ([UInt8], [UInt8]) = ([0x3A, 0x01], [0x3A, 0x02])
            let beacon = HouseSettings.Beacon(
                hasKey: true, signals: "button = \"sos-button\"\ndouble_press = \"cancel\"")
            try await House.with(Self.house(beacon)) { house in
                try house.useKey(SealedBTHome.example)
                let first = try await house.start()
                try await house.rig.hearsAdverts()
                try await house.rig.advertise(sealed.frame(press, counter: 501), from: "button", times: 3)
                let alarm = try await first.alarm()
                // Recorded before, each below 501.
                for counter: UInt32 in [5, 6, 500, 5, 6, 500] {
                    try await house.rig.advertise(
                        sealed.frame(double, counter: counter), from: "button", times: 2)
                }
                try await first.feed.health("battery-unconfirmed", true)
                try await first.feed.health("adverts-refused", true)
                #expect(await Self.memory(house) { $0.contains("\"unproven\":6") })
                try await house.status(showing: "OPEN ALARM \(alarm.alarm ?? "")")
                #expect(!first.feed.lines.values.contains { $0.event == "aborted" })
                let abort = try await house.command("abort")
                #expect(abort.code == 0, "\(abort)")
                #expect(await Self.state(house, "alarms.json") { !$0.contains(alarm.alarm ?? "") })
                first.daemon.child.signal(9)
                _ = try await first.daemon.child.exitCode()

                let mark = house.rig.mark
                let second = try await house.start()
                try await house.rig.hearsAdverts(after: mark)
                // A new battery: help is called before anybody has confirmed it.
                try await house.rig.advertise(sealed.frame(press, counter: 7), from: "button", times: 3)
                let call = try await second.alarm()
                try await house.rig.advertise(sealed.frame(double, counter: 8), from: "button", times: 3)
                #expect(await Self.memory(house) { $0.contains("\"unproven\":8") })
                try await house.status(showing: "OPEN ALARM \(call.alarm ?? "")")
                let unknown = try await house.command("devices", "battery", "tag")
                #expect(unknown.code == 1 && unknown.errors.contains("no wearable of this id"), "\(unknown)")
                let confirmed = try await house.command("devices", "battery", "button", "--by", "Anna")
                #expect(confirmed.code == 0 && confirmed.output.contains("it can cancel again"), "\(confirmed)")
                let again = try await house.command("devices", "battery", "button")
                #expect(again.code == 1 && again.errors.contains("press its button near the box"), "\(again)")
                // A recording of the earlier battery still ends nothing; the button's next double press does.
                try await house.rig.advertise(sealed.frame(double, counter: 500), from: "button", times: 3)
                #expect(await Self.memory(house) { $0.contains("\"unproven\":500") })
                #expect(!second.feed.lines.values.contains { $0.event == "aborted" })
                // A double press is heard as one that cancels again.
                let end = try await house.command("abort")
                #expect(end.code == 0, "\(end)")
                let feedMark = second.feed.mark
                try await house.rig.advertise(sealed.frame(double, counter: 9), from: "button", times: 3)
                try await second.feed.first("refused", after: feedMark) {
                    $0.text == "there is no open alarm"
                }
            }
        }

        /// Waits until a file of the state directory says so; one that is not there is empty.
        /// Whether the kept state of a broadcaster becomes so.
        private static func memory(_ house: House, _ isSo: (String) -> Bool) async -> Bool {
            let reader = StateReader(in: house.scratch.file("state").path)
            return await eventually {
                let rows = (try? reader.rows(of: .broadcaster).rows) ?? []
                return rows.contains { isSo(String(decoding: $0.content, as: UTF8.self)) }
            }
        }

        private static func state(_ house: House, _ name: String, _ isSo: (String) -> Bool) async -> Bool {
            let file = house.scratch.file("state/\(name)")
            return await eventually { isSo((try? String(contentsOf: file, encoding: .utf8)) ?? "") }
        }

        /// The newest frame once more is no news; an older one, and one in the clear, are told.
        private static func waitForRefusal(of frame: [UInt8], _ newest: [UInt8], _ gateway: House.Gateway)
            async throws
        {
            guard frame != newest else { return }
            try await gateway.feed.health("adverts-refused", true)
        }

        @Test func `a double press cancels an alarm of the house, and none that the button has called itself`()
            async throws
        {
            let button = HouseSettings.Beacon(signals: "button = \"sos-button\"\ndouble_press = \"cancel\"")
            var settings = Self.house(button)
            settings.abortWindow = 4
            try await House.with(settings) { house in
                let check = try await house.command("check", "--offline")
                #expect(
                    check.output.contains(
                        "cancelled by: homegateway abort; the screen of the room; button (double_press)"),
                    "\(check)")
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.hearsAdverts()
                let double: [UInt8] = [0x3A, 0x02]
                // With nothing open it ends nothing, and calls nobody.
                try await house.rig.advertise([0x44, 0x00, 20] + double, from: "button", times: 3)
                try await gateway.feed.first("refused") { $0.text == "there is no open alarm" }
                // Of the alarm that it has called itself it takes nothing back.
                try await house.rig.advertise(Self.press(21), from: "button", times: 3)
                let call = try await gateway.alarm()
                try await house.rig.advertise([0x44, 0x00, 22] + double, from: "button", times: 3)
                try await gateway.feed.first("refused") { $0.text?.contains("has just called") == true }
                let own = try await house.command("abort")
                #expect(own.code == 0, "\(own)")
                try await gateway.feed.first("aborted") {
                    $0.alarm == call.alarm && $0.by != "Maria Rossi, on button"
                }
                // An alarm of the house ends by it, also after the call.
                try await house.rig.subscribed()
                let (mark, callMark) = (gateway.feed.mark, witness.mark)
                try await house.rig.send(151)
                let alarm = try await gateway.alarm(after: mark)
                try await witness.call("confirmed", after: callMark)
                try await house.rig.advertise([0x44, 0x00, 23] + double, from: "button", times: 3)
                let ended = try await gateway.feed.first("aborted", after: mark)
                #expect(ended.alarm == alarm.alarm && ended.by == "Maria Rossi, on button")
                let word = try await witness.call("cancelled", after: callMark)
                #expect(word.payload.ending?.by == "Maria Rossi, on button")
                _ = try await house.record(of: alarm.alarm ?? "", showing: "Maria Rossi, on button")
            }
        }

        @Test func `vibration that goes on is a call for help`() async throws {
            let sensor = HouseSettings.Beacon(signals: "vibration = \"shaking\"")
            try await House.with(Self.house(sensor)) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.hearsAdverts()
                // Two in each second, for as long as it takes to be believed.
                for packet in 0..<60 {
                    try await house.rig.advertise([0x44, 0x00, UInt8(packet), 0x2C, 0x01], from: "button")
                    if gateway.feed.lines.values.contains(where: { $0.event == "alarm" }) { break }
                    try await Task.sleep(for: .milliseconds(450))
                }
                let alarm = try await gateway.alarm()
                #expect(alarm.rule == "shaking")
                let call = try await witness.call("confirmed")
                #expect(call.payload.cause?.rule == "shaking")
            }
        }

        @Test func `a tag that nobody has added is counted, and calls nobody`() async throws {
            try await House.with(Self.house()) { house in
                let gateway = try await house.start()
                try await house.rig.hearsAdverts()
                try await house.rig.advertise(Self.press(1), from: "stranger")
                try await house.rig.advertise([0x44, 0x01], from: "stranger")
                try await house.rig.advertise([0x44, 0x00, 1, 0x01, 0x05], from: "button")
                try await gateway.feed.health("battery-low", true)
                let status = try await house.command("status")
                #expect(
                    status.output.contains("1 of known wearables, 2 of other BTHome devices"), "\(status)")
                #expect(!gateway.feed.lines.values.contains { $0.event == "alarm" })
            }
        }

        @Test func `one that says nothing for as long as the settings allow is out of reach until it is heard`()
            async throws
        {
            try await House.with(Self.house(HouseSettings.Beacon(more: "silence_seconds = 2"))) { house in
                let gateway = try await house.start()
                try await house.rig.hearsAdverts()
                try await gateway.feed.first("health") {
                    $0.isHealth("wearable-away", true) && $0.subject == "button"
                }
                let mark = gateway.feed.mark
                try await house.rig.advertise([0x40, 0x00, 1, 0x01, 0x61], from: "button")
                try await gateway.feed.first("health", after: mark) {
                    $0.isHealth("wearable-away", false) && $0.subject == "button"
                }
            }
        }

        @Test
        func
            `a button that is due is asked for, a press passes the test, and a missed test outlasts a restart`()
            async throws
        {
            var settings = Self.house(
                HouseSettings.Beacon(signals: "button = \"sos-button\"\ndouble_press = \"cancel\""))
            (settings.abortWindow, settings.calls) = (30, "early_notice = true")
            settings.sound += "\nwaking_hours = \"00:00-23:59\""
            try await House.with(settings) { house in
                try Self.record(house, pressedDaysAgo: 8)
                let first = try await house.start()
                let isAsked = await eventually {
                    first.daemon.room.values.contains {
                        $0.contains("Maria Rossi: please test your help button")
                    }
                }
                #expect(isAsked, "\(first.daemon.room.values)")
                first.daemon.child.signal(9)
                _ = try await first.daemon.child.exitCode()

                try Self.record(house, pressedDaysAgo: 9, askedHoursAgo: 25)
                let mark = house.rig.mark
                let second = try await house.start()
                try await house.rig.hearsAdverts(after: mark)
                try await house.status(showing: "An SOS button was not pressed in its test")
                try await house.status(showing: "worn by Maria Rossi, last pressed 20")
                let feedMark = second.feed.mark
                try await house.rig.advertise(Self.press(1), from: "button", times: 3)
                let alarm = try await second.alarm()
                #expect(alarm.rule == "sos-button")
                try await second.feed.health("sos-button-untested", false, after: feedMark)
                let abort = try await house.command("abort")
                #expect(abort.code == 0, "\(abort)")
                let list = try await house.command("devices", "list")
                #expect(list.output.contains("LAST PRESSED") && !list.output.contains("never"), "\(list)")
            }
        }

        @Test func `a press in a test that is begun by hand calls no help, and the next one does`() async throws
        {
            try await House.with(Self.house()) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.hearsAdverts()
                let begun = try await house.command("test-button", "--person", "maria")
                #expect(begun.code == 0 && begun.output.contains("calls no help"), "\(begun)")
                try await gateway.feed.first("button-test-begun") { $0.person == "maria" }
                try await house.rig.advertise(Self.press(1), from: "button", times: 3)
                let test = try await gateway.alarm()
                #expect(test.rule == "drill")
                let isPraised = await eventually {
                    gateway.daemon.room.values.contains { $0.contains("The help button of Maria Rossi works") }
                }
                #expect(isPraised, "\(gateway.daemon.room.values)")
                let sent = try await witness.call("confirmed")
                #expect(sent.payload.drill == true && sent.payload.alarm == test.alarm)
                let mark = gateway.feed.mark
                // Within two seconds it would be the same press.
                try await Task.sleep(for: .milliseconds(2_200))
                try await house.rig.advertise(Self.press(2), from: "button", times: 3)
                let real = try await gateway.alarm(after: mark)
                #expect(real.rule == "sos-button")
                try await gateway.feed.first("lapsed", after: mark) { $0.alarm == test.alarm }
            }
        }

        /// Writes the record of the button as an earlier run would have left it.
        private static func record(
            _ house: House, pressedDaysAgo days: Double, askedHoursAgo hours: Double? = nil
        )
            throws
        {
            func ago(_ seconds: Double) -> WallTime {
                WallTime(millisecondsSince1970: Int64((Date().timeIntervalSince1970 - seconds) * 1_000))
            }
            let asked = hours.map { ago($0 * 3_600) }
            let record = SOSButtonRecord(
                device: DeviceID("button")!, address: DeviceAddress(button)!, since: ago(30 * 86_400),
                heard: ago(days * 86_400), pressed: ago(days * 86_400), asked: asked, reminded: asked)
            let database = StateDatabase(in: house.scratch.file("state").path)
            try database.apply([record.change])
            database.close()
        }

        @Test func `one is added and forgotten by command, and a running gateway follows`() async throws {
            try await House.with(Self.house()) { house in
                let gateway = try await house.start()
                try await house.rig.hearsAdverts()
                let pair = try await house.command(
                    "devices", "pair", "C0:FF:EE:00:00:06", "--id", "tag", "--person", "maria", "--advertising",
                    "--signal", "button=sos-button")
                #expect(pair.code == 0 && pair.output.contains("gateway: tag: watched from now on"), "\(pair)")
                let list = try await house.command("devices", "list")
                let line = list.output.split(separator: "\n").first { $0.hasPrefix("tag ") }
                #expect(line?.contains("advertising  -          -") == true, "\(list)")
                let show = try await house.command("devices", "show", "tag")
                #expect(show.output.contains("heard by      advertising"), "\(show)")
                #expect(show.output.contains("button        means sos-button"), "\(show)")
                let track = try await house.command("devices", "track", "tag", "glucose", "--off")
                #expect(track.code == 1 && track.errors.contains("gives no readings"), "\(track)")
                try await house.rig.advertise(Self.press(1), from: "tag")
                let alarm = try await gateway.alarm()
                #expect(alarm.rule == "sos-button")
                let forget = try await house.command("devices", "forget", "tag", "--yes")
                #expect(forget.code == 0 && !forget.output.contains("bond"), "\(forget)")
            }
        }

        @Test func `a wearable whose key cannot be used is set aside, with its place`() async throws {
            try await House.with(Self.house(HouseSettings.Beacon(hasKey: true))) { house in
                try house.useKey("not a key")
                _ = try await house.start()
                let wrong = try await house.command("status")
                #expect(wrong.output.contains("is no key of 'button'"), "\(wrong)")
                #expect(wrong.output.contains("gateway.toml:"), "\(wrong)")
                try house.useKey(SealedBTHome.example, mode: 0o644)
                let check = try await house.command("check")
                #expect(check.code == 69 && check.output.contains("saw mode 644"), "\(check)")
                // Which adapter is wanted and is not there, or that there is no Bluetooth at all.
                #expect(check.output.contains("PROBLEM  adverts: "), "\(check)")
            }
        }
    }
}
