import Alarms
import Foundation
import GatewayModel
import Glibc
import HomeGateway
import Hub
import SOSLocal
import Settings
import SettingsReading
import SettingsSamples
import SettingsService
import TestSupport
import Testing

/// One wrong line must not darken the house: what a start makes of each single mistake.
@Suite(.serialized) struct SingleMistakeTests {
    private let scratch: ScratchDirectory
    private let house: MistakenHouse

    init() throws {
        scratch = try ScratchDirectory()
        house = try MistakenHouse(in: scratch.url)
    }

    @Test func `the house of these tests has no mistake`() throws {
        let start = try StartSettings.load(path: house.settings.path)
        #expect(start.setAside.isEmpty && start.refused.isEmpty, "\(start.setAside)")
    }

    @Test(arguments: SettingsMistake.all)
    func `each single mistake leaves a house that watches, and is told with its line`(
        _ mistake: SettingsMistake
    ) throws {
        let sound = try StartSettings.load(path: house.settings.path)
        try LastSettings(stateDirectory: sound.settings.gateway.stateDirectory).keep(try #require(sound.copy))
        let place = try house.make(mistake)
        setenv("STATE_DIRECTORY", sound.settings.gateway.stateDirectory, 1)
        let start = try StartSettings.load(path: house.settings.path)
        #expect(start.settings.wearables.contains { $0.id.text == "button" })
        #expect(start.settings.persons.contains { $0.id.text == "maria" })
        switch mistake.outcome {
        case .setAside where Self.isOfLaterFiles(mistake): #expect(start.setAside.isEmpty)
        case .setAside:
            #expect(start.refused.isEmpty, "\(start.refused)")
            let places = start.setAside.map(\.problem.place)
            #expect(places.contains { $0 == place || $0.hasPrefix(place + " ") }, "\(place): \(places)")
        case .earlier:
            #expect(start.settings == sound.settings)
            let places = start.refused.map(\.place)
            #expect(places.contains { $0 == place || $0.hasPrefix(place + " ") }, "\(place): \(places)")
        }
    }

    /// Read when the channel or the issuer is made, not with the settings.
    private static func isOfLaterFiles(_ mistake: SettingsMistake) -> Bool {
        if case .file(let name, _, _) = mistake.place { return ["token", "issuer.json"].contains(name) }
        return mistake.description == "an authority that is missing"
    }

    @Test func `a house without a person is told once`() {
        let text =
            "[gateway]\nid = \"house-12\"\n[installed]\naddress = \"Via Dante 7\"\n"
            + "[broker]\nhost = \"broker.example\"\nca_file = \"/etc/ca.pem\"\n"
        let found = SalvagedSettings(
            SettingsCopy(file: "gateway.toml", settings: Array(text.utf8), devices: nil))
        #expect(found.settings == nil && found.isGrave)
        #expect(found.setAside.map(\.problem.key) == ["person"], "\(found.setAside.count)")
    }

    @Test func `a mistake in the only person is told, and not that there is none`() {
        let text =
            "[gateway]\nid = \"house-12\"\n[installed]\naddress = \"Via Dante 7\"\n"
            + "[broker]\nhost = \"broker.example\"\nca_file = \"/etc/ca.pem\"\n"
            + "[[person]]\nid = \"maria\"\nname = \"Maria\"\n[person.sos]\nabort_window_second = 30\n"
        let found = SalvagedSettings(
            SettingsCopy(file: "gateway.toml", settings: Array(text.utf8), devices: nil))
        #expect(found.settings == nil && found.isGrave)
        #expect(found.setAside.map(\.problem.key) == ["person.sos.abort_window_second"], "\(found.setAside)")
    }

    @Test func `without earlier settings a person with a wrong limit is left out, and the others are watched`()
        throws
    {
        let before = try house.text
        try before.replacingOccurrences(
            of: "name = \"Paolo Rossi\"", with: "name = \"Paolo Rossi\"\n[person.sos]\nabort_window_seconds = 9"
        ).write(to: house.settings, atomically: true, encoding: .utf8)
        let start = try StartSettings.load(path: house.settings.path)
        #expect(start.settings.persons.map(\.id.text) == ["maria"])
        #expect(start.settings.wearables.map(\.id.text) == ["button"])
        let parts = start.setAside.filter(\.concernsHelp).map(\.part)
        #expect(parts.contains("[[person]] \"paolo\""), "\(parts)")
    }

    @Test func `without earlier settings and without anybody to watch there is no start`() throws {
        try "[gateway]\nid = \"house-12\"\n".write(to: house.settings, atomically: true, encoding: .utf8)
        #expect(throws: SettingsError.self) { try StartSettings.load(path: house.settings.path) }
    }

    @Test func `without earlier settings a broken broker leaves the house watched without a session`() throws {
        let text = try house.text.replacingOccurrences(of: "tls = false", with: "tls = \"no\"")
        try text.write(to: house.settings, atomically: true, encoding: .utf8)
        let start = try StartSettings.load(path: house.settings.path)
        #expect(start.settings.broker.access.addresses.isEmpty)
        #expect(start.settings.wearables.count == 2)
    }

    @Test func `the copy of the settings is for the gateway alone`() throws {
        let start = try StartSettings.load(path: house.settings.path)
        let last = LastSettings(stateDirectory: start.settings.gateway.stateDirectory)
        try last.keep(try #require(start.copy))
        let file = start.settings.gateway.stateDirectory + "/last-settings.json"
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(last.read(of: house.settings.path) == start.copy)
        #expect(last.read(of: "/etc/other.toml") == nil)
    }

    @Test(arguments: 1...200)
    func `whatever is taken out of a file, what is left passes every check`(_ seed: Int) throws {
        var random = SeededLines(seed: UInt64(seed))
        var lines = try house.text.split(separator: "\n", omittingEmptySubsequences: false)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let index = Int.random(in: 0..<lines.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: lines.remove(at: index)
            case 1: lines[index] = "key = 7"
            default: lines.swapAt(index, Int.random(in: 0..<lines.count, using: &random))
            }
        }
        let text = lines.joined(separator: "\n")
        let salvaged = SalvagedSettings(
            SettingsCopy(file: "gateway.toml", settings: Array(text.utf8), devices: nil))
        guard (try? GatewaySettings.parse(Array(text.utf8), file: "gateway.toml")) == nil else {
            #expect(salvaged.setAside.isEmpty)
            return
        }
        #expect(!salvaged.setAside.isEmpty)
        guard let settings = salvaged.settings else { return #expect(salvaged.isGrave) }
        #expect(!settings.persons.isEmpty)
        #expect(settings.persons.allSatisfy { $0.plan.timelines.allSatisfy(\.keepsPromise) })
    }
}

private struct SeededLines: RandomNumberGenerator {
    var seed: UInt64

    mutating func next() -> UInt64 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return seed ^ (seed >> 29)
    }
}
