import Contract
import Foundation
import GatewayModel
import HostileInput
import RunBeacon
import SOSLocal
import Systemd
import Testing

@testable import Alarms
@testable import CloudCommands
@testable import Consent
@testable import ControlSocket
@testable import HomeGateway
@testable import Hub
@testable import Positioning
@testable import Settings
@testable import SignedCommands
@testable import Vault
@testable import Wearables

/// Inputs of broken or hostile senders: an answer, an error, and never the end of the process.
@Suite(.serialized) struct `Hostile input` {
    private static let alarm = "0190c3a2-0000-7000-8000-000000000000"

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private static let examples = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs/contract/examples").standardizedFileURL

    private static func examples(_ folder: String) throws -> [[UInt8]] {
        try FileManager.default.contentsOfDirectory(
            at: examples.appending(path: folder), includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
    }

    // MARK: From the broker

    @Test func `on the topic of acceptances ends nothing`() throws {
        let seeds =
            try Self.examples("accepted") + Self.bytes([#"{"alarm": "\#(Self.alarm)", "by": "Operator 7"}"#])
        Campaign("acceptance").run(seeds: seeds) { _ = try? Acceptance(payload: $0) }
    }

    @Test func `on the topic of commands ends nothing`() async throws {
        let issuer = TestIssuer.ed25519()
        let verifier = try await CommandVerifier.house12(issuer)
        let seeds = [
            try issuer.token(), try issuer.token(TestClaims.with { $0.command = #"{"type":"abort"}"# }),
        ]
        Campaign("command-token").run(
            seeds: Self.bytes(seeds), words: Mutator.jsonWords + [".", "..", "=", "-_"]
        ) {
            _ = verifier.judge($0, at: CommandVerifier.testTime, CommandBook())
        }
    }

    /// A cloud whose keys were stolen.
    @Test func `in signed commands ends nothing`() throws {
        let seeds = try Self.examples("command")
        try #require(seeds.count > 5)
        Campaign("command-claims").run(seeds: seeds) { bytes in
            guard let claims = try? CommandClaims(bytes) else { return }
            if case .run(.create(let plan)) = claims.command { _ = try? Run(plan) }
        }
    }

    // MARK: In the house

    @Test func `at the control socket ends nothing`() {
        let seeds = [
            #"{"verb":"abort","by":"Maria","alarm":"\#(Self.alarm)"}"#, #"{"verb":"status"}"#,
            #"{"verb":"history","person":"maria","kind":"heart-rate","from":0,"to":1772353800000,"resolution":"raw"}"#,
            #"{"verb":"runner_vitals","subject":"milan","bib":17,"by":"clinic"}"#,
            #"{"verb":"exercise","person":"maria","minutes":30}"#,
        ]
        Campaign("control-request").run(seeds: Self.bytes(seeds)) {
            _ = try? ControlJSON.decode(ControlRequest.self, from: $0, limit: ControlConnection.longestRequest)
        }
    }

    @Test func `in the times of gpsd ends nothing`() {
        let line =
            #"{"class":"PPS","device":"/dev/pps0","real_sec":1772353800,"real_nsec":0,"clock_sec":1772353800,"#
            + #""clock_nsec":123456,"precision":-20}"#
        Campaign("gpsd-time").run(seeds: Self.bytes([line])) { _ = GPSTimePair(line: $0) }
    }

    /// bluetoothd is trusted least where it is not the one of the system.
    @Test func `in values of bluetoothd ends nothing`() {
        var rig = HostileBus(seed: Campaign("bluetoothd").seed)
        // What is mutated is a number: it chooses the signal, by the generator of the rig.
        Campaign("bluetoothd").run(seeds: [[0, 0, 0, 0, 0, 0, 0, 0]], words: ["\u{0}", "a"]) { bytes in
            rig.take(bytes)
        }
    }

    // MARK: Files

    @Test func `in the settings ends nothing`() throws {
        var sample = SettingsSample()
        sample.more =
            "[[wearable]]\nid = 'b'\naddress = \"C0:FF:EE:00:00:02\"\nperson = \"maria\"\n[wearable.signals]\nbutton = 'sos-button'"
        let seeds = [sample.text, try Self.example("gateway.example.toml")]
        Campaign("settings").run(seeds: Self.bytes(seeds), words: Mutator.tomlWords) {
            _ = try? GatewaySettings.parse($0, file: "gateway.toml")
        }
    }

    private static func example(_ name: String) throws -> String {
        try String(
            contentsOf: examples.appending(path: "../../../systemd/\(name)").standardizedFileURL,
            encoding: .utf8)
    }

    @Test func `in run files and start lists ends nothing`() throws {
        let folder = try MemoryFolder()
        let run = RunSample.text()
        Campaign("run-file").run(seeds: Self.bytes([run]), words: Mutator.tomlWords) { bytes in
            folder.write(bytes, "milan.toml")
            _ = try? RunFile(path: folder.path("milan.toml")) { path in
                throw RunSample.NoCourse(description: path)
            }
        }
        let list = "bib;name;tags\n17;\"Rossi; Maria\";C0:FF:EE:00:00:01\r\n18;\"a\"\"b\";\n"
        Campaign("start-list").run(
            seeds: Self.bytes([list]), words: [";", "\"", "\"\"", "\n", "\r", ",", "\t", "é", "\u{0}"]
        ) {
            _ = StartList.read($0, Problems(file: "list.csv"))
        }
    }

    @Test func `in courses ends nothing`() throws {
        let points = (0..<6).map {
            "<trkpt lat=\"\(48 + Double($0) / 1_000)\" lon=\"16.0\"><ele>9</ele></trkpt>"
        }
        let seeds = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\">"
                + "<trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        ]
        Campaign("course").run(
            seeds: Self.bytes(seeds), words: Mutator.xmlWords + ["nan", "inf", "1e308", "-180", "90"]
        ) {
            _ = try? CourseFile(bytes: $0, path: "city.gpx")
        }
    }

    @Test func `in the file of open alarms ends nothing, in any state of the rules`() throws {
        let folder = try MemoryFolder()
        let settings = try SettingsSample().load()
        let file = AlarmStateFile(path: folder.path("alarms.json"), boot: "here")
        func machine() -> SOSMachine {
            SOSMachine(
                plans: settings.persons.map(\.plan), installed: settings.installed,
                startingAt: Sample.moment(0).boot)
        }
        var seeds: [[UInt8]] = []
        for boot in ["here", "other"] {
            var machine = machine()
            for number in 1...4 {
                _ = machine.handle(
                    .reading(Sample.reading(number, bpm: 190)), at: Sample.moment(Double(number)).boot)
                try AlarmStateFile(path: folder.path("alarms.json"), boot: boot).save(machine.snapshot)
                seeds += [folder.read("alarms.json")].compactMap { $0.isEmpty ? nil : $0 }
            }
        }
        try #require(seeds.count == 8)
        Campaign("alarms-file").run(seeds: seeds) { bytes in
            folder.write(bytes, "alarms.json")
            guard let kept = try? file.load(at: Sample.moment(10)) else { return }
            var machine = machine()
            _ = machine.resume(kept.snapshot, after: kept.absence)
            for second in [10, 11, 60, 4_000] { _ = machine.advance(to: Sample.moment(Double(second)).boot) }
            _ = machine.snapshot
        }
    }

    @Test func `in the files of lines ends nothing`() throws {
        let folder = try MemoryFolder()
        let directory = folder.path("")
        let record = try Self.alarmRecord(in: folder)
        Campaign("alarm-journal").run(seeds: [record]) {
            folder.write($0, "alarms.jsonl")
            _ = try? AlarmJournal(path: folder.path("alarms.jsonl")).load()
        }
        let memory =
            #"{"device":"button","address":"C0:FF:EE:00:00:05","counter":7,"sendsRegularly":true}"# + "\n"
        Campaign("beacons-file").run(seeds: Self.bytes([memory])) {
            folder.write($0, "beacons.jsonl")
            _ = try? BeaconMemories(path: folder.path("beacons.jsonl")).load()
        }
        let aside = #"{"at":1772353800000,"deaths":1,"sha256":"abc"}"# + "\n"
        Campaign("set-aside-file").run(seeds: Self.bytes([aside])) {
            folder.write($0, "set-aside.jsonl")
            _ = try? SetAsideFile(stateDirectory: directory).load()
        }
        let decision =
            #"{"at":1772353800000,"by":"Maria","means":"command-line","person":"maria","subject":"data-policy","verdict":"accepted"}"#
            + "\n"
        Campaign("consent-journal").run(seeds: Self.bytes([decision])) {
            folder.write($0, "consent.jsonl")
            _ = try? ConsentJournal(in: directory).load()
        }
    }

    private static func alarmRecord(in folder: MemoryFolder) throws -> [UInt8] {
        let rule = LimitRule(
            kind: .heartRate, side: .high, limit: 131,
            confirmation: Confirmation(readings: 1, within: .seconds(2)), hysteresis: 5)
        let plan = SOSPlan(
            person: Sample.maria, rules: [rule], windows: AbortWindows(vitalSign: .seconds(2)),
            ways: WaysToHelp(channels: [ChannelID(checked: "mqtt")]))
        let crossing = Crossing(reading: Sample.reading(1, bpm: 150), rule: rule)
        let alarm = Alarm(
            cause: .crossing(crossing), priority: .high, confirmation: crossing.instant, plan: plan)
        try AlarmJournal(path: folder.path("seed.jsonl")).append([AlarmRecord(alarm, boot: "a")])
        return folder.read("seed.jsonl")
    }

    @Test func `in the ledger of consent ends nothing`() throws {
        let directory = try LedgerDirectory()
        try directory.fill()
        let (ledger, head) = (
            [UInt8](try Data(contentsOf: directory.ledger)), [UInt8](try Data(contentsOf: directory.head))
        )
        Campaign("ledger").run(seeds: [ledger]) { bytes in
            var consent = ConsentLedger(persons: [ConsentSample.maria])
            for entry in LedgerWalk(ledger: bytes, head: head).entries { consent.replay(entry) }
        }
        Campaign("ledger-head").run(seeds: [head]) { _ = LedgerWalk(ledger: ledger, head: $0) }
    }

    @Test func `in the log of passings ends nothing`() throws {
        let folder = try MemoryFolder()
        var (log, _) = try PassingLog.open(in: folder.path(""), of: RaceSample.box, boot: "b-1")
        try log.append([
            PassingLog.Entry(.start, made: Sample.moment(0)),
            PassingLog.Entry(.passing(RaceSample.record(1)), made: Sample.moment(1)),
            PassingLog.Entry(.passing(RaceSample.record(2)), made: Sample.moment(2)),
        ])
        let seed = folder.read("passings.jsonl")
        Campaign("passings-log").run(seeds: [seed]) {
            folder.write($0, "passings.jsonl")
            _ = try? PassingLog.open(in: folder.path(""), of: RaceSample.box, boot: "b-2")
        }
    }

    @Test func `in the files of commands ends nothing`() throws {
        let folder = try MemoryFolder()
        let state = StateFile<CommandedSettings.Content>(path: folder.path("commanded.json"))
        let content =
            #"{"heartbeat":{"value":60,"of":30},"limits":{"maria":{"heart-rate":{"high":{"value":150,"of":131}}}}}"#
        Campaign("commanded-file").run(seeds: Self.bytes([content])) {
            folder.write($0, "commanded.json")
            _ = try? state.load()
        }
        let book = StateFile<CommandBook>(path: folder.path("commands.json"))
        var full = CommandBook()
        full.begin(at: WallTime(millisecondsSince1970: 1_772_353_800_000))
        try book.save(full)
        let seed = folder.read("commands.json")
        Campaign("command-book").run(seeds: [seed]) {
            folder.write($0, "commands.json")
            _ = try? book.load()
        }
    }
}

/// Files in memory: a campaign writes each some hundred thousand times.
private final class MemoryFolder {
    private let url = URL(filePath: "/dev/shm/homegateway-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { name.isEmpty ? url.path : url.appending(path: name).path }

    func write(_ bytes: [UInt8], _ name: String) {
        let descriptor = open(path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        _ = Glibc.write(descriptor, bytes, bytes.count)
        close(descriptor)
    }

    func read(_ name: String) -> [UInt8] {
        (try? Data(contentsOf: URL(filePath: path(name)))).map { [UInt8]($0) } ?? []
    }
}

/// A bluetoothd that says anything: any member with values of any type, about objects that exist and others.
private struct HostileBus {
    private var rig = TrackerRig([TrackerRig.strap, TrackerRig.band])
    private var generator: SplitMix64
    private var count = 0

    init(seed: UInt64) {
        generator = SplitMix64(state: seed)
        begin()
    }

    private mutating func begin() {
        rig = TrackerRig([TrackerRig.strap, TrackerRig.band])
        rig.load(TrackerRig.tree())
    }

    mutating func take(_ bytes: [UInt8]) {
        count += 1
        if count.isMultiple(of: 500) { begin() }
        let signal = BusSignal(
            path: path(), interface: interface(),
            member: ["InterfacesAdded", "InterfacesRemoved", "PropertiesChanged", "NameOwnerChanged", "x"]
                .randomElement(
                    using: &generator) ?? "", arguments: arguments(bytes))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            if let call = rig.calls.randomElement(using: &generator) {
                rig.calls.removeAll { $0.id == call.id }
                let reply: BusConnection.Reply =
                    Bool.random(using: &generator)
                    ? .success(arguments(bytes))
                    : .failure(.remote(name: "org.bluez.Error.Failed", message: "\(bytes)"))
                rig.after { $0.replied(call.id, reply, at: $1) }
            }
        case 1: rig.wait(.milliseconds(Int64.random(in: 0...3_000, using: &generator)))
        default: deliver(signal)
        }
        _ = BlueZSignal.tree(signal.arguments)
    }

    private mutating func deliver(_ signal: BusSignal) {
        switch BlueZSignal(signal) {
        case .added(let path, let interfaces): rig.after { $0.interfacesAdded(path, interfaces, at: $1) }
        case .removed(let path, let interfaces): rig.after { $0.interfacesRemoved(path, interfaces, at: $1) }
        case .changed(let path, let interface, let properties, let invalidated):
            rig.change(path, interface, properties, invalidated: invalidated)
        case .owner(let isPresent):
            rig.after { $0.nameOwnerChanged(isPresent: isPresent, at: $1) }
            rig.load(TrackerRig.tree())
        case nil: break
        }
    }

    private mutating func path() -> String {
        [
            TrackerRig.hci0, TrackerRig.device, TrackerRig.other, TrackerRig.service, TrackerRig.characteristic,
            "/", "",
            TrackerRig.device + "/service000a/char00ff",
        ].randomElement(using: &generator) ?? ""
    }

    private mutating func interface() -> String {
        [BlueZ.adapter, BlueZ.device, BlueZ.gattService, BlueZ.characteristic, BlueZ.properties, "x"]
            .randomElement(
                using: &generator) ?? ""
    }

    private mutating func properties(_ bytes: [UInt8], _ depth: Int) -> BusValue {
        let names = [
            "Address", "Powered", "Discovering", "Adapter", "Connected", "Paired", "ServicesResolved", "UUIDs",
            "RSSI", "UUID",
            "Device", "Service", "Flags", "Value", "ServiceData", "ManufacturerData", "Name", "Notifying", "",
        ]
        var entries: [BusValue: BusValue] = [:]
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
            entries[.string(names.randomElement(using: &generator) ?? "")] = value(bytes, depth + 1)
        }
        return .dictionary(entries)
    }

    private mutating func interfaces(_ bytes: [UInt8], _ depth: Int) -> BusValue {
        .dictionary([.string(interface()): properties(bytes, depth + 1)])
    }

    private mutating func value(_ bytes: [UInt8], _ depth: Int = 0) -> BusValue {
        let texts = [
            TrackerRig.strap.address.description, TrackerRig.device, BlueZ.service,
            "0000180d-0000-1000-8000-00805f9b34fb",
            "0000fcd2-0000-1000-8000-00805f9b34fb", "notify", "",
            String(decoding: bytes.prefix(40), as: UTF8.self),
        ]
        let text = texts.randomElement(using: &generator) ?? ""
        switch Int.random(in: 0..<(depth > 3 ? 9 : 14), using: &generator) {
        case 0: return .string(text)
        case 1: return .objectPath(path())
        case 2: return .bool(.random(using: &generator))
        case 3: return .bytes(Array(bytes.prefix(600)))
        case 4: return .int16(.random(in: .min ... .max, using: &generator))
        case 5: return .uint16(.random(in: .min ... .max, using: &generator))
        case 6: return .double([.nan, .infinity, -0, 1e308].randomElement(using: &generator) ?? 0)
        case 7: return .uint64(.max)
        case 8: return .other(signature: "(((((v)))))")
        case 9:
            return .array((0..<Int.random(in: 0...3, using: &generator)).map { _ in value(bytes, depth + 1) })
        case 10: return .structure([value(bytes, depth + 1)])
        case 11: return .array([.string(text), .string("notify"), .string("read")])
        case 12: return interfaces(bytes, depth)
        default: return properties(bytes, depth)
        }
    }

    private mutating func arguments(_ bytes: [UInt8]) -> [BusValue] {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: [.objectPath(path()), interfaces(bytes, 0)]
        case 1: [.string(interface()), properties(bytes, 0), .array([.string("RSSI")])]
        case 2: [.objectPath(path()), .array([.string(interface())])]
        case 3:
            [.string(BlueZ.service), .string(":1.2"), .string(Bool.random(using: &generator) ? ":1.3" : "")]
        case 4:
            [
                .string(BlueZ.characteristic),
                .dictionary([.string("Value"): .bytes(Array(bytes.prefix(600)))]), .array([]),
            ]
        default: (0..<Int.random(in: 0...3, using: &generator)).map { _ in value(bytes) }
        }
    }
}
