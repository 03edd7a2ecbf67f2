import Foundation
import GatewayModel
import Samples
import TestSupport
import Testing

extension Integration {
    /// Intervals of the readings that are sent, between the daemon and a real Mosquitto.
    @Suite struct SampleIntervals {
        private static func command(_ seconds: Int) -> String {
            #"{"type":"sample-interval","person":"maria","kind":"heart-rate","seconds":\#(seconds)}"#
        }

        private static func values(_ witness: Witness) -> [Double] {
            witness.samples.compactMap(\.payload.value)
        }

        /// Of the copies for the clinic.
        private static func copies(_ witness: Witness) -> [Double] {
            witness.messages.filter { $0.topic.hasSuffix("/parties/clinic/maria/heart-rate") }
                .compactMap(\.payload.value)
        }

        @Test
        func `a command thins readings for the cloud and a third party, over a kill, until it is taken back`()
            async throws
        {
            let cloud = try Cloud()
            try await House.with(HouseSettings(more: cloud.sections(may: ["sample-interval"]))) { house in
                try Sharing.ask(house, ConsentSample.request("heart-1"))
                let first = try await house.start()
                let witness = try await house.witness()
                try await house.subscribedToCommands(first)
                let accepted = try await house.command("consent", "accept", "heart-1")
                #expect(accepted.code == 0, "\(accepted)")
                try await house.rig.subscribed()
                let receipt = try await cloud.ask(Self.command(3_600), of: witness)
                #expect(
                    receipt.result == "done" && receipt.detail == "heart-rate is sent every 3600 s",
                    "\(receipt)")
                try await house.status(
                    showing: "maria: heart-rate is sent every 3600 s by command, every reading in the settings")
                for rate in 71...74 { try await house.rig.send(rate) }
                // Near the limit of 131: it is sent whatever the interval says.
                try await house.rig.send(125)
                try await witness.sample(125)
                // The house sees each of them.
                for rate in 71...74 { try await first.feed.first("reading") { $0.value == Double(rate) } }
                try await witness.first("the copy") {
                    $0.topic.contains("/parties/clinic/") && $0.payload.value == 125
                }
                #expect(Self.values(witness) == [71, 125] && Self.copies(witness) == [71, 125])
                await first.daemon.child.killed()

                let mark = house.rig.mark
                let second = try await house.start()
                try await house.subscribedToCommands(second)
                try await house.rig.subscribed(after: mark)
                // The first reading of this run, and no other.
                for rate in 81...84 { try await house.rig.send(rate) }
                try await witness.sample(81)
                try await second.feed.first("reading") { $0.value == 84 }
                let back = try await cloud.ask(Self.command(0), of: witness)
                #expect(back.detail == "heart-rate is sent with every reading", "\(back)")
                for rate in 91...94 { try await house.rig.send(rate) }
                for rate in 91...94 { try await witness.sample(Double(rate)) }
                #expect(Set(Self.values(witness)) == [71, 125, 81, 91, 92, 93, 94])
            }
        }

        @Test func `an alarm sends every reading of its person, and comes as without an interval`() async throws
        {
            var settings = HouseSettings()
            settings.calls = "[person.sample_seconds]\nheart_rate = 3600"
            try await House.with(settings) { house in
                let gateway = try await house.start()
                try await house.status(showing: "maria: heart-rate is sent every 3600 s")
                let witness = try await house.witness()
                try await house.rig.subscribed()
                for rate in [71, 72, 73] { try await house.rig.send(rate) }
                try await gateway.feed.first("reading") { $0.value == 73 }
                try await house.rig.send(150)
                _ = try await gateway.alarm()
                try await witness.call("confirmed")
                for rate in [74, 75] { try await house.rig.send(rate) }
                for rate in [71.0, 150, 74, 75] { try await witness.sample(rate) }
                #expect(Self.values(witness) == [71, 150, 74, 75])
            }
        }

        @Test func `intervals between beats have an interval of their own, and travel with their heart rate`()
            async throws
        {
            var settings = HouseSettings()
            settings.calls = "[person.sample_seconds]\nrr_interval = 3600"
            try await House.with(settings) { house in
                _ = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                for rate in 71...74 {
                    try await house.rig.send(
                        #"{"bpm": \#(rate), "contact": true, "rr_ms": [800, 810]}"#, from: "strap")
                }
                for rate in 71...74 { try await witness.sample(Double(rate)) }
                #expect(Self.values(witness) == [71, 72, 73, 74])
                let text = witness.lines.filter { $0.contains("/samples/maria") }.joined()
                #expect(text.components(separatedBy: #""rr_ms":["#).count == 2, "\(text)")
            }
        }
    }
}
