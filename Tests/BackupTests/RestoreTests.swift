import Consent
import Foundation
import GatewayModel
import ModelSamples
import Samples
import Settings
import Synchronization
import TestSupport
import Testing

@testable import Backup
@testable import Vault

@Suite struct `A restore` {
    private struct Kill: Error {}

    private let rig: BackupRig

    init() throws { rig = try BackupRig() }

    /// Files that a restore changes on purpose, and that a backup leaves out.
    private static let changed: Set<String> = [
        "state/state.marks", "state/state.sqlite", "state/gateway.lock", "state/alarms.json.new",
    ]

    @Test func `brings every file back onto a new box, with its mode`() throws {
        let before = try rig.files()
        let report = try rig.makeBackup()
        #expect(report.leftOut == [] && !report.hasOpenAlarm)
        // A reader of a database leaves an empty log and its index beside it.
        let between = try rig.files().filter { !$0.key.hasSuffix("-wal") && !$0.key.hasSuffix("-shm") }
        #expect(between == before, "a backup changes nothing")
        try rig.wipe()
        let restored = try rig.restore()
        #expect(restored.setAside == [] && restored.hasState)
        let after = try rig.files()
        for (name, content) in before where !Self.changed.contains(name) {
            #expect(after[name] == content, "\(name)")
        }
        let more = Set(after.keys).subtracting(before.keys)
        #expect(more == ["state/gateway.lock"], "\(more.sorted())")
    }

    @Test func `writes nothing outside of the places that it may write to, and says which are missing`() throws
    {
        try rig.makeBackup()
        try rig.wipe()
        let own = RestorePlaces(["etc", "state", "console", "bluetooth"].map(rig.path))
        let fault = #expect(throws: BackupFault.self) { try rig.restore(into: own) }
        #expect(fault?.description.contains(rig.path("keys/history")) == true)
        #expect(fault?.description.contains("--also PATH") == true)
        #expect(try rig.files().keys.allSatisfy { $0 == "backup.hgb" })
        #expect(try rig.restore(into: own.and([rig.path("keys")])).hasState)
    }

    @Test(arguments: [
        ("/etc/homegateway", true), ("/etc/homegateway/a", true), ("/etc/homegateway2", false), ("/etc", false),
        ("/etc/homegateway/../shadow", false), ("/etc/homegateway//a", false), ("etc/homegateway", false),
        ("/root/.ssh/authorized_keys", false), ("/var/lib/bluetooth/AA:AA:AA:00:00:01", true),
    ])
    func `knows the places of the packages`(path: String, isOwn: Bool) {
        #expect(RestorePlaces.installed.contain(path) == isOwn)
    }

