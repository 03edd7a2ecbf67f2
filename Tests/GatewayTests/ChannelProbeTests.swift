import Consent
import GatewayModel
import Glibc
import HelpLine
import Hub
import Logging
import ModelSamples
import RealTime
import Synchronization
import TestSupport
import Testing

@testable import Alarms

/// The probes of a way to help between its tests, on real sockets.
@Suite struct `The probe of a way to help` {
    private final class Channel: HelpChannel {
        let id = ChannelID(sample: "https")
        let server: (host: String, port: Int)?
        private let tests = Mutex(0)

        init(port: Int) { server = ("127.0.0.1", port) }

        var testCount: Int { tests.withLock(\.self) }
        func send(_ message: Cleared<HelpMessage>) {}
        func send(_ notice: Cleared<NoticeMessage>) {}
        func test() { tests.withLock { $0 += 1 } }
        func run() async throws {}
        func stop() {}
    }

    /// Listening socket on a free port of the loopback.
    private static func listener() throws -> (socket: Int32, port: Int) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // A probe that never comes fails the test.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 8) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        try #require(isBound)
        return (socket, Int(UInt16(bigEndian: address.sin_port)))
    }

    @Test func `tests a channel at once where its server takes no connection any more`() async throws {
        let (socket, port) = try Self.listener()
        let channel = Channel(port: port)
        let log = Logger(label: "probe")
        let health = ChannelHealth(health: HealthBoard { _, _, _ in }, log: log) { _, _ in }
        health.watch([channel], unusable: [], every: .seconds(86_400))
        let start = Clock.boot()
        func tick(_ seconds: Int64) { health.tick(at: start.advanced(by: .seconds(seconds))) }
        tick(20)
        #expect(channel.testCount == 1)
        health.tested(channel.id, .works(detail: ""))
        tick(100)
        // The connection of the probe arrives, with no byte.
        let probe = accept(socket, nil, nil)
        #expect(probe >= 0)
        var byte: UInt8 = 0
        #expect(read(probe, &byte, 1) == 0)
        close(probe)
        tick(101)
        #expect(channel.testCount == 1)
        close(socket)
        let isTested = await eventually(within: .seconds(20)) {
            tick(200)
            return channel.testCount == 2
        }
        #expect(isTested)
    }

    @Test func `is not needed of a channel that cannot be used: it is dead until a reload mends it`() {
        let told = Mutex<[Bool]>([])
        let health = ChannelHealth(health: HealthBoard { _, _, _ in }, log: Logger(label: "probe")) {
            _, isLive in
            told.withLock { $0.append(isLive) }
        }
        let channel = Channel(port: 1)
        health.watch([], unusable: [channel.id], every: .seconds(86_400))
        health.watch([channel], unusable: [], every: .seconds(86_400))
        #expect(told.withLock(\.self) == [false, true])
    }
}
