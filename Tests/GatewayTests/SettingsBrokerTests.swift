import Foundation
import Glibc
import HomeGateway
import Hub
import MQTTBridge
import OutboxService
import SettingsReading
import SettingsSamples
import TestSupport
import Testing

@testable import Settings

/// `[broker]`: several of them, and the files with its secrets.
@Suite struct SettingsBrokerTests {
    private func sample(_ lines: String) -> SettingsSample {
        var sample = SettingsSample()
        sample.broker = "[broker]\nca_file = \"/etc/ca.pem\"\n" + lines
        return sample
    }

    @Test func `several brokers keep their order and their ports`() throws {
        let settings = try sample(
            "port = 9000\nhosts = [\"a.example:8884\", \"b.example\", \"[2001:db8::1]:1\", \"2001:db8::2\"]"
        ).load()
        #expect(
            settings.broker.access.addresses == [
                .init(host: "a.example", port: 8884), .init(host: "b.example", port: 9000),
                .init(host: "2001:db8::1", port: 1), .init(host: "2001:db8::2", port: 9000),
            ])
    }

    @Test(arguments: [
        "[]", "\"a.example\"", "[\"a.example\", \"a.example\"]", "[\"a.example:0\"]", "[\"a.example:65536\"]",
        "[\"a.example:x\"]", "[\"a.example:\"]", "[\":8883\"]", "[\"mqtts://a.example\"]", "[\"[::1]8883\"]",
        "[\"[a.example]:1\"]", "[1]", "[\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\"]",
    ])
    func `a list that cannot work is reported once`(_ hosts: String) {
        let complaints = sample("hosts = \(hosts)").complaints
        #expect(complaints.count == 1)
        #expect(complaints.first?.contains("broker.hosts: saw") == true)
    }

    @Test func `one host or several not both and not none`() {
        #expect(
            sample("host = \"a\"\nhosts = [\"b\"]").complaints.map { $0.split(separator: ": ")[1] }
                == ["broker.host"])
        #expect(sample("").complaints.count == 1)
        #expect(sample("").complaints.first?.contains("hosts = [\"...\"] for several") == true)
    }

    @Test func `a user name is written or in a file not both`() throws {
        let both = sample("host = \"a\"\nusername = \"u\"\nusername_file = \"/u\"")
        #expect(both.complaints.count == 1)
        let file = try sample("host = \"a\"\nusername_file = \"$CREDENTIALS_DIRECTORY/name\"").load()
        guard case .file(let name) = file.broker.access.login?.username else {
            Issue.record("\(file.broker)")
            return
        }
        #expect(name.description == "$CREDENTIALS_DIRECTORY/name")
        #expect(sample("host = \"a\"\npassword_file = \"/p\"").complaints.count == 1)
    }

    @Test(arguments: ["$CREDENTIALS_DIRECTORY/", "$CREDENTIALS_DIRECTORY/a/b", "$OTHER/a", "p", "/p/"])
    func `a path that is none is reported`(_ path: String) {
        #expect(sample("host = \"a\"\nusername = \"u\"\npassword_file = \"\(path)\"").complaints.count == 1)
    }

    // MARK: The files themselves

    private func file(_ text: String, mode: mode_t, _ body: (CredentialFile) -> Void) throws {
        let scratch = try ScratchDirectory()
        let url = try scratch.write(text, to: "secret")
        #expect(chmod(url.path, mode) == 0)
        body(CredentialFile(url.path, of: "homegateway"))
    }

    private func failure(_ file: CredentialFile) -> String {
        do throws(CredentialFile.Unusable) {
            return "read: \(try file.text())"
        } catch {
            return error.description
        }
    }

    @Test(arguments: [0o600, 0o640, 0o400, 0o440] as [mode_t])
    func `the first line of a private file is the secret`(_ mode: mode_t) throws {
        try file("s3cret \n# note\n", mode: mode) { #expect(failure($0) == "read: s3cret ") }
        try file("s3cret\r\n", mode: mode) { #expect(failure($0) == "read: s3cret") }
    }

    @Test(arguments: [0o644, 0o604, 0o660, 0o777] as [mode_t])
    func `a file that others can read is refused and not shown`(_ mode: mode_t) throws {
        try file("s3cret", mode: mode) { file in
            #expect(
                failure(file).contains(
                    "saw mode \(String(mode, radix: 8)), expected that only the account homegateway"))
            #expect(!failure(file).contains("s3cret"))
        }
    }

    @Test func `a file that holds nothing usable is refused`() throws {
        try file("\nsecond", mode: 0o600) { #expect(failure($0).contains("empty first line")) }
        #expect(failure(CredentialFile("/nowhere/p", of: "homegateway")).contains("No such file"))
        #expect(failure(CredentialFile("/dev", of: "homegateway")).contains("/dev"))
    }

    @Test func `a client key that others can read stops the session`() throws {
        try file("key", mode: 0o644) { key in
            let settings = try? sample(
                "host = \"a\"\nclient_certificate_file = \"/c\"\nclient_key_file = \"\(key)\""
            ).load()
            #expect(throws: CredentialFile.Unusable.self) {
                _ = try settings.map { try BrokerSettings(from: $0) }
            }
        }
    }
}
