import GatewayModel
import HomeGateway
import Testing

@testable import Hub
@testable import MQTTBridge
@testable import OutboxService

/// What the house is told of its connection to the broker.
@Suite struct `The broker's health` {
    private static func disconnected(_ reason: String) -> BrokerEvent {
        .disconnected(reason: reason, retryIn: .seconds(1))
    }

    private static let welcome = Welcome(
        broker: BrokerEndpoint(host: "broker.example", port: 8_883), protocolVersion: .v5, receiveMaximum: 20,
        isSessionPresent: false, sessionExpiry: nil, maximumPacketSize: nil, keepsRetained: true)

    private func news(_ actions: [BrokerHealth.Action]) -> [BrokerHealth.Failure] {
        actions.compactMap { if case .log(let failure, true) = $0 { failure } else { nil } }
    }

    @Test func `the first reason is news, and each new one, until a connection has lasted`() {
        var health = BrokerHealth()
        #expect(news(health.actions(for: Self.disconnected("connect failed: Connection refused"))).count == 1)
        #expect(news(health.actions(for: Self.disconnected("connect failed: Connection refused"))).isEmpty)
        let tls = Self.disconnected("A TLS error occurred (certificate verify failed)")
        #expect(news(health.actions(for: tls)).map { $0.remedy.contains("ca_file") } == [true])
        #expect(news(health.actions(for: tls)).isEmpty)
        // Reasons that differ in a number alone are one.
        #expect(news(health.actions(for: Self.disconnected("no TCP connection within 3 s"))).count == 1)
        #expect(news(health.actions(for: Self.disconnected("no TCP connection within 7 s"))).isEmpty)
        _ = health.actions(for: .connected(Self.welcome))
        #expect(news(health.actions(for: tls)).isEmpty)
        _ = health.actions(for: .held(.seconds(10)))
        #expect(news(health.actions(for: tls)).count == 1)
    }

    @Test func `the reason stands with the condition`() {
        var health = BrokerHealth()
        let actions = health.actions(for: Self.disconnected("Connection refused"))
        #expect(actions.contains(.explain(.brokerUnreachable, "Connection refused")))
        #expect(actions.contains(.set(.brokerUnreachable, true)))
    }

    @Test func `a taken session is a condition of its own, until the id was undisputed for long`() {
        var health = BrokerHealth()
        let taken = health.actions(
            for: .sessionTaken(reason: "session taken over (0x8E)", retryIn: .seconds(60)))
        #expect(taken.contains(.set(.brokerSessionTaken, true)))
        #expect(!taken.contains(.set(.brokerUnreachable, true)))
        let cleared = BrokerHealth.Action.set(.brokerSessionTaken, false)
        #expect(!health.actions(for: .connected(Self.welcome)).contains(cleared))
        #expect(!health.actions(for: .held(.seconds(10))).contains(cleared))
        #expect(health.actions(for: .held(BrokerEvent.undisputed)).contains(cleared))
    }

    @Test func `a process that ended twice is the broker's fault, until a connection has lasted`() {
        var health = BrokerHealth()
        let raised = BrokerHealth.Action.set(.brokerMisbehaves, true)
        let cleared = BrokerHealth.Action.set(.brokerMisbehaves, false)
        #expect(!health.actions(for: .fault(.endsTheProcess, count: 1)).contains(raised))
        #expect(health.actions(for: .fault(.endsTheProcess, count: 2)).contains(raised))
        #expect(!health.actions(for: .connected(Self.welcome)).contains(cleared))
        #expect(health.actions(for: .held(.seconds(10))).contains(cleared))
    }
}
