import Ciphers
import ContractSamples
import Foundation
import GatewayModel
import ModelSamples
import RealTime
import Samples
import TestSupport
import Testing
import Vault

extension Integration {
    /// The stored data of a person: exported in full, and erased. The broker is away, so that some messages wait.
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

        private struct Row: Decodable {
            let at, kind, unit, device: String
            let value: Double
            let doubt: [String]?
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

        /// Sends heart rates of both, one alarm of Maria that was aborted, and her blood pressure.
        private static func live(_ house: House, _ gateway: House.Gateway) async throws {
            for strap in ["strap", "belt"] { try await house.rig.subscribed(strap) }
            try await house.rig.subscribed("cuff", to: "2a35")
            for rate in [71, 72, 150] { try await house.rig.send(rate) }
            try await gateway.alarm()
            #expect(try await house.command("abort", "--by", "Maria").code == 0)
            for rate in [81, 82] { try await house.rig.send(rate, from: "belt") }
            try await house.rig.send(
                #"{"systolic": 128, "diastolic": 81, "map": 97, "time": [2026, 1, 15, 8, 1, 0], "status": 4}"#,
                from: "cuff")
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

                let readings = try Self.read([Row].self, folder, "readings.json")
                let rates = readings.filter { $0.kind == "heart-rate" }
                #expect(rates.map(\.value) == [71, 72, 150] && rates.allSatisfy { $0.device == "strap" })
                #expect(readings.filter { $0.kind == "diastolic-pressure" }.map(\.value) == [81])
                #expect(readings.allSatisfy { $0.device != "belt" })
                // The cuff reports an irregular pulse.
                for reading in readings where reading.device == "cuff" {
                    #expect(reading.doubt?.contains("irregular-pulse") == true)
                }
                let diastolic = try Self.lines(folder, "readings.csv").filter { $0.contains("diastolic") }
                #expect(diastolic.map { $0.hasSuffix(",irregular-pulse") } == [true])
                let hours = try Self.lines(folder, "hours.csv")
                #expect(hours.first?.hasSuffix(",doubtful") == true)
                #expect(hours.contains { $0.contains("diastolic-pressure,1,") && $0.hasSuffix(",1") })
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
                // The intervals between beats leave with their heart rate.
                #expect(about.unsentMessages >= readings.count { $0.kind != "rr-interval" })
                let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions]
                #expect(mode as? Int == 0o700)

                // An existing folder may hold the files of another person.
                let refused = try await house.command(
                    "my-data", "export", "--person", "maria", "--to", folder.path)
                #expect(refused.code == 1 && refused.errors.contains("not there yet"), "\(refused)")
            }
        }

        /// Writes the history of a gateway that has not run before, with a heart rate each second and every 30 minutes
        /// four RR intervals of one instant.
        private static func prepare(_ house: House, seconds: Int) throws -> Int {
            let state = house.scratch.file("state")
            let key = state.appending(path: "history.key")
            try Data(String(repeating: "2a", count: 32).utf8).write(to: key)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
            let keys = HistoryKeys(current: try #require(AES256Key([UInt8](repeating: 0x2A, count: 32))))
            let database = try HistoryDatabase(
                at: state.appending(path: "history.sqlite").path, keys: keys, cipher: OpenSSLCipher())
            let start = Clock.wall().millisecondsSince1970 - Int64(seconds) * 1_000
            var random = SystemRandomNumberGenerator()
            func reading(_ kind: QuantityKind, _ value: Double, _ second: Int) -> Reading {
                let wall = WallTime(millisecondsSince1970: start + Int64(second) * 1_000)
                return Reading(
                    id: MessageID(wall: wall, using: &random), person: Sample.maria,
                    device: DeviceID(sample: "strap"), quantity: Quantity(kind, value), contact: .detected,
                    arrival: Moment(boot: BootInstant(nanoseconds: 0), wall: wall))
            }
            let rates = (0..<seconds).map { reading(.heartRate, Double(60 + $0 % 40), $0) }
            let intervals = stride(from: 0, to: seconds, by: 1_800).flatMap { second in
                [810, 820, 830, 840].map { reading(.rrInterval, $0, second) }
            }
            try database.keep(rates + intervals)
            try database.close()
            return rates.count + intervals.count
        }

        /// Returns the peak memory of a command, in KiB.
        private static func memory(_ house: House, exporting person: String) async throws -> Int {
            let program = """
                import resource, subprocess, sys
                code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
                print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss if code == 0 else -code)
                """
            let child = try TiedChild(
                ["/usr/bin/python3", "-c", program, BuiltProgram.homegateway]
                    + house.words(
                        "my-data", "export", "--person", person, "--to", house.scratch.file(person).path))
            // Some 30,000 readings by a debug build, on a machine with other load.
            _ = try await child.ending.first("the end of the export", within: .seconds(300)) { _ in true }
            return try #require(child.output.values.last.flatMap { Int($0) })
        }

        @Test func `an export of hours is whole, and takes no more memory than an empty one`() async throws {
            try await House.with(Self.settings, without: ["broker", "gpsd"]) { house in
                let count = try Self.prepare(house, seconds: 28_800)
                _ = try await house.start()
                let empty = try await Self.memory(house, exporting: "paolo")
                let full = try await Self.memory(house, exporting: "maria")
                let folder = house.scratch.file("maria")
                let size = try #require(
                    FileManager.default.attributesOfItem(atPath: folder.path + "/fhir-bundle.json")[.size]
                        as? Int)
                // A page of 1,000 points: as text, as objects, and as written output.
                #expect(empty > 0 && full - empty < 12_288, "\(empty) and \(full) KiB")
                #expect(size > 14 << 20, "a bundle that would fit in that by itself proves nothing: \(size)")
                #expect(try Self.lines(folder, "readings.csv").count == count + 1)
                #expect(try Self.read([Row].self, folder, "readings.json").count == count)
                let bundle = try Self.read(Bundle.self, folder, "fhir-bundle.json")
                #expect(bundle.ids(beginningWith: "heart-rate.").count >= 28_800 + 8)
                let ids = bundle.entry.map(\.resource.id)
                #expect(Set(ids).count == ids.count, "an id twice")
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
                #expect(try Self.read([Row].self, hers, "readings.json").isEmpty)
                for name in ["minutes", "hours", "alarms"] {
                    #expect(try Self.lines(hers, "\(name).csv").count == 1, "\(name)")
                }
                // The skeleton stays.
                #expect(try Self.lines(hers, "consent.csv").count { $0.contains("data-policy") } == 1)
                let his = try await Self.export("paolo", house, to: "paolo")
                #expect(try Self.read([Row].self, his, "readings.json").map(\.value) == [81, 82])

                // No file of the state holds data of hers, sealed or not: searched after the gateway has stopped.
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
