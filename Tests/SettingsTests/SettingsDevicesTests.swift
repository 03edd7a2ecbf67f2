import Foundation
import GatewayModel
import ModelSamples
import SettingsReading
import SettingsSamples
import TestSupport
import Testing

@testable import Settings

/// Both files together, and the one that commands write.
@Suite struct SettingsDevicesTests {
    /// A settings file and a state directory of its own.
    private struct House {
        let scratch: ScratchDirectory
        let settings: String
        let devices: String

        init(_ sample: SettingsSample = SettingsSample(), devices text: String? = nil) throws {
            scratch = try ScratchDirectory()
            var sample = sample
            sample.gateway += "\nstate_directory = \"\(scratch.url.path)\""
            settings = try scratch.write(sample.text, to: "gateway.toml").path
            devices = scratch.file("devices.toml").path
            if let text { _ = try scratch.write(text, to: "devices.toml") }
        }

        func load() throws(SettingsError) -> GatewaySettings { try GatewaySettings.load(path: settings) }
        func file() throws -> DevicesFile { DevicesFile(of: try load(), settingsPath: settings) }
        /// Without the checksum, which every file has that a command wrote.
        var text: String {
            DevicesSeal.content(of: (try? String(contentsOfFile: devices, encoding: .utf8)) ?? "")
        }

        var complaints: [String] {
            do {
                _ = try load()
                return []
            } catch {
                return error.description.replacing(scratch.url.path + "/", with: "").split(separator: "\n")
                    .map(String.init)
            }
        }
    }

    private static let band = NewDevice(
        id: DeviceID(sample: "band"), address: DeviceAddress("C0:FF:EE:00:00:09")!,
        person: PersonID(sample: "maria"), note: "Virtual Band")
    private static let bandText =
        "[[wearable]]\nid = \"band\"\naddress = \"C0:FF:EE:00:00:09\"\nperson = \"maria\"\n"

    // MARK: Two files

    @Test func `devices of both files are watched`() throws {
        let house = try House(devices: Self.bandText)
        let settings = try house.load()
        #expect(settings.wearables.map(\.id.text) == ["strap", "band"])
        #expect(settings.wearables.last?.place == .init(file: house.devices, line: 1))
    }

    @Test func `a missing devices file is no mistake`() throws {
        #expect(try House().load().wearables.count == 1)
    }

