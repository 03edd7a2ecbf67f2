import ControlContract
import Foundation
import GatewayModel
import ModelSamples
import TestSupport
import Testing

@testable import Console
@testable import Web

/// Strict reader of the text format 0.0.4: HELP, TYPE, then the samples of one metric, each metric once.
private struct Exposition {
    struct Sample: Hashable {
        let labels: [String: String]
        let value: Double
    }

    struct Wrong: Error, CustomStringConvertible {
        let description: String
    }

    private(set) var types: [String: String] = [:]
    private(set) var samples: [String: [Sample]] = [:]

    init(_ text: String) throws {
        guard text.hasSuffix("\n"), !text.contains("\n\n"), !text.contains("\r") else {
            throw Wrong(description: "the last line has no end, or a line is empty")
        }
        var help: Substring?
        var current: String?
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            if let found = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)/) {
                guard help == nil else { throw Wrong(description: "HELP without TYPE: \(line)") }
                help = found.1
            } else if let found = line.wholeMatch(of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (gauge|counter)/) {
                let name = String(found.1)
                guard found.1 == help, types[name] == nil, current.map({ samples[$0] != nil }) ?? true else {
                    throw Wrong(description: "TYPE at the wrong place: \(line)")
                }
                (types[name], current, help) = (String(found.2), name, nil)
            } else {
                try sample(line, of: current)
            }
        }
        guard help == nil, current.map({ samples[$0] != nil }) ?? false else {
            throw Wrong(description: "a metric without samples")
        }
    }

    private mutating func sample(_ line: Substring, of current: String?) throws {
        let form = /([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[^{}]*\})? (-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?)/
        guard let found = line.wholeMatch(of: form), let current, found.1 == current,
            let value = Double(found.3)
        else { throw Wrong(description: "no sample of \(current ?? "nothing"): \(line)") }
        var labels: [String: String] = [:]
        for pair in (found.2 ?? "").dropFirst().dropLast().split(separator: ",") {
            guard let label = pair.wholeMatch(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/),
                labels.updateValue(String(label.2), forKey: String(label.1)) == nil
            else { throw Wrong(description: "no label: \(pair)") }
        }
        guard samples[current]?.contains(where: { $0.labels == labels }) != true else {
            throw Wrong(description: "twice: \(line)")
        }
        samples[current, default: []].append(Sample(labels: labels, value: value))
    }

    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples["homegateway_\(name)"]?.first { $0.labels == labels }?.value
    }
}

@Suite struct `The metrics of a house` {
    private static let now = Moment(
        boot: BootInstant(nanoseconds: 90_500_000_000), wall: WallTime(millisecondsSince1970: 1_000_000))
    /// Texts that a state has and that no metric may have.
    private static let names = [
        "maria", "Rossi", "house-12", "strap", "cuff", "anna-sms", "C0:FF:EE", "spring-10k", "Spring run",
        "it is broken", "watching", "heart", "lost sight", "via-dante",
    ]

    private static func house(
        _ conditions: [HealthCondition] = [], version: String = "1.2.3"
    ) throws -> HouseSnapshot {
        var house = HouseSnapshot(
            version: version, gateway: GatewayID(sample: "house-12"), at: now,
            summary: "watching maria", unsent: 41, alarms: [],
            conditions: conditions.map {
                HouseSnapshot.Condition($0, reason: "lost sight of Rossi", since: now.wall)
            })
        let person = PersonID(sample: "maria")
        house.persons = [
            .init(id: person, name: "Maria Rossi", language: "it", agreements: [], coverage: ["heart"]),
            .init(
                id: PersonID(sample: "via-dante"), name: "Rossi", language: "it", agreements: [], coverage: []),
        ]
        house.channels = [
            .init(
                id: ChannelID(sample: "anna-sms"), fault: "it is broken",
                lastWorked: WallTime(millisecondsSince1970: 400_000)),
            .init(id: ChannelID(sample: "mqtt"), fault: nil, lastWorked: nil),
        ]
        let address = try #require(DeviceAddress("C0:FF:EE:00:00:01"))
        func device(_ id: String, _ age: Duration?) -> HouseSnapshot.Device {
            HouseSnapshot.Device(
                id: DeviceID(sample: id), person: person, address: address, heardBy: "connection",
                kinds: [.heartRate], lastReadingAge: age)
        }
        house.devices = [
            device("cuff", .seconds(2_000)), device("strap", .milliseconds(1_500)), device("x", nil),
        ]
        house.devices[0].battery = 15
        house.devices[1].lastHeardAgeMs = 900
        house.runs = [
            .init(
                id: "spring-10k", title: "Spring run", start: WallTime(millisecondsSince1970: 0),
                end: WallTime(millisecondsSince1970: 2_000_000), runners: 200)
        ]
        house.describeSupervision()
        return house
    }

    private static let box = HouseMetrics.Box(
        connections: 3, pairedDevices: 4, diskFree: 1_000_000_000_000, diskSize: 2_000_000_000_001)

