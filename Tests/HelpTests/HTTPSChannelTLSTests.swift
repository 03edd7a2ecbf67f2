import AmbulanceService
import Foundation
import HelpLine
import SOSLocal
import Synchronization
import TestSupport
import Testing

private typealias Sample = AmbulanceSample

/// TLS with an authority made for the test: trusted servers, the gateway's client certificate, and messages about bad
/// files.
@Suite struct `The ambulance channel's TLS` {
    private let authority: TestAuthority

    init() async throws {
        authority = try await TestAuthority()
    }

    private func rig(_ names: String = "IP:127.0.0.1", days: Int = 1, _ more: String...) async throws
        -> AmbulanceRig
    {
        let identity = try await authority.sign("service", names: names, days: days)
        switch more.count {
        case 0: return try await AmbulanceRig(identity)
        case 1: return try await AmbulanceRig(identity, more[0])
        default: return try await AmbulanceRig(identity, more[0], more[1])
        }
    }

    /// Returns the failure of one call that must fail before the server receives anything.
    private func failure(_ settings: HTTPSChannel.Settings, at rig: AmbulanceRig? = nil) async throws -> String
    {
        let running = try RunningChannel(settings)
        try await running.run {
            try running.send(Sample.call())
            #expect(await running.words(2) == ["dispatched", "failed"])
        }
        #expect(rig?.posts.isEmpty != false, "a call was heard by a service that must not be believed")
        return running.reason
    }

    @Test func `does not believe a service of another name`() async throws {
        let rig = try await rig("DNS:somewhere-else.example")
        let reason = try await failure(.rig(rig.url("take"), caFile: authority.certificate), at: rig)
        #expect(reason.contains("does not match target host name") || reason.contains("no alternative"))
        #expect(reason.contains("check url, ca_file and the clock"))
    }

    @Test func `does not believe a service of another authority, nor a private one by default`() async throws {
        let rig = try await rig()
        let stranger = try await TestAuthority()
        let settings = [
            HTTPSChannel.Settings.rig(rig.url("take"), caFile: stranger.certificate), .rig(rig.url("take")),
        ]
        for settings in settings {
            let reason = try await failure(settings, at: rig)
            #expect(reason.contains("unable to get local issuer certificate"), "\(reason)")
        }
    }

    @Test func `does not believe an expired certificate`() async throws {
        let rig = try await rig(days: -1)
        let reason = try await failure(.rig(rig.url("take"), caFile: authority.certificate), at: rig)
        #expect(reason.contains("certificate has expired"), "\(reason)")
    }

    @Test func `believes an expired certificate without the time alone, and never another name or authority`()
        async throws
    {
        let rig = try await rig(days: -1)
        let isClockSet = Mutex(false)
        func settings(_ rig: AmbulanceRig, caFile: String? = nil) -> HTTPSChannel.Settings {
            var settings = HTTPSChannel.Settings.rig(rig.url("take"), caFile: caFile ?? authority.certificate)
            settings.checksDates = { isClockSet.withLock(\.self) }
            return settings
        }
        let running = try RunningChannel(settings(rig))
        try await running.run {
            try running.send(Sample.call())
            #expect(await running.words(2) == ["dispatched", "handedOver"])
            // The same channel, with the time: no connection and no session of before is used.
            isClockSet.withLock { $0 = true }
            try running.send(Sample.call())
            #expect(await running.words(4).last == "failed")
        }
        #expect(running.reason.contains("certificate has expired"), "\(running.reason)")
        #expect(rig.posts.count == 1)
        isClockSet.withLock { $0 = false }
        let stranger = try await TestAuthority()
        let foreign = try await failure(settings(rig, caFile: stranger.certificate))
        #expect(foreign.contains("unable to get local issuer certificate"), "\(foreign)")
        let elsewhere = try await self.rig("DNS:somewhere-else.example", days: -1)
        let other = try await failure(settings(elsewhere), at: elsewhere)
        #expect(other.contains("does not match target host name") || other.contains("no alternative"))
    }

    @Test func `speaks nothing older than TLS 1_2`() async throws {
        let rig = try await rig("IP:127.0.0.1", days: 1, "--oldest-tls")
        let reason = try await failure(.rig(rig.url("take"), caFile: authority.certificate), at: rig)
        #expect(reason.contains("protocol version") || reason.contains("unsupported protocol"), "\(reason)")
    }

    @Test func `tells a refused connection from one that was cut`() async throws {
        let settings = HTTPSChannel.Settings.rig(
            "https://127.0.0.1:\(freePort())/calls", caFile: authority.certificate)
        let reason = try await failure(settings)
        #expect(reason.contains("check the port in url"), "\(reason)")
    }

    @Test func `calls with a token out of a file`() async throws {
        let rig = try await rig("IP:127.0.0.1", days: 1, "--token", "s3cret.Token~1")
        let token = try authority.scratch.write("s3cret.Token~1\n", to: "token").path
        let wrong = try authority.scratch.write("another", to: "wrong").path
        let running = try RunningChannel(
            .rig(rig.url("poll"), caFile: authority.certificate, credential: .bearer(tokenFile: token)))
        try await running.run {
            try running.send(Sample.call())
            #expect(await running.words(3) == ["dispatched", "handedOver", "accepted by Operator 7"])
        }
        let refused = try RunningChannel(
            .rig(rig.url("take"), caFile: authority.certificate, credential: .bearer(tokenFile: wrong)))
        try await refused.run {
            try refused.send(Sample.call())
            #expect(await refused.words(2) == ["dispatched", "failed"])
        }
        #expect(refused.reason.contains("HTTP 401") && refused.reason.contains("check the token"))
    }