    @Test func `a devices file that is broken stops the start`() throws {
        #expect(
            try House(devices: "[[wearable").complaints.first?.hasPrefix("devices.toml:1: is not TOML") == true)
        #expect(try House(devices: "[gateway]\nid = \"x\"").complaints.count == 1)
        let house = try House()
        try FileManager.default.createDirectory(atPath: house.devices, withIntermediateDirectories: false)
        #expect(house.complaints.first?.hasPrefix("devices.toml: is not a regular file") == true)
    }

    @Test func `a broken devices file stops no cancel of an alarm`() throws {
        let house = try House(devices: "[[wearable")
        #expect(try GatewaySettings.loadWithoutDevices(path: house.settings).wearables.count == 1)
    }

    @Test func `a name that the other file has is reported with both places`() throws {
        let house = try House(
            devices: Self.bandText.replacing("band", with: "strap").replacing("00:09", with: "00:01"))
        #expect(
            house.complaints == [
                "devices.toml:2: wearable.id: saw \"strap\" again, expected another than at gateway.toml:15: "
                    + "give each [[wearable]] its own",
                "devices.toml:3: wearable.address: saw \"C0:FF:EE:00:00:01\" again, expected another than at "
                    + "gateway.toml:16: give each [[wearable]] its own",
            ])
    }

    @Test func `mistakes of both files are reported together`() throws {
        var sample = SettingsSample()
        sample.broker += "\nkeep_alive_seconds = 2"
        let complaints = try House(sample, devices: Self.bandText + "of = []").complaints
        #expect(complaints.map { $0.prefix { $0 != ":" } } == ["gateway.toml", "devices.toml"])
    }

    @Test func `a rival in the other file is named with its place`() throws {
        var sample = SettingsSample()
        sample.wearable += "\nsos_for = [\"heart-rate\"]"
        let complaints = try House(sample, devices: Self.bandText + "sos_for = [\"heart-rate\"]").complaints
        #expect(complaints.count == 1)
        #expect(complaints.first?.contains("claims at gateway.toml:18, expected one source") == true)
    }

    // MARK: Writing

    /// The gateway would not start again.
    @Test func `a device with a key that cannot be read is not written`() throws {
        let house = try House()
        let key = house.scratch.file("door.key").path
        let door = NewDevice(
            id: DeviceID(sample: "door"), address: DeviceAddress("C0:FF:EE:00:00:0A")!,
            person: PersonID(sample: "maria"), heardBy: .advertising, keyFile: key)
        let error = #expect(throws: DevicesFileError.self) { try house.file().add(door, by: "a test") }
        #expect(error?.description.contains("\(key): there is no such file") == true)
        #expect(house.text.isEmpty)
        try "231d39c1d7cc1ab1aee224cd096db932".write(toFile: key, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        #expect(try house.file().add(door, by: "a test").wearables.map(\.id.text) == ["strap", "door"])
    }

    @Test func `writes a key file with a long path and unusual characters`() throws {
        let house = try House()
        let name = String(repeating: "k", count: 90) + " \"è\\\".key"
        let key = house.scratch.file(name).path
        try "231d39c1d7cc1ab1aee224cd096db932".write(toFile: key, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let door = NewDevice(
            id: DeviceID(sample: "door"), address: DeviceAddress("C0:FF:EE:00:00:0A")!,
            person: PersonID(sample: "maria"), heardBy: .advertising, keyFile: key)
        #expect(try house.file().add(door, by: "a test").wearables.last?.keyFile == key)
        #expect(try house.load().wearables.last?.keyFile == key)
    }

    @Test func `an added device is loaded from then on`() throws {
        let house = try House()
        let after = try house.file().add(Self.band, by: "homegateway devices pair")
        #expect(after.wearables.map(\.id.text) == ["strap", "band"])
        #expect(try house.load() == after)
        #expect(
            house.text == """
                # Written by: homegateway devices pair. Devices added by command; the syntax is that of gateway.toml.

                # Virtual Band
                [[wearable]]
                id = "band"
                address = "C0:FF:EE:00:00:09"
                person = "maria"

                """)
        let mode = try FileManager.default.attributesOfItem(atPath: house.devices)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    @Test func `a command leaves all other lines as they were written`() throws {
        let byHand = """
            # Ours.

            [[wearable]]   # the old one
            person='maria'
            id = 'scale'
            address = "C0:FF:EE:00:00:03"
            off = [ # not these
              "body-fat", # "]"
            ] # see above
            [wearable.signals]
            button = "sos-button"

            """
        let house = try House(devices: byHand)
        _ = try house.file().add(Self.band, by: "a")
        #expect(house.text.contains(byHand))
        let file = try house.file()
        let band = Self.band.id
        _ = try file.choose(band, off: [.rrInterval], sosFor: [.heartRate], by: "b")
        #expect(house.text.contains(byHand))
        #expect(
            house.text.hasSuffix("person = \"maria\"\noff = [\"rr-interval\"]\nsos_for = [\"heart-rate\"]\n"))
        _ = try file.choose(DeviceID(sample: "scale"), off: [.bodyWeight], sosFor: [], by: "c")
        #expect(house.text.contains("\noff = [\"body-weight\"] # see above\n[wearable.signals]\n"))
        _ = try file.choose(DeviceID(sample: "scale"), off: [], sosFor: [], by: "c")
        #expect(!house.text.contains("body-weight"))
        let after = try file.remove(band, by: "d")
        #expect(after.wearables.map(\.id.text) == ["strap", "scale"])
        #expect(!house.text.contains("Virtual Band"))
        #expect(house.text.hasPrefix("# Written by: d. "))
        #expect(house.text.contains("# Ours.\n"))
        #expect(house.text.components(separatedBy: "Written by").count == 2)
    }

    @Test func `a file that would not load is not written`() throws {
        let house = try House(devices: Self.bandText)
        let before = house.text
        let file = try house.file()
        func refusal(_ body: () throws(DevicesFileError) -> GatewaySettings) -> DevicesFileError? {
            do {
                _ = try body()
                return nil
            } catch {
                return error
            }
        }
        let strap = DeviceID(sample: "strap")
        let taken = NewDevice(id: strap, address: DeviceAddress("C0:FF:EE:00:00:05")!, person: Self.band.person)
        guard case .idTaken? = refusal({ () throws(DevicesFileError) in try file.add(taken, by: "x") }),
            case .idTaken? = refusal({ () throws(DevicesFileError) in try file.add(Self.band, by: "x") }),
            case .elsewhere? = refusal({ () throws(DevicesFileError) in try file.remove(strap, by: "x") }),
            case .unknown? = refusal({ () throws(DevicesFileError) in
                try file.remove(DeviceID(sample: "nobody"), by: "x")
            }),
            case .settings(.problems)? = refusal({ () throws(DevicesFileError) in
                try file.choose(Self.band.id, off: [.glucose], sosFor: [.glucose], by: "x")
            })
        else { return #expect(Bool(false)) }
        #expect(house.text == before)
    }

    @Test func `a layout that lines cannot change is left alone`() throws {
        let inline =
            "wearable = [{id = \"band\", address = \"C0:FF:EE:00:00:09\", person = \"maria\"}, "
            + "{id = \"ring\", address = \"C0:FF:EE:00:00:08\", person = \"maria\"}]\n"
        let house = try House(devices: inline)
        let file = try house.file()
        #expect(throws: DevicesFileError.self) { try file.remove(Self.band.id, by: "x") }
        #expect(throws: DevicesFileError.self) {
            try file.choose(Self.band.id, off: [.glucose], sosFor: [], by: "x")
        }
        #expect(house.text == inline)
    }

    @Test func `a name from the air cannot end its comment`() throws {
        let house = try House()
        let device = NewDevice(
            id: Self.band.id, address: Self.band.address, person: Self.band.person,
            note: "Band\n[[wearable]]\u{1B}[2J\u{2028}x\u{202E}")
        #expect(try house.file().add(device, by: "x").wearables.count == 2)
        #expect(house.text.contains("# Band[[wearable]][2Jx\n"))
    }

    @Test func `a directory that is not there is named`() throws {
        let house = try House()
        let file = try house.file()
        try FileManager.default.moveItem(
            at: house.scratch.url,
            to: house.scratch.url.deletingLastPathComponent().appending(path: UUID().uuidString))
        #expect(throws: DevicesFileError.self) { try file.add(Self.band, by: "x") }
    }

    // MARK: Keys

    private static let digits = "231d39c1d7cc1ab1aee224cd096db932"
    private static let button = NewDevice(
        id: DeviceID(sample: "button"), address: DeviceAddress("C0:FF:EE:00:00:05")!,
        person: PersonID(sample: "maria"), heardBy: .advertising,
        signals: GatewaySettings.Signals([.button: .sosButton]))

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    @Test func `a key at hand is kept in a file of the gateway alone and goes with its device`() throws {
        let house = try House()
        let path = house.scratch.file("bindkey-button").path
        // Left behind by a power cut, for others to read.
        _ = try house.scratch.write("00000000000000000000000000000000", to: "bindkey-button")
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        let after = try house.file().add(Self.button, bindKey: Self.digits, by: "x")
        let added = try after.wearable(Self.button.id)
        #expect(added.keyFile == path && mode(path) == 0o600)
        #expect(try added.readKey() == CredentialFile.key(Array(Self.digits.utf8)))
        #expect(!house.text.contains(Self.digits) && house.text.contains("heard_by = \"advertising\""))
        // A second one of the same id changes nothing, its key least of all.
        let other = NewDevice(
            id: Self.button.id, address: Self.band.address, person: Self.button.person, heardBy: .advertising)
        #expect(throws: DevicesFileError.self) {
            try house.file().add(other, bindKey: String(repeating: "0", count: 32), by: "x")
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.digits)
        #expect(try house.file().remove(Self.button.id, by: "x").wearables.count == 1)
        #expect(mode(path) == nil, "it goes with its device")
    }

    @Test func `the key of a device that cannot be added is not kept`() throws {
        let house = try House()
        let path = house.scratch.file("bindkey-button").path
        for digits in ["231d39", ""] {
            #expect(throws: DevicesFileError.self) {
                try house.file().add(Self.button, bindKey: digits, by: "x")
            }
            #expect(mode(path) == nil && !house.text.contains("button"))
        }
    }

    @Test func `the key file of another device is neither replaced nor removed`() throws {
        let house = try House()
        let path = house.scratch.file("bindkey-button").path
        _ = try house.scratch.write(Self.digits, to: "bindkey-button")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let pendant = NewDevice(
            id: DeviceID(sample: "pendant"), address: DeviceAddress("C0:FF:EE:00:00:06")!,
            person: Self.button.person, heardBy: .advertising, keyFile: path,
            signals: GatewaySettings.Signals([.vibration: .fall]))
        _ = try house.file().add(pendant, by: "x")
        #expect(throws: DevicesFileError.self) {
            try house.file().add(Self.button, bindKey: String(repeating: "0", count: 32), by: "x")
        }
        _ = try house.file().remove(pendant.id, by: "x")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.digits)
    }

    @Test(arguments: [
        ("231d39c1d7cc1ab1aee224cd096db932", true), ("231D39C1D7CC1AB1AEE224CD096DB932\n", true),
        ("231d39c1d7cc1ab1aee224cd096db93", false), ("231d39c1d7cc1ab1aee224cd096db9321", false),
        ("", false), ("231d39c1d7cc1ab1aee224cd096db93g", false), ("231d39c1d7cc1ab1aee224cd096db932 ", false),
        ("٢31d39c1d7cc1ab1aee224cd096db93", false),
    ])
    func `a key is sixteen bytes in hexadecimal`(text: String, isKey: Bool) {
        let key = CredentialFile.key(Array(text.utf8))
        #expect((key?.count == 16) == isKey)
        if isKey { #expect(key?.first == 0x23 && key?.last == 0x32) }
    }

    @Test func `a key that cannot be used is an error that shows nothing of it`() throws {
        let scratch = try ScratchDirectory()
        let file = try scratch.write("231d39c1d7cc1ab1", to: "tag.key")
        var sample = SettingsSample()
        sample.wearable += "\nheard_by = \"advertising\"\nkey_file = \"\(file.path)\""
        let wearable = try #require(try sample.load().wearables.first)
        func complaint() -> String? {
            #expect(throws: SettingsError.self) { try wearable.readKey() }?.description
        }
        for (mode, seen) in [
            (0o644, "saw mode 644"), (0o620, "saw mode 620"), (0o600, "expected 32 hexadecimal"),
        ] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            let found = try #require(complaint())
            #expect(found.hasPrefix("gateway.toml:13: wearable.key_file: \(file.path): "))
            #expect(found.contains(seen) && !found.contains("231d"))
        }
        try FileManager.default.removeItem(at: file)
        #expect(complaint()?.contains("there is no such file") == true)
        #expect(try SettingsSample().load().wearables.first?.readKey() == nil)
    }
}

@Suite struct `The seal of the devices file` {
    @Test func `shows every cut and every byte that was changed`() {
        let whole = DevicesSeal.seal("[[wearable]]\nid = \"a\"\n\n[[wearable]]\nid = \"b\"\n")
        #expect(DevicesSeal(of: Array(whole.utf8)) == .whole)
        for length in 0..<whole.utf8.count {
            #expect(DevicesSeal(of: Array(whole.utf8.prefix(length))) != .whole)
        }
        for place in 0..<whole.utf8.count {
            var bytes = Array(whole.utf8)
            bytes[place] ^= 1
            #expect(DevicesSeal(of: bytes) != .whole)
        }
        #expect(DevicesSeal.content(of: whole) == "[[wearable]]\nid = \"a\"\n\n[[wearable]]\nid = \"b\"\n")
        #expect(DevicesSeal(of: Array("id = 1\n".utf8)) == .absent)
    }
}
