import Foundation
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

    @Test func theExampleLoadsAndSendsNothingOfAnyone() throws {
        let path = Self.repository.appending(path: "systemd/gateway.example.toml").path
        let settings = try GatewaySettings.load(path: path)
        #expect(settings.warnings.isEmpty)
        #expect(
            settings.persons.allSatisfy { $0.dataPolicy == .notAccepted && $0.automatedSOS == .notAccepted })
        guard case .tls = settings.broker.security else {
            Issue.record("the example goes without tls")
            return
        }
    }

    @Test func theExampleShowsEveryKey() throws {
        let text = try String(
            contentsOf: Self.repository.appending(path: "systemd/gateway.example.toml"), encoding: .utf8)
        // `tls` is left out on purpose: its only other value gives the protection up.
        for key in Self.declared.map(\.name) where key != "tls" {
            #expect(text.contains("\n\(key) = ") || text.contains("\n# \(key) = "), "\(key)")
        }
    }

    @Test func theReferenceHoldsEveryDeclaredKeyAsItIsDeclared() throws {
        let text = try String(
            contentsOf: Self.repository.appending(path: "docs/installer/settings.md"), encoding: .utf8)
        let declared = SettingsReference.markdown
        let missing = declared.split(separator: "\n").filter { !text.contains($0) }
        #expect(missing == [], "add these lines to docs/installer/settings.md")
        let endsWithTheDeclarations = text.hasSuffix(declared)
        #expect(endsWithTheDeclarations, "docs/installer/settings.md holds lines that are declared no longer")
    }

    @Test func aFileIsReadByAnyPathNamedInUnicode() throws {
        try withFile(Data(SettingsSample().text.utf8)) { path in #expect(reason(path) == "loads") }
    }

    @Test func aMistakeNamesTheFileAsItWasGiven() throws {
        try withFile(Data("x".utf8)) { path in #expect(reason(path).hasPrefix("\(path):1: is not TOML: ")) }
    }

    @Test func aMissingFileIsReportedWithWhatToDo() {
        #expect(
            reason("/nonexistent/gateway.toml")
                == "/nonexistent/gateway.toml: cannot be read: No such file or directory: "
                + "check the path, or copy gateway.example.toml there")
    }

    @Test func whatIsNoRegularFileIsRefusedWithoutWaiting() throws {
        #expect(reason("/").hasPrefix("/: is not a regular file"))
        #expect(reason("/dev/zero").hasPrefix("/dev/zero: is not a regular file"))
        let pipe = FileManager.default.temporaryDirectory.appending(path: "pipe-\(UUID())").path
        try #require(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        #expect(reason(pipe).hasPrefix("\(pipe): is not a regular file"))
    }

    @Test func aFileOfMoreThanAMebibyteIsRefused() throws {
        let comment = Data(("#" + String(repeating: "x", count: 1 << 20)).utf8)
        try withFile(comment) { path in #expect(reason(path).contains("larger than 1 MiB")) }
        try withFile(comment.dropLast()) { path in #expect(!reason(path).contains("larger than 1 MiB")) }
    }

    @Test func everyDefaultIsAllowedByItsOwnKey() {
        for key in Self.declared { #expect(key.defaultIsOfItsForm, "\(key.name)") }
    }
}
