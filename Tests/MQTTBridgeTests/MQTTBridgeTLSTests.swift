import BrokerSupport
import Contract
import Foundation
import MQTTBridge
import TestSupport
import Testing

/// TLS with an authority made for the test: who is believed, and what a bad file says.
@Suite(.enabled(if: MosquittoProcess.isInstalled)) struct MQTTBridgeTLSTests {
    private let authority: TestAuthority
    private let gateway: TestAuthority.Identity

    init() async throws {
        authority = try await TestAuthority()
        gateway = try await authority.sign("gateway", names: "DNS:gateway")
    }

    private func broker(for names: String) async throws -> MosquittoProcess {
        let identity = try await authority.sign("broker", names: names)
        let broker = try MosquittoProcess(
            """
            cafile \(authority.certificate)
            certfile \(identity.certificate)
            keyfile \(identity.key)
            require_certificate true
            use_identity_as_username true
            """)
        try await broker.start()
        return broker
    }

    private func settings(_ broker: MosquittoProcess, caFile: String? = nil) -> BrokerSettings {
        .local(
            broker.port,
            security: .tls(
                caFile: caFile ?? authority.certificate, certificateFile: gateway.certificate,
                keyFile: gateway.key))
    }

    @Test func `messages go to a broker of the right name with the gateways certificate`() async throws {
        let broker = try await broker(for: "IP:127.0.0.1")
        let source = QueueSource(Envelope.numbered(1_000))
        let running = try RunningSession(settings(broker), source, subscriptions: ["trackme/#"])
        try await running.run {
            #expect(await source.answers.wait { $0.count >= 1_000 })
            #expect(await running.messages.wait { $0.count >= 1_000 })
        }
        #expect(broker.log.contains("u'gateway'"))
    }

    @Test func `a broker of another name is not believed`() async throws {
        let broker = try await broker(for: "DNS:somewhere-else.example")
        let running = try RunningSession(settings(broker), QueueSource([]))
        try await running.run { #expect(await running.events.wait { !$0.isEmpty }) }
        #expect(reason(running).contains("host name verification failed"))
    }

    @Test func `a broker of another authority is not believed`() async throws {
        let broker = try await broker(for: "IP:127.0.0.1")
        let stranger = try await TestAuthority()
        let running = try RunningSession(settings(broker, caFile: stranger.certificate), QueueSource([]))
        try await running.run { #expect(await running.events.wait { !$0.isEmpty }) }
        #expect(reason(running).contains("certificate verify failed"))
    }

    /// Without the time the end of a certificate cannot be judged; its authority and its name can.
    /// In a process of its own, too: there the library has made no TLS context before.
    @Test(arguments: [false, true])
    func `without the time an ended certificate is taken and a foreign one is not`(isProcess: Bool) async throws
    {
        let ended = try await authority.sign("ended", names: "IP:127.0.0.1", days: -1)
        let elsewhere = try await authority.sign("elsewhere", names: "DNS:elsewhere.example", days: -1)
        func broker(_ identity: TestAuthority.Identity) async throws -> MosquittoProcess {
            let broker = try MosquittoProcess(
                "allow_anonymous true\ncertfile \(identity.certificate)\nkeyfile \(identity.key)")
            try await broker.start()
            return broker
        }
        func firstEvent(_ broker: MosquittoProcess, knowsTime: Bool, caFile: String? = nil) async throws
            -> BrokerEvent
        {
            var settings = settings(broker, caFile: caFile)
            settings.checksDates = { knowsTime }
            let running = try RunningSession(settings, QueueSource([]), isProcess: isProcess)
            try await running.run { #expect(await running.events.wait { !$0.isEmpty }) }
            return try #require(running.events.values.first)
        }
        func reason(_ event: BrokerEvent) -> String {
            if case .disconnected(let reason, _) = event { reason } else { "\(event)" }
        }
        let late = try await broker(ended)
        #expect(reason(try await firstEvent(late, knowsTime: true)).contains("certificate verify failed"))
        guard case .connected = try await firstEvent(late, knowsTime: false) else {
            Issue.record("an ended certificate is refused without the time")
            return
        }
        let stranger = try await TestAuthority()
        let foreign = try await firstEvent(late, knowsTime: false, caFile: stranger.certificate)
        #expect(reason(foreign).contains("certificate verify failed"))
        let other = try await firstEvent(try await broker(elsewhere), knowsTime: false)
        #expect(reason(other).contains("host name verification failed"))
    }

    @Test func `a broker that speaks no TLS is named at once`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let running = try RunningSession(settings(broker), QueueSource([]))
        try await running.run { #expect(await running.events.wait(upTo: .seconds(5)) { !$0.isEmpty }) }
        #expect(!reason(running).isEmpty)
    }

    @Test func `a refused connection is named at once`() async throws {
        let tls = BrokerSettings.Security.tls(
            caFile: authority.certificate, certificateFile: nil, keyFile: nil)
        let running = try RunningSession(.local(freePort(), security: tls), QueueSource([]))
        try await running.run { #expect(await running.events.wait(upTo: .seconds(5)) { !$0.isEmpty }) }
        #expect(reason(running).contains("Connection refused"))
    }

    @Test func `an unusable file stops the start and is named`() async throws {
        let other = try await authority.sign("other", names: "DNS:other")
        let encrypted = try await authority.encrypt(gateway.key)
        let garbage = try authority.scratch.write("not a certificate", to: "garbage.pem").path
        func error(_ caFile: String, _ certificate: String?, _ key: String?) -> String {
            do {
                let tls = BrokerSettings.Security.tls(
                    caFile: caFile, certificateFile: certificate, keyFile: key)
                _ = try RunningSession(.local(8883, security: tls), QueueSource([]))
                return "started"
            } catch {
                return "\(error)"
            }
        }
        #expect(error("/nowhere/ca.pem", nil, nil).contains("/nowhere/ca.pem"))
        #expect(
            error(garbage, nil, nil).contains("Unable to load CA certificates, check cafile \"\(garbage)\""))
        #expect(
            error(authority.certificate, garbage, gateway.key).contains("Unable to load client certificate"))
        #expect(error(authority.certificate, gateway.certificate, nil).contains("without its key"))
        #expect(error(authority.certificate, gateway.certificate, other.key).contains("key values mismatch"))
        #expect(
            error(authority.certificate, gateway.certificate, encrypted).contains("Unable to load client key"))
        #expect(error(authority.certificate, gateway.certificate, gateway.key) == "started")
    }

    private func reason(_ running: RunningSession) -> String {
        guard case .disconnected(let reason, _) = running.events.values[0] else {
            Issue.record("\(running.events.values)")
            return ""
        }
        return reason
    }
}