    @Test func `calls with a certificate of its own`() async throws {
        let rig = try await rig("IP:127.0.0.1", days: 1, "--client-ca", authority.certificate)
        let gateway = try await authority.sign("villa-rosa", names: "DNS:villa-rosa")
        let credential = HTTPSChannel.Credential.certificate(
            certificateFile: gateway.certificate, keyFile: gateway.key)
        let running = try RunningChannel(
            .rig(rig.url("take"), caFile: authority.certificate, credential: credential))
        try await running.run {
            try running.send(Sample.call())
            #expect(await running.words(2) == ["dispatched", "handedOver"])
        }
        #expect(rig.posts.map(\.client) == ["villa-rosa"])
        _ = try await failure(.rig(rig.url("take"), caFile: authority.certificate))
        #expect(rig.posts.count == 1)
    }

    @Test func `stops the start on an unusable file and names it`() async throws {
        let gateway = try await authority.sign("gateway", names: "DNS:gateway")
        let other = try await authority.sign("other", names: "DNS:other")
        let encrypted = try await authority.encrypt(gateway.key)
        let scratch = authority.scratch
        let garbage = try scratch.write("not a certificate", to: "garbage.pem").path
        let torn = try scratch.write(
            "-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n", to: "torn.pem"
        ).path
        let secret = try scratch.write("to ken\nhush", to: "token").path
        let empty = try scratch.write("\n", to: "empty").path
        func error(_ credential: HTTPSChannel.Credential, caFile: String? = nil) -> String {
            do {
                _ = try RunningChannel(
                    .rig(
                        "https://ambulance.example/", caFile: caFile ?? authority.certificate,
                        credential: credential))
                return "started"
            } catch {
                return "\(error)"
            }
        }
        func pair(_ certificate: String, _ key: String) -> HTTPSChannel.Credential {
            .certificate(certificateFile: certificate, keyFile: key)
        }
        #expect(error(.none, caFile: "/nowhere/ca.pem").contains("/nowhere/ca.pem cannot be read"))
        #expect(error(.none, caFile: garbage).contains("\(garbage) does not hold authorities"))
        #expect(error(.none, caFile: torn).contains("expected PEM"))
        #expect(error(.bearer(tokenFile: "/nowhere/token")).contains("/nowhere/token cannot be read"))
        #expect(error(.bearer(tokenFile: empty)).contains("\(empty) does not hold a token"))
        let message = error(.bearer(tokenFile: secret))
        #expect(message.contains("does not hold a token") && !message.contains("hush"))
        #expect(error(pair(garbage, gateway.key)).contains("\(garbage) does not hold a certificate"))
        #expect(error(pair(torn, gateway.key)).contains("expected PEM"))
        #expect(error(pair(gateway.certificate, other.key)).contains("expected PEM"))
        #expect(error(pair(gateway.certificate, encrypted)).contains("expected PEM"))
        #expect(error(pair(gateway.certificate, gateway.key)) == "started")
        #expect(error(.none) == "started")
    }

    @Test(
        arguments: [
            ("http://ambulance.example/", "expected https://"), ("http://localhost/", "127.0.0.1 or [::1]"),
            ("http://127.0.0.1.example/", "expected https://"), ("http://2130706433.x/", "expected https://"),
            ("ftp://127.0.0.1/", "expected https://"), ("ambulance.example", "is no address"),
            ("", "is no address"), ("https://", "is no address"), ("https://a b/", "is no address"),
            ("https://user:pass@ambulance.example/", "holds a user or password"),
            ("https://ambulance.example/#x", "after '#'"), ("https://ambulance.example/\u{0}", "is no address"),
        ])
    func `takes no address but one that is protected`(_ url: String, _ reason: String) {
        let error = #expect(throws: AmbulanceServiceError.self) { _ = try RunningChannel(.rig(url)) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains(reason), "\(text)")
        #expect(!text.contains("pass@"))
    }

    @Test func `takes plain HTTP on this machine's own address alone`() async throws {
        let rig = try await AmbulanceRig()
        let running = try RunningChannel(.rig(rig.url("accept", host: "127.0.0.1")))
        try await running.run {
            try running.send(Sample.call())
            #expect(await running.words(3).last == "accepted by Operator 7")
        }
    }

    @Test func `has no use for a bad sender, address or limit`() {
        func error(_ change: (inout HTTPSChannel.Settings) -> Void) -> String {
            var settings = HTTPSChannel.Settings.rig("https://ambulance.example/")
            change(&settings)
            do {
                _ = try RunningChannel(settings)
                return "started"
            } catch {
                return "\(error)"
            }
        }
        for sender in ["", "a b", "a,b", "a<b", "a&b", "a\nb", String(repeating: "x", count: 201)] {
            #expect(error { $0.sender = sender }.contains("sender is"))
        }
        #expect(error { $0.addresses = [] }.contains("addresses is empty"))
        #expect(error { $0.addresses = ["a\"b"] }.contains("cannot be sent"))
        #expect(error { $0.connectLimit = .zero }.contains("connect limit is"))
        #expect(error { $0.attemptLimit = .seconds(61) }.contains("attempt limit is"))
        #expect(error { $0.pollInterval = .seconds(-1) }.contains("poll interval is"))
        #expect(
            error {
                $0.format = .json
                $0.addresses = []
            } == "started")
    }
}
