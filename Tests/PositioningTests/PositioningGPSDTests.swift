import GatewayModel
import Positioning
import TestSupport
import Testing

/// Against Debian's gpsd.
@Suite(.enabled(if: GPSDProcess.isInstalled), .serialized) struct PositioningGPSDTests {
    private struct Running: Sendable {
        let feed: PositionFeed
        let events = Recorder<PositionEvent>()

        init(_ port: UInt16) throws {
            let events = events
            feed = try PositionFeed(host: "127.0.0.1", port: port, onEvent: events.add)
        }

        func run(_ body: @Sendable () async throws -> Void) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await feed.run() }
                defer { feed.stop() }
                try await body()
            }
        }

        /// Feeds an epoch every 100 ms until `isMet`.
        func feed(_ gpsd: GPSDProcess, hasFix: Bool = true, until isMet: ([PositionEvent]) -> Bool) async
            -> Bool
        {
            for _ in 0..<150 {
                if isMet(events.values) { return true }
                gpsd.sendEpoch(hasFix: hasFix)
                try? await Task.sleep(for: .milliseconds(100))
            }
            return isMet(events.values)
        }
    }

    @Test func `fixes come once each and come again after gpsd died`() async throws {
        let gpsd = try GPSDProcess()
        try await gpsd.start()
        let running = try Running(gpsd.port)
        try await running.run {
            #expect(await running.feed(gpsd) { $0.count >= 6 })
            #expect(running.events.values.first == .available)
            let seen = fixes(running.events.values)
            #expect(abs(seen[1].coordinates.latitude - 45.4642) < 1e-4)
            #expect(abs(seen[1].coordinates.longitude - 9.19) < 1e-4)
            #expect(seen[1].altitude.map { abs($0 - 122.3) < 0.01 } == true)
            gpsd.kill()
            #expect(await running.events.wait(upTo: .seconds(3)) { reasons($0).count == 1 })
            #expect(reasons(running.events.values)[0].contains("closed by gpsd"))
            let before = running.events.values.count
            try await gpsd.start()
            #expect(await running.feed(gpsd) { fixes(Array($0[before...])).count >= 2 })
            #expect(running.events.values.count { $0 == .available } == 2)
        }
    }

    @Test func `a receiver without a view of the sky is unavailable after ten seconds`() async throws {
        let gpsd = try GPSDProcess()
        try await gpsd.start()
        let running = try Running(gpsd.port)
        try await running.run {
            #expect(await running.feed(gpsd, hasFix: false) { !$0.isEmpty })
            #expect(reasons(running.events.values) == ["the receiver has no fix; it needs a view of the sky"])
        }
        #expect(running.events.values.count == 1)
    }

    /// What speaks at gpsd's port may be anything: no line of it ends the gateway.
    @Test func `a liar at gpsds port is borne`() async throws {
        let port = freePort()
        let scratch = try ScratchDirectory()
        let liar = try ChildProcess(
            "/usr/bin/python3", ["-c", Self.liar, "\(port)"], output: scratch.file("liar.log"))
        defer { liar.killAndWait() }
        #expect(await eventually { isListening(port) })
        let running = try Running(port)
        try await running.run {
            #expect(await running.events.wait { fixes($0).count >= 2 }, "\(running.events.values) \(liar.text)")
        }
        let seen = fixes(running.events.values)
        #expect(seen.first?.horizontalError == nil)
        #expect(seen.last?.horizontalError == 4)
    }

    private static let liar = """
        import socket, sys
        lines = [
            '{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}',
            '{"class":"TPV","mode":1,"time":"9999-12-31T23:59:59Z"}',
            '{"class":"TPV","mode":3,"time":"9999-12-31T23:59:59Z","lat":45.0,"lon":9.0,"eph":1e300}',
            '{"class":"TPV","mode":3,"time":"2026-11-22T12:00:00Z","lat":45.0,"lon":9.0,"eph":4.0}',
        ]
        listener = socket.create_server(('127.0.0.1', int(sys.argv[1])))
        kept = []
        while True:
            client, _ = listener.accept()
            kept.append(client)
            try:
                client.sendall(('\\r\\n'.join(lines) + '\\r\\n').encode())
            except OSError:
                pass
        """

    @Test func `a gpsd that is not there is told once with the remedy`() async throws {
        let running = try Running(freePort())
        try await running.run {
            #expect(await running.events.wait { !$0.isEmpty })
            #expect(reasons(running.events.values)[0].contains("systemctl status gpsd"))
        }
        #expect(running.events.values.count == 1)
    }
}

private func fixes(_ events: [PositionEvent]) -> [Fix] {
    events.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
}

private func reasons(_ events: [PositionEvent]) -> [String] {
    events.compactMap { if case .unavailable(let reason) = $0 { reason } else { nil } }
}
