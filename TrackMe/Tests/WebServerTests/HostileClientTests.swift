import Foundation
import Logging
import PageSecurity
import ServiceLifecycle
import SiteSamples
import TestSupport
import Testing
import WebPages
import WebServer

/// The server between clients that mean harm, and one that does not.
@Suite(.serialized) struct `The web server` {
    /// A running server of a small site, with limits of a second.
    private struct Trial {
        let port: UInt16
        let site: TrialSite

        static let hello = "GET /hello HTTP/1.1\r\nHost: trackme.example\r\n\r\n"
        /// More than the kernel takes for a peer that reads nothing.
        static let pieces = 4_000

        /// - Parameter idle: seconds.
        static func with(
            connections: Int? = nil, idle: Int = 1,
            _ body: @escaping @Sendable (Trial) async throws -> Void
        ) async throws {
            let site = try await TrialSite { _, _ in
                [
                    Route(.get, "/hello", access: .everybody) { context in
                        .text(Array("hello \(context.query["n"] ?? "")".utf8), type: "text/plain")
                    },
                    Route(.post, "/words", access: .program) { context in
                        .text(Array("\(context.request.body.count)".utf8), type: "text/plain")
                    },
                    Route(.get, "/much", access: .everybody) { _ in
                        .file(type: "text/plain") { send in
                            for _ in 0..<pieces { try await send([UInt8](repeating: 0x61, count: 16_384)) }
                        }
                    },
                ]
            }
            var limits = WebServer.Limits(descriptors: 4_000)
            (limits.idle, limits.request, limits.reader) = (.seconds(idle), .seconds(1), .seconds(1))
            if let connections { limits.connections = connections }
            try await RunningServer.with(site, limits) { port in try await body(Trial(port: port, site: site)) }
        }

        /// Another client gets its page.
        func serves() async throws -> Bool {
            let client = try RawClient(port)
            guard client.offer(Self.hello) == Self.hello.utf8.count else { return false }
            return try await client.text { $0.hasSuffix("hello ") }?.hasPrefix("HTTP/1.1 200") == true
        }
    }

    /// Whether the server closes the connection while `act` goes on.
    private func isClosed(_ client: RawClient, while act: () -> Void = {}) async -> Bool {
        await eventually(within: .seconds(30)) {
            act()
            return client.take().isClosed
        }
    }

    @Test func `closes a connection whose header does not end, and reads little of it`() async throws {
        // Not by the time that a header may take.
        try await Trial.with(idle: 600) { trial in
            let client = try RawClient(trial.port)
            _ = client.offer("GET /hello HTTP/1.1\r\nX-Endless: ")
            var sent = 0
            let piece = [UInt8](repeating: 0x61, count: 65_536)
            let isRefused = await eventually(within: .seconds(30)) {
                guard let count = client.offer(piece) else { return true }
                sent += count
                return false
            }
            // The rest is what the kernel had taken: the server reads 32 KiB.
            #expect(isRefused && sent < 32 << 20, "\(sent)")
            let fields = try RawClient(trial.port)
            _ = fields.offer("GET /hello HTTP/1.1\r\n")
            let more = String(repeating: "a: b\r\n", count: 100)
            let areRefused = await eventually(within: .seconds(30)) { fields.offer(more) == nil }
            #expect(areRefused)
            #expect(try await trial.serves())
        }
    }

    @Test func `tells a header that is a little too large`() async throws {
        try await Trial.with { trial in
            let client = try RawClient(trial.port)
            let header = "GET /hello HTTP/1.1\r\nHost: trackme.example\r\nX: "
            _ = client.offer(header + String(repeating: "a", count: 20_000) + "\r\n\r\n")
            let answer = try await client.text { $0.contains("\r\n\r\n") }
            #expect(answer?.hasPrefix("HTTP/1.1 431") == true, "\(answer ?? "nothing")")
        }
    }

    @Test func `closes a thousand connections that send a byte now and then, and serves another one meanwhile`()
        async throws
    {
        try await Trial.with { trial in
            let before = try Self.residentBytes()
            let slow = try (0..<1_000).map { _ in try RawClient(trial.port) }
            // Half of them hang in the header, which they have filled nearly, half in the body.
            let header =
                "POST /words HTTP/1.1\r\nHost: trackme.example\r\nX: " + String(repeating: "a", count: 15_000)
            for (number, client) in slow.enumerated() {
                let isBody = number.isMultiple(of: 2)
                let start = header + (isBody ? "\r\nContent-Length: 16000\r\n\r\n" : "")
                #expect(client.offer(start) == start.utf8.count)
            }
            #expect(try await trial.serves())
            var open = slow
            let areClosed = await eventually(within: .seconds(60)) {
                open = open.filter { $0.offer("a") != nil && !$0.take().isClosed }
                return open.isEmpty
            }
            #expect(areClosed, "\(open.count) are open")
            let growth = try Self.residentBytes() - before
            // 1,000 × (32 KiB of a header, and the objects of a connection).
            #expect(growth < 128 << 20, "\(growth >> 20) MiB")
            #expect(try await trial.serves())
        }
    }

