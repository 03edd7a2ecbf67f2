import BrokerSupport
import Dispatch
import GatewayModel
import Glibc
import RealTime
import TestSupport
import Testing

@testable import Contract
@testable import MQTTBridge

/// Several brokers, and several addresses of one.
@Suite(.enabled(if: MosquittoProcess.isInstalled)) struct MQTTBridgeSeveralTests {
    private func at(_ seconds: Int64) -> BootInstant { BootInstant(nanoseconds: seconds * 1_000_000_000) }

    @Test func `each broker is tried once and then there is a wait`() {
        var policy = SessionPolicy(brokers: 3)
        var tried: [Int] = []
        var waits: [Duration] = []
        for _ in 0..<9 {
            tried.append(policy.broker)
            waits.append(policy.wait(after: .lost("test"), at: at(0), chance: 0.5))
        }
        #expect(tried == [0, 1, 2, 0, 1, 2, 0, 1, 2])
        #expect(waits == [0, 0, 500, 0, 0, 1_000, 0, 0, 2_000].map { .milliseconds($0) })
    }

    @Test func `after a loss the next broker is tried at once and after a round there is a wait`() {
        var policy = SessionPolicy(brokers: 2)
        policy.connected(at: at(0))
        let first = policy.wait(after: .lost("test"), at: at(3_600), chance: 0.5)
        #expect(policy.broker == 1)
        let second = policy.wait(after: .lost("test"), at: at(3_601), chance: 0.5)
        #expect(policy.broker == 0)
        #expect([first, second] == [.zero, .milliseconds(500)])
    }

    @Test func `brokers that take and drop are not asked for ever`() {
        var policy = SessionPolicy(brokers: 2)
        var waits: [Duration] = []
        for number in 0..<6 {
            policy.connected(at: at(Int64(number)))
            waits.append(policy.wait(after: .lost("test"), at: at(Int64(number)), chance: 0.5))
        }
        #expect(waits == [0, 500, 0, 1_000, 0, 2_000].map { .milliseconds($0) })
    }

    @Test func `only when every broker refuses is it left to a person`() {
        let refused = Ending.refused(ReasonCode(rawValue: 0x87), "test")
        var policy = SessionPolicy(brokers: 2)
        #expect(policy.wait(after: refused, at: at(0), chance: 0.5) == .zero)
        #expect(policy.wait(after: .lost("test"), at: at(0), chance: 0.5) == .milliseconds(500))
        #expect(policy.wait(after: refused, at: at(0), chance: 0.5) == .zero)
        #expect(policy.wait(after: refused, at: at(0), chance: 0.5) == .seconds(60))
    }

    @Test func `a refusal of one broker does not hold for the next one`() {
        var policy = SessionPolicy(brokers: 2)
        _ = policy.wait(after: .refused(.unsupportedProtocolVersion, ""), at: at(0), chance: 0.5)
        _ = policy.wait(after: .refused(.retainNotSupported, ""), at: at(0), chance: 0.5)
        let asked = (policy.broker, policy.manner)
        _ = policy.wait(after: .lost("test"), at: at(0), chance: 0.5)
        #expect(asked.0 == 0)
        #expect(asked.1 == BrokerConnection.Manner(version: .v311, mayRetain: false))
        #expect(policy.broker == 1)
        #expect(policy.manner == BrokerConnection.Manner())
    }

    @Test func `the next broker takes over and the one that failed is named`() async throws {
        let (first, second) = (try MosquittoProcess(), try MosquittoProcess())
        try await first.start()
        try await second.start()
        let source = QueueSource(Envelope.numbered(2_000))
        let gone = freePort()
        let brokers = [gone, first.port, second.port].map { BrokerEndpoint(host: "127.0.0.1", port: $0) }
        let running = try RunningSession(.at(brokers), source)
        try await running.run {
            #expect(await source.answers.wait { $0.count >= 500 })
            first.kill()
            #expect(await source.answers.wait { $0.count >= 2_000 })
        }
        #expect(running.welcomes.map(\.broker) == [brokers[1], brokers[2]])
        #expect(
            running.losses.map { $0.prefix(16) } == ["\(brokers[0]):", "\(brokers[1]):"].map { $0.prefix(16) })
        #expect(source.snapshot.acknowledged.count == 2_000)
        #expect(source.snapshot.violations.isEmpty)
    }

    /// An address that answers nothing: its queue of connections is full. The name is checked, not the address.
    @Test func `the next address of a name is tried and the certificate is of the name`() async throws {
        let authority = try await TestAuthority()
        let identity = try await authority.sign("broker", names: "IP:127.0.0.2")
        let broker = try MosquittoProcess(
            "allow_anonymous true\ncertfile \(identity.certificate)\nkeyfile \(identity.key)")
        try await broker.start()
        let silent = SilentAddress(port: broker.port)
        defer { silent.close() }
        let tls = BrokerSettings.Security.tls(
            caFile: authority.certificate, certificateFile: nil, keyFile: nil)
        let named = BrokerEndpoint(host: "127.0.0.2", port: broker.port)
        let connection = try BrokerConnection(
            .local(broker.port, security: tls), to: named, BrokerConnection.Manner())
        #expect(connection.open() == nil)
        #expect(!isWritable(connection, within: .milliseconds(300)))
        #expect(connection.redirect(to: SocketAddress.loopback(broker.port)) == nil)
        #expect(isWritable(connection, within: .seconds(5)))
        #expect(connection.establish() == nil)
        var failure: String?
        let isConnected = await eventually {
            failure = failure ?? connection.read() ?? connection.write()
            return connection.board.notices.contains { if case .connected = $0 { true } else { false } }
        }
        #expect(isConnected, "\(failure ?? "no answer")")
    }

    private func isWritable(_ connection: BrokerConnection, within limit: Duration) -> Bool {
        Poll.wait([Poll.Interest(connection.descriptor, events: POLLOUT)], timeout: limit).writable[0]
    }

    @Test func `the systems answer has the port`() {
        guard case .found(let addresses) = NameLookup.system(.init(host: "127.0.0.1", port: 8883)) else {
            Issue.record("nothing found")
            return
        }
        #expect(addresses.map(\.bytes) == [SocketAddress.loopback(8_883).bytes])
    }

    /// A session on a thread, with the answers of name servers put in its mouth.
    private func loop(
        _ host: String, _ port: UInt16, _ events: Recorder<BrokerEvent>, _ control: SessionControl,
        lookUp: @escaping @Sendable (BrokerEndpoint) -> NameLookup.Outcome
    ) throws -> NamedThread {
        try NamedThread("mqtt") {
            let settings = BrokerSettings.local(port, host: host)
            let local = LocalHost(
                source: QueueSource([]), receive: { _ in .kept }, onEvent: events.add, control: control)
            let runner = ConnectionRunner(
                settings: settings, subscriptions: [], host: local, will: { nil }, lookUp: lookUp)
            SessionLoop(settings: settings, onEvent: events.add, control: control, connector: runner).run()
        }
    }

    @Test func `the next address is tried within one attempt`() async throws {
        let broker = try MosquittoProcess()
        try await broker.start()
        let silent = SilentAddress(port: broker.port)
        defer { silent.close() }
        let addresses = [SocketAddress.loopback(broker.port, host: 0x7F00_0002), .loopback(broker.port)]
        let (events, control) = (Recorder<BrokerEvent>(), try SessionControl())
        let thread = try loop("127.0.0.2", broker.port, events, control) { _ in .found(addresses) }
        #expect(await events.wait { !$0.isEmpty })
        control.stop(by: Clock.boot())
        await thread.finished()
        guard case .connected = events.values.first else {
            Issue.record("\(events.values)")
            return
        }
    }

    @Test func `an attempt without any address that answers names each and ends`() async throws {
        let refusing = freePort()
        let addresses = [SocketAddress.loopback(refusing), .loopback(refusing, host: 0x7F00_0003)]
        let (events, control) = (Recorder<BrokerEvent>(), try SessionControl())
        let thread = try loop("127.0.0.1", refusing, events, control) { _ in .found(addresses) }
        #expect(await events.wait { !$0.isEmpty })
        control.stop(by: Clock.boot())
        await thread.finished()
        guard case .disconnected(let reason, _) = events.values.first else {
            Issue.record("\(events.values)")
            return
        }
        #expect(reason.contains("Connection refused"))
    }

    @Test func `a stop waits for no name server`() async throws {
        let isAnswered = DispatchSemaphore(value: 0)
        let asked = Recorder<BrokerEndpoint>()
        let (events, control) = (Recorder<BrokerEvent>(), try SessionControl())
        let thread = try loop("broker.example", 8883, events, control) { broker in
            asked.add(broker)
            isAnswered.wait()
            return .failed("too late")
        }
        #expect(await asked.wait { !$0.isEmpty })
        control.stop(by: Clock.boot())
        // The name server has still not answered.
        await thread.finished()
        isAnswered.signal()
        #expect(events.values.isEmpty)
    }
}

extension SocketAddress {
    static func loopback(_ port: UInt16, host: UInt32 = 0x7F00_0001) -> SocketAddress {
        var bytes: [UInt8] = []
        withLoopback(port, host: host) { address, length in
            bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(length.pointee)))
        }
        return SocketAddress(family: AF_INET, bytes: bytes)
    }
}

/// 127.0.0.2 at a port, where a connection is neither taken nor refused.
private struct SilentAddress {
    private var descriptors: [Int32] = []

    init(port: UInt16) {
        func make() -> Int32 {
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
            return socket(AF_INET, kind, 0)
        }
        let listener = make()
        descriptors.append(listener)
        withLoopback(port, host: 0x7F00_0002) { address, length in
            _ = bind(listener, address, length.pointee)
            _ = listen(listener, 0)
            // A queue of 0 holds one; the kernel drops the SYN of whoever comes after a few more.
            for _ in 0..<4 {
                let caller = make()
                descriptors.append(caller)
                _ = connect(caller, address, length.pointee)
            }
        }
    }

    func close() { for descriptor in descriptors { Glibc.close(descriptor) } }
}
