import Foundation
import GatewayModel
import Testing

@testable import Vault

@Suite struct `The key of the history` {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "history-key-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    private func files(
        key: String? = nil, previous: String? = nil, credentials: String? = nil
    ) -> HistoryKeyFiles {
        HistoryKeyFiles(
            keyFile: key, previousKeyFile: previous, credentials: credentials,
            stateDirectory: directory.path)
    }

    private func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        let path = directory.path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private func reason(_ files: HistoryKeyFiles) -> String {
        do {
            _ = try files.load()
            return "it was taken"
        } catch {
            return "\(error)"
        }
    }

    @Test func `is made once where none is given, for the gateway's eyes alone`() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let (first, made) = try files().load()
        let path = try #require(made)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let (second, madeAgain) = try files().load()
        #expect(madeAgain == nil && second.current == first.current)
    }

    @Test func `is not made anew where it would hide what is kept`() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        _ = try write("a database", to: "history.sqlite")
        #expect(reason(files()).contains("is gone: bring it back from a copy"))
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/history.key"))
    }

    @Test func `comes from the settings first, then from systemd`() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let (one, two) = (String(repeating: "01", count: 32), String(repeating: "0B", count: 32) + "\n")
        let given = try write(one, to: "given")
        _ = try write(two, to: "history-key", mode: 0o440)
        _ = try write(one, to: "history-key-previous", mode: 0o400)
        #expect(try files(key: given, credentials: directory.path).load().0.current == HistoryRig.key(1))
        let keys = try files(credentials: directory.path).load().0
        #expect(keys.current == HistoryRig.key(11) && keys.previous == HistoryRig.key(1))
    }

    @Test func `tells what is wrong with it, and shows nothing of it`() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let secret = String(repeating: "5e", count: 32)
        let open = try write(secret, to: "open", mode: 0o644)
        let short = try write(String(secret.dropLast()), to: "short")
        #expect(reason(files(key: open)).contains("saw mode 644, expected that only the gateway can read it"))
        #expect(reason(files(key: short)).contains("expected 64 hexadecimal digits"))
        #expect(reason(files(key: directory.path + "/none")).contains("there is no such file"))
        #expect(!reason(files(key: short)).contains("5e5e"))
    }

    @Test func `of the gateway's own is changed in steps that a kill may come between`() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let old = try files().load().0.current
        try files().beginRotation()
        let both = try files().load().0
        #expect(both.previous == old && both.current != old)
        // A second command in the meantime makes no third key.
        try files().beginRotation()
        #expect(try files().load().0.current == both.current)
        try files().endRotation()
        let after = try files().load().0
        #expect(after.current == both.current && after.previous == nil)
    }
}
