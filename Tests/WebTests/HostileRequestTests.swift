import Foundation
import HostileInput
import SeededRandom
import Testing
import Web

@Suite(.serialized) struct `Hostile input` {
    private static let seeds: [String] = [
        get("/"), get("/brief"), get("/rooms/caf%C3%A9?name=M%26M+two&empty="),
        get("/", "Cookie: __Host-hg=0123456789"),
        post("alarm=7&reason=all+is+well%21"), get("/") + get("/brief") + post("a=1"),
        "HEAD / HTTP/1.1\r\nHost: [::1]:8765\r\nConnection: keep-alive\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
        post("a=1", "Expect: 100-continue"),
        "POST /act HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n0\r\n\r\n",
    ]

    private static let words = [
        "\r\n", "\n", "\r", "\r\n\r\n", ":", " ", "\t", "%", "%00", "%FF", "&", "=", "+", "?", "#", "\u{0}",
        "é",
        "GET ", "POST /act", "OPTIONS * ", "CONNECT ", "HTTP/1.1", "HTTP/2.0", "HTTP/0.9", "Host: a\r\n",
        "Content-Length: 1\r\n", "Content-Length: 18446744073709551616\r\n", "Transfer-Encoding: chunked\r\n",
        "Connection: close\r\n", "Upgrade: websocket\r\n", "Expect: 100-continue\r\n", "0\r\n\r\n",
        "ffffffffffffffff\r\n",
        "\r\n folded", "http://localhost/", "/../", "//", "a=1&",
    ]

    /// Bytes of memory that this process occupies (proc(5), statm).
    private static func resident() throws -> Int {
        let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (Int(words[1]) ?? 0) * Int(getpagesize())
    }

    /// Clients at a time: most wait for a limit of time of the server.
    private static let crowd = 500

    @Test func `at the port of the pages ends nothing, holds nothing and is answered or closed`() throws {
        let server = try TestServer(
            limits: TestServer.limits {
                ($0.headTime, $0.bodyTime, $0.idleSeconds) = (.milliseconds(200), .milliseconds(200), 1)
            })
        var generator = SeededGenerator(seed: 7)
        var clients: [RawClient] = []
        let before = try Self.resident()
        try Campaign("web-request").run(seeds: Self.seeds.map { Array($0.utf8) }, words: Self.words) { input in
            let client = try server.client()
            var rest = input[...]
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let part = rest.prefix(Int.random(in: 0...rest.count, using: &generator))
                client.send(part)
                rest = rest.dropFirst(part.count)
            }
            client.send(rest)
            if Bool.random(using: &generator) { client.endSending() }
            clients.append(client)
            guard clients.count == Self.crowd else { return }
            for client in clients { try client.drain() }
            clients = []
        }
        for client in clients { try client.drain() }
        #expect(try server.client().ask(get("/page")).text == "GET /page")
        // 500 connections hold 12 MB at most: 8 KB and a body of 16 KB each. Other tests may run in this process.
        #expect(try Self.resident() - before < 64 << 20)
        server.web.stop()
    }
}