    @Test func `are sound text of the format, some twenty metrics and more`() throws {
        let found = try Exposition(HouseMetrics(try Self.house(), Self.box).text)
        #expect(found.types.count >= 20)
        #expect(found.types.keys.allSatisfy { $0.hasPrefix("homegateway_") })
        #expect(found.types["homegateway_connections_total"] == "counter")
        #expect(found.types.filter { $0.value == "counter" }.keys.allSatisfy { $0.hasSuffix("_total") })
    }

    @Test func `count cancelled alarms of the newest month by cause and wearable`() throws {
        var house = try Self.house()
        house.cancelledAlarms = [
            .init(person: "maria", month: "2026-11", rule: "fall", device: "strap", count: 2),
            .init(person: "via-dante", month: "2026-11", rule: "fall", device: "strap", count: 1),
            .init(person: "maria", month: "2026-10", rule: "fall", device: "strap", count: 9),
        ]
        let found = try Exposition(HouseMetrics(house, Self.box).text)
        let labels = ["cause": "fall", "number": "2", "month": "2026-11"]
        #expect(found.value("alarms_cancelled", labels) == 3)
        #expect(found.samples["homegateway_alarms_cancelled"]?.count == 1)
    }

    @Test func `tell the state of the house`() throws {
        let conditions = [
            HealthCondition(.wearableAway, subject: "strap"), HealthCondition(.batteryLow, subject: "strap"),
            HealthCondition(.batteryLow, subject: "cuff"), HealthCondition(.clockNotSet),
        ]
        let found = try Exposition(HouseMetrics(try Self.house(conditions), Self.box).text)
        #expect(found.value("up") == 1 && found.value("info", ["version": "1.2.3"]) == 1)
        #expect(found.value("connections_total") == 3 && found.value("paired_devices") == 4)
        #expect(found.value("disk_free_bytes") == 1e12 && found.value("disk_size_bytes") == 2_000_000_000_001)
        #expect(found.value("box_uptime_seconds") == 90.5 && found.value("outbox_messages") == 41)
        #expect(found.value("conditions", ["code": "battery-low", "severity": "degraded"]) == 2)
        #expect(found.value("conditions", ["code": "radio-deaf", "severity": "supervision"]) == 0)
        #expect(found.samples["homegateway_conditions"]?.count == HealthCode.allCases.count)
        #expect(found.value("clock_set") == 0 && found.value("broker_connected") == 1)
        #expect(found.value("persons") == 2 && found.value("persons_unwatched") == 2)
        #expect(found.value("wearables_expected") == 3 && found.value("wearables_heard") == 1)
        #expect(found.value("last_reading_age_seconds") == 1.5)
        #expect(found.value("wearable_heard_age_seconds", ["number": "1"]) == 2_000)
        #expect(found.value("wearable_heard_age_seconds", ["number": "2"]) == 0.9)
        #expect(found.value("wearable_heard_age_seconds", ["number": "3"]) == nil)
        #expect(found.value("wearable_battery_ratio", ["number": "1"]) == 0.15)
        #expect(found.value("channels") == 2 && found.value("channels_failing") == 1)
        #expect(found.value("channel_worked_age_seconds", ["number": "1"]) == 600)
        #expect(found.value("channel_worked_age_seconds", ["number": "2"]) == nil)
        #expect(found.value("runs_underway") == 1)
        #expect(found.value("open_alarms", ["drill": "false"]) == 0)
    }

    @Test(arguments: [
        HealthCondition(.brokerUnreachable), HealthCondition(.brokerSessionTaken),
        HealthCondition(.nothingAccepted), HealthCondition(.brokerRefused),
    ])
    func `have no broker where there is no session`(condition: HealthCondition) throws {
        #expect(
            try Exposition(HouseMetrics(try Self.house([condition]), .init()).text).value("broker_connected")
                == 0)
    }

    @Test func `have a broker although it refuses one topic`() throws {
        let house = try Self.house([HealthCondition(.brokerRefused, subject: "acceptances")])
        #expect(try Exposition(HouseMetrics(house, .init()).text).value("broker_connected") == 1)
    }

    @Test func `have no name, id, address or reason`() throws {
        let conditions = HealthCode.allCases.map { HealthCondition($0, subject: "strap") }
        let house = try Self.house(conditions)
        let text = HouseMetrics(house, Self.box).text
        let state = String(decoding: try JSONEncoder().encode(house), as: UTF8.self)
        for name in Self.names {
            #expect(state.contains(name), "the state has no \(name)")
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") && $0.contains(name) }
            #expect(lines.isEmpty, "\(lines)")
        }
        // Every text of a sample is a code, a severity, a number, the version or a truth.
        let found = try Exposition(text)
        let codes = Set(HealthCode.allCases.map(\.rawValue) + HealthCode.Severity.allCases.map(\.rawValue))
        for text in found.samples.values.joined().flatMap(\.labels.values) {
            #expect(
                codes.contains(text) || Int(text) != nil || ["1.2.3", "true", "false"].contains(text), "\(text)"
            )
        }
    }

    @Test func `say that the gateway does not answer, and nothing of the house`() throws {
        let found = try Exposition(HouseMetrics(nil, Self.box).text)
        #expect(found.value("up") == 0 && found.types.count == 5)
    }

    @Test func `escape a text`() throws {
        let text = HouseMetrics(try Self.house(version: "1\"\\\n2"), .init()).text
        #expect(text.contains("homegateway_info{version=\"1\\\"\\\\\\n2\"} 1\n"))
        _ = try Exposition(text)
    }

    @Test(arguments: [
        "a 1", "# TYPE a gauge\na 1\n", "# HELP a b\n# TYPE a gauge\n", "# HELP a b\n# TYPE a gauge\na x\n",
        "# HELP a b\n# TYPE a gauge\na{b=c} 1\n", "# HELP a b\n# TYPE a gauge\na 1\na 2\n",
        "# HELP a b\n# TYPE a gauge\nb 1\n", "# HELP a b\n# TYPE a gauge\na 1\n\n",
    ])
    func `are read by a reader that takes nothing else`(text: String) {
        #expect(throws: Exposition.Wrong.self) { try Exposition(text) }
    }
}

