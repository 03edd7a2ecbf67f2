import Foundation
import TestSupport
import Testing

extension Integration {
    @Suite struct Readings {
        @Test func `a reading travels from the strap to the broker once, with its unit, code and id`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                for rate in [71, 72, 73] { try await house.rig.send(rate) }
                let message = try await witness.sample(71)
                try await witness.sample(73)
                #expect(message.topic == "trackme/v1/house-12/samples/maria/heart-rate")
                #expect(message.payload.unit == "/min")
                #expect(message.payload.loinc == "8867-4")
                #expect(message.payload.person == "maria")
                #expect(message.payload.device == "strap")
                #expect(message.payload.contact == "detected")
                #expect(UUID(uuidString: message.payload.id ?? "") != nil)
                #expect(message.payload.time?.hasSuffix("Z") == true)
                #expect(witness.samples.map(\.payload.value) == [71, 72, 73])
                #expect(Set(witness.samples.compactMap(\.payload.id)).count == 3)
                let seen = try await gateway.feed.first("reading")
                #expect(seen.value == 71 && seen.unit == "/min" && seen.person == "maria")
            }
        }

        @Test
        func `a value that the sensor disowns is shown with that word, and leaves the house in no sample`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(70, contact: false)
                let off = try await gateway.feed.first("reading") { $0.value == 70 }
                #expect(off.notJudged == "contact-lost" && off.id == nil)
                try await house.rig.send(#"{"bpm": 71, "contact": true, "rr_ms": [0]}"#, from: "strap")
                let interval = try await gateway.feed.first("reading") { $0.unit == "ms" }
                #expect(interval.value == 0 && interval.notJudged == "implausible" && interval.id == nil)
                let rate = try await gateway.feed.first("reading") { $0.value == 71 }
                #expect(rate.notJudged == nil && rate.id != nil)
                try await house.rig.send(72)
                try await witness.sample(72)
                #expect(witness.samples.map(\.payload.value) == [71, 72])
            }
        }

        @Test func `bytes that are no reading are a condition, which the next good reading clears`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                // Empty; flags alone; only one byte of a 16-bit value.
                for (number, hex) in ["", "00", "0148"].enumerated() {
                    let mark = gateway.feed.mark
                    try await house.rig.send(hex: hex)
                    let raised = try await gateway.feed.health("undecodable-readings", true, after: mark)
                    #expect(raised.subject == "strap")
                    let status = try await house.command("status")
                    #expect(status.output.contains("A wearable sends bytes that cannot be decoded (strap)"))
                    try await house.rig.send(80 + number)
                    try await gateway.feed.health("undecodable-readings", false, after: mark)
                    try await witness.sample(Double(80 + number))
                }
                #expect(witness.samples.count == 3)
            }
        }

        @Test func `a strap off the skin is a condition, and its numbers are neither judged nor sent`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(150, contact: false)
                try await gateway.feed.health("sensor-contact-lost", true)
                try await house.rig.send(72)
                try await gateway.feed.health("sensor-contact-lost", false)
                try await witness.sample(72)
                #expect(witness.samples.count == 1)
                #expect(!gateway.feed.lines.values.contains { $0.event == "crossing" })
            }
        }

        @Test func `a strap that sends nothing is told as silent within seconds, and heard again clears it`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(71)
                let silent = try await gateway.feed.health("wearable-silent", true)
                #expect(silent.subject == "strap")
                // It is subscribed to again, and then connected again, until it sends.
                try await house.rig.sendWhenSubscribed(72)
                try await gateway.feed.health("wearable-silent", false)
            }
        }

        @Test func `a strap whose link is lost is away until it is connected and heard again`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(71)
                try await witness.sample(71)
                let (mark, feedMark) = (house.rig.mark, gateway.feed.mark)
                try await house.rig.disconnect()
                try await gateway.feed.health("wearable-away", true, after: feedMark)
                try await house.rig.subscribed(after: mark)
                try await gateway.feed.health("wearable-away", false, after: feedMark)
                try await house.rig.send(72)
                try await witness.sample(72)
            }
        }

        @Test func `the retained word about the box says online and what is wrong`() async throws {
            try await House.with { house in
                _ = try await house.start()
                try await house.rig.subscribed()
                // Only now: it receives the messages that the broker kept.
                let witness = try await house.witness()
                let status = try await witness.first("a status with the position missing") {
                    $0.topic == "trackme/v1/house-12/status" && $0.payload.state == "online"
                        && $0.payload.conditions?.contains { $0.code == "position-unavailable" } == true
                        && $0.payload.conditions?.contains { $0.code == "wearable-away" } == false
                }
                #expect(UUID(uuidString: status.payload.id ?? "") != nil)
            }
        }
    }
}
