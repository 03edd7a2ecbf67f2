import CareCentre
import Foundation
import GatewayModel
import HelpLine
import SOSLocal
import TestSupport
import Testing

/// Against kamailio, which wants a password and can do TLS.
@Suite(.serialized, .enabled(if: SIPRig.isInstalled)) struct `A SCAIP channel to a guarded server` {
    private let order = SCAIPSample.order()
    private var accepted: ChannelEvent { .accepted(order.alarm, of: nil, by: "the centre") }

    private func account(_ scratch: ScratchDirectory, password: String = "secret\n", registers: Bool = false)
        throws -> SCAIPChannel.Settings.Account
    {
        .init(
            user: "26317", passwordFile: try scratch.write(password, to: "password").path, registers: registers)
    }

    @Test(arguments: [SCAIPChannel.Settings.Transport.udp, .tcp])
    func `answers a challenge with its password`(transport: SCAIPChannel.Settings.Transport) async throws {
        let server = try await SIPRig.kamailio()
        let account = try account(server.scratch)
        let line = try SIPRig.Line(server, transport) { $0.account = account }
        try line.send(order)
        #expect(await line.wait { $0.words.contains(accepted) }, "\(line.all) \(server.log)")
        #expect(server.log.contains("CHALLENGED MESSAGE"))
        #expect(server.log.contains("AUTHENTICATED 26317 MESSAGE"))
        try await line.stop()
    }

    @Test func `registers, and says so`() async throws {
        let server = try await SIPRig.kamailio()
        let account = try account(server.scratch, registers: true)
        let line = try SIPRig.Line(server) { $0.account = account }
        #expect(await line.wait { $0.notes.contains(.registered) }, "\(line.all) \(server.log)")
        #expect(server.log.contains("AUTHENTICATED 26317 REGISTER"))
        try await line.stop()
        // What the library keeps of a registration ends with the channel.
        let before = SIPRig.openSockets()
        for _ in 0..<3 {
            let next = try SIPRig.Line(server) { $0.account = account }
            #expect(await next.wait { $0.notes.contains(.registered) }, "\(next.all)")
            try await next.stop()
        }
        #expect(SIPRig.openSockets() <= before)
    }

    @Test(arguments: [true, false])
    func `fails with what to do where the password is wrong or none is given`(hasAccount: Bool) async throws {
        let server = try await SIPRig.kamailio()
        let account = try account(server.scratch, password: "wrong", registers: hasAccount)
        let line = try SIPRig.Line(server) { if hasAccount { $0.account = account } }
        try line.send(order)
        #expect(
            await line.wait { $0.failures.first?.contains("check the account's user") == true }, "\(line.all)")
        if hasAccount {
            let isTold = await line.wait { line in
                line.notes.contains { if case .registrationFailed = $0 { true } else { false } }
            }
            #expect(isTold, "\(line.all)")
        }
        try await line.stop()
    }

    @Test func `goes through TLS to a server whose certificate is for the name in the settings`() async throws {
        let scratch = try ScratchDirectory()
        let server = try await SIPRig.kamailio(tls: try SIPRig.certificate(for: "DNS:localhost", in: scratch))
        let account = try account(server.scratch, registers: true)
        let line = try SIPRig.Line(server, .tls(caFile: scratch.file("ca.pem").path)) {
            $0.host = "localhost"
            $0.account = account
        }
        try line.send(order)
        #expect(await line.wait { $0.words.contains(accepted) }, "\(line.all) \(server.log)")
        #expect(await line.wait { $0.notes.contains(.registered) }, "\(line.all) \(server.log)")
        try await line.stop()
    }

    @Test func `takes an address in the certificate where the settings have an address`() async throws {
        let scratch = try ScratchDirectory()
        let server = try await SIPRig.kamailio(tls: try SIPRig.certificate(for: "IP:127.0.0.1", in: scratch))
        let account = try account(server.scratch)
        let line = try SIPRig.Line(server, .tls(caFile: scratch.file("ca.pem").path)) { $0.account = account }
        try line.send(order)
        #expect(await line.wait { $0.words.contains(accepted) }, "\(line.all) \(server.log)")
        try await line.stop()
    }

    @Test(arguments: ["DNS:other.example", "DNS:*.example"])
    func `sends nothing to a server whose certificate is for another name`(name: String) async throws {
        let scratch = try ScratchDirectory()
        let server = try await SIPRig.kamailio(tls: try SIPRig.certificate(for: name, in: scratch))
        let line = try SIPRig.Line(server, .tls(caFile: scratch.file("ca.pem").path)) { $0.host = "localhost" }
        try line.send(order)
        #expect(await line.wait { $0.failures.first?.contains("hostname mismatch") == true }, "\(line.all)")
        #expect(!server.log.contains("MESSAGE"))
        try await line.stop()
    }

    @Test func `sends nothing to a server that another authority vouches for`() async throws {
        let (scratch, stranger) = (try ScratchDirectory(), try ScratchDirectory())
        let server = try await SIPRig.kamailio(tls: try SIPRig.certificate(for: "DNS:localhost", in: scratch))
        _ = try SIPRig.certificate(for: "DNS:localhost", in: stranger)
        for caFile in [stranger.file("ca.pem").path, nil] {
            let line = try SIPRig.Line(server, .tls(caFile: caFile)) { $0.host = "localhost" }
            try line.send(order)
            #expect(
                await line.wait { $0.failures.first?.contains("certificate") == true },
                "\(line.all) \(server.log)")
            try await line.stop()
        }
        #expect(!server.log.contains("MESSAGE"))
    }

    @Test func `takes a certificate that has ended without the time alone, and never that of another name`()
        async throws
    {
        let authority = try await TestAuthority()
        let ended = try await authority.sign("centre", names: "DNS:localhost", days: -1)
        let server = try await SIPRig.kamailio(tls: (ended.certificate, ended.key))
        let account = try account(server.scratch)
        func line(_ server: SIPRig.Server, knowsTime: Bool) throws -> SIPRig.Line {
            try SIPRig.Line(server, .tls(caFile: authority.certificate)) {
                $0.host = "localhost"
                $0.account = account
                $0.checksDates = { knowsTime }
            }
        }
        let refused = try line(server, knowsTime: true)
        try refused.send(order)
        #expect(await refused.wait { $0.failures.first?.contains("expired") == true }, "\(refused.all)")
        try await refused.stop()
        let taken = try line(server, knowsTime: false)
        try taken.send(order)
        #expect(await taken.wait { $0.words.contains(accepted) }, "\(taken.all) \(server.log)")
        try await taken.stop()
        let foreign = try await authority.sign("elsewhere", names: "DNS:other.example", days: -1)
        let elsewhere = try await SIPRig.kamailio(tls: (foreign.certificate, foreign.key))
        let other = try line(elsewhere, knowsTime: false)
        try other.send(order)
        #expect(await other.wait { $0.failures.first?.contains("hostname mismatch") == true }, "\(other.all)")
        try await other.stop()
    }

    @Test func `speaks plain SIP to nobody where the settings say TLS`() async throws {
        let server = try await SIPRig.sipp("body", tcp: true)
        let line = try SIPRig.Line(server, .tls(caFile: nil))
        try line.send(order)
        #expect(await line.wait { !$0.failures.isEmpty }, "\(line.all)")
        #expect(!line.words.contains(accepted))
        try await line.stop()
    }
}