    @Test func `gives no file a setuid bit or a right to write for every account`() throws {
        for (name, mode) in [("keys/password", 0o4757), ("etc/runs.d", 0o2777), ("keys/history", 0o2600)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: rig.path(name))
        }
        try rig.makeBackup()
        try rig.wipe()
        try rig.restore()
        for (name, mode) in [("keys/password", 0o755), ("etc/runs.d", 0o2775), ("keys/history", 0o600)] {
            var status = stat()
            #expect(stat(rig.path(name), &status) == 0 && status.st_mode & 0o7777 == UInt32(mode), "\(name)")
        }
    }

    @Test func `lets nobody's consent come back in silence, and remembers no command`() throws {
        try rig.makeBackup()
        try rig.wipe()
        try rig.restore()
        let marks = StateMarks(in: rig.state, boot: "b-2")
        let database = StateDatabase(in: rig.state, marks: marks)
        #expect(try database.rows(of: .commandMemory).isEmpty)
        #expect(try database.row(.sosButton, key: "button") != nil)
        let (_, found) = try LedgerFile.open(
            in: rig.state, of: GatewayID(sample: "house-12"), at: ConsentSample.wall(30), marks: marks)
        guard case .damage(let flaws, let readable, let aside) = found else {
            Issue.record("the ledger of the backup counts: \(found)")
            return
        }
        #expect(readable.count == 1 && FileManager.default.fileExists(atPath: aside))
        #expect("\(flaws)".contains("lines are gone"))
    }

    @Test func `lets settings that accept not count either, where the backup has no ledger`() throws {
        for name in ["ledger.jsonl", "ledger.head", "state.marks"] {
            try FileManager.default.removeItem(atPath: rig.state + "/" + name)
        }
        try rig.makeBackup()
        try rig.wipe()
        try rig.restore()
        let marks = StateMarks(in: rig.state, boot: "b-2")
        let (_, found) = try LedgerFile.open(
            in: rig.state, of: GatewayID(sample: "house-12"), at: ConsentSample.wall(30), marks: marks)
        guard case .damage = found else {
            Issue.record("the settings would speak anew: \(found)")
            return
        }
    }

    @Test func `refuses a box that has a state, and changes nothing`() throws {
        try rig.makeBackup()
        let before = try rig.files()
        let fault = #expect(throws: BackupFault.self) { try rig.restore() }
        #expect(
            fault?.description.contains("already has") == true
                && fault?.description.contains("--replace") == true)
        #expect(try rig.files() == before)
    }

    @Test func `sets the state of a box aside where it is asked to, and deletes nothing`() throws {
        try rig.makeBackup()
        try rig.write("newer", to: "state/identity.key", mode: 0o600)
        try rig.write("of another database", to: "state/outbox.sqlite-wal", mode: 0o600)
        try rig.write("other secret", to: "keys/password", mode: 0o640)
        let before = try rig.files()
        let report = try rig.restore(replaces: true)
        #expect(
            Set(report.setAside.map(\.parent.lastPart)) == ["etc", "state", "console", "bluetooth", "keys"])
        let after = try rig.files()
        let contents = Set(after.values)
        for (name, content) in before { #expect(contents.contains(content), "\(name) is gone") }
        #expect(after["state/outbox.sqlite-wal"] == nil, "it would be taken for the log of the other database")
        #expect(after["keys/password"] == "640 " + Data("secret".utf8).base64EncodedString())
        #expect(after["state/identity.key"] == nil)
    }

    /// The steps of a restore onto a box with a state.
    private func steps(replaces: Bool) throws -> Int {
        let count = Mutex(0)
        let other = try BackupRig()
        try other.makeBackup()
        if !replaces { try other.wipe() }
        try other.restore(replaces: replaces) { _ in count.withLock { $0 += 1 } }
        return count.withLock { $0 }
    }

    @Test(arguments: [false, true])
    func `that is killed at any step leaves the box as it was, or is finished by another run`(isOld: Bool)
        throws
    {
        let count = try steps(replaces: isOld)
        #expect(count > 12)
        for kill in 0..<count {
            let rig = try BackupRig()
            let whole = try rig.files()
            try rig.makeBackup()
            if isOld {
                try rig.write("newer", to: "keys/password", mode: 0o640)
                try rig.write("newer", to: "state/identity.key", mode: 0o600)
            } else {
                try rig.wipe()
            }
            let before = try rig.files()
            let step = Mutex(0)
            let hasBegun = Mutex(false)
            #expect(throws: Kill.self) {
                try rig.restore(replaces: isOld) { next in
                    if step.withLock({
                        $0 += 1
                        return $0 - 1
                    }) == kill {
                        throw Kill()
                    }
                    if next == .begin { hasBegun.withLock { $0 = true } }
                }
            }
            let between = try rig.files()
            if hasBegun.withLock({ $0 }) {
                #expect(RestoredState.isUnfinished(in: rig.state), "the gateway would start after step \(kill)")
            } else {
                for (name, content) in before {
                    #expect(between[name] == content, "\(name) after step \(kill)")
                }
                #expect(!RestoredState.isUnfinished(in: rig.state))
            }
            // The same command again.
            try rig.restore(replaces: isOld, seconds: 40)
            #expect(!RestoredState.isUnfinished(in: rig.state))
            let after = try rig.files()
            for (name, content) in whole where !Self.changed.contains(name) {
                #expect(after[name] == content, "\(name) after step \(kill)")
            }
            let contents = Set(after.values)
            for (name, content) in before {
                #expect(contents.contains(content), "\(name) is gone after step \(kill)")
            }
            #expect(after.keys.allSatisfy { !$0.contains("restore-staged") })
        }
    }

    @Test func `is finished by another run without --replace, once it has begun`() throws {
        try rig.makeBackup()
        try rig.wipe()
        #expect(throws: Kill.self) { try rig.restore { if $0 == .end { throw Kill() } } }
        #expect(RestoredState.isUnfinished(in: rig.state))
        try rig.restore(seconds: 40)
        #expect(!RestoredState.isUnfinished(in: rig.state))
    }

    @Test func `refuses wrong words, a cut file and a changed byte before anything is written`() throws {
        try rig.makeBackup()
        try rig.wipe()
        let whole = try Data(contentsOf: rig.scratch.file("backup.hgb"))
        let before = try rig.files()
        #expect(throws: BackupFault.self) {
            try BackupReader(rig.backup, BackupWords(), version: BackupRig.version)
        }
        for bytes in [whole.dropLast(), whole.prefix(whole.count / 2), whole.prefix(40), Data()] {
            try Data(bytes).write(to: rig.scratch.file("backup.hgb"))
            #expect(throws: BackupFault.self) { try rig.restore() }
        }
        for offset in stride(from: 0, to: whole.count, by: 9_973) {
            var changed = whole
            changed[offset] ^= 0x20
            try changed.write(to: rig.scratch.file("backup.hgb"))
            #expect(throws: BackupFault.self) { try rig.restore() }
        }
        #expect(try rig.files() == before)
    }

    @Test func `refuses a backup of a later version, without the words`() throws {
        try rig.makeBackup(version: #require(ProductVersion("0.2.0")))
        try rig.wipe()
        let fault = #expect(throws: BackupFault.self) {
            try BackupReader.checkBeginning(of: rig.backup, version: BackupRig.version)
        }
        #expect(
            fault?.description.contains("made by homegateway 0.2.0, and this is 0.1.0: install 0.2.0 or later")
                == true)
        #expect(throws: BackupFault.self) { try rig.restore() }
        try rig.restore(version: #require(ProductVersion("0.10.0")))
    }

    @Test func `refuses while a gateway uses the state, and says to stop it`() throws {
        try rig.makeBackup()
        let lock = try StateLock.take(in: rig.state)
        let before = try rig.files()
        let fault = #expect(throws: BackupFault.self) { try rig.restore(replaces: true) }
        #expect(fault?.description.contains("systemctl stop homegateway") == true)
        #expect(try rig.files() == before)
        withExtendedLifetime(lock) {}
    }

    @Test func `refuses while bluetoothd keeps the pairings in memory`() throws {
        try rig.makeBackup()
        try rig.wipe()
        let fault = #expect(throws: BackupFault.self) { try rig.restore(running: "bluetoothd") }
        #expect(fault?.description.contains("systemctl stop bluetooth") == true)
        #expect(try rig.files().isEmpty)
    }

    @Test func `refuses while the console keeps its state in memory`() throws {
        try rig.makeBackup()
        try rig.wipe()
        let fault = #expect(throws: BackupFault.self) { try rig.restore(running: "homegateway-con") }
        #expect(fault?.description.contains("systemctl stop homegateway-console") == true)
        #expect(try rig.files().isEmpty)
    }

    @Test func `names the wearables that have to be paired again`() throws {
        try rig.makeBackup()
        try rig.wipe()
        let same = try rig.restore(adapters: [BackupRig.adapter, BackupRig.dongle])
        #expect(same.pairAgain == [] && same.otherPairings == 0)
        let one = try rig.restore(replaces: true, seconds: 21, adapters: [BackupRig.adapter])
        #expect(one.pairAgain == ["cuff"] && one.otherPairings == 1)
        let none = try rig.restore(replaces: true, seconds: 22, adapters: ["AA:AA:AA:00:00:09"])
        #expect(none.pairAgain == ["cuff", "strap"])
        let unknown = try rig.restore(replaces: true, seconds: 23, adapters: nil)
        #expect(unknown.adaptersUnknown)
    }

    @Test func `takes an adapter's folder without pairings for that of a new box`() throws {
        try rig.makeBackup()
        try rig.wipe()
        try FileManager.default.createDirectory(
            at: rig.scratch.file("bluetooth/\(BackupRig.adapter)/C0:FF:EE:00:00:09"),
            withIntermediateDirectories: true)
        try rig.write(
            "[General]\nName=TV\n", to: "bluetooth/\(BackupRig.adapter)/C0:FF:EE:00:00:09/info", mode: 0o600)
        let report = try rig.restore()
        #expect(report.setAside.count == 1)
    }
}
