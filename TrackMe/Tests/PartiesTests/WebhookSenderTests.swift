import Parties
import RealTime
import ServiceLifecycle
import Testing

/// Rules of POSTs to endpoints of strangers.
struct WebhookSenderTests {
    private func withSender(
        loopback: Bool = true, _ body: (WebhookSender) async throws -> Void
    ) async throws {
        let sender = try WebhookSender(allowsLoopback: loopback)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await sender.run() }
            defer { group.cancelAll() }
            try await body(sender)
        }
    }

    private func post(_ sender: WebhookSender, _ url: String) async -> Subscription.Outcome {
        await sender.post(Array(#"{"a":"è"}"#.utf8), headers: [("webhook-id", "m-1")], to: url)
    }

    @Test func `a POST arrives with its headers and its bytes`() async throws {
        let endpoint = try LocalEndpoint { _ in .status("204 No Content", "Retry-After: 7\r\n") }
        defer { endpoint.stop() }
        try await withSender { sender in
            let outcome = await post(sender, "http://127.0.0.1:\(endpoint.port)/hook?a=1")
            #expect(outcome == .response(status: 204, retryAfter: .seconds(7)))
        }
        let request = try #require(endpoint.requests.first)
        #expect(request.hasPrefix("POST /hook?a=1 HTTP/1.1\r\n"))
        #expect(request.contains("webhook-id: m-1\r\n"))
        #expect(request.contains("Content-Type: application/json\r\n"))
        #expect(request.hasSuffix("\r\n\r\n{\"a\":\"è\"}"))
    }

    @Test func `a name that leads to this machine is not even connected`() async throws {
        let endpoint = try LocalEndpoint { _ in .status("204 No Content") }
        defer { endpoint.stop() }
        try await withSender(loopback: false) { sender in
            for host in [
                "localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "[::ffff:127.0.0.1]", "0.0.0.0",
            ] {
                #expect(await post(sender, "https://\(host):\(endpoint.port)/") == .noResponse, "\(host)")
            }
        }
        #expect(endpoint.connections == 0)
        // With leave the same name is connected, and then fails at TLS: the rule alone has stopped it.
        try await withSender { sender in
            #expect(await post(sender, "https://localhost:\(endpoint.port)/") == .noResponse)
        }
        #expect(endpoint.connections > 0)
    }

    @Test func `addresses of another form are refused unsent`() async throws {
        try await withSender(loopback: false) { sender in
            for url in [
                "http://clinic.example/", "http://127.0.0.1/", "ftp://clinic.example/", "file:///etc/passwd",
                "",
                "https://user:secret@clinic.example/", "https://clinic.example/#part", "https://",
                "clinic.example",
                "https://clinic.example/\r\nX: y", "gopher://clinic.example/",
            ] {
                #expect(!sender.accepts(url), "\(url)")
                #expect(await post(sender, url) == .noResponse)
            }
            #expect(sender.accepts("https://clinic.example:8443/hook?x=1"))
        }
    }

    @Test func `a redirection is not followed`() async throws {
        let other = try LocalEndpoint { _ in .status("204 No Content") }
        let endpoint = try LocalEndpoint { _ in
            .status("302 Found", "Location: http://127.0.0.1:\(other.port)/\r\n")
        }
        defer {
            endpoint.stop()
            other.stop()
        }
        try await withSender { sender in
            let outcome = await post(sender, "http://127.0.0.1:\(endpoint.port)/")
            #expect(outcome == .response(status: 302, retryAfter: nil))
        }
        #expect(other.connections == 0)
    }

    @Test func `an endless answer is cut off`() async throws {
        let endpoint = try LocalEndpoint { _ in .flood }
        defer { endpoint.stop() }
        try await withSender { sender in
            let outcome = await post(sender, "http://127.0.0.1:\(endpoint.port)/")
            #expect(outcome == .response(status: 200, retryAfter: nil))
        }
    }

    @Test func `a cancelled POST ends at once, and after the stop nothing hangs`() async throws {
        let endpoint = try LocalEndpoint { _ in .silence }
        defer { endpoint.stop() }
        // Without a cancel an attempt would last far longer than a busy machine delays one.
        let sender = try WebhookSender(allowsLoopback: true, attemptLimit: .seconds(900))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await sender.run() }
            let url = "http://127.0.0.1:\(endpoint.port)/"
            let attempt = Task { await post(sender, url) }
            while endpoint.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            let begin = ContinuousClock.now
            attempt.cancel()
            #expect(await attempt.value == .noResponse)
            let hanging = Task { await post(sender, url) }
            while endpoint.requests.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
            group.cancelAll()
            #expect(await hanging.value == .noResponse)
            #expect(await post(sender, url) == .noResponse)
            #expect(ContinuousClock.now - begin < .seconds(300))
        }
    }
}
