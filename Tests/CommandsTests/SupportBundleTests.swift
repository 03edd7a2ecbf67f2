import ControlContract
import ControlLink
import ControlSocket
import Foundation
import GatewayModel
import ModelSamples
import SettingsSamples
import TarArchive
import TestSupport
import Testing

@testable import Commands

/// A support bundle of a box that has a marker in each place that can hold personal data or a secret.
@Suite struct `A support bundle` {
    /// Makes markers that are found nowhere else; short enough for every name of the house.
    private struct Markers {
        private(set) var all: [String] = []

        mutating func next() -> String {
            all.append("mq7z\(1000 + all.count)v")
            return all[all.count - 1]
        }

        /// A number that is found nowhere else.
        mutating func number() -> Int {
            all.append("98765\(1000 + all.count)")
            return 987_650_000 + 1000 + all.count - 1
        }
    }

    private static func settings(_ markers: inout Markers) -> [UInt8] {
        let latitude = "45.\(markers.number())"
        return Array(
            """
            # \(markers.next())
            [gateway]
            id = "\(markers.next())"
            state_directory = "/home/\(markers.next())/state"
            log_level = "\(markers.next())"
            \(markers.next()) = "\(markers.next())"
            [installed]
            address = "Via \(markers.next()) 7"
            latitude = \(latitude)
            longitude = 9.\(markers.number())
            [broker]
            host = "\(markers.next()).example"
            username = "\(markers.next())"
            password = "\(markers.next())"
            password_file = "/home/\(markers.next())"
            [[person]]
            id = "\(markers.next())"
            name = "\(markers.next())"
            medical_notes = ["\(markers.next())"]
            fiscal_code = "\(markers.next())"
            screen_pin = \(markers.number())
            [person.\(markers.next())]
            a = 1
            [[person.contact]]
            name = "\(markers.next())"
            phone = "+\(markers.number())"
            relation = "\(markers.next())"
            [[wearable]]
            id = "\(markers.next())"
            address = "C0:FF:\(markers.next())"
            person = "\(markers.next())"
            heard_by = "\(markers.next())"
            [[channel]]
            id = "\(markers.next())"
            type = "sms"
            recipients = ["+\(markers.number())"]
            timeout_seconds = "\(markers.next())"
            [\(markers.next())]
            """.utf8)
    }

    private static func house(_ markers: inout Markers) throws -> [UInt8] {
        let person = PersonID(sample: markers.next())
        let now = Moment(
            boot: BootInstant(nanoseconds: 5_000_000_000), wall: WallTime(millisecondsSince1970: 9_000))
        let device = DeviceID(sample: markers.next())
        var house = HouseSnapshot(
            version: "1.0 \(markers.next())", gateway: GatewayID(sample: markers.next()), at: now,
            summary: markers.next(), unsent: 7, alarms: [],
            conditions: [
                .init(
                    HealthCondition(.wearableAway, subject: device.text), reason: markers.next(),
                    since: WallTime(millisecondsSince1970: 2_000)),
                .init(
                    HealthCondition(.brokerUnreachable, subject: markers.next()), reason: markers.next(),
                    since: WallTime(millisecondsSince1970: 2_000)),
            ])
        house.persons = [
            .init(
                id: person, name: markers.next(), language: markers.next(), agreements: [markers.next()],
                coverage: [markers.next()])
        ]
        house.channels = [
            .init(id: ChannelID(sample: markers.next()), fault: markers.next(), lastWorked: nil)
        ]
        house.devices = [
            .init(
                id: device, person: person, address: try #require(DeviceAddress("C0:FF:EE:0A:0B:0C")),
                heardBy: markers.next(), kinds: [.heartRate], lastReadingAge: .seconds(30))
        ]
        house.runs = [
            .init(
                id: markers.next(), title: markers.next(), start: now.wall, end: now.wall,
                runners: markers.number())
        ]
        return try ControlJSON.line(house)
    }

    private static func check(_ markers: inout Markers) throws -> [UInt8] {
        func finding(_ part: String, key: String) -> CheckReport.Finding {
            CheckReport.Finding(
                .problem, part: part, file: "/home/\(markers.next())/gateway.toml", line: 12, key: key,
                seen: markers.next(), expected: markers.next(), remedy: markers.next())
        }
        return try ControlJSON.line(
            CheckReport(findings: [
                finding("channel \(markers.next())", key: "broker.port"),
                finding(markers.next(), key: "person.\(markers.next())"),
                CheckReport.Finding(
                    .ok, part: "settings", file: "/etc/\(markers.next()).toml", seen: markers.next()),
            ]))
    }

