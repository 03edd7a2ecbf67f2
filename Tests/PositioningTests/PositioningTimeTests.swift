import Foundation
import GatewayModel
import Glibc
import Samples
import TestSupport
import Testing

@testable import Positioning
@testable import RealTime

@Suite struct `The satellites' time` {
    private static let noon: Int64 = 1_780_000_000_000_000_000

    private func report(_ time: Int64?, mode: Int32 = 3) -> GPSReport {
        GPSReport(mode: mode, time: time, latitude: 45, longitude: 9, altitude: nil, horizontalError: nil)
    }

    private func kernel(_ seconds: Double, wall: Int64) -> KernelClock {
        KernelClock(
            boot: Sample.moment(seconds).boot, wall: wall, spread: .microseconds(3), discipline: .none,
            maximumError: .zero, estimatedError: .zero)
    }

    @Test func `of a message is later than it says, between what receivers need at least and at most`() {
        let time = SatelliteTime(message: Self.noon, arrival: Sample.moment(10).boot)
        let span = (time.wall - time.bound.wholeNanoseconds, time.wall + time.bound.wholeNanoseconds)
        #expect(span == (Self.noon + 10_000_000, Self.noon + 800_000_000))
        #expect(time.means == .message && time.at == Sample.moment(10).boot)
    }

    @Test func `is told of an epoch once, and of none without a fix`() {
        var state = FeedState()
        #expect(state.newTime(of: report(Self.noon, mode: 1)) == nil)
        #expect(state.newTime(of: report(nil)) == nil)
        #expect(state.newTime(of: report(Self.noon)) == Self.noon)
        #expect(state.newTime(of: report(Self.noon)) == nil)
        #expect(state.newTime(of: report(Self.noon + 1)) == Self.noon + 1)
    }

    @Test func `of a pulse is when the system's clock stood where gpsd saw it`() throws {
        // Half a second ago; the system's clock is an hour fast.
        let fast = Self.noon + 3_600_000_000_000
        let pair = GPSTimePair(receiver: Self.noon, system: fast)
        let time = try #require(
            SatelliteTime(.pulse, pair, seenBy: kernel(20, wall: fast + 500_000_000)))
        #expect(time.means == .pulse && time.at == Sample.moment(19.5).boot && time.wall == Self.noon)
        #expect(time.bound >= .milliseconds(2) && time.bound < .milliseconds(3))
    }

    @Test func `of a pulse or a message is read from gpsd's own line, and of none that is another`() {
        func read(_ members: String) -> GPSTimePair? {
            GPSTimePair(line: Array("{\"class\":\"TOFF\",\(members)}".utf8))
        }
        // As gpsd 3.22 wrote it.
        let line =
            #""device":"udp://127.0.0.1:29478","real_sec":1795264509, "real_nsec":5,"clock_sec":1795323596,"clock_nsec":386399976"#
        #expect(
            read(line)
                == GPSTimePair(receiver: 1_795_264_509_000_000_005, system: 1_795_323_596_386_399_976))
        for wrong in [
            line.replacing("1795264509", with: "-5"), line.replacing("1795264509", with: "9223372036854775807"),
            line.replacing("386399976", with: "1000000000"), line.replacing("real_sec", with: "r"), "\"a\":",
            "",
        ] { #expect(read(wrong) == nil, "\(wrong)") }
        #expect(GPSTimePair(line: []) == nil)
    }

    @Test func `is none where the system's clock was stepped since, or gpsd tells of the past`() {
        let pair = GPSTimePair(receiver: Self.noon, system: Self.noon)
        for age in [-1, 5_000_000_001, 3_600_000_000_000] as [Int64] {
            #expect(SatelliteTime(.pulse, pair, seenBy: kernel(20, wall: Self.noon + age)) == nil)
        }
        let rubbish = GPSTimePair(receiver: .max, system: .min)
        #expect(SatelliteTime(.message, rubbish, seenBy: kernel(20, wall: Self.noon)) == nil)
    }
}

/// Against Debian's gpsd, and against lines in its format of a receiver with a pulse, which no test has.
@Suite(.enabled(if: GPSDProcess.isInstalled), .serialized) struct `gpsd's time` {
    private func running(
        _ port: UInt16, _ times: Recorder<SatelliteTime>, _ body: () async throws -> Void
    ) async throws {
        let feed = try PositionFeed(host: "127.0.0.1", port: port, onEvent: { _ in }, onTime: times.add)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await feed.run() }
            defer { feed.stop() }
            try await body()
        }
    }

    @Test func `comes with each epoch, as the message began and as it came`() async throws {
        let gpsd = try GPSDProcess()
        try await gpsd.start()
        let times = Recorder<SatelliteTime>()
        try await running(gpsd.port, times) {
            for _ in 0..<100 where times.values.count < 12 {
                gpsd.sendEpoch()
                try? await Task.sleep(for: .milliseconds(100))
            }
            #expect(times.values.count >= 12)
        }
        // Both are of whole seconds, and later than those by half of the possible delay of each.
        let late = Set(times.values.map { $0.wall % 1_000_000_000 })
        #expect(late == [405_000_000, 355_000_000], "\(late)")
        #expect(times.values.allSatisfy { $0.means == .message && $0.bound <= .milliseconds(395) })
        for kind in late {
            let walls = times.values.map(\.wall).filter { $0 % 1_000_000_000 == kind }
            #expect(walls == walls.sorted() && Set(walls).count == walls.count, "each epoch once")
        }
    }

    @Test func `comes with each pulse`() async throws {
        let server = try LineServer()
        let times = Recorder<SatelliteTime>()
        try await running(server.port, times) {
            try await server.accept()
            let now = KernelClock.look().wall
            let (seconds, rest) = now.quotientAndRemainder(dividingBy: 1_000_000_000)
            server.write(
                """
                {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
                {"class":"PPS","device":"/dev/ttyAMA0","real_sec":1780000001, "real_nsec":0,"clock_sec":\(seconds),\
                "clock_nsec":\(rest),"precision":-20}
                {"class":"PPS","device":"/dev/ttyAMA0","real_sec":1780000002, "real_nsec":0,"clock_sec":5,"clock_nsec":0}
                {"class":"PPS","device":"/dev/ttyAMA0"}

                """)
            #expect(await times.wait { !$0.isEmpty })
        }
        let pulse = try #require(times.values.first)
        #expect(times.values.count == 1, "the others are of long ago, or of nothing")
        #expect(pulse.means == .pulse && pulse.wall == 1_780_000_001_000_000_000)
        #expect(pulse.at <= Clock.boot() && pulse.bound < .milliseconds(50))
    }
}

/// One connection to the client that reads gpsd's output.
private final class LineServer: @unchecked Sendable {
    // @unchecked: driven by one test.
    let port = freePort()
    private let listener: Int32
    private var peer: Int32 = -1

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, listen(listener, 1) == 0 else { throw CocoaError(.fileReadUnknown) }
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(listener)
        if peer >= 0 { close(peer) }
    }

    func accept() async throws {
        guard await eventually({ self.tryAccept() }) else { throw CocoaError(.fileReadUnknown) }
    }

    private func tryAccept() -> Bool {
        peer = Glibc.accept(listener, nil, nil)
        return peer >= 0
    }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
