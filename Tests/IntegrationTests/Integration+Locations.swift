import Consent
import Foundation
import GatewayModel
import Samples
import TestSupport
import Testing

extension Integration {
    /// Positions and profile items as data of a person: from a real gpsd to the third parties at a real Mosquitto.
    @Suite(.enabled(if: GPSDProcess.isInstalled)) struct Locations {
        private struct Place: Decodable, Hashable {
            let latitude, longitude: Double
            let accuracyM: Double?
            let precision, source, time: String
            let device: String?
        }

        private static let latitude = 45.4612
        private static let longitude = 9.1812

        private static func places(_ witness: Witness, of party: String) -> [Place] {
            witness.messages.filter { $0.topic.hasSuffix("/parties/\(party)/maria/location") }
                .compactMap { try? SnakeCase.decode(Place.self, from: $0.text) }
        }

        private static func shared(_ witness: Witness) -> [WireMessage] {
            witness.messages.filter { $0.topic.contains("/parties/") }
        }

        /// Sends positions inside one cell of the grid until `isDone`.
        private static func walk(_ what: String, _ gpsd: GPSDProcess, until isDone: () async throws -> Bool)
            async throws
        {
            let end = ContinuousClock.now.advanced(by: patience)
            for step in 0... {
                guard ContinuousClock.now < end else { throw Missing(description: what) }
                gpsd.sendEpoch(
                    latitude: latitude + Double(step % 50) * 0.0001, longitude: longitude, at: Date())
                if try await isDone() { return }
                try await Task.sleep(for: .milliseconds(300))
            }
        }

        private static func settings(_ gpsd: GPSDProcess, samples: Int) -> HouseSettings {
            var settings = HouseSettings()
            settings.person = "carries_box = true"
            settings.more = "[location]\nsample_seconds = \(samples)\n"
            settings.gpsdPort = UInt16(gpsd.port)
            return settings
        }

        @Test func `leave by their own grant alone, coarse if nothing else was asked, until the withdrawal`()
            async throws
        {
            let gpsd = try GPSDProcess()
            try await gpsd.start()
            try await House.with(Self.settings(gpsd, samples: 1)) { house in
                try Sharing.ask(
                    house, ConsentSample.request("heart-1", for: [.heartRate]),
                    ConsentSample.request("place-1", data: [.location]),
                    ConsentSample.request(
                        "place-2", by: ConsentSample.party(ConsentSample.study), data: [.location],
                        precision: .exact))
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                let ofReadings = try await house.command("consent", "accept", "heart-1")
                #expect(ofReadings.code == 0)
                try await Self.walk("positions in the history", gpsd) {
                    let list = try await house.command("history", "locations", "--person", "maria")
                    return list.output.split(separator: "\n").count > 3
                }
                try await house.rig.send(72)
                try await witness.first("the copy") { $0.topic.hasSuffix("/parties/clinic/maria/heart-rate") }
                #expect(Self.shared(witness).count == 1, "no position without its grant")

                let shown = try await house.command("consent", "show", "place-1")
                #expect(shown.output.contains("Location (to about a kilometre)"), "\(shown)")
                for id in ["place-1", "place-2"] {
                    #expect(try await house.command("consent", "accept", id).code == 0)
                }
                try await Self.walk("positions for both", gpsd) {
                    Self.places(witness, of: "clinic").count > 2 && Self.places(witness, of: "study").count > 2
                }
                let coarse = Self.places(witness, of: "clinic")
                #expect(Set(coarse.map(\.latitude)) == [45.465] && Set(coarse.map(\.longitude)) == [9.185])
                #expect(Set(coarse.map(\.accuracyM)) == [1_000] && Set(coarse.map(\.precision)) == ["coarse"])
                #expect(coarse.allSatisfy { $0.time.hasSuffix(":00.000Z") && $0.source == "box" })
                let exact = Self.places(witness, of: "study")
                #expect(Set(exact.map(\.latitude)).count > 1 && exact.allSatisfy { $0.precision == "exact" })
                #expect(exact.allSatisfy { abs($0.latitude - Self.latitude) < 0.006 })

                #expect(try await house.command("consent", "withdraw", "place-1").code == 0)
                let (told, others) = (
                    Self.places(witness, of: "clinic").count, Self.places(witness, of: "study").count
                )
                try await Self.walk("positions for the study alone", gpsd) {
                    Self.places(witness, of: "study").count > others + 2
                }
                #expect(Self.places(witness, of: "clinic").count == told)

                let export = house.scratch.file("export")
                let exported = try await house.command(
                    "my-data", "export", "--person", "maria", "--to", export.path)
                #expect(exported.code == 0, "\(exported)")
                let table = try String(contentsOf: export.appending(path: "locations.csv"), encoding: .utf8)
                #expect(
                    table.hasPrefix("at,latitude,longitude,accuracy_m,device\n") && table.contains(",45.46"))
                #expect(try await house.command("consent", "withdraw", "place-2").code == 0)
                let erased = try await house.command("my-data", "erase", "--person", "maria", "--yes")
                #expect(erased.code == 0, "\(erased)")
                let list = try await house.command(
                    "history", "locations", "--person", "maria", "--to", "2026-01-01")
                #expect(list.output.contains("no positions"), "\(list)")
                #expect(try await gateway.daemon.terminate().code == 0)
            }
        }

