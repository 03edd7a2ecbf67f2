import Foundation
import SettingsReading
import SettingsSamples
import Testing

@testable import Settings

@Suite struct SettingsFileTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static let declared = RootSection.section.all.flatMap(\.keys)

    /// A path that is gone afterwards; a name that no ASCII path handling survives by luck.
    private func withFile(_ bytes: Data, _ body: (String) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "impostazioni è \(UUID()).toml")
        try bytes.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try body(url.path(percentEncoded: false))
    }

    private func reason(_ path: String) -> String {
        do {
            _ = try GatewaySettings.load(path: path)
            return "loads"
        } catch {
            return error.description
        }
    }

    @Test func `the example loads and sends nothing of anyone`() throws {
        let path = Self.repository.appending(path: "systemd/gateway.example.toml").path
        let settings = try GatewaySettings.load(path: path)
        #expect(settings.warnings.isEmpty)
        #expect(
            settings.persons.allSatisfy { $0.dataPolicy == .notAccepted && $0.automatedSOS == .notAccepted })
        guard case .tls = settings.broker.access.security else {
            Issue.record("the example goes without tls")
            return
        }
    }

    @Test func `the example shows every key`() throws {
        let text = try String(
            contentsOf: Self.repository.appending(path: "systemd/gateway.example.toml"), encoding: .utf8)
        // `tls` is left out on purpose: its only other value gives the protection up.
        for key in Self.declared.map(\.name) where key != "tls" {
            #expect(text.contains("\n\(key) = ") || text.contains("\n# \(key) = "), "\(key)")
        }
    }

    @Test func `the reference holds every declared key as it is declared`() throws {
        let text = try String(
            contentsOf: Self.repository.appending(path: "docs/installer/settings.md"), encoding: .utf8)
        let declared = SettingsReference.markdown
        let missing = declared.split(separator: "\n").filter { !text.contains($0) }
        #expect(missing == [], "add these lines to docs/installer/settings.md")
        let endsWithTheDeclarations = text.hasSuffix(declared)
        #expect(endsWithTheDeclarations, "docs/installer/settings.md holds lines that are declared no longer")
    }

    @Test func `the consoles example and reference hold its keys as they are declared`() throws {
        let example = Self.repository.appending(path: "systemd/console.example.toml")
        let settings = try ConsoleSettings(path: example.path)
        #expect(settings.isLocal && !settings.usesTLS && settings.warnings.isEmpty)
        let text = try String(contentsOf: example, encoding: .utf8)
        for name in ConsoleSection.section.keys.map(\.name) {
            #expect(text.contains("\n\(name) = ") || text.contains("\n# \(name) = "), "\(name)")
        }
        let reference = try String(
            contentsOf: Self.repository.appending(path: "docs/installer/console.md"), encoding: .utf8)
        let isWhole = reference.hasSuffix(SettingsReference.console)
        #expect(isWhole, "end docs/installer/console.md with:\n\(SettingsReference.console)")
    }

    @Test(arguments: [
        (#"listen = ["0.0.0.0:8765"]"#, "tls"), (#"listen = ["192.168.1.7:80", "[::]:8765"]"#, "tls"),
        (#"listen = ["127.0.0.1:0", "[::1]:8765"]"#, "plain"),
        ("listen = [\"127.0.0.1:1\"]\ncertificate_file = \"/a\"\nkey_file = \"/b\"", "tls"),
        ("listen = [\"0.0.0.0:8765\"]\ntls = false", "plain, 1 warning"),
    ])
    func `the console is encrypted where others reach it`(text: String, expected: String) throws {
        try withFile(Data(text.utf8)) { path in
            let settings = try ConsoleSettings(path: path)
            let warned = settings.warnings.isEmpty ? "" : ", \(settings.warnings.count) warning"
            #expect((settings.usesTLS ? "tls" : "plain") + warned == expected)
        }
    }

    @Test func `the consoles metrics have a port of their own`() throws {
        let text = "listen = [\"127.0.0.1:8765\"]\nmetrics = \"127.0.0.1:8765\""
        try withFile(Data(text.utf8)) { path in
            do {
                _ = try ConsoleSettings(path: path)
                Issue.record("it loads")
            } catch { #expect("\(error)".contains(":2:") && "\(error)".contains("write another port")) }
        }
    }

    @Test(arguments: ["127.0.0.1:9765", "[::1]:9765", "127.0.0.1:0"])
    func `the consoles metrics are at a loopback address`(address: String) throws {
        try withFile(Data("metrics = \"\(address)\"".utf8)) { path in
            #expect((try? ConsoleSettings(path: path))?.metrics == address)
        }
        try withFile(Data()) { path in #expect((try? ConsoleSettings(path: path).metrics) == .some(nil)) }
    }

    @Test(arguments: [
        (#"listen = "127.0.0.1:8765""#, "write it in [ ]"), ("listen = []", "name at least one"),
        (#"listen = ["localhost:8765"]"#, "an IP address, a colon and a port"),
        (#"listen = ["127.0.0.1"]"#, "an IP address, a colon and a port"),
        (#"listen = ["127.0.0.1:65536"]"#, "an IP address, a colon and a port"),
        (#"listen = ["::1:80"]"#, "an IP address, a colon and a port"),
        (#"listen = ["127.0.0.1:1", "127.0.0.1:1"]"#, "once"),
        (#"certificate_file = "/a""#, "add key_file"), (#"key_file = "/a""#, "add certificate_file"),
        (#"password = "secret""#, "homegateway-console pair"), ("tsl = false", "tls"),
        // Metrics have no session: no other machine may reach them.
        (#"metrics = "0.0.0.0:9765""#, "for programs of this box alone"),
        (#"metrics = "[::]:9765""#, "for programs of this box alone"),
        (#"metrics = "192.168.1.7:9765""#, "for programs of this box alone"),
        (#"metrics = "127.0.0.2:9765""#, "for programs of this box alone"),
        (#"metrics = "localhost:9765""#, "a colon and a port"), ("metrics = true", "in quotes"),
    ])
    func aMistakeOfTheConsolesFileStopsItWithTheLine(text: String, expected: String) throws {
        try withFile(Data("\n\(text)\n".utf8)) { path in
            do {
                _ = try ConsoleSettings(path: path)
                Issue.record("\(text) loads")
            } catch {
                #expect("\(error)".contains(":2:") && "\(error)".contains(expected), "\(error)")
                #expect(!"\(error)".contains("secret"))
            }
        }
    }

    @Test func `a file is read by any path named in unicode`() throws {
        try withFile(Data(SettingsSample().text.utf8)) { path in #expect(reason(path) == "loads") }
    }

    @Test func `a mistake names the file as it was given`() throws {
        try withFile(Data("x".utf8)) { path in #expect(reason(path).hasPrefix("\(path):1: is not TOML: ")) }
    }

    @Test func `a missing file is reported with the remedy`() {
        #expect(
            reason("/nonexistent/gateway.toml")
                == "/nonexistent/gateway.toml: cannot be read: No such file or directory: "
                + "check the path, or answer the questions of: sudo homegateway init")
    }

    @Test func `a directory, a device or a pipe is refused without waiting`() throws {
        #expect(reason("/").hasPrefix("/: is not a regular file"))
        #expect(reason("/dev/zero").hasPrefix("/dev/zero: is not a regular file"))
        let pipe = FileManager.default.temporaryDirectory.appending(path: "pipe-\(UUID())").path
        try #require(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        #expect(reason(pipe).hasPrefix("\(pipe): is not a regular file"))
    }

    @Test func `a file of more than a mebibyte is refused`() throws {
        let comment = Data(("#" + String(repeating: "x", count: 1 << 20)).utf8)
        try withFile(comment) { path in #expect(reason(path).contains("larger than 1 MiB")) }
        try withFile(comment.dropLast()) { path in #expect(!reason(path).contains("larger than 1 MiB")) }
    }

    @Test func `every default is allowed by its own key`() {
        for key in Self.declared { #expect(key.defaultIsOfItsForm, "\(key.name)") }
    }
}
