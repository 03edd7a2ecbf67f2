import Foundation
import TestSupport
import Testing

extension Integration {
    /// Readings of a person that leave in one message, between the daemon and a real Mosquitto.
    @Suite struct Gathering {
        private static func settings(_ milliseconds: Int?) -> HouseSettings {
            var settings = HouseSettings()
            settings.gathering = milliseconds
            return settings
        }

        /// Messages with several readings, as they came.
        private static func gathered(_ witness: Witness) -> [String] {
            witness.lines.filter { $0.hasPrefix("trackme/v1/\(HouseSettings.gateway)/samples/maria\t") }
        }

        /// Returns when the gateway is connected to the broker: readings from before leave as a backlog, at once.
        private static func connected(_ witness: Witness) async throws {
            try await witness.first("the gateway at the broker") {
                $0.topic == "trackme/v1/\(HouseSettings.gateway)/status" && $0.payload.state == "online"
            }
        }

        @Test func `readings of a second share a message, and the intervals of a heart rate its sample`()
            async throws
        {
            try await House.with(Self.settings(nil)) { house in
                _ = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                for rate in 71...78 {
                    try await house.rig.send(
                        #"{"bpm": \#(rate), "contact": true, "rr_ms": [800, 810]}"#, from: "strap")
                }
                for rate in 71...78 { try await witness.sample(Double(rate)) }
                #expect(witness.samples.map(\.payload.value) == (71...78).map(Double.init))
                #expect(Set(witness.samples.compactMap(\.payload.id)).count == 8)
                let messages = Self.gathered(witness)
                #expect((1...3).contains(messages.count), "\(messages)")
                #expect(messages.joined().components(separatedBy: #""rr_ms":["#).count == 9)
                #expect(!witness.samples.contains { $0.payload.kind == "rr-interval" })
            }
        }

        @Test func `a reading near a limit, and those of an alarm, do not wait`() async throws {
            try await House.with(Self.settings(10_000)) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await Self.connected(witness)
                try await house.rig.subscribed()
                let begin = ContinuousClock.now
                try await house.rig.send(71)
                try await house.rig.send(125)
                // It takes along what waited.
                try await witness.sample(71)
                try await witness.sample(125)
                try await house.rig.send(150)
                _ = try await gateway.alarm()
                try await witness.sample(150)
                try await house.rig.send(72)
                try await witness.sample(72)
                #expect(begin.duration(to: .now) < .seconds(9))
            }
        }

        @Test func `a kill while readings wait takes none of them`() async throws {
            try await House.with(Self.settings(10_000)) { house in
                let witness = try await house.witness()
                let first = try await house.start()
                try await Self.connected(witness)
                try await house.rig.subscribed()
                for rate in 71...75 { try await house.rig.send(rate) }
                try await first.feed.first("reading") { $0.value == 75 }
                #expect(await eventually(within: patience) { house.keptReadings == 5 })
                await first.daemon.child.killed()
                #expect(witness.samples.isEmpty)
                _ = try await house.start()
                for rate in 71...75 { try await witness.sample(Double(rate)) }
                #expect(witness.samples.count == 5)
                #expect(Self.gathered(witness).count == 1, "a backlog fills messages at once")
            }
        }

        @Test func `a withdrawal deletes what waits for others`() async throws {
            try await House.with(Self.settings(10_000)) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await Self.connected(witness)
                try await house.rig.subscribed()
                for rate in [71, 72] { try await house.rig.send(rate) }
                try await gateway.feed.first("reading") { $0.value == 72 }
                let answer = try await house.command("consent", "withdraw", "data-policy", "--person", "maria")
                #expect(answer.output.contains("2 unsent messages were deleted"), "\(answer)")
                let end = try await gateway.daemon.terminate()
                #expect(end.code == 0 && witness.samples.isEmpty)
            }
        }

        @Test func `an orderly stop sends what waits`() async throws {
            try await House.with(Self.settings(10_000)) { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await Self.connected(witness)
                try await house.rig.subscribed()
                for rate in [71, 72] { try await house.rig.send(rate) }
                try await gateway.feed.first("reading") { $0.value == 72 }
                #expect(await eventually(within: patience) { house.keptReadings == 2 })
                #expect(try await gateway.daemon.terminate().code == 0)
                for rate in [71.0, 72] { try await witness.sample(rate) }
            }
        }

        @Test func `a broker of small packets gets messages that fit`() async throws {
            let broker = try MosquittoProcess("allow_anonymous true\nmax_packet_size 900")
            try await broker.start()
            try await House.with(Self.settings(nil), brokerPort: broker.port) { house in
                _ = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                for rate in 60...79 { try await house.rig.send(rate) }
                for rate in 60...79 { try await witness.sample(Double(rate)) }
                #expect(witness.samples.count == 20)
                let sizes = Self.gathered(witness).map(\.utf8.count)
                #expect(sizes.count >= 7 && sizes.allSatisfy { $0 < 900 }, "\(sizes)")
            }
        }

        @Test func `without a gathering time each reading leaves by itself, as before`() async throws {
            try await House.with(Self.settings(0)) { house in
                _ = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                for rate in [71, 72] { try await house.rig.send(rate) }
                for rate in [71.0, 72] { try await witness.sample(rate) }
                #expect(Self.gathered(witness).isEmpty)
                #expect(witness.lines.count { $0.contains("/samples/maria/heart-rate\t") } == 2)
            }
        }
    }
}
