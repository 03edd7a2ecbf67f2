import Foundation
import TestSupport
import Testing

extension Integration {
    /// A Bluetooth stack with failures.
    @Suite struct Radio {
        private static let tag = Rig.Wearable(id: "tag", kind: "tag", address: "C0:FF:EE:00:00:0A")

        /// Maria also wears a tag with a button and a buzzer.
        private static var tagged: HouseSettings {
            var settings = HouseSettings()
            settings.abortWindow = 4
            settings.strangers = [tag]
            settings.more = """
                [[wearable]]
                id = "tag"
                address = "\(tag.address)"
                person = "maria"
                link_loss_alert = "mild"

                [wearable.signals]
                button = "sos-button"
                """
            return settings
        }

        private static func isAlert(_ event: Rig.Event, _ hex: String) -> Bool {
            event.event == "written" && event.id == "tag" && event.characteristic == "2a06" && event.hex == hex
        }

        @Test func `a tag's button raises an alarm, which the tag buzzes until it is over`() async throws {
            try await House.with(Self.tagged) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed("tag", to: "ffe1")
                try await house.rig.event("the level for a lost link") { Self.isAlert($0, "01") }
                let mark = house.rig.mark
                try await house.rig.send(hex: "01", from: "tag")
                try await gateway.alarm()
                try await house.rig.event("the buzz", after: mark) { Self.isAlert($0, "02") }
                let abort = try await house.command("abort", "--by", "Maria")
                #expect(abort.code == 0, "\(abort)")
                try await house.rig.event("its end", after: mark) { Self.isAlert($0, "00") }
            }
        }

