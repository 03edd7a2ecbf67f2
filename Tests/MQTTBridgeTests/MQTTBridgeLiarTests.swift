import BrokerSupport
import Consent
import GatewayModel
import Samples
import Synchronization
import TestSupport
import Testing

@testable import Contract
@testable import MQTTBridge

/// A broker that lies, breaks off, or talks nonsense: nothing is lost, nothing is believed, and it is told.
@Suite struct MQTTBridgeLiarTests {
    private static let welcome = ScriptedBroker.welcome

    /// What the broker does on its first connection; on the others it is honest.
    struct Lie: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let greeting: [UInt8]
        /// To a PUBLISH; nil closes the connection.
        var answer: @Sendable ([UInt8]) -> [UInt8]? = { _ in [] }
    }

    static let lies = [
        Lie(testDescription: "garbage", greeting: welcome + [UInt8](repeating: 0xFF, count: 64)),
        Lie(testDescription: "a packet type that is none", greeting: welcome + [0x00, 0x00]),
        Lie(testDescription: "AUTH, that nobody asked for", greeting: welcome + [0xF0, 0x00]),
        Lie(
            testDescription: "a length of five bytes", greeting: welcome + [0x30, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
        Lie(testDescription: "a second CONNACK", greeting: welcome + welcome),
        Lie(
            testDescription: "an end in mid-packet", greeting: welcome + [0x30, 0x20, 0x00],
            answer: { _ in nil }),
        Lie(testDescription: "half a CONNACK, then a PUBLISH", greeting: [0x20, 0x03, 0x00, 0x30, 0x02]),
        Lie(testDescription: "a PUBLISH before CONNACK", greeting: [0x30, 0x05, 0x00, 0x01, 0x74, 0x00, 0x78]),
        Lie(testDescription: "receive maximum 0", greeting: [0x20, 0x06, 0x00, 0x00, 0x03, 0x21, 0x00, 0x00]),
        Lie(
            testDescription: "maximum packet size 0",
            greeting: [0x20, 0x08, 0x00, 0x00, 0x05, 0x27, 0x00, 0x00, 0x00, 0x00]),
        Lie(
            testDescription: "PUBACK of packet 0", greeting: welcome, answer: { _ in [0x40, 0x02, 0x00, 0x00] }),
        Lie(testDescription: "an empty PUBACK", greeting: welcome, answer: { _ in [0x40, 0x00] }),
        Lie(testDescription: "a topic of no bytes", greeting: welcome + [0x30, 0x03, 0x00, 0x00, 0x00]),
        Lie(
            testDescription: "a topic longer than its packet",
            greeting: welcome + [0x30, 0x05, 0xFF, 0xFF, 0x74, 0x00, 0x78]),
        Lie(testDescription: "QoS 3", greeting: welcome + [0x36, 0x06, 0x00, 0x01, 0x74, 0x00, 0x01, 0x00]),
    ]

    @Test(arguments: lies, [false, true]) func `nothing is lost`(to lie: Lie, isProcess: Bool) async throws {
        let connections = Mutex(0)
        let broker = ScriptedBroker { packet in
            let number = connections.withLock { count in
                if packet[0] == 0x10 { count += 1 }
                return count
            }
            switch packet[0] & 0xF0 {
            case 0x10: return number == 1 ? lie.greeting : Self.welcome
            case 0x30: return number == 1 ? lie.answer(packet) : ScriptedBroker.acknowledge(packet)
            default: return []
            }
        }
        let source = QueueSource(Envelope.numbered(30, topic: "t"))
        let running = try RunningSession(.local(broker.port), source, isProcess: isProcess)
        try await running.run(drain: .seconds(5)) {
            #expect(await running.events.wait { !$0.isEmpty })
            #expect(await source.answers.wait(upTo: .seconds(30)) { $0.count >= 30 })
        }
        let state = source.snapshot
        #expect(state.violations.isEmpty)
        #expect(state.acknowledged.count == 30)
        #expect(state.acknowledged.values.allSatisfy { $0 == 1 })
        #expect(running.losses.count >= 1)
        #expect(running.losses.allSatisfy { !$0.isEmpty })
    }

    @Test func `doubled and invented acknowledgements count for nothing`() async throws {
        let broker = ScriptedBroker { packet in
            guard packet[0] & 0xF0 == 0x30 else { return packet[0] == 0x10 ? Self.welcome : [] }
            let right = ScriptedBroker.acknowledge(packet)
            return [0x40, 0x02, 0x77, 0x77] + right + right
        }
        let source = QueueSource(Envelope.numbered(200, topic: "t"))
        let running = try RunningSession(.local(broker.port), source)
        try await running.run { #expect(await source.answers.wait { $0.count >= 200 }) }
        #expect(source.snapshot.violations.isEmpty)
        #expect(source.snapshot.acknowledged.values.allSatisfy { $0 == 1 })
        #expect(source.snapshot.mostInFlight <= 20)
        #expect(running.losses.isEmpty)
    }

    @Test func `a receive maximum of one is kept`() async throws {
        let broker = ScriptedBroker { packet in
            switch packet[0] & 0xF0 {
            case 0x10: [0x20, 0x06, 0x00, 0x00, 0x03, 0x21, 0x00, 0x01]
            case 0x30: ScriptedBroker.acknowledge(packet)
            default: []
            }
        }
        let source = QueueSource(Envelope.numbered(50, topic: "t"))
        let running = try RunningSession(.local(broker.port), source)
        try await running.run { #expect(await source.answers.wait { $0.count >= 50 }) }
        #expect(source.snapshot.mostInFlight == 1)
        #expect(source.snapshot.acknowledged.count == 50)
    }

    @Test func `a message that was not asked for is counted, acknowledged and not passed on`() async throws {
        let large = [UInt8](repeating: 0x20, count: 70_000)
        let commands =
            ScriptedBroker.publish("other", [1], packet: 1) + ScriptedBroker.publish("c/#", [2], packet: 2)
            + ScriptedBroker.publish("c/x", large, packet: 3) + ScriptedBroker.publish("c/x", [], packet: 4)
            + ScriptedBroker.publish("other", [5], packet: 5) + ScriptedBroker.publish("c/x", [6], packet: 6)
        let broker = ScriptedBroker { packet in
            switch packet[0] & 0xF0 {
            case 0x10: Self.welcome
            // SUBACK: QoS 1.
            case 0x80: [0x90, 0x04, packet[2], packet[3], 0x00, 0x01] + commands
            default: []
            }
        }
        let running = try RunningSession(.local(broker.port), QueueSource([]), subscriptions: ["c/+"])
        try await running.run {
            #expect(await broker.packets.wait { $0.count { $0[0] == 0x40 } >= 6 })
        }
        #expect(running.messages.values.map(\.payload) == [[], [6]])
        let faults = running.events.values.filter { if case .fault = $0 { true } else { false } }
        #expect(
            faults == [
                .fault(.topicNotAskedFor, count: 1), .fault(.malformedTopic, count: 1),
                .fault(.oversizedMessage, count: 1),
            ])
        #expect(running.losses.isEmpty)
    }

    @Test func `a fault is told at each tenfold`() {
        var counts = FaultCounts()
        var told: [Int] = []
        for _ in 0..<1_000 { if let count = counts.add(.oversizedMessage) { told.append(count) } }
        let first = counts.add(.malformedTopic)
        #expect(told == [1, 10, 100, 1_000])
        #expect(first == 1)
    }

    @Test func `a packet without an end is cut off`() async throws {
        let connections = Mutex(0)
        let filler = [UInt8](repeating: 0x61, count: 100_000)
        let broker = ScriptedBroker { packet in
            let number = connections.withLock { count in
                if packet[0] == 0x10 { count += 1 }
                return count
            }
            switch packet[0] & 0xF0 {
            case 0x10: return Self.welcome
            case 0x30 where number > 1: return ScriptedBroker.acknowledge(packet)
            // A PUBLISH of 256 MiB, some of it for each of ours.
            case 0x30: return packet[4] == 0x61 ? [0x30, 0xFF, 0xFF, 0xFF, 0x7F] + filler : filler
            default: return []
            }
        }
        let source = QueueSource(Envelope.numbered(1, topic: "a") + Envelope.numbered(10, topic: "b"))
        let running = try RunningSession(.local(broker.port), source)
        try await running.run { #expect(await source.answers.wait { $0.count >= 11 }) }
        #expect(running.losses.first == "the broker sends a packet of more than 65536 bytes, the most we take")
        #expect(running.events.values.contains(.fault(.endlessPacket, count: 1)))
        #expect(source.snapshot.acknowledged.count == 11)
    }

    @Test func `a subscription that is refused is told and the messages go on`() async throws {
        let broker = ScriptedBroker { packet in
            switch packet[0] & 0xF0 {
            case 0x10: Self.welcome
            case 0x80: [0x90, 0x04, packet[2], packet[3], 0x00, 0x87]
            case 0x30: ScriptedBroker.acknowledge(packet)
            default: []
            }
        }
        let source = QueueSource(Envelope.numbered(5, topic: "t"))
        let running = try RunningSession(.local(broker.port), source, subscriptions: ["c"])
        try await running.run {
            #expect(await source.answers.wait { $0.count >= 5 })
            #expect(
                await running.events.wait {
                    $0.contains(.subscriptionRefused(topic: "c", reason: "not authorized (0x87)"))
                })
        }
        #expect(running.losses.isEmpty)
    }

    @Test func `a broker without retained messages is spoken to without them`() async throws {
        let broker = ScriptedBroker { packet in
            switch packet[0] & 0xF0 {
            // Connect flags: will retain. Refused with 0x9A; else property 0x25: retain not available.
            case 0x10:
                packet[9] & 0x20 != 0
                    ? [0x20, 0x03, 0x00, 0x9A, 0x00] : [0x20, 0x05, 0x00, 0x00, 0x02, 0x25, 0x00]
            case 0x30: ScriptedBroker.acknowledge(packet)
            default: []
            }
        }
        let template = Envelope.numbered(1)[0]
        let status = Envelope(
            id: template.id, lane: .live, retention: .moment, disclosure: .gateway, topic: "status",
            payload: [], isRetained: true)
        let source = QueueSource([status])
        let will = Sample.cleared(1, topic: "status", isRetained: true)
        let running = try RunningSession(.local(broker.port, will: will), source)
        try await running.run { #expect(await source.answers.wait { $0.count >= 1 }) }
        #expect(running.welcomes.map(\.keepsRetained) == [false])
        // Nobody has anything to do about it: it is told once, with the connection.
        #expect(running.events.values.count == 1)
        #expect(broker.packets.values.filter { $0[0] & 0xF0 == 0x30 }.map { $0[0] & 1 } == [0])
    }

    @Test func `another server that a broker names is told and not followed`() async throws {
        let other = ScriptedBroker { _ in Self.welcome }
        let name = Array("127.0.0.1:\(other.port)".utf8)
        // Property 0x1C: server reference.
        let properties = [0x1C, 0x00, UInt8(name.count)] + name
        let broker = ScriptedBroker { _ in
            [0x20, UInt8(3 + properties.count), 0x00, 0x9D, UInt8(properties.count)] + properties
        }
        let running = try RunningSession(.local(broker.port), QueueSource([]))
        try await running.run { #expect(await running.events.wait { !$0.isEmpty }) }
        guard case .refused(0x9D, let text, let wait) = running.events.values[0] else {
            Issue.record("\(running.events.values)")
            return
        }
        #expect(
            text.hasPrefix("server moved (0x9D); it names '127.0.0.1:\(other.port)', which is not followed"))
        #expect(wait >= .seconds(45))
        #expect(other.packets.values.isEmpty)
    }
}