    @Test func `ends a body that comes byte by byte, although each byte is in time`() async throws {
        try await Trial.with(idle: 600) { trial in
            let client = try RawClient(trial.port)
            _ = client.offer("POST /words HTTP/1.1\r\nHost: trackme.example\r\nContent-Length: 16000\r\n\r\n")
            let isEnded = await isClosed(client) { _ = client.offer("a") }
            #expect(isEnded)
        }
    }

    @Test(arguments: [true, false]) func `refuses a huge body, and takes little of it`(hasLength: Bool)
        async throws
    {
        try await Trial.with { trial in
            let client = try RawClient(trial.port)
            let size = hasLength ? "Content-Length: 1000000000" : "Transfer-Encoding: chunked"
            _ = client.offer("POST /words HTTP/1.1\r\nHost: trackme.example\r\n\(size)\r\n\r\n")
            let bytes = [UInt8](repeating: 0x61, count: 65_536)
            let piece = hasLength ? bytes : Array("10000\r\n".utf8) + bytes + Array("\r\n".utf8)
            var (sent, seen, rest) = (0, [UInt8](), ArraySlice(piece))
            let isRefused = await eventually(within: .seconds(30)) {
                seen += client.take().bytes
                guard let count = client.offer(Array(rest)) else { return true }
                sent += count
                rest = rest.dropFirst(count)
                if rest.isEmpty { rest = ArraySlice(piece) }
                return false
            }
            #expect(isRefused && sent < 64 << 20, "\(sent)")
            #expect(try await trial.serves())
        }
    }

    @Test func `tells a body that is a little too large, and goes on with the connection`() async throws {
        try await Trial.with { trial in
            let client = try RawClient(trial.port)
            let body = String(repeating: "a", count: 20_000)
            _ = client.offer(
                "POST /words HTTP/1.1\r\nHost: trackme.example\r\nContent-Length: 20000\r\n\r\n" + body
                    + Trial.hello)
            let answer = try await client.text { $0.hasSuffix("hello ") }
            #expect(answer?.hasPrefix("HTTP/1.1 413") == true, "\(answer ?? "nothing")")
            #expect(answer?.contains("HTTP/1.1 200") == true)
        }
    }

    @Test func `answers pipelined requests in their order`() async throws {
        try await Trial.with { trial in
            let client = try RawClient(trial.port)
            let requests = (1...300).map { Trial.hello.replacing("/hello", with: "/hello?n=\($0)") }.joined()
            #expect(client.offer(requests) == requests.utf8.count)
            let text = try await client.text { $0.hasSuffix("hello 300") } ?? ""
            let numbers = text.matches(of: /hello (\d+)/).compactMap { Int($0.1) }
            #expect(numbers == Array(1...300))
        }
    }

    @Test func `stops to read requests of a peer that reads no answers, and closes it`() async throws {
        try await Trial.with { trial in
            let client = try RawClient(trial.port, window: 4_096)
            let before = try Self.residentBytes()
            let requests = Array(String(repeating: Trial.hello, count: 1_000).utf8)
            var (sent, rest) = (0, ArraySlice(requests))
            let isEnded = await eventually(within: .seconds(60)) {
                guard let count = client.offer(Array(rest)) else { return true }
                sent += count
                rest = rest.dropFirst(count)
                if rest.isEmpty { rest = ArraySlice(requests) }
                return false
            }
            let growth = try Self.residentBytes() - before
            #expect(isEnded && growth < 128 << 20, "\(sent) bytes of requests, \(growth >> 20) MiB")
            #expect(try await trial.serves())
        }
    }

    @Test func `closes a peer that stops to read a large answer`() async throws {
        try await Trial.with { trial in
            let client = try RawClient(trial.port, window: 4_096)
            _ = client.offer(Trial.hello.replacing("/hello", with: "/much"))
            // The kernel says that the server has closed when bytes of ours come back unread.
            let isEnded = await eventually(within: .seconds(30)) { client.offer("\r\n") == nil }
            #expect(isEnded)
            let seen = try await client.text { _ in false } ?? ""
            #expect(seen.utf8.count < Trial.pieces * 16_384)
        }
    }

    @Test func `lets connections beyond its limit wait until others end`() async throws {
        try await Trial.with(connections: 8) { trial in
            let held = try (0..<40).map { _ in try RawClient(trial.port) }
            for client in held { _ = client.offer("GET /hello HTTP/1.1\r\n") }
            #expect(try await trial.serves())
            // It was its turn when others had ended. The server accepts up to 16 with one look.
            #expect(held.count { $0.take().isClosed } >= 40 - 8 - 16)
        }
    }

    private static func residentBytes() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
        return (Int(pages) ?? 0) * 4_096
    }
}
