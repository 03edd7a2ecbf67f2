import CareCentre
import Foundation
import GatewayModel
import Glibc
import HelpLine
import ModelSamples
import SOSLocal
import Synchronization
import TestSupport

/// Real SIP endpoints and a running channel, for the tests of the care centre.
enum SIPRig {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let files = root.appending(path: "Tests/Rig/sip")

    struct Failure: Error { let text: String }

    /// A program on a port of 127.0.0.1, killed with its children when the test lets go of it.
    final class Server: Sendable {
        let port: UInt16
        let scratch: ScratchDirectory
        private let child: ChildProcess

        init(_ program: String, port: UInt16, scratch: ScratchDirectory, arguments: [String]) async throws {
            self.port = port
            self.scratch = scratch
            let child = try ChildProcess(program, arguments, output: scratch.file("log"), in: scratch.url)
            self.child = child
            let isUp = await eventually { SIPRig.isBound(port) || !child.isRunning }
            guard isUp, child.isRunning else { throw Failure(text: log) }
        }

        deinit { stop() }

        func stop() { child.killGroupAndWait() }

        var log: String { child.text }
    }

    /// sipp with a scenario of Tests/Rig/sip, as the centre.
    static func sipp(
        _ scenario: String, tcp: Bool = false, address: String = "127.0.0.1",
        port: UInt16 = freePort(), keys: [String: String] = [:]
    ) async throws -> Server {
        let scratch = try ScratchDirectory()
        return try await Server(
            "/usr/bin/sipp", port: port, scratch: scratch,
            arguments: [
                "-sf", files.appending(path: "\(scenario).xml").path, "-i", address, "-p", "\(port)",
                "-t", tcp ? "t1" : "u1", "-nostdin", "-trace_msg", "-message_file",
                scratch.file("messages").path,
            ] + keys.sorted { $0.key < $1.key }.flatMap { ["-key", $0.key, $0.value] })
    }

    /// kamailio as the centre's server, which wants `centre` and `secret`.
    /// - Parameter callee: port of 127.0.0.1 to which it sends calls; nil where it takes messages.
    static func kamailio(
        tls: (certificate: String, key: String)? = nil, callee: UInt16? = nil
    ) async throws -> Server {
        let scratch = try ScratchDirectory()
        let port = freePort()
        var arguments = [
            "-f", files.appending(path: "kamailio.cfg").path, "-DD", "-E", "-e", "-Y", scratch.url.path, "-P",
            scratch.file("pid").path, "-m", "16", "-M", "4", "-A", "PORT=\(port)", "-A", "PASSWORD=\"secret\"",
        ]
        if let tls {
            let config = try scratch.write(
                """
                [server:default]
                method = TLSv1.2+
                certificate = \(tls.certificate)
                private_key = \(tls.key)

                """, to: "tls.cfg"
            ).path
            arguments += ["-A", "WITH_TLS", "-A", "TLS_CONFIG=\"\(config)\""]
        }
        if let callee {
            arguments += [
                "-A", "WITH_CALLEE", "-A", "CALLEE=\"sip:127.0.0.1:\(callee)\"", "-A", "RELAY=\(freePort())",
            ]
        }
        return try await Server("/usr/sbin/kamailio", port: port, scratch: scratch, arguments: arguments)
    }

    static var hasIPv6: Bool { FileManager.default.fileExists(atPath: "/proc/net/if_inet6") }

    static var isInstalled: Bool {
        access("/usr/bin/sipp", X_OK) == 0 && access("/usr/sbin/kamailio", X_OK) == 0
    }

    /// Whether a socket of any kind has the port: asked of the kernel, so that no program sees a probe.
    static func isBound(_ port: UInt16) -> Bool { !rows(of: port, in: ["udp", "tcp", "udp6", "tcp6"]).isEmpty }

    /// Bytes that wait at a port for datagrams, and the number of datagrams that the kernel has dropped there (proc(5)).
    static func queue(at port: UInt16) -> (bytes: Int, dropped: Int) {
        rows(of: port, in: ["udp"]).reduce(into: (0, 0)) { sum, columns in
            sum.0 += columns[4].split(separator: ":").last.flatMap { Int($0, radix: 16) } ?? 0
            sum.1 += columns.last.flatMap { Int($0) } ?? 0
        }
    }

    private static func rows(of port: UInt16, in tables: [String]) -> [[Substring]] {
        let digits = String(port, radix: 16, uppercase: true)
        let end = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        return tables.flatMap { table in
            kernelTable("/proc/net/\(table)").split(separator: "\n").dropFirst().map {
                $0.split(separator: " ")
            }
            .filter { $0.count > 4 && $0[1].hasSuffix(end) && ["07", "0A"].contains($0[3]) }
        }
    }

    /// The whole of a file of the kernel's, which hands out a page at a time: Foundation reads the first one.
    private static func kernelTable(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk.prefix(count)
        }
    }
}

extension SIPRig {
    /// A channel that runs, and all it says.
    final class Line: Sendable {
        let channel: SCAIPChannel
        private let notebook = Notebook()
        private let ended: Task<Void, any Error>

        enum Said: Hashable, Sendable {
            case word(ChannelEvent)
            case test(ChannelTest)
            case note(SCAIPNote)
            case noticed(NoticeOutcome)
        }

        init(
            _ server: Server, _ transport: SCAIPChannel.Settings.Transport = .udp,
            change: (inout SCAIPChannel.Settings) -> Void = { _ in }
        ) throws {
            var settings = SCAIPChannel.Settings(
                id: ChannelID(sample: "centre"), centreName: "the centre", host: "127.0.0.1",
                port: server.port,
                transport: transport, fromURI: "sip:26317@centre.example", controllerID: "26317")
            settings.heartbeatInterval = nil
            settings.attemptLimit = .seconds(3)
            settings.isAnswerAcceptance = true
            change(&settings)
            let notebook = notebook
            channel = try SCAIPChannel(
                settings: settings,
                reports: ChannelReports(
                    about: { notebook.add(.word($0)) }, tested: { notebook.add(.test($0)) },
                    noticed: { notebook.add(.noticed($1)) }),
                onNote: { notebook.add(.note($0)) })
            let channel = channel
            ended = Task { try await channel.run() }
        }

        var all: [Said] { notebook.said.withLock { $0 } }
        var words: [ChannelEvent] { all.compactMap { if case .word(let word) = $0 { word } else { nil } } }
        var notes: [SCAIPNote] { all.compactMap { if case .note(let note) = $0 { note } else { nil } } }
        var failures: [String] {
            words.compactMap { if case .failed(_, _, let reason) = $0 { reason } else { nil } }
        }

        func send(_ order: DispatchOrder) throws {
            channel.send(try SCAIPSample.cleared(.call(order, of: SCAIPSample.profile)))
        }

        func send(_ retraction: Retraction) throws {
            channel.send(try SCAIPSample.cleared(.retraction(retraction, of: SCAIPSample.profile)))
        }

        func wait(within bound: Duration = .seconds(15), _ isTrue: @escaping (Line) -> Bool) async -> Bool {
            await eventually(within: bound) { isTrue(self) }
        }

        /// Until the thread is gone.
        func stop() async throws {
            channel.stop()
            try await ended.value
        }
    }

    private final class Notebook: Sendable {
        let said = Mutex<[Line.Said]>([])
        func add(_ said: Line.Said) { self.said.withLock { $0.append(said) } }
    }
}
