import Foundation
import HostileInput
import SeededRandom
import SettingsSamples
import TestSupport
import Testing

@testable import Settings

/// Whatever the bytes are, the answer is settings or an error, never a trap. Seeded: a failure repeats.
@Suite struct SettingsGarbageTests {
    private static let pieces =
        [
            "[", "]", "[[", "]]", "{", "}", ".", ",", "=", "\"", "'", "\"\"\"", "'''", "\n", "\r\n", "\r", " ",
            "#",
            "person", "gateway", "broker", "sos", "id", "port", "1", "-", "1e9", "nan", "inf", "true",
            "1979-05-27T07:32:00Z", "\\", "\\u0041", "\\x", "è", "\u{FEFF}", "\u{2028}", "\u{1}", "[gateway]\n",
            "[[person]]\n", "id = \"a\"\n", "\u{A0}", "_", ":",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0x00]]

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func `random bytes are answered`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let count = Int.random(in: 0...64, using: &random)
            _ = settingsComplaints((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func `random pieces of TOML are answered`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let count = Int.random(in: 0...24, using: &random)
            _ = settingsComplaints((0..<count).flatMap { _ in Self.pieces.randomElement(using: &random) ?? [] })
        }
    }

    @Test func `every beginning of a sound file is answered`() {
        let bytes = Array(SettingsSample().text.utf8)
        for count in 0...bytes.count { _ = settingsComplaints(Array(bytes.prefix(count))) }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func `a sound file with damaged bytes is answered`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        let sound = Array(SettingsSample().text.utf8)
        for _ in 0..<200 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = settingsComplaints(bytes)
        }
    }
}

/// Inputs of broken or hostile senders: an answer, an error, and never the end of the process.
@Suite(.serialized) struct `Hostile input` {
    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func `in the settings ends nothing`() throws {
        var sample = SettingsSample()
        sample.more =
            "[[wearable]]\nid = 'b'\naddress = \"C0:FF:EE:00:00:02\"\nperson = \"maria\"\n[wearable.signals]\nbutton = 'sos-button'"
        let seeds = [
            sample.text,
            try String(
                contentsOf: Repository.root.appending(path: "systemd/gateway.example.toml"), encoding: .utf8),
        ]
        Campaign("settings").run(seeds: Self.bytes(seeds), words: Mutator.tomlWords) {
            _ = try? GatewaySettings.parse($0, file: "gateway.toml")
        }
    }
}
