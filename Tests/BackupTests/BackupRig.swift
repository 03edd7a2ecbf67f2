import Consent
import Foundation
import GatewayModel
import ModelSamples
import Samples
import TestSupport
import Testing

@testable import Backup
@testable import Vault

/// A box in a scratch directory: settings, keys, run files, a state as a gateway leaves it, the console's state, and the
/// pairings of two adapters.
struct BackupRig {
    static let adapter = "AA:AA:AA:00:00:01"
    static let dongle = "AA:AA:AA:00:00:02"
    static let version = ProductVersion.current

    let scratch: ScratchDirectory
    let words = BackupWords()

    /// Absolute paths of the places.
    var settings: String { path("etc/gateway.toml") }
    var console: String { path("etc/console.toml") }
    var state: String { path("state") }
    var bluetooth: String { path("bluetooth") }
    var backup: String { path("backup.hgb") }

    init() throws {
        scratch = try ScratchDirectory()
        for folder in ["etc/runs.d", "keys", "state/inbox/scale", "console/orders", "bluetooth"] {
            try FileManager.default.createDirectory(
                at: scratch.file(folder), withIntermediateDirectories: true)
        }
        try write(
            """
            [gateway]
            id = "house-12"
            state_directory = "\(state)"
            [installed]
            address = "Via Dante 7"
            [broker]
            host = "127.0.0.1"
            tls = false
            username = "house-12"
            password_file = "\(path("keys/password"))"
            [history]
            key_file = "\(path("keys/history"))"
            [race]
            runs_directory = "\(path("etc/runs.d"))"
            [[person]]
            id = "maria"
            name = "Maria Rossi"
            [[wearable]]
            id = "strap"
            address = "C0:FF:EE:00:00:01"
            person = "maria"
            [[wearable]]
            id = "cuff"
            address = "C0:FF:EE:00:00:02"
            person = "maria"

            """, to: "etc/gateway.toml", mode: 0o640)
        try write("state_directory = \"\(path("console"))\"\n", to: "etc/console.toml", mode: 0o644)
        try write("secret", to: "keys/password", mode: 0o640)
        try write(String(repeating: "ab", count: 32), to: "keys/history", mode: 0o600)
        try write("not a run", to: "etc/runs.d/spring.toml", mode: 0o640)
        try write("<gpx/>", to: "etc/runs.d/course.gpx", mode: 0o640)
        try write("sessions", to: "console/sessions", mode: 0o600)
        try write("1;2", to: "state/inbox/scale/a.csv", mode: 0o640)
        try write("", to: "state/alarms.json.new", mode: 0o600)
        for (adapter, device) in [
            (Self.adapter, "C0:FF:EE:00:00:01"), (Self.dongle, "C0:FF:EE:00:00:02"),
            (Self.dongle, "C0:FF:EE:00:00:03"),
        ] {
            try FileManager.default.createDirectory(
                at: scratch.file("bluetooth/\(adapter)/\(device)"), withIntermediateDirectories: true)
            try write(
                "[General]\nName=x\n\n[LongTermKey]\nKey=00\n", to: "bluetooth/\(adapter)/\(device)/info",
                mode: 0o600)
        }
        try fillState()
    }

    private func fillState() throws {
        let marks = StateMarks(in: state, boot: "b-1")
        let database = StateDatabase(in: state, marks: marks)
        try database.apply([
            .put(.commandMemory, "since", ConsentSample.wall(0)),
            .put(.sosButton, "button", ConsentSample.wall(1)),
        ])
        database.close()
        let (ledger, _) = try LedgerFile.open(
            in: state, of: GatewayID(sample: "house-12"), at: ConsentSample.wall(0), marks: marks)
        var consent = ConsentLedger(persons: [ConsentSample.maria])
        try ledger.append(
            consent.record(
                ConsentDecision(
                    .policy(.dataPolicy, .accepted), for: ConsentSample.maria, by: "Maria", means: .commandLine,
                    at: ConsentSample.wall(0))), at: ConsentSample.wall(0))
    }

    func path(_ name: String) -> String { scratch.file(name).path }

    func write(_ text: String, to name: String, mode: Int) throws {
        _ = try scratch.write(text, to: name)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }

    // MARK: The acts

    @discardableResult
    func makeBackup(to name: String? = nil, version: ProductVersion = version) throws -> BackupMaker.Report {
        var maker = try BackupMaker(
            settings: settings, console: console, bluetooth: bluetooth, version: version,
            at: ConsentSample.wall(10), cost: cheap)
        return try maker.write(to: name ?? backup, words)
    }

    @discardableResult
    func restore(
        replaces: Bool = false, seconds: Int = 20, adapters: [String]? = [adapter],
        version: ProductVersion = version, running: String? = nil, into places: RestorePlaces? = nil,
        before step: @escaping (Restore.Step) throws -> Void = { _ in }
    ) throws -> Restore.Report {
        let reader = try BackupReader(backup, words, version: version)
        return try Restore(reader, at: ConsentSample.wall(seconds), before: step).run(
            into: places ?? RestorePlaces([path("")]), replaces: replaces,
            adapters: adapters.map { $0.compactMap { DeviceAddress($0) } },
            isRunning: { $0 == running })
    }

    /// Removes all but the backup, as on a new box.
    func wipe() throws {
        for name in ["etc", "keys", "state", "console", "bluetooth"] {
            try FileManager.default.removeItem(at: scratch.file(name))
        }
    }

    // MARK: Observations

    /// Mode and content of every file and directory but the backup, by its path.
    func files() throws -> [String: String] {
        let root = scratch.url.path
        let names = try #require(FileManager.default.enumerator(atPath: root))
        var files: [String: String] = [:]
        for case let name as String in names where !name.hasPrefix("backup") {
            files[name] = try Self.content(of: root + "/" + name)
        }
        return files
    }

    /// Mode and content; nil of a file that is gone.
    static func content(of path: String) throws -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        let content = isFile ? try Data(contentsOf: URL(filePath: path)).base64EncodedString() : "directory"
        return String(status.st_mode & 0o7777, radix: 8) + " " + content
    }
}
