import Foundation
import Glibc
import TestSupport
import Testing

extension Integration {
    /// The other end of sd_notify(3): what systemd would be told.
    final class ServiceManager: Sendable {
        let words = Recorder<String>()
        let path: String
        private let descriptor: Int32

        init(in scratch: ScratchDirectory) throws {
            path = scratch.file("notify.sock").path
            descriptor = try LocalSocket.bindDatagram(to: path)
            Thread.detachNewThread { [descriptor, words] in
                var bytes = [UInt8](repeating: 0, count: 4_096)
                while true {
                    let count = recv(descriptor, &bytes, bytes.count, 0)
                    guard count > 0 else { break }
                    for word in String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n") {
                        words.add(String(word))
                    }
                }
                close(descriptor)
            }
        }

        deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

        /// As systemd sets them for `Type=notify` with `WatchdogSec=10`.
        var environment: [String: String] { ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "10000000"] }
    }

    @Suite struct Systemd {
        @Test func `the service manager is told of the start, the state, each sign of life and the stop`()
            async throws
        {
            try await House.with { house in
                let manager = try ServiceManager(in: house.scratch)
                let gateway = try await house.start(environment: manager.environment)
                try await manager.words.first("the word that it is ready") { $0 == "READY=1" }
                try await manager.words.first("a state") { $0.hasPrefix("STATUS=") }
                for _ in 1...3 {
                    let mark = manager.words.mark
                    try await manager.words.first("a sign of life", after: mark) { $0 == "WATCHDOG=1" }
                }
                try await house.rig.subscribed()
                try await manager.words.first("the state with the strap watched") {
                    $0.hasPrefix("STATUS=watching 1 wearable;")
                }
                let stop = try await gateway.daemon.terminate()
                #expect(stop.code == 0)
                try await manager.words.first("the word that it stops") { $0 == "STOPPING=1" }
                let words = manager.words.values
                #expect(words.first { !$0.hasPrefix("STATUS=") } == "READY=1")
                #expect(words.count { $0 == "READY=1" } == 1)
                #expect(words.last == "STOPPING=1")
                // World-readable: it names nobody.
                #expect(!words.contains { $0.localizedCaseInsensitiveContains("maria") })
            }
        }

        @Test func `a gateway whose wearable is away says that supervision is impaired`() async throws {
            try await House.with { house in
                try await house.rig.perform("bus", "stop")
                let manager = try ServiceManager(in: house.scratch)
                _ = try await house.start(environment: manager.environment)
                try await manager.words.first("the impaired state") {
                    $0.hasPrefix("STATUS=supervision is paused or impaired")
                }
            }
        }

        private static let notDelayed = "a shutdown of the box is not delayed"

        /// Starts the stand-in of systemd-logind. Returns when it can be asked.
        private func logind(_ house: House) async throws -> TiedChild {
            let logind = try house.beside("fake_logind.py")
            try await logind.output.first("logind") { $0 == "ready" }
            return logind
        }

        @Test func `a shutdown of the box is delayed while an alarm is open, and no longer`() async throws {
            try await House.with { house in
                let logind = try await logind(house)
                let gateway = try await house.start()
                try await house.rig.subscribed()
                let mark = logind.output.mark
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                try await logind.output.first("a lock", after: mark) { $0 == "shutdown delay HomeGateway" }
                try await gateway.feed.first("handed-over") { $0.alarm == alarm.alarm }
                #expect(!logind.output.values.contains("released"))
                let end = try await house.command("resolve", "--by", "Maria")
                #expect(end.code == 0, "\(end)")
                try await logind.output.first("the end of the lock", after: mark) { $0 == "released" }
                #expect(logind.output.values.count { $0.hasPrefix("shutdown") } == 1)
            }
        }

        @Test func `a gateway that is killed leaves no lock behind`() async throws {
            try await House.with { house in
                let logind = try await logind(house)
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                try await gateway.alarm()
                try await logind.output.first("a lock") { $0 == "shutdown delay HomeGateway" }
                await gateway.daemon.child.killed()
                try await logind.output.first("the end of the lock") { $0 == "released" }
            }
        }

        @Test func `a logind that hangs delays no call for help and no stop, and is logged once`() async throws
        {
            try await House.with { house in
                let logind = try await logind(house)
                logind.signal(SIGSTOP)
                let gateway = try await house.start()
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                let call = try await witness.call("confirmed")
                #expect(call.payload.alarm == alarm.alarm)
                try await gateway.daemon.child.errors.first("the line of the log") {
                    $0.contains(Self.notDelayed)
                }
                let stop = try await gateway.daemon.terminate()
                #expect(stop.code == 0)
                #expect(gateway.daemon.log.split(separator: Self.notDelayed).count == 2)
                logind.signal(SIGCONT)
            }
        }
    }
}
