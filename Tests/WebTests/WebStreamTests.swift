import Testing
import Web

@Suite(.timeLimit(.minutes(1))) struct `A stream` {
    /// The subscription exists before the answer's head is sent.
    @Test func `gets each event of a client that keeps up`() throws {
        let server = try TestServer()
        let client = try server.listener()
        for number in 1...50 {
            server.send("\(number)")
            #expect(try client.event() == "data: \(number)\n\n")
        }
        server.web.stop()
    }

    @Test func `gets an event that is larger than every buffer`() throws {
        let server = try TestServer()
        let client = try server.listener()
        let large = String(repeating: "0123456789", count: 30_000)
        server.send(large)
        #expect(try client.event() == "data: \(large)\n\n")
        server.send("next")
        #expect(try client.event() == "data: next\n\n")
        server.web.stop()
    }

    @Test func `skips to the newest event for a client that lags`() throws {
        let server = try TestServer()
        let client = try server.listener(receiveBuffer: 4_096)
        let filling = String(repeating: "x", count: 4_000)
        for number in 1...2_000 { server.send("\(number) \(filling)") }
        server.send("newest")
        var count = 0
        var last = 0
        while let event = try client.event(), event != "data: newest\n\n" {
            count += 1
            let number = event.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            #expect(number > last)
            last = number
        }
        // The kernel's buffers hold 8 of these events for one stream, and the client's some more.
        #expect(count < 100)
        server.web.stop()
    }

    @Test func `of a client that never reads is dropped`() throws {
        let server = try TestServer(limits: TestServer.limits { $0.patience = .milliseconds(200) })
        let deaf = try server.listener(receiveBuffer: 4_096)
        let good = try server.listener()
        let event = String(repeating: "x", count: 20_000)
        let end = ContinuousClock.now + .seconds(20)
        while !server.streams[0].isClosed, ContinuousClock.now < end {
            server.send(event)
            _ = try good.event()
        }
        #expect(server.streams[0].isClosed)
        #expect(!server.streams[1].isClosed)
        try deaf.drain()
        server.web.stop()
    }

    @Test func `of a client that went is closed at the next events`() throws {
        let server = try TestServer()
        var client: RawClient? = try server.listener()
        server.send("first")
        _ = try client?.event()
        client = nil
        let end = ContinuousClock.now + .seconds(20)
        while !server.streams[0].isClosed, ContinuousClock.now < end { server.send("alive") }
        #expect(server.streams[0].isClosed)
        server.web.stop()
    }

    @Test func `that the server closes ends in order, and its connection`() throws {
        let server = try TestServer()
        let client = try server.listener()
        server.send("last")
        #expect(try client.event() == "data: last\n\n")
        server.streams[0].close()
        #expect(try client.event() == nil)
        #expect(try client.drain() == "")
        server.web.stop()
    }

    @Test func `is one of many that all get the newest event`() throws {
        let server = try TestServer()
        let clients = try (1...200).map { _ in try server.listener() }
        for number in 1...5 {
            server.send("\(number)")
            for client in clients { #expect(try client.event() == "data: \(number)\n\n") }
        }
        #expect(try server.client().ask(get("/page")).text == "GET /page")
        server.web.stop()
        for client in clients { try client.drain() }
    }
}
