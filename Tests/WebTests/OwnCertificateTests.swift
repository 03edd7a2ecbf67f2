import Ciphers
import Foundation
import TestSupport
import Testing
import Web

@Suite struct `The box's own certificate` {
    @Test func `serves its names and addresses, and is kept while it names them all`() async throws {
        let made = try OwnCertificate(
            for: ["localhost", "homegateway.local"], addresses: ["127.0.0.1", "::1"])
        func known(_ names: [String], _ addresses: [String]) -> OwnCertificate? {
            OwnCertificate(key: made.key, certificate: made.certificate, for: names, addresses: addresses)
        }
        #expect(known(["homegateway.local"], ["127.0.0.1"])?.fingerprint == made.fingerprint)
        #expect(known(["other.local"], []) == nil && known([], ["192.168.1.7"]) == nil)
        #expect(made.fingerprint.split(separator: ":").count == 32)
        #expect(OwnCertificate.fingerprint(ofPEM: made.certificate) == made.fingerprint)
        #expect(OwnCertificate.fingerprint(ofPEM: "no certificate") == nil)

        let server = try TestServer(
            identity: WebServer.Identity(key: made.key, certificate: made.certificate))
        defer { server.web.stop() }
        let scratch = try ScratchDirectory()
        let file = try scratch.write(made.certificate, to: "certificate.pem")
        let answer = try await BuiltProgram.answer(of: [
            "/usr/bin/curl", "--silent", "--show-error", "--write-out", #"\n"#, "--cacert", file.path,
            "https://\(server.address)/secret",
        ])
        #expect(answer.output.contains("GET /secret"), "\(answer)")
    }

    @Test func `is made anew under the same key, and never under another's`() throws {
        let first = try OwnCertificate(for: ["localhost"], addresses: [])
        let second = try OwnCertificate(for: ["localhost", "new.local"], addresses: [], key: first.key)
        #expect(second.key == first.key && second.fingerprint != first.fingerprint)
        let stranger = try OwnCertificate(for: ["localhost"], addresses: [])
        #expect(
            OwnCertificate(
                key: stranger.key, certificate: first.certificate, for: ["localhost"], addresses: []) == nil)
        #expect(throws: OwnCertificate.Failure.self) {
            try OwnCertificate(for: ["localhost"], addresses: [], key: "no key")
        }
        #expect(throws: OwnCertificate.Failure.self) {
            try OwnCertificate(for: [], addresses: ["no address"])
        }
    }
}
