import Foundation
import TestSupport
import Testing

extension Integration {
    @Suite struct Stops {
        /// Asked of an orderly stop: 5 s, and one for the machine that runs the test.
        private let limit = Duration.seconds(6)

        @Test func `what is unsent at a stop is delivered by the next run under the same ids`() async throws {
            try await House.with { house in
                let first = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.perform("broker", "stop")
                try await first.feed.health("broker-unreachable", true)
                for rate in [71, 72, 73] { try await house.rig.send(rate) }
                for rate: Double in [71, 72, 73] { try await first.feed.first("reading") { $0.value == rate } }
                let stop = try await first.daemon.terminate()
                #expect(stop.code == 0)
                #expect(stop.after <= limit)
                let kept = try house.keptIDs()
                #expect(kept.count == 3)

                try await house.rig.perform("broker", "start")
                let witness = try await house.witness()
                let second = try await house.start()
                try await witness.sample(73)
                #expect(witness.samples.map(\.payload.value) == [71, 72, 73])
                #expect(witness.samples.compactMap(\.payload.id) == kept)
                // And once delivered, not kept for a third.
                let end = try await second.daemon.terminate()
                #expect(end.code == 0)
                #expect(end.after <= limit)
                #expect(try house.keptIDs().isEmpty)
            }
        }

        @Test func `a stop inside the window calls help before it ends`() async throws {
            var settings = HouseSettings()
            settings.abortWindow = 4.5
            try await House.with(settings) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(72)
                try await witness.sample(72)
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                let stop = try await gateway.daemon.terminate()
                #expect(stop.code == 0)
                #expect(stop.after <= limit)
                let call = try await witness.call("confirmed")
                #expect(call.payload.alarm == alarm.alarm)
            }
        }

        @Test func `a call made at a stop without a broker is delivered by the next run`() async throws {
            var settings = HouseSettings()
            settings.abortWindow = 4.5
            try await House.with(settings) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.perform("broker", "stop")
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                let stop = try await gateway.daemon.terminate()
                #expect(stop.code == 0)
                #expect(stop.after <= limit)
                try await house.rig.perform("broker", "start")
                let witness = try await house.witness()
                _ = try await house.start()
                let call = try await witness.call("confirmed")
                #expect(call.payload.alarm == alarm.alarm)
            }
        }

        @Test func `a stop is as short while broker and bus hang, and the unsent is kept`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(71)
                try await witness.sample(71)
                // The witness may have it before the gateway has its acknowledgement.
                try await house.status(showing: "unsent messages: 0")
                try await house.rig.perform("broker", "freeze")
                try await house.rig.send(72)
                try await gateway.feed.first("reading") { $0.value == 72 }
                try await house.rig.perform("bus", "freeze")
                let stop = try await gateway.daemon.terminate()
                #expect(stop.code == 0)
                #expect(stop.after <= limit)
                #expect(try house.keptIDs().count == 1)
                try await house.rig.perform("bus", "thaw")
                try await house.rig.perform("broker", "thaw")
            }
        }

        @Test(arguments: [DaemonProcess.Stuck.Stream.output, .errors])
        func `a stop is as short while nobody reads what it says`(stream: DaemonProcess.Stuck.Stream)
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start(stuck: stream)
                try await house.rig.subscribed()
                try await house.rig.perform("broker", "stop")
                try await house.rig.send(150)
                try await gateway.feed.first("dispatch")
                let stop = try await gateway.daemon.terminate()
                #expect(stop.code == 0)
                #expect(stop.after <= limit)
                #expect(try house.keptIDs().count == 2)
            }
        }

        @Test func `after an orderly stop the retained word says offline`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(71)
                try await witness.sample(71)
                let stop = try await gateway.daemon.terminate()
                #expect(stop.code == 0)
                // One that comes now gets what the broker kept.
                let late = try await house.witness()
                let status = try await late.first("the retained status") { $0.topic.hasSuffix("/status") }
                #expect(status.payload.state == "offline")
            }
        }

        @Test func `each connection that ends is told by an offline with an id and a time of its own`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(71)
                try await witness.sample(71)
                // Another client with the gateway's id: Mosquitto ends its connection.
                try await witness.send("{}", to: "trackme/v1/elsewhere", as: HouseSettings.gateway)
                let lost = try await witness.first("the first loss") { $0.payload.state == "offline" }
                // Two clients with one id need a person: only a call for help does not wait a minute for one.
                try await house.rig.send(150)
                try await witness.call("confirmed")
                let mark = witness.mark
                #expect(try await gateway.daemon.terminate().code == 0)
                let stopped = try await witness.first("the end", after: mark) { $0.payload.state == "offline" }
                #expect(lost.payload.id != stopped.payload.id)
                #expect(lost.payload.time != stopped.payload.time)
            }
        }

        @Test func `after a gateway that was killed the retained word says offline`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(71)
                try await witness.sample(71)
                gateway.daemon.child.signal(SIGKILL)
                try await witness.first("the last will") {
                    $0.topic.hasSuffix("/status") && $0.payload.state == "offline"
                }
            }
        }
    }
}