    private static func log(_ markers: inout Markers) -> [String] {
        let head = "1795742400.123456 \(markers.next()) homegateway[1]: level="
        return [
            head + "notice area=gateway message=started gateway=\(markers.next()) version=\(markers.next())",
            head
                + "\(markers.next()) area=\(markers.next()) message=\"condition raised\" code=\(markers.next())",
            head + "warning message=\"condition raised\" code=broker-unreachable subject=\(markers.next()) "
                + "reason=\"\(markers.next())\"",
            head + "warning message=\"condition raised\" code=wearable-away subject=\(markers.next())",
            head + "notice message=\"unsent readings were given up\" count=12 reason=\(markers.next())",
            head + "notice message=\"unsent readings were given up\" count=\(markers.next())",
            head + "warning message=\"alarm\" person=\(markers.next())",
            head + "warning message=\"\(markers.next()) message=started\" count=3",
            head + "info message=\(markers.next())",
            "\(markers.next()) level=info message=started", markers.next(), "",
        ]
    }

    private static func observations(_ markers: inout Markers) throws -> SupportBundle.Observations {
        var seen = SupportBundle.Observations()
        seen.version = "\(markers.next()) 1"
        for name in SupportPlatform.names + SupportPlatform.numbers + [markers.next()] {
            seen.platform[name] = "\(markers.next()) of \(markers.next())"
        }
        for unit in SupportUnits.units {
            seen.units[unit] =
                "ActiveState=active\nSubState=\(markers.next())\nNRestarts=\(markers.next())\n"
                + "Description=\(markers.next())\n\(markers.next())=1"
        }
        seen.gatewaySettings = settings(&markers)
        seen.devices = settings(&markers)
        seen.consoleSettings = Array("names = [\"\(markers.next())\"]\npassword = \"\(markers.next())\"".utf8)
        seen.check = try check(&markers)
        seen.status = try house(&markers)
        seen.state = [
            .init(
                name: "state.sqlite", size: 4096,
                head: Array("SQLite format 3\0".utf8) + Array(markers.next().utf8)),
            .init(name: "bindkey-\(markers.next())", size: 3, head: Array(markers.next().utf8)),
            .init(name: "ledger.jsonl.damaged-\(markers.next())", size: 3, head: Array(markers.next().utf8)),
        ]
        seen.log = log(&markers)
        return seen
    }

    /// A marker as it is, in base64 at each of its three offsets, and in hexadecimal.
    private static func forms(of marker: String) -> [String] {
        let bytes = Array(marker.utf8)
        let base64 = (0..<3).map { offset in
            let text = Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedString()
            // The first and the last characters depend on the neighbours.
            return String(text.dropFirst(offset == 0 ? 0 : offset + 1).prefix(8))
        }
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        return [marker, marker.uppercased(), hex, hex.uppercased()] + base64
    }

    private static func traces(of markers: [String], in archive: [UInt8]) -> [String] {
        let text = String(decoding: archive, as: UTF8.self)
        return markers.filter { marker in forms(of: marker).contains { text.contains($0) } }
    }

    @Test func `has none of the markers that stand in every place of the box`() throws {
        var markers = Markers()
        let bundle = SupportBundle(try Self.observations(&markers))
        #expect(markers.all.count > 120)
        #expect(Self.traces(of: markers.all, in: try bundle.archive(at: 0)) == [])
    }

    @Test func `would be caught with a marker in any form`() throws {
        let marker = "mq7z1000v"
        for form in Self.forms(of: marker) {
            #expect(Self.traces(of: [marker], in: Array("x\(form)y".utf8)) == [marker], "\(form)")
        }
        for offset in 0..<3 {
            let text = Data(Array(repeating: UInt8(ascii: "p"), count: offset) + Array("\(marker)qq".utf8))
            #expect(Self.traces(of: [marker], in: Array(text.base64EncodedString().utf8)) == [marker])
        }
    }

