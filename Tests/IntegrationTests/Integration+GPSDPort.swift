import Foundation
import Glibc
import TestSupport
import Testing

extension Integration {
    /// A program at gpsd's port that is no gpsd, or a broken one, and the real daemon.
    @Suite struct GPSDPort {
        /// Serves each connection in a thread of its own: the lines of `first` at once, then `then` each 100 ms.
        private static func program(first: String, then: String) -> String {
            """
            import socket, sys, threading, time
            def serve(client):
                try:
                    client.sendall(\(first))
                    while True:
                        client.sendall(\(then))
                        time.sleep(0.1)
                except OSError:
                    pass
            listener = socket.create_server(('127.0.0.1', int(sys.argv[1])))
            while True:
                client, _ = listener.accept()
                threading.Thread(target=serve, args=(client,), daemon=True).start()
            """
        }

        private static func withHouse(
            first: String, then: String, _ body: @Sendable (House, House.Gateway) async throws -> Void
        ) async throws {
            let scratch = try ScratchDirectory()
            let port = freePort()
            let peer = try ChildProcess(
                "/usr/bin/python3", ["-c", program(first: first, then: then), "\(port)"],
                output: scratch.file("peer.log"))
            defer { peer.killAndWait() }
            #expect(await eventually { isListening(port) })
            var settings = HouseSettings()
            settings.gpsdPort = UInt16(port)
            try await House.with(settings) { house in try await body(house, try await house.start()) }
        }

        /// The processor time that the gpsd thread of a process has used, in seconds.
        private static func processorTime(ofThread name: String, in pid: Int32) throws -> Double {
            let tasks = "/proc/\(pid)/task"
            let used = try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap {
                task -> Double? in
                let comm = try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)
                guard comm?.trimmingCharacters(in: .newlines) == name,
                    let stat = try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8)
                else { return nil }
                // proc(5): utime and stime are the fields 14 and 15; the second one may hold blanks.
                let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
                return (Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0)
            }
            return try #require(used.first) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }

        @Test func `reports that libgps refuses cost nothing, and the positions after them are used`()
            async throws
        {
            let devices = (0..<40).map { #"{"class":"DEVICE","path":"/dev/ttyUSB\#($0)"}"# }
                .joined(separator: ",")
            let first = [
                #"{"class":"DEVICES","devices":[\#(devices)]}"#,
                #"{"class":"TPV","mode":"x"}{"class":"TPV","mode":3,"lat":1.0,"lon":1.0}"#,
                #"{"class":"SKY","satellites":[{"PRN":"x"}]}{"class":"SKY"}"#,
            ].map { $0 + "\\r\\n" }.joined()
            let fix = #"{"class":"TPV","mode":3,"lat":45.0,"lon":9.0,"eph":4.0}"#
            try await Self.withHouse(
                first: "b'\(first)'", then: "b'\(first)' + b'\(fix)\\r\\n'"
            ) { house, gateway in
                let position = try await gateway.feed.first("position")
                #expect(position.latitude == 45 && position.longitude == 9)
                let pid = gateway.daemon.child.processID
                let (before, start) = (
                    try Self.processorTime(ofThread: "gpsd", in: pid), ContinuousClock.now
                )
                // 20 more of each.
                for _ in 0..<20 {
                    let mark = gateway.feed.mark
                    try await gateway.feed.first("position", after: mark)
                }
                let wall = start.duration(to: .now) / .seconds(1)
                let used = try Self.processorTime(ofThread: "gpsd", in: pid) - before
                #expect(used < 0.3 * wall, "\(used) s of \(wall) s")
                #expect(!gateway.feed.lines.values.contains { $0.event == "position" && $0.latitude == 1 })
            }
        }

        @Test func `a flood without an end is left alone, told, and costs no core`() async throws {
            try await Self.withHouse(first: "b''", then: "b'x' * 1000000") { house, gateway in
                try await gateway.daemon.child.errors.first("the reason") {
                    $0.contains("a line is longer than 10240 bytes")
                }
                try await house.status(showing: "No position from gpsd")
                let pid = gateway.daemon.child.processID
                let (before, start) = (
                    try Self.processorTime(ofThread: "gpsd", in: pid), ContinuousClock.now
                )
                // As long as a reading takes to be told.
                try await house.rig.subscribed()
                for value in 70..<80 {
                    try await house.rig.send(value)
                    try await gateway.feed.first("reading") { $0.value == Double(value) }
                }
                let wall = start.duration(to: .now) / .seconds(1)
                let used = try Self.processorTime(ofThread: "gpsd", in: pid) - before
                #expect(used < 0.3 * max(wall, 1), "\(used) s of \(wall) s")
            }
        }
    }
}
