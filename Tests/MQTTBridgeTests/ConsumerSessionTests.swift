import BrokerSupport
import Contract
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MQTTBridge

/// Session of a consumer, against Debian's Mosquitto and a scripted broker.
@Suite(.enabled(if: MosquittoProcess.isInstalled), .serialized) struct `A consumer session` {
    private static let keeping = """
        allow_anonymous true
        persistence true
        max_queued_messages 100000
        """

    /// A broker that keeps sessions and queues over a stop.
    private func keepingBroker() throws -> MosquittoProcess {
        let broker = try MosquittoProcess(Self.keeping)
        let file = broker.scratch.file("mosquitto.conf")
        let text = try String(contentsOf: file, encoding: .utf8)
        _ = try broker.scratch.write(
            text + "persistence_location \(broker.scratch.url.path)/\n", to: "mosquitto.conf")
        return broker
    }

    @Test func `loses no message while batches fail and the broker stops`() async throws {
        let broker = try keepingBroker()
        try await broker.start()
        // The first failure is before the commit; the second is after it, as a kill before the acknowledgement is.
        let store = MessageStore(failures: [3: .beforeCommit, 6: .afterCommit])
        let consumer = try RunningConsumer(broker.port, commit: store.commit)
        let envelopes = Envelope.numbered(6_000)
        let source = QueueSource(envelopes)
        let gateway = try RunningSession(.local(broker.port), source)
        try await consumer.run {
            #expect(await consumer.isSubscribed())
            try await gateway.run {
                for stop in [1_200, 3_400] {
                    #expect(await source.answers.wait { $0.count >= stop })
                    broker.stop()
                    try await broker.start()
                    gateway.session.wake(urgently: true)
                }
                #expect(await source.answers.wait(upTo: .seconds(60)) { $0.count >= 6_000 })
            }
            #expect(await eventually(within: .seconds(60)) { store.copies.count == 6_000 })
        }
        let copies = store.copies
        #expect(Set(copies.keys) == Set(envelopes.map { String(decoding: $0.payload, as: UTF8.self) }))
        // A message is doubled by a failure after its commit, or by a stop on either side of the broker.
        let doubled = copies.values.filter { $0 > 1 }.count
        #expect(copies.values.allSatisfy { $0 <= 4 })
        #expect(doubled <= store.mostInBatch * 3 + 2 * 20, "\(doubled) doubled")
        #expect(store.failuresLeft == 0)
    }

    @Test func `hands over the messages of its absence in batches`() async throws {
        let broker = try keepingBroker()
        try await broker.start()
        let first = try RunningConsumer(broker.port) { _ in }
        try await first.run { #expect(await first.isSubscribed()) }
        let source = QueueSource(Envelope.numbered(3_000))
        let gateway = try RunningSession(.local(broker.port), source)
        try await gateway.run { #expect(await source.answers.wait { $0.count >= 3_000 }) }
        let store = MessageStore()
        let second = try RunningConsumer(broker.port, commit: store.commit)
        try await second.run { #expect(await eventually { store.copies.count == 3_000 }) }
        #expect(store.copies.values.allSatisfy { $0 == 1 })
        // The broker's own window of 20 does not bind with MQTT 5.
        #expect(store.mostInBatch > 20)
        #expect(store.mostInBatch <= ConsumerSession.batchLimit)
    }

    @Test func `acknowledges a batch only after its commit, also in version 3.1.1`() async throws {
        // PUBLISH on "a/b", QoS 1, packet identifiers 1 and 2, of MQTT 3.1.1.
        let messages: [UInt8] =
            [0x32, 6, 0, 3, 0x61, 0x2F, 0x62, 0, 1, 0x78].fixedLength
            + [
                0x32, 6, 0, 3, 0x61, 0x2F, 0x62, 0, 2, 0x79,
            ].fixedLength
        let broker = ScriptedBroker { packet in
            switch packet[0] & 0xF0 {
            case 0x10: packet[8] == 5 ? [0x20, 0x02, 0x00, 0x01] : [0x20, 0x02, 0x00, 0x00]
            case 0x80: [0x90, 0x03, packet[2], packet[3], 0x01] + messages
            default: []
            }
        }
        let failures = Mutex(1)
        let consumer = try RunningConsumer(broker.port, filters: ["a/+"]) { messages in
            #expect(messages.allSatisfy { $0.topic == "a/b" })
            let fails = failures.withLock { count in
                defer { count -= 1 }
                return count > 0
            }
            if fails { throw Missing(description: "the disk is full") }
        }
        let acknowledgements: @Sendable () -> [[UInt8]] = { broker.packets.values.filter { $0[0] == 0x40 } }
        try await consumer.run {
            #expect(await broker.ended.wait { $0.count >= 2 })
            #expect(acknowledgements().isEmpty, "acknowledged on the connection of the failed batch")
            #expect(await eventually { acknowledgements().count >= 2 })
        }
        #expect(broker.levels.values.prefix(4).contains(4))
        #expect(consumer.losses.contains { $0.contains("the disk is full") })
    }

    @Test func `publishes, and returns at the broker's acknowledgement`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let store = MessageStore()
        let consumer = try RunningConsumer(broker.port, filters: ["commands/#"], commit: store.commit)
        try await consumer.run {
            #expect(await consumer.isSubscribed())
            try await consumer.session.publish(Array("signed".utf8), to: "commands/house-12")
            #expect(await eventually { store.copies == ["signed": 1] })
        }
    }

    @Test func `keeps an order while the broker is away`() async throws {
        let broker = try MosquittoProcess()
        let store = MessageStore()
        let consumer = try RunningConsumer(broker.port, filters: ["commands/#"], commit: store.commit)
        try await consumer.run {
            async let answer: Void = consumer.session.publish(Array("signed".utf8), to: "commands/house-12")
            #expect(await consumer.events.wait { !$0.isEmpty })
            try await broker.start()
            try await answer
            #expect(broker.log.contains("Received PUBLISH from consumer-under-test"))
        }
    }

    @Test func `reports an order that the broker refuses`() async throws {
        let broker = try MosquittoProcess("allow_anonymous true\nacl_file __ACL__")
        let acl = try broker.scratch.write("topic read commands/#\n", to: "acl")
        let file = broker.scratch.file("mosquitto.conf")
        let text = try String(contentsOf: file, encoding: .utf8)
        _ = try broker.scratch.write(text.replacing("__ACL__", with: acl.path), to: "mosquitto.conf")
        try await broker.start()
        let consumer = try RunningConsumer(broker.port, filters: ["commands/#"]) { _ in }
        try await consumer.run {
            await #expect(throws: PublishFailure.refused(reason: "not authorized (0x87)")) {
                try await consumer.session.publish([0x78], to: "commands/house-12")
            }
        }
    }

    @Test func `answers every order when it stops or the task is cancelled`() async throws {
        // Nobody listens there.
        let consumer = try RunningConsumer(freePort(), filters: ["commands/#"]) { _ in }
        let cancelled = Task { try await consumer.session.publish([0x78], to: "commands/a") }
        cancelled.cancel()
        await #expect(throws: PublishFailure.stopped) { try await cancelled.value }
        let waiting = Task { try await consumer.session.publish([0x78], to: "commands/b") }
        try await consumer.run { #expect(await consumer.events.wait { !$0.isEmpty }) }
        await #expect(throws: PublishFailure.stopped) { try await waiting.value }
        await #expect(throws: PublishFailure.stopped) {
            try await consumer.session.publish([0x78], to: "commands/c")
        }
    }

    @Test func `shares a filter with the other sessions of its group`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let (left, right) = (MessageStore(), MessageStore())
        let filters = ["$share/cloud/trackme/v1/+/samples/#"]
        let first = try RunningConsumer(broker.port, id: "first", filters: filters, commit: left.commit)
        let second = try RunningConsumer(broker.port, id: "second", filters: filters, commit: right.commit)
        let source = QueueSource(Envelope.numbered(400, topic: "trackme/v1/test/samples/maria"))
        let gateway = try RunningSession(.local(broker.port), source)
        try await first.run {
            try await second.run {
                #expect(await first.isSubscribed())
                #expect(await second.isSubscribed())
                try await gateway.run { #expect(await source.answers.wait { $0.count >= 400 }) }
                #expect(await eventually { left.copies.count + right.copies.count == 400 })
            }
        }
        #expect(!left.copies.isEmpty && !right.copies.isEmpty)
        #expect(Set(left.copies.keys).isDisjoint(with: right.copies.keys))
    }

    @Test func `connects by TLS with a certificate`() async throws {
        let authority = try await TestAuthority()
        let own = try await authority.sign("consumer", names: "DNS:consumer")
        let identity = try await authority.sign("broker", names: "IP:127.0.0.1")
        let broker = try MosquittoProcess(
            """
            cafile \(authority.certificate)
            certfile \(identity.certificate)
            keyfile \(identity.key)
            require_certificate true
            use_identity_as_username true
            """)
        try await broker.start()
        let store = MessageStore()
        let security = BrokerSettings.Security.tls(
            caFile: authority.certificate, certificateFile: own.certificate, keyFile: own.key)
        let consumer = try RunningConsumer(
            broker.port, filters: ["commands/#"], security: security, commit: store.commit)
        try await consumer.run {
            #expect(await consumer.isSubscribed())
            for number in 0..<200 {
                try await consumer.session.publish(Array("\(number)".utf8), to: "commands/house-12")
            }
            #expect(await eventually { store.copies.count == 200 })
        }
        #expect(broker.log.contains("u'consumer'"))
    }
}

extension [UInt8] {
    /// The packet with the length of its own body: a fixed header of two bytes.
    fileprivate var fixedLength: [UInt8] { [self[0], UInt8(count - 2)] + dropFirst(2) }
}

/// A store in memory that counts the copies of each payload, and fails on the batches with the given numbers.
private final class MessageStore: Sendable {
    enum Failure { case beforeCommit, afterCommit }

    private struct State {
        var copies: [String: Int] = [:]
        var mostInBatch = 0
        var batches = 0
        var failures: [Int: Failure]
    }

    private let state: Mutex<State>

    init(failures: [Int: Failure] = [:]) { state = Mutex(State(failures: failures)) }

    var copies: [String: Int] { state.withLock { $0.copies } }
    var mostInBatch: Int { state.withLock { $0.mostInBatch } }
    var failuresLeft: Int { state.withLock { $0.failures.count } }

    @Sendable func commit(_ messages: [InboundMessage]) throws {
        let failure = state.withLock { state in
            state.batches += 1
            let failure = state.failures.removeValue(forKey: state.batches)
            if failure == .beforeCommit { return failure }
            state.mostInBatch = Swift.max(state.mostInBatch, messages.count)
            for message in messages {
                state.copies[String(decoding: message.payload, as: UTF8.self), default: 0] += 1
            }
            return failure
        }
        if let failure { throw Missing(description: "the batch fails: \(failure)") }
    }
}

/// A consumer session under test, with its events.
private struct RunningConsumer: Sendable {
    let session: ConsumerSession
    let events = Recorder<BrokerEvent>()
    private let filters: [String]

    init(
        _ port: UInt16, id: String = "consumer-under-test", filters: [String] = ["trackme/v1/+/samples/#"],
        security: BrokerSettings.Security = .plain,
        commit: @escaping @Sendable ([InboundMessage]) throws -> Void
    ) throws {
        self.filters = filters
        let settings = BrokerSettings(
            brokers: [BrokerEndpoint(host: "127.0.0.1", port: port)], clientID: id,
            sessionExpiry: .seconds(3_600), security: security)
        session = try ConsumerSession(
            settings: settings, filters: filters, commit: commit, onEvent: events.add)
    }

    var losses: [String] {
        events.values.compactMap { if case .disconnected(let reason, _) = $0 { reason } else { nil } }
    }

    func isSubscribed() async -> Bool {
        let events = events
        return await filters.allHold { filter in
            await events.wait { $0.contains(.subscribed(topic: filter)) }
        }
    }

    /// Runs the session around `body`, and always stops it afterwards.
    func run(_ body: @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await session.run() }
            defer { session.stop(drain: .seconds(5)) }
            try await body()
        }
    }
}

extension Sequence {
    fileprivate func allHold(_ isTrue: (Element) async -> Bool) async -> Bool {
        for element in self where !(await isTrue(element)) { return false }
        return true
    }
}