        @Test func `an alarm of the strap buzzes the tag of the same person`() async throws {
            try await House.with(Self.tagged) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed("tag", to: "ffe1")
                try await house.rig.subscribed("strap")
                let mark = house.rig.mark
                try await house.rig.sendWhenSubscribed(180)
                try await gateway.alarm()
                try await house.rig.event("the buzz", after: mark) { Self.isAlert($0, "02") }
            }
        }

        @Test func `a wearable that is back is the next to be connected while others are away`() async throws {
            var settings = HouseSettings()
            settings.residents[0].strap.onAir = false
            settings.residents[0].strap.known = true
            for number in 1...3 {
                let address = "C0:FF:EE:00:01:0\(number)"
                settings.strangers.append(
                    Rig.Wearable(id: "away\(number)", address: address, known: true, onAir: false))
                settings.more += """
                    [[wearable]]
                    id = "away\(number)"
                    address = "\(address)"
                    person = "maria"

                    """
            }
            try await House.with(settings) { house in
                _ = try await house.start()
                try await house.rig.event("a try of one that is away") { $0.event == "connecting" }
                let mark = house.rig.mark
                try await house.rig.event("listening", after: mark) { $0.event == "discovering" }
                let listening = house.rig.mark
                try await house.rig.operate(#"{"op": "return", "id": "strap"}"#, until: "returned")
                let next = try await house.rig.event("the next try", after: listening) {
                    $0.event == "connecting"
                }
                #expect(next.id == "strap")
                try await house.rig.subscribed("strap", after: mark)
            }
        }

        @Test func `readings go on after the adapter was unplugged and plugged in again`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(71)
                // Until its first reading the strap is away, and its loss is no change.
                try await gateway.feed.first("reading") { $0.value == 71 }
                let (mark, feedMark) = (house.rig.mark, gateway.feed.mark)
                try await house.rig.operate(#"{"op": "unplug"}"#, until: "unplugged")
                try await gateway.feed.health("bluetooth-unavailable", true, after: feedMark)
                try await gateway.feed.health("wearable-away", true, after: feedMark)
                try await house.rig.operate(#"{"op": "plug"}"#, until: "plugged")
                try await house.rig.subscribed(after: mark)
                try await gateway.feed.health("bluetooth-unavailable", false, after: feedMark)
                try await gateway.feed.health("wearable-away", false, after: feedMark)
                try await house.rig.send(72)
                try await gateway.feed.first("reading", after: feedMark) { $0.value == 72 }
            }
        }

        @Test func `a discovery that hangs is told, and cured by switching the adapter off and on`()
            async throws
        {
            try await House.with { house in
                try await house.rig.operate(
                    #"{"op": "hang", "method": "StartDiscovery"}"#, until: "armed")
                let gateway = try await house.start()
                try await gateway.feed.health("bluetooth-hung", true)
                let off = try await house.rig.event("the adapter's power") { $0.event == "power" }
                #expect(off.on == false)
                let mark = house.rig.mark
                // The hang ended with the loss of power.
                try await house.rig.operate(#"{"op": "heal"}"#, until: "healed")
                let on = try await house.rig.event("the adapter's power", after: mark) { $0.event == "power" }
                #expect(on.on == true)
                try await house.rig.subscribed()
                try await gateway.feed.health("bluetooth-hung", false)
                try await house.rig.send(72)
                try await gateway.feed.first("reading") { $0.value == 72 }
            }
        }

        @Test(arguments: [true, false])
        func `systemd is asked to restart a bluetoothd that hangs only where the settings allow it`(
            isAllowed: Bool
        ) async throws {
            var settings = HouseSettings()
            if isAllowed { settings.bluetooth = "may_restart_bluetooth = true" }
            try await House.with(settings) { house in
                let systemd = try house.beside("fake_systemd.py")
                try await systemd.output.first("systemd") { $0 == "ready" }
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.perform("bluez", "freeze")
                try await gateway.feed.health("bluetooth-hung", true)
                let isAsked = await systemd.output.wait(upTo: isAllowed ? patience : Self.restartDelay) {
                    $0.contains("bluetooth.service replace")
                }
                #expect(isAsked == isAllowed)
                try await house.rig.perform("bluez", "thaw")
            }
        }

        /// Twice the time that a gateway that may restart takes from reporting the hang to requesting the restart.
        private static let restartDelay = Duration.seconds(10)

        private static let cuff = Rig.Wearable(
            id: "cuff", kind: "blood_pressure", address: "C0:FF:EE:00:00:0B", repeats: 1)

        private static func pressure(_ systolic: Int, minute: Int) -> String {
            #"{"systolic": \#(systolic), "diastolic": 80, "map": 93, "time": [2026, 1, 15, 8, \#(minute), 0]}"#
        }

        @Test func `a record that a cuff sends again and again is published once`() async throws {
            var settings = HouseSettings()
            settings.strangers = [Self.cuff]
            settings.more = """
                [[wearable]]
                id = "cuff"
                address = "\(Self.cuff.address)"
                person = "maria"
                """
            try await House.with(settings) { house in
                _ = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed("cuff", to: "2a35")
                try await house.rig.send(Self.pressure(121, minute: 1), from: "cuff")
                let mark = house.rig.mark
                try await house.rig.disconnect("cuff")
                try await house.rig.subscribed("cuff", to: "2a35", after: mark)
                try await house.rig.send(Self.pressure(121, minute: 1), from: "cuff")
                try await house.rig.send(Self.pressure(122, minute: 2), from: "cuff")
                try await witness.sample(122)
                let systolic = witness.samples.filter { $0.payload.kind == "systolic-pressure" }
                #expect(systolic.map(\.payload.value) == [121, 122])
            }
        }

        @Test func `a cuff's record is told again under its id after a kill, and not at all after a stop`()
            async throws
        {
            var settings = HouseSettings()
            settings.strangers = [Self.cuff]
            settings.more = """
                [[wearable]]
                id = "cuff"
                address = "\(Self.cuff.address)"
                person = "maria"
                """
            try await House.with(settings) { house in
                let witness = try await house.witness()
                let first = try await house.start()
                try await house.rig.subscribed("cuff", to: "2a35")
                try await house.rig.send(Self.pressure(121, minute: 1), from: "cuff")
                try await witness.sample(121)
                var mark = house.rig.mark
                await first.daemon.child.killed()

                let second = try await house.start()
                try await house.rig.subscribed("cuff", to: "2a35", after: mark)
                for (value, minute) in [(121, 1), (122, 2)] {
                    try await house.rig.send(Self.pressure(value, minute: minute), from: "cuff")
                }
                try await witness.sample(122)
                try await second.feed.first("reading") { $0.value == 122 }
                // No record of it had been kept: it came twice, as one message.
                let again = second.feed.lines.values.filter { $0.event == "reading" && $0.value == 121 }
                #expect(again.count == 1)
                let ids = Set(witness.samples.filter { $0.isSample(121) }.map(\.payload.id))
                #expect(ids.count == 1)
                try await house.status(showing: "unsent messages: 0")
                mark = house.rig.mark
                #expect(try await second.daemon.terminate().code == 0)

                let third = try await house.start()
                try await house.rig.subscribed("cuff", to: "2a35", after: mark)
                for (value, minute) in [(121, 1), (122, 2), (123, 3)] {
                    try await house.rig.send(Self.pressure(value, minute: minute), from: "cuff")
                }
                try await third.feed.first("reading") { $0.value == 123 }
                let repeated = third.feed.lines.values.contains { $0.value == 121 || $0.value == 122 }
                #expect(!repeated)
            }
        }

        private static let meter = Rig.Wearable(id: "meter", kind: "glucose", address: "C0:FF:EE:00:00:0C")

        @Test func `a meter that is asked for all it has after a restart doubles nothing`() async throws {
            var settings = HouseSettings()
            settings.strangers = [Self.meter]
            settings.more = """
                [[wearable]]
                id = "meter"
                address = "\(Self.meter.address)"
                person = "maria"
                """
            @Sendable func stored(_ numbers: ClosedRange<Int>) -> String {
                let records = numbers.map {
                    #"{"sequence": \#($0), "mg_dl": \#(100 + $0), "time": [2026, 1, 15, 8, \#($0), 0]}"#
                }
                return #"{"op": "set", "id": "meter", "records": [\#(records.joined(separator: ", "))]}"#
            }
            try await House.with(settings) { house in
                try await house.rig.operate(stored(1...5), until: "set")
                let witness = try await house.witness()
                let first = try await house.start()
                for number in 1...5 { try await witness.sample(Double(100 + number)) }
                try await house.status(showing: "unsent messages: 0")
                #expect(try await first.daemon.terminate().code == 0)

                try await house.rig.operate(stored(1...6), until: "set")
                let mark = house.rig.mark
                let second = try await house.start()
                // All are requested again, the first of them too.
                try await house.rig.event("the first record", after: mark) {
                    $0.event == "record" && $0.hex?.hasPrefix("020100") == true
                }
                try await second.feed.first("reading") { $0.value == 106 }
                try await witness.sample(106)
                let glucose = second.feed.lines.values.filter { $0.event == "reading" && $0.device == "meter" }
                #expect(glucose.map(\.value) == [106])
                let told = witness.samples.filter { $0.payload.kind == "glucose" }
                #expect(Set(told.map(\.payload.id)).count == 6)
            }
        }

        @Test func `a lone value of a cuff whose clock was never set calls for help`() async throws {
            var settings = HouseSettings()
            settings.strangers = [Self.cuff]
            settings.more = """
                [[wearable]]
                id = "cuff"
                address = "\(Self.cuff.address)"
                person = "maria"
                """
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed("cuff", to: "2a35")
                let unset = #"{"systolic": 230, "diastolic": 90, "map": 140, "time": [0, 0, 0, 0, 0, 0]}"#
                try await house.rig.send(unset, from: "cuff")
                let alarm = try await gateway.alarm()
                #expect(alarm.rule == "systolic-pressure-high")
                // Held for a second, which counts as the time of its confirmation.
                #expect(alarm.confirmedAfterMs == 1_000)
                let call = try await witness.call("confirmed")
                #expect(call.payload.cause?.value == 230)
            }
        }

        @Test func `a value that comes through the socket and as a signal is one reading`() async throws {
            var settings = HouseSettings()
            settings.residents[0].strap.echoes = true
            try await House.with(settings) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                for rate in 71...75 { try await house.rig.send(rate) }
                try await gateway.feed.first("reading") { $0.value == 75 }
                // Requested from the radio after the last value, so that all pending events have arrived.
                try await house.rig.send(76)
                try await gateway.feed.first("reading") { $0.value == 76 }
                let rates = gateway.feed.lines.values.filter { $0.event == "reading" }.map(\.value)
                #expect(rates == [71, 72, 73, 74, 75, 76])
            }
        }
    }
}
