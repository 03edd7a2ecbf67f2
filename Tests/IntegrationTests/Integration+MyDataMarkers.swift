import Consent
import Foundation
import GatewayModel
import RunBeacon
import Samples
import SettingsSamples
import TestSupport
import Testing
import Vault

extension Integration {
    /// A marker of one person in each store of the gateway: an export shows all of them, and after an erasure they are in no
    /// file but those that the erasure named.
    @Suite struct MyDataMarkers {
        private static let phone = "+390212349876"
        private static let note = "allergic to marker-pollen"
        private static let ownNote = "takes marker-warfarin"
        private static let ownPhone = "+390298765432"
        private static let runner = "Marker Runner"
        private static let purpose = "Marker of a study"

        private static func settings(_ runs: RunSample) -> HouseSettings {
            var settings = HouseSettings()
            settings.person = """
                medical_notes = ["\(note)"]
                contact = [{ name = "Marker Daughter", phone = "\(phone)" }]
                """
            settings.more = """
                [race]
                runs_directory = "\(runs.folder.path)"
                [[wearable]]
                id = "marker-button"
                address = "C0:FF:EE:00:00:77"
                person = "maria"
                heard_by = "advertising"
                signals = { button = "sos-button" }

                """
            return settings
        }

        /// A run of the past, in which the person came in once.
        private static func race(_ runs: RunSample, _ house: House) throws {
            let participant = """
                [[participants]]
                bib = 117
                name = "\(runner)"
                person = "maria"
                tags = ["C0:FF:EE:00:00:12"]
                """
            try runs.write(RunSample.text(id: "spring-10k", participants: participant), to: "spring.toml")
            var (log, _) = try PassingLog.open(
                in: house.scratch.file("state").path, of: RaceSample.box, boot: "b-1")
            // Of another runner as well.
            try log.append([
                PassingLog.Entry(.start, made: Sample.moment(0)),
                PassingLog.Entry(.passing(RaceSample.record(1)), made: Sample.moment(1)),
                PassingLog.Entry(.passing(RaceSample.record(2, bib: 118)), made: Sample.moment(2)),
            ])
        }

        private static func export(_ house: House, to name: String) async throws -> [String: String] {
            let folder = house.scratch.file(name)
            let answer = try await house.command("my-data", "export", "--person", "maria", "--to", folder.path)
            #expect(answer.code == 0, "\(answer)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return try names.reduce(into: [:]) { files, name in
                files[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            }
        }

        /// Files of the state that contain the text.
        private static func holders(of text: String, in house: House) throws -> [String] {
            let state = house.scratch.file("state")
            return try FileManager.default.contentsOfDirectory(atPath: state.path).filter {
                let content = FileManager.default.contents(atPath: state.appending(path: $0).path)
                return content?.range(of: Data(text.utf8)) != nil
            }
            .sorted()
        }

        @Test func `are in the export, and after an erasure only where it said`() async throws {
            let runs = try RunSample()
            try await House.with(Self.settings(runs), without: ["broker", "gpsd"]) { house in
                try Sharing.ask(house, ConsentSample.request("heart-1", purpose: Self.purpose))
                try Self.race(runs, house)
                let gateway = try await house.start()
                try await house.rig.subscribed()
                for rate in [71, 110, 150] { try await house.rig.send(rate) }
                let alarm = try #require(try await gateway.alarm().alarm)
                #expect(try await house.command("abort", "--by", "Maria").code == 0)

                let note = try await house.command("profile", "add-note", Self.ownNote, "--person", "maria")
                #expect(note.code == 0, "\(note)")
                let phone = try await house.command(
                    "profile", "set", "--telephone", Self.ownPhone, "--person", "maria", "--by", "Marker Niece")
                #expect(phone.code == 0, "\(phone)")

                let files = try await Self.export(house, to: "before")
                for (name, marker) in [
                    ("profile.json", Self.phone), ("profile.json", Self.note),
                    ("profile.json", HouseSettings.address),
                    ("limits.json", #""kind":"heart-rate","limit":131"#),
                    ("runs.json", Self.runner), ("passings.json", #""bib":"117""#),
                    ("alarms.json", alarm), ("consent.json", Self.purpose), ("readings.json", "150"),
                    ("buttons.json", #""device":"marker-button""#),
                    ("about.json", "C0:FF:EE:00:00:01"), ("profile.json", Self.ownNote),
                    ("profile.json", Self.ownPhone), ("own_values.json", Self.ownPhone),
                    ("own_changes.json", "Marker Niece"),
                ] {
                    #expect(files[name]?.contains(marker) == true, "\(name): \(marker)")
                }
                #expect(files["passings.json"]?.contains("118") == false)

                let erased = try await house.command("my-data", "erase", "--person", "maria", "--yes")
                #expect(erased.code == 0, "\(erased)")
                for kept in [
                    "profile, contacts and limits: kept",
                    "last press and last sign of life of marker-button: kept",
                    "profile and channels set by the person: erased", "consent ledger: 3 decisions kept",
                    "start lists and passings of spring-10k: kept",
                ] {
                    #expect(erased.output.contains(kept), "\(erased)")
                }
                #expect(try await gateway.daemon.terminate().code == 0)
                let ofPurpose = try Self.holders(of: Self.purpose, in: house)
                #expect(ofPurpose == ["ledger.head", "ledger.jsonl"])
                let ofPassing = try Self.holders(of: #""bib":117"#, in: house)
                #expect(ofPassing == ["outbox.sqlite", "passings.jsonl"], "kept, and still to be sent")
                for marker in [
                    Self.ownNote, Self.ownPhone, "Marker Niece", Self.runner, alarm, "samples/maria",
                ] {
                    let holders = try Self.holders(of: marker, in: house)
                    #expect(holders.isEmpty, "\(marker) in \(holders)")
                }
                // The settings are kept, and the gateway's copy of them with them.
                for marker in [Self.phone, Self.note, "Maria Rossi"] {
                    let holders = try Self.holders(of: marker, in: house)
                    #expect(Set(holders).isSubset(of: ["last-settings.json"]), "\(marker) in \(holders)")
                }
            }
        }
    }
}