extension SIPRig {
    /// `ca.pem`, and a certificate that it vouches for.
    static func certificate(for name: String, in scratch: ScratchDirectory) throws -> (
        certificate: String, key: String
    ) {
        let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"]
        try openssl(
            ["req", "-x509"] + curve + [
                "-subj", "/CN=Test authority", "-keyout", scratch.file("ca.key").path, "-out",
                scratch.file("ca.pem").path,
            ])
        try openssl(
            ["req", "-x509"] + curve + [
                "-subj", "/CN=centre", "-addext", "subjectAltName=\(name)", "-addext",
                "basicConstraints=critical,CA:FALSE",
                "-CA", scratch.file("ca.pem").path, "-CAkey", scratch.file("ca.key").path, "-keyout",
                scratch.file("server.key").path,
                "-out", scratch.file("server.pem").path,
            ])
        return (scratch.file("server.pem").path, scratch.file("server.key").path)
    }

    private static func openssl(_ arguments: [String]) throws {
        let scratch = try ScratchDirectory()
        let child = try ChildProcess("/usr/bin/openssl", arguments, output: scratch.file("openssl.log"))
        guard child.waitForSuccess() else { throw Failure(text: "openssl \(arguments): \(child.text)") }
    }

    /// How many sockets this process has.
    static func openSockets() -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.count { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))?
                .hasPrefix("socket:") == true
        }
    }
}