@Suite struct `The server of metrics` {
    private static let server = MetricsServer { HouseMetrics(nil, .init()) }

    private static func status(
        _ method: String, _ path: String, host: String? = "127.0.0.1:9765", origin: String? = nil
    ) -> Int {
        server.answer(
            WebRequest(
                method: method, path: path, query: [:], form: [:], host: host, origin: origin, fetchSite: nil,
                cookie: nil, acceptLanguage: nil)
        ).status
    }

    @Test func `answers one path, for reading, to its own names`() {
        #expect(Self.status("GET", "/metrics") == 200)
        #expect(Self.status("GET", "/metrics", host: "localhost:9765") == 200)
        #expect(Self.status("HEAD", "/metrics", host: "[::1]:9765") == 200)
        for path in ["/", "/metrics/", "/room", "/stream", "/Metrics"] {
            #expect(Self.status("GET", path) == 404)
        }
        #expect(Self.status("POST", "/metrics", origin: "http://127.0.0.1:9765") == 405)
        #expect(Self.status("DELETE", "/metrics") == 405)
        // A page elsewhere whose name was turned to this box (DNS rebinding).
        #expect(Self.status("GET", "/metrics", host: "evil.example") == 421)
        #expect(Self.status("GET", "/metrics", host: nil) == 421)
    }

    /// The program itself, as its unit starts it, beside no gateway.
    @Test func `is a port of its own on loopback, and no path of the pages`() async throws {
        let scratch = try ScratchDirectory()
        let program = scratch.file("homegateway-console").path
        try FileManager.default.createSymbolicLink(
            atPath: program, withDestinationPath: BuiltProgram.homegateway)
        let config = try scratch.write(
            """
            listen = ["0.0.0.0:0"]
            tls = false
            metrics = "127.0.0.1:0"
            gateway_socket = "\(scratch.url.path)/none"
            state_directory = "\(scratch.url.path)/state"
            """, to: "console.toml")
        let child = try TiedChild([program, "serve", "--config", config.path])
        let pages = try await child.output.first("the pages") { $0.hasPrefix("pages at ") }
        let metrics = try await child.output.first("the metrics") { $0.hasPrefix("metrics at ") }
        let port = try #require(metrics.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/metrics/)?.1)
        let pagesPort = try #require(pages.firstMatch(of: /:(\d+)\//)?.1)
        func fetch(_ address: String) async throws -> [String] {
            let script = """
                import sys, urllib.request, urllib.error
                try:
                    reply = urllib.request.urlopen(sys.argv[1], timeout=20)
                    print(reply.status, reply.headers['Content-Type'], reply.geturl(), sep='\\n')
                    print(reply.read().decode(), end='')
                except urllib.error.HTTPError as error:
                    print(error.code)
                except OSError as error:
                    print('unreachable', error)
                """
            return try await BuiltProgram.answer(of: ["/usr/bin/python3", "-B", "-c", script, address])
                .output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        let reply = try await fetch("http://127.0.0.1:\(port)/metrics")
        #expect(reply.prefix(2) == ["200", "text/plain; version=0.0.4; charset=utf-8"], "\(reply)")
        let found = try Exposition(reply.dropFirst(3).filter { !$0.isEmpty }.joined(separator: "\n") + "\n")
        #expect(found.value("up") == 0 && found.value("paired_devices") == 0)
        #expect((found.value("disk_free_bytes") ?? 0) > 0)
        // Another address of this box than the one that is bound: nobody listens there.
        let other = try await fetch("http://127.0.0.2:\(port)/metrics")
        #expect(other.first?.hasPrefix("unreachable") == true, "\(other)")
        // The pages lead a visitor without a session to the pairing.
        let page = try await fetch("http://127.0.0.1:\(pagesPort)/metrics")
        #expect(page.count > 2 && page[2].hasSuffix("/pair"), "\(page.prefix(3))")
        #expect(!page.joined().contains("homegateway_up"))
        await child.killed()
    }
}
