import Foundation
import TestSupport
import Testing
import Web

@Suite(.timeLimit(.minutes(1))) struct `A request` {
    private let server: TestServer

    init() throws { server = try TestServer() }

    @Test func `for a page gets path and query decoded`() throws {
        let client = try server.client()
        let reply = try client.ask(get("/rooms/caf%C3%A9?name=M%26M+two&empty="))
        #expect(reply.status == 200)
        #expect(reply.text == "GET /rooms/café empty=,name=M&M two")
        server.web.stop()
    }

    @Test func `with a form gets its fields decoded`() throws {
        let client = try server.client()
        let reply = try client.ask(post("alarm=7&reason=all+is+well%21&empty"))
        #expect(reply.status == 200)
        #expect(reply.text == "POST /act alarm=7,empty=,reason=all is well!")
        server.web.stop()
    }

    @Test func `keeps its connection for the next one`() throws {
        let client = try server.client()
        for number in 1...20 { #expect(try client.ask(get("/\(number)")).text == "GET /\(number)") }
        #expect(try client.ask(post("a=1")).text == "POST /act a=1")
        #expect(try client.ask(get("/last")).text == "GET /last")
        server.web.stop()
    }

    @Test func `that asks for the end of the connection gets it after the answer`() throws {
        let client = try server.client()
        #expect(try client.ask(get("/", "Connection: close")).status == 200)
        #expect(try client.drain() == "")
        server.web.stop()
    }

    @Test func `for the head of a page gets no body`() throws {
        let client = try server.client()
        client.send("HEAD /page HTTP/1.1\r\nHost: localhost\r\n\r\n" + get("/next"))
        let head = try client.head()
        #expect(head.status == 200)
        #expect(head.fields["content-length"] == "10")
        #expect(try client.reply().text == "GET /next")
        server.web.stop()
    }

    @Test func `that is pipelined is answered in its order`() throws {
        let client = try server.client()
        client.send((1...50).map { get("/\($0)") }.joined())
        for number in 1...50 { #expect(try client.reply().text == "GET /\(number)") }
        server.web.stop()
    }

    @Test func `with a body that comes byte by byte is answered`() throws {
        let client = try server.client()
        for byte in post("name=Maria&room=2").utf8 { client.send([byte]) }
        #expect(try client.reply().text == "POST /act name=Maria,room=2")
        server.web.stop()
    }

    @Test func `of HTTP/1_0 is answered, and its connection ends`() throws {
        let client = try server.client()
        #expect(try client.ask("GET /old HTTP/1.0\r\nHost: localhost\r\n\r\n").text == "GET /old")
        #expect(try client.drain() == "")
        server.web.stop()
    }

    // MARK: Refusals

    /// A refused request ends its connection, so that nothing of it is read as the next request. The library sends the
    /// head of some of its own refusals twice.
    private func expectRefused(_ request: some Collection<UInt8>, _ statuses: Set<Int>) throws {
        let client = try server.client()
        client.send(request)
        let reply = try client.reply()
        #expect(statuses.contains(reply.status), "saw \(reply.status)")
        #expect(try !client.drain().contains("HTTP/1.1 200"))
        #expect(try server.client().ask(get("/")).status == 200)
        server.web.stop()
    }

    private func expectRefused(_ request: String, _ statuses: Set<Int>) throws {
        try expectRefused(Array(request.utf8), statuses)
    }

    @Test func `with a head above the limit is refused`() throws {
        try expectRefused(get("/", "A: " + String(repeating: "a", count: 20_000)), [413, 431])
    }

    @Test func `with a head near the limit is answered`() throws {
        let client = try server.client()
        #expect(try client.ask(get("/near", "A: " + String(repeating: "a", count: 4_500))).text == "GET /near")
        server.web.stop()
    }

    @Test func `with a line above the limit is refused`() throws {
        try expectRefused(get("/" + String(repeating: "a", count: 20_000)), [413, 414, 431])
    }

    @Test func `with too many fields is refused`() throws {
        try expectRefused(
            "GET / HTTP/1.1\r\nHost: localhost\r\n" + (1...64).map { "X\($0): 1\r\n" }.joined() + "\r\n", [400])
    }

    @Test func `with a field that comes twice is refused`() throws {
        try expectRefused(get("/", "Cookie: a=1", "cookie: a=2"), [400])
    }

    @Test func `with two hosts is refused`() throws {
        try expectRefused(get("/", "Host: other"), [400])
    }

    @Test func `without a host is refused`() throws {
        try expectRefused("GET / HTTP/1.1\r\n\r\n", [400])
    }

    @Test func `with a query field that comes twice is refused`() throws {
        try expectRefused(get("/?a=1&a=2"), [400])
    }

    @Test func `with a form field that comes twice is refused`() throws {
        try expectRefused(post("a=1&a=2"), [400])
    }

    @Test func `with too many form fields is refused`() throws {
        try expectRefused(post((1...65).map { "f\($0)=1" }.joined(separator: "&")), [400])
    }

    @Test func `with a NUL in its form is refused`() throws {
        try expectRefused(post("a=1%002"), [400])
    }

    @Test func `with a NUL in its path is refused`() throws {
        try expectRefused(get("/today%00.html"), [400])
    }

    @Test func `with a NUL in its query is refused`() throws {
        try expectRefused(get("/?a=1%002"), [400])
    }

    /// The library ends a line's text there, and reads the rest of the line no further.
    @Test func `with a bare NUL is read up to it`() throws {
        let client = try server.client()
        #expect(try client.ask(get("/to\u{0}day?a=1", "Cookie: a=\u{0}b")).text == "GET /to a=1")
        #expect(try client.ask(get("/next")).text == "GET /next")
        server.web.stop()
    }

    @Test func `with a broken percent sign is refused`() throws {
        try expectRefused(get("/%zz"), [400])
    }

    @Test func `with text that is not UTF-8 is refused`() throws {
        try expectRefused(
            Array("GET / HTTP/1.1\r\nHost: localhost\r\nCookie: ".utf8) + [0xFF, 0xFE] + Array("\r\n\r\n".utf8),
            [400])
    }

    @Test func `with a path that is not UTF-8 is refused`() throws {
        try expectRefused(get("/%FF"), [400])
    }

    @Test func `with a form that is not UTF-8 is refused`() throws {
        try expectRefused(post("a=%C3"), [400])
    }

    @Test func `with a body above the limit is refused`() throws {
        try expectRefused(post("a=" + String(repeating: "b", count: 16_383)), [413])
    }

    @Test func `with a body at the limit is answered`() throws {
        let client = try server.client()
        let reply = try client.ask(post("a=" + String(repeating: "b", count: 16_382)))
        #expect(reply.body.count == "POST /act a=".utf8.count + 16_382)
        server.web.stop()
    }

    @Test func `with a body in chunks is refused`() throws {
        try expectRefused(
            "POST /act HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n0\r\n\r\n", [411])
    }

    @Test func `with a length beside a coding is refused, and nothing is read as the next request`() throws {
        try expectRefused(
            "POST /act HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get("/smuggled"),
            [400, 411])
    }

    @Test func `with two lengths is refused, and nothing is read as the next request`() throws {
        try expectRefused(post("a=1" + get("/smuggled"), length: 3, "Content-Length: 60"), [400])
    }

    @Test(arguments: ["-1", "+3", "3, 3", "0x3", "99999999999999999999", ""])
    func `with a length that is no number is refused`(_ length: String) throws {
        try expectRefused(
            "POST /act HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: \(length)\r\n\r\na=1", [400, 413])
    }

    @Test func `with a body of another type is refused`() throws {
        try expectRefused(post(#"{"a":1}"#, type: "application/json"), [415])
    }

    @Test func `that is no HTTP is refused`() throws {
        let client = try server.client()
        client.send("\u{16}\u{3}\u{1} hello\r\n\r\n")
        client.endSending()
        try client.drain()
        #expect(try server.client().ask(get("/")).status == 200)
        server.web.stop()
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A connection` {
    @Test func `with half a head ends after the time to a head`() throws {
        let server = try TestServer(limits: TestServer.limits { $0.headTime = .milliseconds(300) })
        let client = try server.client()
        client.send("GET / HTTP/1.1\r\nHost: local")
        #expect(try client.drain() == "")
        server.web.stop()
    }

    @Test func `that sends its head byte by byte ends after the time to a head`() throws {
        let server = try TestServer(limits: TestServer.limits { $0.headTime = .milliseconds(300) })
        let client = try server.client()
        client.send("GET /")
        // A byte each millisecond: the head's limit is farther away than its time.
        for _ in 0..<10_000 where client.send("a") { usleep(1_000) }
        #expect(!client.send("a"))
        #expect(try client.drain() == "")
        server.web.stop()
    }

    @Test func `with half a body ends after the time to a body`() throws {
        let server = try TestServer(limits: TestServer.limits { $0.bodyTime = .milliseconds(300) })
        let client = try server.client()
        client.send(post("a=1", length: 10))
        #expect(try client.drain() == "")
        server.web.stop()
    }

    @Test func `that is idle ends`() throws {
        let server = try TestServer(limits: TestServer.limits { $0.idleSeconds = 1 })
        let client = try server.client()
        #expect(try client.ask(get("/")).status == 200)
        #expect(try client.drain() == "")
        server.web.stop()
    }

    @Test func `above the limit takes the place of the oldest half head, then of the oldest idle one`() throws {
        let server = try TestServer(
            limits: TestServer.limits { ($0.connections, $0.reserved) = (3, 0) })
        let idle = try server.client()
        #expect(try idle.ask(get("/idle")).status == 200)
        let (older, newer) = (try server.client(), try server.client())
        for client in [older, newer] { client.send("GET /half HTTP/1.1\r\n") }
        let first = try server.listener()
        #expect(try older.drain() == "")
        newer.send("Host: localhost\r\n\r\n")
        #expect(try newer.reply().text == "GET /half")
        let second = try server.listener()
        #expect(try idle.drain().isEmpty)
        #expect(try newer.ask(get("/again")).text == "GET /again")
        let third = try server.listener()
        // Three streams have the places, and keep them.
        #expect(try server.client().drain() == "")
        server.send("all")
        for client in [first, second, third] { #expect(try client.event()?.contains("all") == true) }
        server.web.stop()
    }

    @Test func `above the limit of its address is closed where the others are at work`() throws {
        let server = try TestServer(limits: TestServer.limits { $0.perAddress = 2 })
        let half = try server.client(from: "127.0.0.2")
        half.send("GET / HT")
        let two = [try server.listener(), try server.client()]
        #expect(try two[1].ask(get("/")).status == 200)
        let third = try server.listener()
        #expect(try two[1].drain() == "", "an idle one gives way")
        #expect(try server.client().drain() == "")
        #expect(try server.client(from: "127.0.0.3").ask(get("/")).status == 200)
        half.send("TP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try half.reply().status == 200, "another address has places of its own")
        withExtendedLifetime(third) { server.web.stop() }
    }

    @Test func `of a paired device has its place in a flood of half heads`() throws {
        let server = try TestServer(
            limits: TestServer.limits { ($0.connections, $0.reserved, $0.perAddress) = (40, 4, 8) })
        let paired = "127.0.0.99"
        let open = try server.client(from: paired)
        #expect(try open.ask(get("/", "Cookie: paired")).status == 200)
        var flood: [RawClient] = []
        for number in 0..<400 {
            let half = try server.client(from: "127.0.1.\(number / 8 + 1)")
            half.send("GET /half HTTP/1.1\r\n")
            flood.append(half)
            guard number % 50 == 49 else { continue }
            let start = ContinuousClock.now
            #expect(try open.ask(get("/open")).text == "GET /open")
            #expect(try server.client(from: paired).ask(get("/new")).text == "GET /new")
            #expect(try server.client(from: "127.0.0.98").ask(get("/stranger")).text == "GET /stranger")
            #expect(start.duration(to: .now) < .seconds(2), "\(number)")
        }
        // Its own half heads do not give way to those of the flood, though they are older.
        let slow = try server.client(from: paired)
        slow.send("GET /slow HT")
        for number in 0..<80 {
            let half = try server.client(from: "127.0.2.\(number / 8 + 1)")
            half.send("GET /half HTTP/1.1\r\n")
            flood.append(half)
        }
        slow.send("TP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try slow.reply().text == "GET /slow")
        withExtendedLifetime(flood) { server.web.stop() }
    }

    @Test func `with a certificate of the house answers https`() async throws {
        let authority = try await TestAuthority()
        let identity = try await authority.sign("house", names: "IP:127.0.0.1")
        let server = try TestServer(
            identity: WebServer.Identity(
                key: try String(contentsOfFile: identity.key, encoding: .utf8),
                certificate: try String(contentsOfFile: identity.certificate, encoding: .utf8)))
        let answer = try await BuiltProgram.answer(of: [
            "/usr/bin/curl", "--silent", "--show-error", "--write-out", #"\n"#, "--cacert",
            authority.certificate,
            "https://\(server.address)/secret", "https://\(server.address)/again",
        ])
        #expect(answer.output.contains("GET /secret") && answer.output.contains("GET /again"), "\(answer)")
        let plain = try await BuiltProgram.answer(of: [
            "/usr/bin/curl", "--silent", "--show-error", "http://\(server.address)/secret",
        ])
        #expect(plain.code != 0)
        server.web.stop()
    }

    @Test func `a key that does not belong to the certificate stops the start with its address`() async throws {
        let authority = try await TestAuthority()
        let one = try await authority.sign("one", names: "IP:127.0.0.1")
        let other = try await authority.sign("other", names: "IP:127.0.0.1")
        let identity = WebServer.Identity(
            key: try String(contentsOfFile: other.key, encoding: .utf8),
            certificate: try String(contentsOfFile: one.certificate, encoding: .utf8))
        #expect {
            try TestServer(identity: identity)
        } throws: {
            "\($0)".hasPrefix("127.0.0.1:")
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A server` {
    @Test(arguments: ["localhost", "127.0.0.1", "127.0.0.1:http", "house:80", ""])
    func `refuses an address without numbers`(_ address: String) {
        #expect {
            try WebServer(addresses: [address], identity: nil) { _ in
                WebReply(status: 200, headers: [], body: .bytes([]))
            }
        } throws: {
            "\($0)".contains("'\(address)'")
        }
    }

    @Test func `frees its first address when the second one is taken`() throws {
        let taken = try TestServer()
        #expect {
            try WebServer(addresses: ["127.0.0.1:0", taken.address], identity: nil) { _ in
                WebReply(status: 200, headers: [], body: .bytes([]))
            }
        } throws: {
            "\($0)".contains(taken.address)
        }
        taken.web.stop()
        let again = try WebServer(addresses: [taken.address], identity: nil) { _ in
            WebReply(status: 200, headers: [], body: .bytes([]))
        }
        again.stop()
    }

    @Test func `stops while streams, requests and half requests are open`() throws {
        let server = try TestServer()
        let listeners = try (1...20).map { _ in try server.listener() }
        let deaf = try (1...5).map { _ in try server.listener(receiveBuffer: 4_096) }
        // More than every buffer holds.
        server.send(String(repeating: "x", count: 8_000_000))
        let halves = try (1...20).map { _ in try server.client() }
        for client in halves { client.send("POST /act HTTP/1.1\r\nHost: local") }
        let waiting = try (1...20).map { _ in try server.client() }
        for client in waiting { client.send(get("/wait")) }
        let stopper = Thread { server.letGo() }
        stopper.start()
        server.web.stop()
        for client in listeners + deaf + halves + waiting { try client.drain() }
        #expect(throws: RawClient.Failure.self) { try server.client() }
    }
}