        @Test func `are not kept, and leave by no grant, while they are not sampled`() async throws {
            let gpsd = try GPSDProcess()
            try await gpsd.start()
            try await House.with(Self.settings(gpsd, samples: 0)) { house in
                try Sharing.ask(house, ConsentSample.request("place-1", data: [.location]))
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                #expect(try await house.command("consent", "accept", "place-1").code == 0)
                gpsd.sendEpoch(latitude: Self.latitude, longitude: Self.longitude, at: Date())
                try await gateway.feed.first("position")
                try await house.rig.send(72)
                try await witness.sample(72)
                let list = try await house.command("history", "locations", "--person", "maria")
                #expect(list.output.contains("no positions in this time"), "\(list)")
                #expect(Self.shared(witness).isEmpty)
            }
        }

        @Test func `of a profile: an item leaves at its grant and after a change, once, over a restart`()
            async throws
        {
            try await House.with { house in
                try Sharing.ask(
                    house, ConsentSample.request("body-1", data: [.profile(.height), .profile(.contacts)]))
                let gateway = try await house.start()
                let witness = try await house.witness()
                func values(_ item: String) -> [String] {
                    witness.messages.filter { $0.topic.hasSuffix("/parties/clinic/maria/profile-\(item)") }
                        .compactMap { $0.text.firstMatch(of: /"value":(.*)}$/).map { String($0.1) } }
                }
                let set = try await house.command("profile", "set", "--height", "162", "--person", "maria")
                #expect(set.code == 0, "\(set)")
                #expect(try await house.command("consent", "accept", "body-1").code == 0)
                try await witness.first("the height") { $0.text.contains(#""value":"162""#) }
                try await witness.first("no contacts") { $0.topic.hasSuffix("profile-contacts") }
                #expect(values("contacts") == ["[]"])
                let changed = try await house.command("profile", "set", "--height", "161", "--person", "maria")
                #expect(changed.code == 0, "\(changed)")
                try await witness.first("the new height") { $0.text.contains(#""value":"161""#) }
                #expect(try await gateway.daemon.terminate().code == 0)
                let next = try await house.start()
                try await house.rig.subscribed()
                let telephone = try await house.command(
                    "profile", "set", "--telephone", "+39021234567", "--height", "160", "--person", "maria")
                #expect(telephone.code == 0, "\(telephone)")
                try await witness.first("the height after the restart") { $0.text.contains(#""value":"160""#) }
                #expect(values("height") == [#""162""#, #""161""#, #""160""#])
                #expect(values("contacts") == ["[]"] && values("telephone").isEmpty)
                #expect(try await house.command("consent", "withdraw", "body-1").code == 0)
                let last = try await house.command("profile", "set", "--height", "159", "--person", "maria")
                #expect(last.code == 0, "\(last)")
                try await house.rig.send(72)
                try await witness.sample(72)
                #expect(values("height").count == 3)
                #expect(try await next.daemon.terminate().code == 0)
            }
        }
    }
}
