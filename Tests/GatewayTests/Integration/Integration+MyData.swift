import Foundation
import Testing

extension Integration {
    /// What is kept of a person: given to them whole, and erased. The broker is away, so that something waits.
    @Suite struct MyData {
        private static let cuff = Rig.Wearable(
            id: "cuff", kind: "blood_pressure", address: "C0:FF:EE:00:00:0B", repeats: 1)

        private static var settings: HouseSettings {
            var settings = HouseSettings(residents: [HouseSettings.maria, HouseSettings.paolo])
            settings.strangers = [cuff]
            settings.more = """
                [[wearable]]
                id = "cuff"
                address = "\(cuff.address)"
                person = "maria"
                """
            return settings
        }

        private struct Reading: Decodable {
            let at, kind, unit, device: String
            let value: Double
        }

        private struct Bundle: Decodable {
            struct Entry: Decodable {
                struct Resource: Decodable { let resourceType, id: String }
                let resource: Resource
            }
            let entry: [Entry]

            func ids(beginningWith text: String) -> [String] {
                entry.map(\.resource.id).filter { $0.hasPrefix(text) }
            }
        }

        /// Heart rates of both, one alarm of Maria that was aborted, and her blood pressure.
        private static func live(_ house: House, _ gateway: House.Gateway) async throws {
            for strap in ["strap", "belt"] { try await house.rig.subscribed(strap) }
            try await house.rig.subscribed("cuff", to: "2a35")
            for rate in [71, 72, 150] { try await house.rig.send(rate) }
            try await gateway.alarm()
            #expect(try await house.command("abort", "--by", "Maria").code == 0)
            for rate in [81, 82] { try await house.rig.send(rate, from: "belt") }
            try await house.rig.send(
                #"{"systolic": 128, "diastolic": 81, "map": 97, "time": [2026, 1, 15, 8, 1, 0]}"#, from: "cuff")
            try await gateway.feed.first("reading") { $0.value == 128 }
            try await gateway.feed.first("reading") { $0.value == 82 }
        }

        private static func export(_ person: String, _ house: House, to name: String) async throws -> URL {
            let folder = house.scratch.file(name)
            let answer = try await house.command("my-data", "export", "--person", person, "--to", folder.path)
            #expect(answer.code == 0, "\(answer)")
            return folder
        }

        private static func read<Value: Decodable>(
            _ type: Value.Type, _ folder: URL, _ name: String
        ) throws -> Value {
            try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: name)))
        }

        private static func lines(_ folder: URL, _ name: String) throws -> [Substring] {
            try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n")
        }

        @Test func `an export is all that is kept of one person, and the same in every form`() async throws {
            try await House.with(Self.settings, without: ["broker"]) { house in
                let gateway = try await house.start()
                try await Self.live(house, gateway)
                let folder = try await Self.export("maria", house, to: "maria")

                let readings = try Self.read([Reading].self, folder, "readings.json")
                let rates = readings.filter { $0.kind == "heart-rate" }
                #expect(rates.map(\.value) == [71, 72, 150] && rates.allSatisfy { $0.device == "strap" })
                #expect(readings.filter { $0.kind == "diastolic-pressure" }.map(\.value) == [81])
                #expect(readings.allSatisfy { $0.device != "belt" })
                #expect(try Self.lines(folder, "readings.csv").count == readings.count + 1)
                #expect(try Self.lines(folder, "hours.csv").contains { $0.contains("heart-rate,3,71.0,") })

                let bundle = try Self.read(Bundle.self, folder, "fhir-bundle.json")
                #expect(bundle.ids(beginningWith: "heart-rate.").count == 4, "three readings and an hour")
                #expect(bundle.ids(beginningWith: "blood-pressure.").count == 1)
                let valid = try await ContractCheck.run("bundle", folder.path + "/fhir-bundle.json")
                #expect(valid.code == 0 && valid.problems.isEmpty, "\(valid)")
                // The same data gives the same ids.
                let again = try await Self.export("maria", house, to: "again")
                let first = bundle.entry.map(\.resource.id)
                #expect(try Self.read(Bundle.self, again, "fhir-bundle.json").entry.map(\.resource.id) == first)

                #expect(try Self.lines(folder, "alarms.csv").count == 2)
                #expect(try Self.lines(folder, "consent.csv").count { $0.contains("data-policy") } == 1)
                struct About: Decodable {
                    struct Device: Decodable { let id: String }
                    let devices: [Device]
                    let unsentMessages: Int

                    enum CodingKeys: String, CodingKey {
                        case devices
                        case unsentMessages = "unsent_messages"
                    }
                }
                let about = try Self.read(About.self, folder, "about.json")
                #expect(about.devices.map(\.id).sorted() == ["cuff", "strap"])
                #expect(about.unsentMessages >= readings.count)
                let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions]
                #expect(mode as? Int == 0o700)

                // A folder that is there is somebody's.
                let refused = try await house.command(
                    "my-data", "export", "--person", "maria", "--to", folder.path)
                #expect(refused.code == 1 && refused.errors.contains("not there yet"), "\(refused)")
            }
        }

        @Test func `an erasure leaves nothing that was measured of one person, and all of another`()
            async throws
        {
            try await House.with(Self.settings, without: ["broker"]) { house in
                let gateway = try await house.start()
                try await Self.live(house, gateway)
                let unasked = try await house.command("my-data", "erase", "--person", "maria")
                #expect(unasked.code == 1 && unasked.errors.contains("--yes"), "\(unasked)")

                let erased = try await house.command("my-data", "erase", "--person", "maria", "--yes")
                #expect(erased.code == 0 && erased.output.contains("records of alarms: 1 erased"), "\(erased)")
                let hers = try await Self.export("maria", house, to: "maria")
                #expect(try Self.read([Reading].self, hers, "readings.json").isEmpty)
                for name in ["minutes", "hours", "alarms"] {
                    #expect(try Self.lines(hers, "\(name).csv").count == 1, "\(name)")
                }
                // The skeleton stays.
                #expect(try Self.lines(hers, "consent.csv").count { $0.contains("data-policy") } == 1)
                let his = try await Self.export("paolo", house, to: "paolo")
                #expect(try Self.read([Reading].self, his, "readings.json").map(\.value) == [81, 82])

                // Nothing of hers is in any file of the state, sealed or not: looked for after it has stopped.
                #expect(try await gateway.daemon.terminate().code == 0)
                let rows = try await house.command("alarms")
                #expect(rows.output == "no alarm yet", "\(rows)")
                let outbox = try Data(contentsOf: house.scratch.file("state").appending(path: "outbox.sqlite"))
                #expect(outbox.range(of: Data("samples/maria".utf8)) == nil)
                #expect(outbox.range(of: Data("samples/paolo".utf8)) != nil)
            }
        }
    }
}
