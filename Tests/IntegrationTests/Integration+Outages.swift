import TestSupport
import Testing

extension Integration {
    @Suite struct Outages {
        @Test func `a call and readings made without a broker arrive when it is there, each once`() async throws
        {
            let broker = try LastingBroker()
            let port = broker.port
            try await House.with(brokerPort: port) { house in
                // The witness's session is on the broker's disk before the gateway's first message.
                try await broker.start()
                let early = try await house.witness(session: "witness")
                await early.end()
                await broker.stop()

                let gateway = try await house.start()
                try await house.rig.subscribed()
                for rate in [71, 72, 150] { try await house.rig.send(rate) }
                try await gateway.daemon.room.first("the alarm in the room") {
                    $0.contains("Alarm for Maria Rossi")
                }
                let dispatch = try await gateway.feed.first("dispatch")
                try await house.status(showing: "The broker cannot be reached")

                try await broker.start()
                let witness = try await house.witness(session: "witness")
                let call = try await witness.call("confirmed")
                #expect(call.payload.alarm == dispatch.alarm)
                try await gateway.feed.first("handed-over") { $0.alarm == dispatch.alarm }
                try await gateway.feed.health("broker-unreachable", false)
                try await house.rig.send(73)
                for rate in [71.0, 72, 150, 73] { try await witness.sample(rate) }
                let ids = witness.samples.compactMap(\.payload.id)
                #expect(witness.samples.count == 4 && Set(ids).count == 4)
                #expect(witness.calls.count == 1)
                await witness.end()
                await broker.stop()
            }
        }

        @Test func `a broker that refuses the gateway is a condition, and the house is alarmed all the same`()
            async throws
        {
            try await House.with(refusing: true) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.status(showing: "The broker refuses this gateway")
                try await house.rig.send(150)
                try await gateway.daemon.room.first("the alarm in the room") {
                    $0.contains("Alarm for Maria Rossi")
                }
                try await gateway.feed.first("dispatch")
                let abort = try await house.command("abort", "--by", "Maria")
                #expect(abort.code == 0, "\(abort)")
            }
        }

        @Test func `a gateway that starts before the bus watches as soon as there is one`() async throws {
            try await House.with { house in
                try await house.rig.perform("bus", "stop")
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.status(showing: "Bluetooth cannot be reached")
                let (mark, feedMark) = (house.rig.mark, gateway.feed.mark)
                try await house.rig.perform("bus", "start")
                try await house.rig.subscribed(after: mark)
                try await gateway.feed.health("bluetooth-unavailable", false, after: feedMark)
                try await house.rig.send(72)
                try await witness.sample(72)
            }
        }

        @Test func `readings go on after bluetoothd died and came back`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(71)
                try await witness.sample(71)
                let (mark, feedMark) = (house.rig.mark, gateway.feed.mark)
                try await house.rig.perform("bluez", "stop")
                try await gateway.feed.health("bluetooth-unavailable", true, after: feedMark)
                try await gateway.feed.health("wearable-away", true, after: feedMark)
                try await house.rig.perform("bluez", "start")
                try await house.rig.subscribed(after: mark)
                try await gateway.feed.health("bluetooth-unavailable", false, after: feedMark)
                try await gateway.feed.health("wearable-away", false, after: feedMark)
                try await house.rig.send(72)
                try await witness.sample(72)
                #expect(witness.samples.map(\.payload.value) == [71, 72])
            }
        }

        @Test(arguments: [DaemonProcess.Stuck.Stream.output, .errors])
        func `help is called while nobody reads what the gateway says`(stream: DaemonProcess.Stuck.Stream)
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start(stuck: stream)
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                let call = try await witness.call("confirmed")
                #expect(call.payload.alarm == alarm.alarm)
                let abort = try await house.command("abort", "--by", "Maria")
                #expect(abort.code == 0, "\(abort)")
                try await witness.call("cancelled")
            }
        }

        @Test func `help is called while broker and bus hang`() async throws {
            var settings = HouseSettings()
            // Long enough for both to be frozen in it.
            settings.abortWindow = 4
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(72)
                try await witness.sample(72)
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                try await house.rig.perform("broker", "freeze")
                try await house.rig.perform("bus", "freeze")
                #expect(!gateway.feed.lines.values.contains { $0.event == "dispatch" })
                let dispatch = try await gateway.feed.first("dispatch")
                #expect(dispatch.alarm == alarm.alarm)
                let status = try await house.command("status")
                #expect(status.output.contains("no recipient has the call yet"), "\(status)")
                #expect(!gateway.feed.lines.values.contains { $0.event == "handed-over" })
                try await house.rig.perform("bus", "thaw")
                try await house.rig.perform("broker", "thaw")
                let call = try await witness.call("confirmed")
                #expect(call.payload.alarm == alarm.alarm)
                try await gateway.feed.first("handed-over") { $0.alarm == alarm.alarm }
            }
        }
    }
}
