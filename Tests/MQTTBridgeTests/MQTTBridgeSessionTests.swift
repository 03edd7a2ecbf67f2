import BrokerSupport
import Consent
import GatewayModel
import MQTTBridge
import TestSupport
import Testing

@testable import Contract

/// State that outlives a connection: the broker's session, and the gateway's memory of the messages received.
@Suite(.enabled(if: MosquittoProcess.isInstalled), .serialized) struct MQTTBridgeSessionTests {
    private static let week = Duration.seconds(604_800)

    private func publish(_ text: String, to broker: MosquittoProcess, topic: String = "commands") throws {
        let sent = try ChildProcess(
            "/usr/bin/mosquitto_pub",
            ["-p", "\(broker.port)", "-t", topic, "-m", text, "-q", "1"],
            output: broker.scratch.file("pub.log")
        ).waitForSuccess()
        #expect(sent)
    }

    private func session(
        _ broker: MosquittoProcess, expiry: Duration = week,
        keep: @escaping @Sendable (InboundMessage) -> InboundReceipt = { _ in .kept }
    ) throws -> RunningSession {
        try RunningSession(
            .local(broker.port, sessionExpiry: expiry), QueueSource([]), subscriptions: ["commands"], keep: keep
        )
    }

    private func texts(_ running: RunningSession) -> [String] {
        running.messages.values.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    @Test func `a message to a gateway that is away comes with the next connection`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let first = try session(broker)
        try await first.run { #expect(await first.events.wait { $0.contains(.subscribed(topic: "commands")) }) }
        #expect(first.welcomes.map(\.isSessionPresent) == [false])
        #expect(first.welcomes.map(\.sessionExpiry) == [Self.week])
        let sent = (1...30).map { "command \($0)" }
        for text in sent { try publish(text, to: broker) }
        let second = try session(broker)
        try await second.run {
            #expect(await second.messages.wait { $0.count >= 30 })
            #expect(await eventually { broker.log.ranges(of: "Received PUBACK from gateway").count == 30 })
        }
        #expect(second.welcomes.map(\.isSessionPresent) == [true])
        #expect(texts(second) == sent)
        #expect(broker.log.contains("as gateway-under-test (p5, c0, k30)"))
    }

    /// Under `.process` the filters cross to another process.
    @Test(arguments: [false, true]) func `of a fleeting filter nothing waits for an absent gateway`(
        isProcess: Bool
    ) async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        var settings = BrokerSettings.local(broker.port, sessionExpiry: Self.week)
        settings.fleetingFilters = ["desk"]
        func session() throws -> RunningSession {
            try RunningSession(
                settings, QueueSource([]), subscriptions: ["desk", "commands"], isProcess: isProcess)
        }
        let both = [BrokerEvent.subscribed(topic: "desk"), .subscribed(topic: "commands")]
        let first = try session()
        try await first.run {
            #expect(await first.events.wait { events in both.allSatisfy(events.contains) })
            try publish("now", to: broker, topic: "desk")
            #expect(await first.messages.wait { $0.count >= 1 })
        }
        for number in 1...3 { try publish("old \(number)", to: broker, topic: "desk") }
        try publish("command", to: broker)
        let second = try session()
        try await second.run {
            #expect(await second.events.wait { events in both.allSatisfy(events.contains) })
            #expect(await second.messages.wait { !$0.isEmpty })
            try publish("new", to: broker, topic: "desk")
            #expect(await second.messages.wait { $0.count >= 2 })
        }
        #expect(texts(first) == ["now"])
        #expect(texts(second) == ["command", "new"])
    }

    @Test(arguments: [false, true]) func `a filter that has ended is given up and is no fault of the broker`(
        isProcess: Bool
    ) async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let first = try RunningSession(
            .local(broker.port, sessionExpiry: Self.week), QueueSource([]), subscriptions: ["desk", "commands"])
        try await first.run { #expect(await first.events.wait { $0.contains(.subscribed(topic: "desk")) }) }
        // It waits at the broker under the earlier subscription.
        try publish("late", to: broker, topic: "desk")
        var settings = BrokerSettings.local(broker.port, sessionExpiry: Self.week)
        settings.endedFilters = ["desk"]
        let second = try RunningSession(
            settings, QueueSource([]), subscriptions: ["commands"], isProcess: isProcess)
        try await second.run {
            #expect(await second.messages.wait { !$0.isEmpty })
            #expect(await eventually { broker.log.contains("Sending UNSUBACK to gateway-under-test") })
            try publish("later", to: broker, topic: "desk")
            try publish("command", to: broker)
            #expect(await second.messages.wait { $0.count >= 2 })
        }
        #expect(texts(second) == ["late", "command"])
        let faults = second.events.values.filter { if case .fault = $0 { true } else { false } }
        #expect(faults.isEmpty)
    }

    @Test func `a gateway that leaves for good is forgotten`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let first = try session(broker)
        try await first.run {
            #expect(await first.events.wait { $0.contains(.subscribed(topic: "commands")) })
            first.session.stop(drain: .zero, forGood: true)
        }
        try publish("too late", to: broker)
        let second = try session(broker)
        try await second.run {
            #expect(await second.events.wait { $0.contains(.subscribed(topic: "commands")) })
        }
        #expect(second.welcomes.map(\.isSessionPresent) == [false])
        #expect(second.messages.values.isEmpty)
    }

    @Test func `a message that could not be kept is not acknowledged and comes again`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let tries = Recorder<Int>()
        let running = try session(broker) { _ in
            tries.add(1)
            return tries.values.count < 3 ? .notKept(reason: "no space left on device") : .kept
        }
        try await running.run {
            #expect(await running.events.wait { $0.contains(.subscribed(topic: "commands")) })
            try publish("unlock", to: broker)
            #expect(await running.messages.wait { $0.count >= 3 })
            #expect(await eventually { broker.log.contains("Received PUBACK from gateway") })
        }
        #expect(texts(running) == ["unlock", "unlock", "unlock"])
        #expect(broker.log.ranges(of: "Received PUBACK from gateway").count == 1)
        #expect(running.losses.count == 2)
        #expect(
            running.losses.first
                == "a message could not be kept, and is not acknowledged: no space left on device")
    }

    @Test func `no acknowledgement is on the wire before the message was kept`() async throws {
        // CONNACK and the first message in one segment, as with a session that is present.
        let message: [UInt8] = [0x32, 0x08, 0x00, 0x01, 0x63, 0x00, 0x07, 0x00, 0x68, 0x69]
        let broker = ScriptedBroker { $0[0] == 0x10 ? ScriptedBroker.welcome + message : [] }
        let running = try RunningSession(
            .local(broker.port, sessionExpiry: Self.week), QueueSource(Envelope.numbered(3, topic: "t")),
            subscriptions: ["c"], keep: { _ in .notKept(reason: "test") })
        try await running.run { #expect(await broker.ended.wait { $0.count >= 2 }) }
        #expect(running.messages.values.count >= 2)
        #expect(!broker.packets.values.contains { $0[0] == 0x40 })
    }

    @Test func `a broker of version 3 is asked to keep the session too`() async throws {
        let broker = ScriptedBroker { packet in
            guard packet[0] == 0x10 else { return [] }
            // CONNACK: session present.
            return packet[8] == 5 ? [0x20, 0x02, 0x00, 0x01] : [0x20, 0x02, 0x01, 0x00]
        }
        let running = try RunningSession(.local(broker.port, sessionExpiry: Self.week), QueueSource([]))
        try await running.run { #expect(await running.waitForConnection()) }
        #expect(running.welcomes.map(\.isSessionPresent) == [true])
        #expect(running.welcomes.map(\.sessionExpiry) == [nil])
        // Connect flags (byte 9): the clean session bit is not set.
        #expect(broker.packets.values.filter { $0[0] == 0x10 }.map { $0[9] & 2 } == [0, 0])
    }

    @Test func `the CONNECT names the session expiry and the largest packet`() async throws {
        let broker = ScriptedBroker { $0[0] == 0x10 ? ScriptedBroker.welcome : [] }
        let running = try RunningSession(.local(broker.port, sessionExpiry: Self.week), QueueSource([]))
        try await running.run { #expect(await running.waitForConnection()) }
        let connect = try #require(broker.packets.values.first)
        // Fixed header 2, "MQTT" 6, level, flags, keep-alive 2, then the length of the properties.
        let properties = Array(connect[13..<(13 + Int(connect[12]))])
        let expected: [UInt8] = [0x11, 0x00, 0x09, 0x3A, 0x80, 0x27, 0x00, 0x01, 0x00, 0x00, 0x21, 0x00, 0x14]
        #expect(properties == expected)
    }

    @Test func `a brokers shorter memory is told`() async throws {
        // Property 0x11: session expiry 60 s.
        let broker = ScriptedBroker { packet in
            packet[0] == 0x10 ? [0x20, 0x08, 0x01, 0x00, 0x05, 0x11, 0x00, 0x00, 0x00, 0x3C] : []
        }
        let running = try RunningSession(.local(broker.port, sessionExpiry: Self.week), QueueSource([]))
        try await running.run { #expect(await running.waitForConnection()) }
        #expect(running.welcomes.map(\.sessionExpiry) == [.seconds(60)])
    }

    @Test func `messages of the moment expire, and no others`() async throws {
        let broker = ScriptedBroker { packet in
            switch packet[0] & 0xF0 {
            case 0x10: ScriptedBroker.welcome
            case 0x30: ScriptedBroker.acknowledge(packet)
            default: []
            }
        }
        let template = Envelope.numbered(2, topic: "t")
        let heartbeat = Envelope(
            id: template[0].id, lane: .live, retention: .moment, disclosure: .gateway, topic: "t", payload: [],
            expiry: .seconds(300))
        let source = QueueSource([heartbeat, template[1]])
        let running = try RunningSession(.local(broker.port), source)
        try await running.run { #expect(await source.answers.wait { $0.count >= 2 }) }
        let publishes = broker.packets.values.filter { $0[0] & 0xF0 == 0x30 }
        // Property 0x02: message expiry interval 300 s.
        let expiry: [UInt8] = [0x02, 0x00, 0x00, 0x01, 0x2C]
        #expect(publishes.map { contains(expiry, in: $0) } == [true, false])
    }

    private func contains(_ needle: [UInt8], in bytes: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: needle) }
    }

    @Test func `a line that breaks anywhere loses nothing and keeps the order`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        // About 200 bytes a message and its acknowledgement: somewhere in the first few hundred of them.
        let limits = (0..<6).map { _ in Int.random(in: 1..<40_000) }
        let relay = CuttingRelay(to: broker.port, cutAfter: limits)
        defer { relay.stop() }
        let envelopes = Envelope.numbered(1_500)
        let source = QueueSource(envelopes)
        let subscriber = try ChildProcess(
            "/usr/bin/mosquitto_sub",
            ["-p", "\(broker.port)", "-V", "5", "-i", "watcher", "-q", "1", "-t", "trackme/#", "-F", "%p"],
            output: broker.scratch.file("watcher.log"))
        #expect(await eventually { broker.log.contains("Sending SUBACK to watcher") })
        let running = try RunningSession(.local(relay.port, sessionExpiry: Self.week), source)
        try await running.run {
            for cut in 1...limits.count {
                #expect(await relay.cuts.wait { $0.count >= cut }, "cuts after \(limits) bytes")
                // Woken urgently: the wait before the next attempt is not under test here.
                running.session.wake(urgently: true)
            }
            #expect(await source.answers.wait(upTo: .seconds(60)) { $0.count >= 1_500 })
        }
        func lines() -> [Substring] { subscriber.text.split(separator: "\n") }
        #expect(await eventually { Set(lines()).count >= 1_500 })
        var seen: Set<Substring> = []
        let firsts = lines().filter { seen.insert($0).inserted }.map(String.init)
        let isInOrder = firsts == envelopes.map { "\"\($0.id)\"" }
        #expect(isInOrder, "cuts after \(limits) bytes")
        #expect(lines().count <= 1_500 + 20 * limits.count)
        #expect(source.snapshot.violations.isEmpty)
        #expect(source.snapshot.acknowledged.values.allSatisfy { $0 == 1 })
    }
}
