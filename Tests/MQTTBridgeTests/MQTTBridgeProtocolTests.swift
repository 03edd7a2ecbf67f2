import BrokerSupport
import Contract
import MQTTBridge
import Samples
import TestSupport
import Testing

/// What a broker may say that Mosquitto never does.
@Suite struct MQTTBridgeProtocolTests {
    @Test func `a broker of version 3 is spoken to in version 3.1.1 and it is said`() async throws {
        // A version 3 broker answers in its own form: two bytes, return code 1.
        let broker = ScriptedBroker { packet in
            switch packet[0] & 0xF0 {
            case 0x10: packet[8] == 5 ? [0x20, 0x02, 0x00, 0x01] : [0x20, 0x02, 0x00, 0x00]
            case 0x30: ScriptedBroker.acknowledge(packet)
            default: nil
            }
        }
        let source = QueueSource(Envelope.numbered(3, topic: "t"))
        let running = try RunningSession(.local(broker.port), source)
        try await running.run {
            #expect(await source.answers.wait { $0.count >= 3 })
        }
        #expect(running.events.values.count == 1)
        #expect(running.welcomes.map(\.protocolVersion) == [.v311])
        #expect(running.welcomes.map(\.receiveMaximum) == [65_535])
        #expect(broker.levels.values == [5, 4])
        #expect(source.snapshot.acknowledged.count == 3)
    }

    @Test func `a broker that hangs up on version 5 is spoken to in version 3.1.1`() async throws {
        // As RabbitMQ does before 3.13, against the letter of MQTT 3.1.1.
        let broker = ScriptedBroker { packet in
            switch packet[0] & 0xF0 {
            case 0x10: packet[8] == 5 ? nil : [0x20, 0x02, 0x00, 0x00]
            case 0x30: ScriptedBroker.acknowledge(packet)
            default: nil
            }
        }
        let source = QueueSource(Envelope.numbered(3, topic: "t"))
        let running = try RunningSession(.local(broker.port), source)
        try await running.run {
            #expect(await source.answers.wait { $0.count >= 3 })
        }
        #expect(broker.levels.values == [5, 4])
        #expect(source.snapshot.acknowledged.count == 3)
    }

    @Test func `a broker that leaves version 5 unanswered is spoken to in version 3.1.1 and remembered`()
        async throws
    {
        let broker = ScriptedBroker { packet in
            switch packet[0] & 0xF0 {
            case 0x10: packet[8] == 5 ? [] : [0x20, 0x02, 0x00, 0x00]
            // The first message ends the connection.
            default: nil
            }
        }
        let running = try RunningSession(.local(broker.port), QueueSource(Envelope.numbered(1, topic: "t")))
        try await running.run {
            #expect(await broker.levels.wait(upTo: .seconds(40)) { $0.count >= 3 })
        }
        #expect(broker.levels.values.prefix(3) == [5, 4, 4])
    }

    @Test func `a broker that hangs up on every version is asked for version 5 again`() async throws {
        let broker = ScriptedBroker { _ in nil }
        let running = try RunningSession(.local(broker.port), QueueSource([]))
        try await running.run {
            #expect(await broker.levels.wait { $0.count >= 4 })
        }
        #expect(broker.levels.values.prefix(4) == [5, 4, 5, 5], "the third is without a will")
    }

    @Test func `any other failure does not lead to an older version`() async throws {
        // CONNACK 0x88: server unavailable.
        let broker = ScriptedBroker { _ in [0x20, 0x03, 0x00, 0x88, 0x00] }
        let running = try RunningSession(.local(broker.port), QueueSource([]))
        try await running.run {
            #expect(await broker.levels.wait { $0.count >= 2 })
        }
        #expect(Set(broker.levels.values) == [5])
    }

    @Test func `a second gateway with our id is named`() async throws {
        // DISCONNECT 0x8E, which Mosquitto 2.0 leaves out when it throws a client out.
        let broker = ScriptedBroker { _ in ScriptedBroker.welcome + [0xE0, 0x01, 0x8E] }
        let running = try RunningSession(.local(broker.port), QueueSource([]))
        try await running.run { #expect(await running.events.wait { $0.count >= 2 }) }
        guard case .sessionTaken(let text, let wait) = running.events.values[1] else {
            Issue.record("\(running.events.values)")
            return
        }
        #expect(text.contains("another client connected with our client id 'gateway-under-test'"))
        #expect(wait >= .seconds(45))
    }

    @Test func `a brokers receive maximum is never exceeded`() async throws {
        // Property 0x21: receive maximum 3. PUBLISH is not answered.
        let broker = ScriptedBroker { packet in
            packet[0] == 0x10 ? [0x20, 0x06, 0x00, 0x00, 0x03, 0x21, 0x00, 0x03] : []
        }
        let source = QueueSource(Envelope.numbered(10, topic: "t"))
        let running = try RunningSession(.local(broker.port), source)
        try await running.run {
            #expect(await eventually { source.snapshot.mostInFlight == 3 })
            running.session.wake()
        }
        #expect(source.snapshot.mostInFlight == 3)
        #expect(running.events.values.count == 1)
        #expect(running.welcomes.map(\.receiveMaximum) == [3])
    }

    @Test func `a broker that acknowledges nothing is refused`() async throws {
        // Property 0x24: maximum QoS 0.
        let broker = ScriptedBroker { _ in [0x20, 0x05, 0x00, 0x00, 0x02, 0x24, 0x00] }
        let running = try RunningSession(.local(broker.port), QueueSource([]))
        try await running.run { #expect(await running.events.wait { !$0.isEmpty }) }
        guard case .refused(0x9B, _, _) = running.events.values[0] else {
            Issue.record("\(running.events.values)")
            return
        }
    }

    @Test func `a broker that takes the connection and says nothing is given up`() async throws {
        let broker = ScriptedBroker { _ in [] }
        let running = try RunningSession(.local(broker.port), QueueSource([]))
        try await running.run { #expect(await running.events.wait(upTo: .seconds(15)) { !$0.isEmpty }) }
        guard case .disconnected(let reason, _) = running.events.values[0] else {
            Issue.record("\(running.events.values)")
            return
        }
        #expect(reason.hasSuffix("took the connection and gave no CONNACK within 10.0 seconds"))
    }

    @Test func `an idle connection that is dead is given up after twice the keep alive`() async throws {
        // PINGREQ stays without an answer.
        let broker = ScriptedBroker { packet in packet[0] == 0x10 ? ScriptedBroker.welcome : [] }
        let running = try RunningSession(.local(broker.port, keepAlive: .seconds(5)), QueueSource([]))
        try await running.run {
            #expect(await running.waitForLoss(upTo: .seconds(13)))
        }
        #expect(running.losses.first == "the broker did not answer the keep-alive")
    }

    @Test(arguments: [
        BrokerSettings.local(0), .local(1883, host: ""), .local(1883, keepAlive: .seconds(4)),
        .local(1883, sessionExpiry: .seconds(-1)), .local(1883, sessionExpiry: .seconds(1 << 32)), .at([]),
        .local(1883, will: Sample.cleared(1, topic: "a/#")),
    ])
    func `settings that cannot work stop the start`(_ settings: BrokerSettings) {
        #expect(throws: BrokerError.self) { try RunningSession(settings, QueueSource([])) }
    }
}