    @Test func `says what support needs`() throws {
        var markers = Markers()
        var seen = try Self.observations(&markers)
        seen.version = "1.2.3"
        seen.platform = ["architecture": "aarch64", "kernel": "6.1.0-rpi7", "processors": "4"]
        let files = Dictionary(
            uniqueKeysWithValues: SupportBundle(seen).files.map { ($0.name, $0.lines) })
        #expect(files["version.txt"] == ["homegateway 1.2.3"])
        #expect(files["platform.txt"]?.contains("architecture aarch64") == true)
        #expect(files["units.txt"]?.first == "homegateway.service ActiveState=active SubState=other")
        #expect(
            files["check.txt"] == [
                "problem, channel, gateway.toml, line 12, broker.port",
                "problem, other, gateway.toml, line 12, <key>", "ok, settings, <file>",
            ])
        let status = try #require(files["status.txt"])
        for line in [
            "unsent 7", "devices_heard_last_minute 1", "channels_failing 1",
            "condition broker-unreachable degraded for 7 s", "condition wearable-away supervision",
        ] { #expect(status.contains(line), "\(line)") }
        #expect(
            files["log.txt"] == [
                "lines 12, shown 6", "raised wearable-away 1 times", "1795742400 notice \"started\"",
                "1795742400 - \"condition raised\"",
                "1795742400 warning \"condition raised\" code=broker-unreachable",
                "1795742400 notice \"unsent readings were given up\" count=12",
                "1795742400 notice \"unsent readings were given up\"", "- info \"started\"",
            ])
        #expect(
            files["state.txt"] == ["state.sqlite 4096 bytes", "damaged_files_set_aside 1", "other_files 1"])
        let readme = try #require(files["README.txt"])
        #expect(
            files.keys.filter { $0 != "README.txt" }.allSatisfy { name in
                readme.contains { $0.hasPrefix("\(name): ") }
            })
    }

    @Test func `reads the schema of a database from its header`() {
        var head = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
        head[42] = 1
        head[43] = 7
        let lines = SupportState.lines([.init(name: "history.sqlite", size: 8192, head: head)])
        #expect(lines.first == "history.sqlite 8192 bytes schema 263")
    }

    /// A message that is no longer logged would never be shown.
    @Test func `knows messages of the log as the sources have them`() throws {
        let sources = Repository.root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var left = SupportLog.messages
        for case let file as URL in files where file.pathExtension == "swift" {
            guard !file.path.contains("/Commands/Support/") else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            left = left.filter { !text.contains("\"\($0)\"") }
        }
        #expect(left.isEmpty)
    }

    @Test func `is one file for its owner, with the files that the command lists`() async throws {
        var markers = Markers()
        let scratch = try ScratchDirectory()
        let settings = try scratch.writeSettings(more: "medical_notes = [\"\(markers.next())\"]")
        for name in ["identity.key", "ledger.jsonl", "outbox.sqlite", "bindkey-\(markers.next())"] {
            _ = try scratch.write(markers.next(), to: name)
        }
        let path = scratch.file("support.tar").path
        let words = [
            "support-bundle", path, "--config", settings.path, "--offline", "--console-config", "/nowhere",
        ]
        let answer = try await BuiltProgram.run(words)
        #expect(answer.code == 0, "\(answer)")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let archive = Array(try Data(contentsOf: URL(filePath: path)))
        var names: [String] = []
        var content = ""
        var parser = TarParser()
        try parser.take(archive) { event in
            switch event {
            case .entry(let entry): names.append(entry.path)
            case .content(let piece): content += String(decoding: piece, as: UTF8.self)
            case .entryEnd: break
            }
        }
        #expect(parser.isComplete && names.count == 11)
        #expect(names.allSatisfy { answer.output.contains($0.split(separator: "/").last ?? "-") })
        #expect(answer.output.contains("Look at it before you send it: tar -xOf \(path) | less"))
        #expect(content.contains("address = <personal>") && content.contains("identity.key 9 bytes"))
        #expect(content.contains("the gateway does not answer"))
        #expect(Self.traces(of: markers.all + ["Dante", "Rossi"], in: archive) == [])
        #expect(!String(decoding: archive, as: UTF8.self).contains(scratch.url.path))
        // Never over a file that is there.
        let again = try await BuiltProgram.run(words)
        #expect(again.code == 1 && again.errors.contains("cannot be created: File exists"))
        #expect(Array(try Data(contentsOf: URL(filePath: path))) == archive)
    }

    @Test func `has the sizes of the disk in megabytes`() throws {
        let seen = SupportCollector(
            settingsFile: "/nonexistent", consoleFile: "/nonexistent", socket: GatewaySocket(),
            triesServices: false
        ).platform("/")
        let total = try #require(seen["disk_total_mb"].flatMap { Int($0) })
        let free = try #require(seen["disk_free_mb"].flatMap { Int($0) })
        #expect(total > 100 && (1...total).contains(free), "\(seen)")
    }
}
