import Foundation
import GRDB
import GatewayModel
import RealTime
import Samples
import Settings
import Synchronization
import TestSupport
import Testing

@testable import Backup
@testable import Vault

@Suite struct `A backup` {
    private let rig: BackupRig

    init() throws { rig = try BackupRig() }

    /// Each transaction writes one value into all rows: a copy with two values is of two moments.
    @Test func `has the state of one moment, while a gateway writes`() async throws {
        let rig = rig
        let isOver = Mutex(false)
        let rounds = Mutex(0)
        let failure = Mutex<(any Error)?>(nil)
        let writing = try NamedThread("state-writer") {
            let marks = StateMarks(in: rig.state, boot: "b-1")
            let database = StateDatabase(in: rig.state, marks: marks)
            var round = 0
            while !isOver.withLock({ $0 }) {
                round += 1
                let now = ConsentSample.wall(round)
                do {
                    try database.apply((0..<40).map { .put(.sosButton, "b-\($0)", now) })
                    try StateFile<Int>(path: rig.state + "/runs.json", marks: marks).save(round)
                } catch {
                    failure.withLock { $0 = error }
                    break
                }
                rounds.withLock { $0 = round }
            }
            database.close()
        }
        defer { isOver.withLock { $0 = true } }
        for number in 0..<5 {
            let before = rounds.withLock { $0 }
            #expect(await eventually { rounds.withLock { $0 } > before + 3 })
            try rig.makeBackup(to: rig.path("backup-\(number)"))
        }
        isOver.withLock { $0 = true }
        await writing.finished()
        #expect(failure.withLock { $0 } == nil)
        for number in 0..<5 {
            try rig.wipe()
            try? FileManager.default.removeItem(atPath: rig.backup)
            try FileManager.default.moveItem(atPath: rig.path("backup-\(number)"), toPath: rig.backup)
            try rig.restore(seconds: 30 + number)
            let marks = StateMarks(in: rig.state, boot: "b-2")
            let losses = Mutex<[String]>([])
            let database = StateDatabase(in: rig.state, marks: marks) { report in
                losses.withLock { $0.append("\(report)") }
            }
            let values = Set(try database.rows(of: .sosButton).filter { $0.key != "button" }.map(\.content))
            #expect(values.count == 1)
            #expect(losses.withLock { $0 } == [])
            #expect(try StateFile<Int>(path: rig.state + "/runs.json", marks: marks).load() != nil)
            database.close()
        }
    }

