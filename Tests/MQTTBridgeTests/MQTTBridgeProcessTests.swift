import BrokerSupport
import Foundation
import GatewayModel
import Glibc
import RealTime
import TestSupport
import Testing

@testable import Contract
@testable import MQTTBridge

/// The broker session in a process of its own: its death is one more lost connection.
@Suite struct MQTTBridgeProcessTests {
    @Test(arguments: UnknownProperty.allCases)
    func `nothing is lost to a property that the library does not survive`(in packet: UnknownProperty)
        async throws
    {
        let broker = packet.broker()
        let source = QueueSource(Envelope.numbered(30, topic: "t"))
        let running = try RunningSession(
            .local(broker.port), source, subscriptions: ["t/+"], isProcess: true)
        try await running.run(drain: .seconds(5)) {
            #expect(await source.answers.wait(upTo: .seconds(30)) { $0.count >= 30 })
        }
        let state = source.snapshot
        #expect(state.violations.isEmpty)
        #expect(state.acknowledged.count == 30)
        #expect(state.acknowledged.values.allSatisfy { $0 == 1 })
        #expect(running.losses.contains { $0.contains("was ended by signal 6") })
        #expect(running.events.values.contains(.fault(.endsTheProcess, count: 2)))
        // Twice in MQTT 5; 3.1.1 has no properties.
        #expect(broker.levels.values.prefix(3) == [5, 5, 4])
    }

    @Test func `a process that is killed from outside is no fault of the broker`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let running = try RunningSession(.local(broker.port), QueueSource([]), isProcess: true)
        try await running.run {
            for number in 1...3 {
                #expect(await running.waitForConnection(number))
                let child = try #require(Self.sessionProcess())
                kill(child, SIGKILL)
            }
            #expect(await running.waitForConnection(4))
        }
        #expect(running.losses.allSatisfy { $0.contains("ended from outside, by signal 9") })
        let faults = running.events.values.filter { if case .fault = $0 { true } else { false } }
        #expect(running.losses.count == 3 && faults.isEmpty, "\(running.events.values)")
    }

    /// The child of this process that is a session, and no other runs beside it.
    private static func sessionProcess() -> pid_t? {
        func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        return (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) }.first {
            let parent = text("/proc/\($0)/stat").split(separator: ")").last?.split(separator: " ").dropFirst()
                .first
            return parent == "\(getpid())"
                && text("/proc/\($0)/cmdline").split(separator: "\0").contains(
                    "\(BrokerSessionProcess.argument)")
        }
    }

    @Test func `messages go both ways and a stop drains`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let source = QueueSource(Envelope.numbered(500))
        let running = try RunningSession(
            .local(broker.port), source, subscriptions: ["trackme/v1/test/#"], isProcess: true)
        try await running.run(drain: .seconds(5)) {
            #expect(await running.messages.wait(upTo: .seconds(30)) { $0.count >= 1 })
        }
        let state = source.snapshot
        #expect(state.violations.isEmpty)
        #expect(state.acknowledged.count == 500)
        #expect(state.mostInFlight <= 20)
    }

    @Test func `a message that is not kept is not acknowledged`() async throws {
        let broker = ScriptedBroker { packet in
            switch packet[0] & 0xF0 {
            case 0x10: ScriptedBroker.welcome
            case 0x80:
                [0x90, 0x04, packet[2], packet[3], 0x00, 0x01]
                    // PUBLISH at QoS 1, topic "t", packet identifier 7, no properties, "x".
                    + [0x32, 0x07, 0x00, 0x01, 0x74, 0x00, 0x07, 0x00, 0x78]
            default: []
            }
        }
        let running = try RunningSession(
            .local(broker.port), QueueSource([]), subscriptions: ["t"], isProcess: true
        ) { _ in .notKept(reason: "the disk is full") }
        try await running.run {
            #expect(await running.messages.wait { $0.count >= 2 })
        }
        #expect(running.losses.contains { $0.contains("the disk is full") })
        #expect(!broker.packets.values.contains { $0[0] & 0xF0 == 0x40 })
    }

    @Test func `a program that cannot be started is a lost connection`() async throws {
        let events = Recorder<BrokerEvent>()
        let session = try BrokerSession(
            settings: .local(1), subscriptions: [], isolation: .process(program: "/nowhere/homegateway"),
            source: QueueSource([]), receive: { _ in .kept }, onEvent: events.add)
        async let run: Void = session.run()
        #expect(await events.wait { !$0.isEmpty })
        session.stop(drain: .zero)
        try await run
        guard case .disconnected(let reason, _) = events.values.first else {
            Issue.record("\(events.values)")
            return
        }
        #expect(reason.contains("no process for the broker session"))
    }

    /// It ends at once; the session neither waits for it nor starts one after the other.
    @Test func `a program that is no session is a lost connection`() async throws {
        let events = Recorder<BrokerEvent>()
        let session = try BrokerSession(
            settings: .local(1), subscriptions: [], isolation: .process(program: "/bin/true"),
            source: QueueSource([]), receive: { _ in .kept }, onEvent: events.add)
        async let run: Void = session.run()
        let end = Clock.boot().advanced(by: .milliseconds(1_200))
        _ = await events.wait(upTo: .milliseconds(1_200)) { _ in Clock.boot() > end }
        session.stop(drain: .zero)
        try await run
        let losses = events.values.filter { if case .disconnected = $0 { true } else { false } }
        // 0.5 s and 1 s, each a quarter shorter at most.
        #expect((1...3).contains(losses.count), "\(events.values)")
    }

    @Test(arguments: [
        FrameToSession.attempt(
            BrokerEndpoint(host: "broker.example", port: 8_883), BrokerConnection.Manner(version: .v311),
            will: nil
        ).body,
        FrameToSession.receipt(.notKept(reason: "full")).body, FrameToSession.stop(forGood: true).body,
        FrameToDaemon.ended(.refused(.sessionTakenOver, "taken")).body,
        FrameToDaemon.message(InboundMessage(topic: "t", payload: [1, 2, 3], isRetained: true)).body,
    ])
    func `a frame that is cut or lengthened is none`(_ body: [UInt8]) {
        func bodies(_ body: [UInt8]) -> [[UInt8]?] {
            [FrameToSession(body: body)?.body, FrameToDaemon(body: body)?.body]
        }
        #expect(bodies(body).contains(body))
        for length in 0..<body.count {
            #expect(!bodies(Array(body.prefix(length))).contains(Array(body.prefix(length))))
        }
        #expect(!bodies(body + [0]).contains(body + [0]))
    }
}
