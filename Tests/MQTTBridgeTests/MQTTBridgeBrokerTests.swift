import BrokerSupport
import Consent
import Foundation
import Samples
import Synchronization
import TestSupport
import Testing

@testable import Contract
@testable import MQTTBridge

/// Against Debian's Mosquitto: the real behaviour of the wire, not our assumptions.
@Suite(.enabled(if: MosquittoProcess.isInstalled), .serialized) struct MQTTBridgeBrokerTests {
    @Test func `every message reaches a subscriber in order though the broker is killed again and again`()
        async throws
    {
        let broker = try MosquittoProcess()
        try await broker.start()
        let subscriber = try Subscriber(broker)
        #expect(await subscriber.isSubscribed(times: 1))
        let envelopes = Envelope.numbered(5_000)
        let source = QueueSource(envelopes)
        let running = try RunningSession(.local(broker.port), source)
        // In mid-stream, with the window full of messages that may or may not have arrived.
        let kills = [0, 1_500, 3_000].map { $0 + Int.random(in: 100..<1_400) }
        try await running.run {
            for (number, kill) in kills.enumerated() {
                #expect(await source.answers.wait { $0.count >= kill }, "kills after \(kills)")
                broker.kill()
                // A subscriber that is away misses the messages that the broker accepts meanwhile.
                source.setGate(to: 0)
                try await broker.start()
                #expect(await subscriber.isSubscribed(times: number + 2))
                source.setGate(to: .max)
                running.session.wake(urgently: true)
            }
            #expect(await source.answers.wait(upTo: .seconds(60)) { $0.count >= 5_000 })
        }
        let state = source.snapshot
        #expect(state.violations.isEmpty)
        #expect(state.acknowledged.count == 5_000)
        #expect(state.acknowledged.values.allSatisfy { $0 == 1 })
        #expect(state.mostInFlight <= 20)
        #expect(state.losses >= 4)
        #expect(await eventually { Set(subscriber.lines).count >= 5_000 })
        // A duplicate is a repetition, under the same id and with the same properties.
        let expected = envelopes.map { "\"\($0.id)\" 1 application/json id:\($0.id)" }
        var seen: Set<Substring> = []
        let isExact = subscriber.lines.filter { seen.insert($0).inserted }.map(String.init) == expected
        #expect(isExact, "kills after \(kills)")
        #expect(subscriber.lines.count - 5_000 <= 20 * kills.count)
    }

    @Test func `a stop sends the remaining messages and says goodbye`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let source = QueueSource(Envelope.numbered(1_000))
        let will = Sample.cleared(1, topic: "trackme/v1/test/status", isRetained: true)
        let running = try RunningSession(.local(broker.port, will: will), source)
        try await running.run(drain: .seconds(10)) { #expect(await running.waitForConnection()) }
        #expect(source.snapshot.acknowledged.count == 1_000)
        #expect(await eventually { broker.log.contains("Received DISCONNECT from gateway-under-test") })
        #expect(broker.log.contains("as gateway-under-test (p5, c1, k30)"))
    }

    @Test func `a stop ends a wait at once`() async throws {
        let broker = try MosquittoProcess("allow_anonymous false")
        try await broker.start()
        let running = try RunningSession(.local(broker.port), QueueSource([]))
        let begin = ContinuousClock.now
        try await running.run {
            #expect(await running.events.wait { !$0.isEmpty })
            guard case .refused(_, _, let wait) = running.events.values[0] else { return }
            #expect(wait >= .seconds(45))
        }
        // The interrupted wait has at least 45 s; a slow machine does not need half of it.
        #expect(begin.duration(to: .now) < .seconds(22))
    }

    @Test func `a broker that refuses is reported with its code and asked once a minute`() async throws {
        let broker = try MosquittoProcess("allow_anonymous false")
        try await broker.start()
        let running = try RunningSession(.local(broker.port), QueueSource([]))
        try await running.run {
            #expect(await running.events.wait { !$0.isEmpty })
            guard case .refused(let code, let text, let wait) = running.events.values[0] else {
                Issue.record("\(running.events.values)")
                return
            }
            #expect(code == 0x87)
            #expect(text.hasPrefix("not authorized (0x87)"))
            #expect(wait >= .seconds(45) && wait <= .seconds(75))
            // Urgency ends the wait, half a second after its beginning.
            running.session.wake(urgently: true)
            #expect(await running.events.wait(upTo: .seconds(5)) { $0.count >= 2 })
        }
    }

    @Test func `a message the broker forbids is refused and the others go on`() async throws {
        let broker = try MosquittoProcess("allow_anonymous true\nacl_file __ACL__")
        let acl = try broker.scratch.write("topic readwrite allowed/#\n", to: "acl")
        let configuration = broker.scratch.file("mosquitto.conf")
        let text = try String(contentsOf: configuration, encoding: .utf8)
        _ = try broker.scratch.write(text.replacing("__ACL__", with: acl.path), to: "mosquitto.conf")
        try await broker.start()
        let forbidden = Envelope.numbered(1, topic: "forbidden/x")
        let source = QueueSource(forbidden + Envelope.numbered(3, topic: "allowed/x"))
        let running = try RunningSession(.local(broker.port), source, subscriptions: ["allowed/#"])
        try await running.run { #expect(await source.answers.wait { $0.count >= 4 }) }
        #expect(source.snapshot.refused[forbidden[0].id]?.hasPrefix("not authorized (0x87)") == true)
        #expect(source.snapshot.acknowledged.count == 3)
        #expect(running.events.values.contains(.subscribed(topic: "allowed/#")))
    }

    @Test func `a message larger than the broker takes is refused here`() async throws {
        let broker = try MosquittoProcess("allow_anonymous true\nmax_packet_size 2000")
        try await broker.start()
        let template = Envelope.numbered(1)[0]
        let large = Envelope(
            id: template.id, lane: .live, retention: .moment, disclosure: .gateway, topic: "large",
            payload: [UInt8](repeating: 0x20, count: 3_000))
        let source = QueueSource([large] + Envelope.numbered(3))
        let running = try RunningSession(.local(broker.port), source)
        try await running.run { #expect(await source.answers.wait { $0.count >= 4 }) }
        #expect(source.snapshot.refused[large.id]?.hasPrefix("packet too large (0x95)") == true)
        #expect(source.snapshot.acknowledged.count == 3)
        #expect(source.snapshot.losses == 1)
    }

    @Test func `a frozen broker is given up after ten seconds and the messages go to it once it thaws`()
        async throws
    {
        let broker = try MosquittoProcess()
        try await broker.start()
        let source = QueueSource([])
        let running = try RunningSession(.local(broker.port), source)
        try await running.run {
            #expect(await running.waitForConnection())
            broker.freeze()
            source.add(Envelope.numbered(1)[0])
            running.session.wake()
            #expect(await running.waitForLoss(upTo: .seconds(13)))
            #expect(running.losses.first == "no acknowledgement within 10.0 seconds")
            broker.thaw()
            #expect(await source.answers.wait { $0.count >= 1 })
        }
        #expect(source.snapshot.acknowledged.count == 1)
    }

    @Test func `the will is published retained after a goodbye too`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let will = Sample.cleared(1, topic: "trackme/v1/test/status", payload: "\"gone\"")
        let running = try RunningSession(.local(broker.port, will: will), QueueSource([]))
        try await running.run { #expect(await running.waitForConnection()) }
        let late = try Subscriber(broker, id: "late")
        #expect(await eventually { late.lines == ["\"gone\" 1 application/json "] })
    }

    @Test func `the will is published retained when the connection is cut`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let will = Sample.cleared(1, topic: "trackme/v1/test/status", payload: "\"gone\"")
        let second = try RunningSession(.local(broker.port, will: will), QueueSource([]))
        try await second.run {
            #expect(await second.waitForConnection())
            let early = try Subscriber(broker, id: "early")
            #expect(await early.isSubscribed(times: 1))
            #expect(early.lines.isEmpty)
            // Another client with the session's id: Mosquitto cuts the session off.
            _ = try ChildProcess(
                "/usr/bin/mosquitto_pub",
                ["-p", "\(broker.port)", "-i", "gateway-under-test", "-t", "x", "-m", "x"],
                output: broker.scratch.file("pub.log")
            ).waitForSuccess()
            #expect(await eventually { early.lines.count == 1 })
        }
        let late = try Subscriber(broker, id: "late")
        #expect(await eventually { late.lines == ["\"gone\" 1 application/json "] })
    }

    @Test func `every connection that is lost has a last will of its own`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let watcher = try Subscriber(broker)
        #expect(await watcher.isSubscribed(times: 1))
        let count = Mutex(0)
        var settings = BrokerSettings.local(broker.port)
        settings.will = {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return Sample.cleared(number, topic: "trackme/v1/test/status", payload: "\"\(Sample.id(number))\"")
        }
        let running = try RunningSession(settings, QueueSource([]))
        try await running.run {
            for loss in 1...2 {
                #expect(await running.waitForConnection(loss))
                // Another client with the session's id: Mosquitto cuts the session off.
                _ = try ChildProcess(
                    "/usr/bin/mosquitto_pub",
                    ["-p", "\(broker.port)", "-i", "gateway-under-test", "-t", "x", "-m", "x"],
                    output: broker.scratch.file("pub-\(loss).log")
                ).waitForSuccess()
                #expect(await eventually { watcher.lines.count == loss })
                // Only a person can repair two clients with one id: the wait is a minute.
                running.session.wake(urgently: true)
            }
        }
        let lines = watcher.lines
        #expect(Set(lines).count == lines.count)
    }

    @Test func `a command arrives`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let running = try RunningSession(.local(broker.port), QueueSource([]), subscriptions: ["commands"])
        try await running.run {
            #expect(await running.events.wait { $0.contains(.subscribed(topic: "commands")) })
            let publisher = try ChildProcess(
                "/usr/bin/mosquitto_pub",
                ["-p", "\(broker.port)", "-t", "commands", "-m", "stop", "-q", "1"],
                output: broker.scratch.file("pub.log"))
            let stop = InboundMessage(topic: "commands", payload: Array("stop".utf8), isRetained: false)
            #expect(await running.messages.wait { $0 == [stop] })
            withExtendedLifetime(publisher) {}
        }
    }
}

/// mosquitto_sub, printing payload and properties of each message.
private struct Subscriber {
    private let broker: MosquittoProcess
    private let child: ChildProcess
    private let id: String

    init(_ broker: MosquittoProcess, id: String = "watcher") throws {
        self.broker = broker
        self.id = id
        child = try ChildProcess(
            "/usr/bin/mosquitto_sub",
            [
                "-p", "\(broker.port)", "-V", "5", "-i", id, "-q", "0", "-t", "trackme/#", "-F",
                "%p %F %C %P",
            ],
            output: broker.scratch.file("\(id).log"))
    }

    var lines: [Substring] { child.text.split(separator: "\n").filter { $0.hasPrefix("\"") } }

    func isSubscribed(times: Int) async -> Bool {
        await eventually { broker.log.ranges(of: "Sending SUBACK to \(id)").count >= times }
    }
}