    /// Another implementation of the form that the decision record describes, and tar(1).
    @Test func `is opened by the program of the documents, with every file as it is`() async throws {
        try rig.write(String(repeating: "0123456789abcdef", count: 20_000), to: "console/large", mode: 0o600)
        try rig.makeBackup()
        let program = Repository.root.appending(path: "docs/installer/open-backup.py").path
        let out = rig.path("backup-opened")
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: false)
        func open(_ words: String) async throws -> BuiltProgram.Answer {
            let line = "set -o pipefail; python3 '\(program)' '\(rig.backup)' | tar -x -p -C '\(out)'"
            return try await BuiltProgram.answer(of: ["/bin/bash", "-c", line], input: [words])
        }
        let wrong = try await open(BackupWords().text)
        #expect(wrong.code != 0 && wrong.errors.contains("the words are not those"), "\(wrong)")
        let right = try await open(rig.words.text.uppercased())
        #expect(right.code == 0, "\(right)")
        let databases = [".sqlite", ".sqlite-wal", ".sqlite-shm"]
        for (name, content) in try rig.files() where content != "700 directory" {
            guard name != "state/alarms.json.new", !databases.contains(where: name.hasSuffix) else { continue }
            let copy = out + "/files" + rig.path(name)
            guard FileManager.default.fileExists(atPath: copy) else {
                // Folders on the way to a place.
                #expect(content.hasSuffix("directory"), "\(name) is missing")
                continue
            }
            #expect(try BackupRig.content(of: copy) == content, "\(name)")
        }
        let copied = try DatabaseQueue(path: out + "/files" + rig.state + "/state.sqlite")
        let check = try await copied.read { db in try String.fetchOne(db, sql: "PRAGMA integrity_check") }
        #expect(check == "ok")
        var bytes = try Data(contentsOf: rig.scratch.file("backup.hgb"))
        bytes[bytes.count - 40] ^= 1
        try bytes.write(to: rig.scratch.file("backup.hgb"))
        let changed = try await open(rig.words.text)
        #expect(changed.code != 0 && changed.errors.contains("the file is damaged"), "\(changed)")
    }

    @Test func `leaves no copy of a database behind, and none of a file that failed`() throws {
        try rig.makeBackup()
        #expect(!FileManager.default.fileExists(atPath: rig.state + "/backup-copy"))
        try Data("no database".utf8).write(to: rig.scratch.file("state/outbox.sqlite"))
        let fault = #expect(throws: BackupFault.self) { try rig.makeBackup(to: rig.path("backup-2")) }
        #expect(
            fault?.description.contains("the database is damaged; start the gateway") == true,
            "\(fault?.description ?? "")")
        let left = try FileManager.default.contentsOfDirectory(atPath: rig.scratch.url.path)
        #expect(left.filter { $0.hasPrefix("backup") } == ["backup.hgb"])
        #expect(!FileManager.default.fileExists(atPath: rig.state + "/backup-copy"))
    }

    @Test func `never replaces a file`() throws {
        try rig.makeBackup()
        let before = try Data(contentsOf: rig.scratch.file("backup.hgb"))
        #expect(throws: BackupFault.self) { try rig.makeBackup() }
        #expect(try Data(contentsOf: rig.scratch.file("backup.hgb")) == before)
    }

    @Test func `shows nothing of its contents`() throws {
        try rig.makeBackup()
        let bytes = try Data(contentsOf: rig.scratch.file("backup.hgb"))
        for text in [
            "Maria", "house-12", "secret", "Via Dante", "LongTermKey",
            rig.words.words[0] + " " + rig.words.words[1],
        ] {
            #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)")
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: rig.backup)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `says that an alarm is open`() throws {
        try rig.write("{}", to: "state/alarms.json", mode: 0o600)
        #expect(try rig.makeBackup().hasOpenAlarm)
    }

    @Test func `names the places that are not in it`() throws {
        let text = try String(contentsOfFile: rig.settings, encoding: .utf8)
        try rig.write(
            text.replacing("[history]\nkey_file = \"\(rig.path("keys/history"))\"", with: "").replacing(
                "tls = false", with: "ca_file = \"/etc/ssl/certs/ca-certificates.crt\""
            )
            .replacing(rig.path("keys/password"), with: "$CREDENTIALS_DIRECTORY/broker"),
            to: "etc/gateway.toml", mode: 0o640)
        try FileManager.default.copyItem(
            atPath: rig.state + "/state.sqlite", toPath: rig.state + "/history.sqlite")
        let left = try rig.makeBackup().leftOut
        #expect(left.contains { $0.contains("the secret 'broker'") })
        #expect(left.contains { $0.contains("/etc/ssl/certs/ca-certificates.crt: it belongs to the system") })
        #expect(left.contains { $0.contains("the key of the history") })
    }

    @Test func `finds the files that the settings name, in every section`() throws {
        try rig.write(
            """
            [gateway]
            id = "house-12"
            state_directory = "\(rig.state)"
            [history]
            key_file = "/k/1"
            [broker]
            ca_file = "/k/2"
            client_key_file = "$CREDENTIALS_DIRECTORY/three"
            wrong = "/k/no"
            [[channel]]
            id = "a"
            type = "https"
            token_file = "/k/4"
            [[channel]]
            id = "b"
            type = "sms"
            modem = "/k/no"
            [[commands.issuers]]
            keys = "/k/5"
            [[wearable]]
            key_file = "/k/6"
            [[source]]
            socket = "/k/no"
            """, to: "etc/gateway.toml", mode: 0o640)
        try rig.write("[[wearable]]\nkey_file = \"/k/7\"\n", to: "state/devices.toml", mode: 0o640)
        let files = try SettingsFiles(path: rig.settings)
        #expect(files.paths == ["/k/1", "/k/2", "/k/4", "/k/5", "/k/6", "/k/7"])
        #expect(files.credentials == ["three"] && files.namesHistoryKey)
        #expect(files.runsDirectory == "/etc/homegateway/runs.d" && files.stateDirectory == rig.state)
    }

    @Test func `refuses places of which one lies in another, because a restore could not part them`() throws {
        let inside = rig.state + "/gateway.toml"
        try FileManager.default.copyItem(atPath: rig.settings, toPath: inside)
        let fault = #expect(throws: BackupFault.self) {
            try BackupMaker(
                settings: inside, console: rig.console, bluetooth: rig.bluetooth, version: .current,
                at: ConsentSample.wall(0), cost: cheap)
        }
        #expect(fault?.description.contains("\(inside) lies in \(rig.state)") == true)
        let text = try String(contentsOfFile: rig.settings, encoding: .utf8)
        try rig.write(
            text.replacing(rig.path("etc/runs.d"), with: rig.path("etc")), to: "etc/gateway.toml", mode: 0o640)
        let runs = #expect(throws: BackupFault.self) { try rig.makeBackup() }
        #expect(runs?.description.contains("\(rig.settings) lies in \(rig.path("etc"))") == true)
    }

    @Test func `takes run files and the console's state out of the gateway's state directory once`() throws {
        try FileManager.default.createDirectory(
            at: rig.scratch.file("state/runs.d"), withIntermediateDirectories: false)
        try FileManager.default.createDirectory(
            at: rig.scratch.file("state/console"), withIntermediateDirectories: false)
        try rig.write("not a run", to: "state/runs.d/autumn.toml", mode: 0o640)
        try rig.write("sessions", to: "state/console/sessions", mode: 0o600)
        let text = try String(contentsOfFile: rig.settings, encoding: .utf8)
        try rig.write(
            text.replacing(rig.path("etc/runs.d"), with: rig.state + "/runs.d"), to: "etc/gateway.toml",
            mode: 0o640)
        try rig.write("state_directory = \"\(rig.state)/console\"\n", to: "etc/console.toml", mode: 0o644)
        let before = try rig.files()
        try rig.makeBackup()
        try rig.wipe()
        try rig.restore()
        let after = try rig.files()
        for name in ["state/runs.d/autumn.toml", "state/console/sessions"] {
            #expect(after[name] != nil && after[name] == before[name], "\(name)")
        }
    }

    @Test func `is not written into a place that it holds`() throws {
        let fault = #expect(throws: BackupFault.self) { try rig.makeBackup(to: rig.path("etc/runs.d/a.hgb")) }
        #expect(fault?.description.contains("choose another directory") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: rig.path("etc/runs.d")).count == 2)
    }
}
