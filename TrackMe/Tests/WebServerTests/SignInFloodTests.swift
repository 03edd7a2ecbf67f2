import Accounts
import Foundation
import Logging
import SettingsReading
import SiteSamples
import Store
import Synchronization
import TestSupport
import Testing
import WebServer

/// A flood of wrong sign-ins at the server, and persons who sign in meanwhile. The clock of the limits stands: the whole
/// flood comes within one minute.
@Suite(.serialized) struct `A flood of sign-ins` {
    /// A browser behind the proxy, by a connection for each request.
    private struct Visitor {
        let port: UInt16
        let address: String
        var cookies: [String: String] = [:]

        private var cookieHeader: String {
            cookies.isEmpty
                ? "" : "Cookie: \(cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))\r\n"
        }

        /// Returns the answer to the form to sign in, from a page that is loaded for it.
        mutating func signIn(_ user: String, _ password: String = TrialSite.password) async throws -> String {
            let token = try await self.token()
            return try await send(request(signingIn: user, password, token: token))
        }

        /// Returns the token of the form.
        mutating func token() async throws -> String {
            let page = try await send("GET /sign-in HTTP/1.1\r\n\(common)\r\n")
            return String(try #require(page.firstMatch(of: /name="token" value="([^"]+)"/)).1)
        }

        /// Returns the answer to a sign-in by a passkey, with a challenge that is fetched for it.
        mutating func signIn(by device: TrialAuthenticator) async throws -> String {
            let token = try await self.token()
            let options = try await send("GET /sign-in/passkey/options HTTP/1.1\r\n\(common)\r\n")
            let json = String(try #require(options.firstMatch(of: /\{.*\}/)).0)
            let fields = [("token", token)] + (try device.sign(optionsOf: json))
            return try await send(
                request("/sign-in/passkey", fields.map { "\($0.0)=\($0.1)" }.joined(separator: "&")))
        }

        func request(
            signingIn user: String, _ password: String, token: String, from address: String? = nil,
            isLast: Bool = true
        ) -> String {
            request(
                "/sign-in", "token=\(token)&user=\(user)&password=\(password.replacing(" ", with: "+"))",
                from: address, isLast: isLast)
        }

        private func request(
            _ path: String, _ form: String, from address: String? = nil, isLast: Bool = true
        ) -> String {
            let fields = address.map { common.replacing(self.address, with: $0) } ?? common
            return
                "POST \(path) HTTP/1.1\r\n\(isLast ? fields : fields.replacing("Connection: close\r\n", with: ""))"
                + "Origin: \(TrialSite.origin)\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: \(form.utf8.count)\r\n\r\n\(form)"
        }

        /// The client itself has written the first address.
        private var common: String {
            "Host: trackme.example\r\nX-Forwarded-For: 192.0.2.1, \(address)\r\nConnection: close\r\n\(cookieHeader)"
        }

        private mutating func send(_ request: String) async throws -> String {
            let client = try RawClient(port)
            #expect(client.offer(request) == request.utf8.count)
            let answer = try #require(try await client.text { _ in false })
            for match in answer.matches(of: /Set-Cookie: ([^=]+)=([^;]*)/) where !match.2.isEmpty {
                cookies[String(match.1)] = String(match.2)
            }
            return answer
        }
    }

    /// One address of the flood: a connection for all its requests, and another one for those that it left without an answer.
    private struct Attacker {
        private static let mark = Data("HTTP/1.1 ".utf8)

        private let port: UInt16
        private let requests: [String]
        private var socket: RawClient
        private var rest: ArraySlice<UInt8>
        private var seen = Data()
        private(set) var statuses: [Int] = []

        init(_ port: UInt16, _ requests: [String]) throws {
            (self.port, self.requests) = (port, requests)
            socket = try RawClient(port)
            rest = ArraySlice(Array(requests.joined().utf8))
        }

        /// Sends and reads as much as there is. Returns whether each request has its answer.
        mutating func goOn() throws -> Bool {
            guard statuses.count < requests.count else { return true }
            if !rest.isEmpty { rest = rest.dropFirst(socket.offer(Array(rest.prefix(16_384))) ?? 0) }
            let (bytes, isClosed) = socket.take()
            seen += bytes
            guard isClosed else { return false }
            var start = seen.startIndex
            while let found = seen.range(of: Self.mark, in: start..<seen.endIndex) {
                start = found.upperBound
                statuses.append(Int(String(decoding: seen[start...].prefix(3), as: UTF8.self)) ?? 0)
            }
            guard statuses.count < requests.count else { return true }
            // The server ends a connection that takes minutes, as on a busy machine.
            socket = try RawClient(port)
            seen = Data()
            rest = ArraySlice(Array(requests[statuses.count...].joined().utf8))
            return false
        }
    }

    /// Sends wrong sign-ins from 50 addresses at a time, one in four of them for `name`. Returns the number of answers by
    /// their status.
    private func flood(_ port: UInt16, _ count: Int, with name: String) async throws -> [Int: Int] {
        var visitor = Visitor(port: port, address: "203.0.113.1")
        let token = try await visitor.token()
        var attackers = try (0..<50).map { number in
            try Attacker(
                port,
                (0..<count / 50).map { turn in
                    visitor.request(
                        signingIn: turn.isMultiple(of: 4) ? name : "nobody\(number)-\(turn)",
                        "wrong wrong wrong",
                        token: token, from: "203.0.113.\(number + 1)", isLast: turn == count / 50 - 1)
                })
        }
        let isAnswered = try await eventually(within: .seconds(300)) {
            var isOver = true
            for place in attackers.indices where try !attackers[place].goOn() { isOver = false }
            return isOver
        }
        #expect(isAnswered)
        return attackers.flatMap(\.statuses).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    @Test func `of ten thousand in a minute from fifty addresses keeps no dispatcher out`() async throws {
        let trial = try await TrialSite(migrations: AuditLog.migrations)
        for (user, role) in [("anna", AccountRole.dispatcher), ("bruno", .dispatcher), ("maria", .person)] {
            try await trial.addAccount(user, role)
        }
        let proxy = try #require(IPNetwork("127.0.0.1"))
        try await RunningServer.with(trial, WebServer.Limits(descriptors: 4_000), proxies: [proxy]) { port in
            let device = TrialAuthenticator()
            let own = trial.browser()
            await own.signIn("anna")
            try await own.addPasskey(device)
            var desk = Visitor(port: port, address: "198.51.100.1")
            #expect(try await desk.signIn("anna").hasPrefix("HTTP/1.1 303"))
            var home = Visitor(port: port, address: "198.51.100.2")
            #expect(try await home.signIn("maria").hasPrefix("HTTP/1.1 303"))
            // Sessions end; the browsers are known further on.
            for name in ["__Host-trackme", "__Host-trackme-visitor"] {
                desk.cookies[name] = nil
                home.cookies[name] = nil
            }

            let first = try await flood(port, 5_000, with: "anna")
            async let second = flood(port, 5_000, with: "anna")
            // At the first try: from a browser that is not known, and from a known one under a name that is attacked.
            var away = Visitor(port: port, address: "198.51.100.3")
            let bruno = try await away.signIn("bruno")
            #expect(
                bruno.hasPrefix("HTTP/1.1 303") && bruno.contains("__Host-trackme="), "\(bruno.prefix(300))")
            let anna = try await desk.signIn("anna")
            #expect(anna.hasPrefix("HTTP/1.1 303") && anna.contains("__Host-trackme="), "\(anna.prefix(300))")
            #expect(try await home.signIn("maria").hasPrefix("HTTP/1.1 303"))
            // By her passkey also where she has never been.
            var elsewhere = Visitor(port: port, address: "198.51.100.5")
            let byPasskey = try await elsewhere.signIn(by: device)
            #expect(
                byPasskey.hasPrefix("HTTP/1.1 303") && byPasskey.contains("__Host-trackme="),
                "\(byPasskey.prefix(300))")
            // Otherwise the flood would be none.
            var stranger = Visitor(port: port, address: "198.51.100.4")
            #expect(try await stranger.signIn("maria").hasPrefix("HTTP/1.1 429"))
            #expect(try await stranger.signIn("anna").hasPrefix("HTTP/1.1 429"))

            let statuses = try await first.merging(second, uniquingKeysWith: +)
            #expect(Set(statuses.keys) == [422, 429], "\(statuses)")
            #expect(statuses.values.reduce(0, +) == 10_000, "\(statuses)")
            // The hashes of strangers are bounded, beside eight for the name of the dispatcher.
            #expect((statuses[422] ?? 0) <= 150 + 8, "\(statuses)")
        }
    }

    @Test(
        arguments: [
            ("10.0.0.7", nil, nil), ("10.0.0.7", "198.51.100.4", "198.51.100.4"),
            ("198.51.100.9", "198.51.100.4", "198.51.100.9"),
            ("10.0.0.7", "192.0.2.1, 198.51.100.4", "198.51.100.4"),
            ("10.0.0.7", "198.51.100.4, 10.0.0.8", "198.51.100.4"), ("10.0.0.7", "10.0.0.8", nil),
            ("10.0.0.7", "198.51.100.4, unknown", nil), ("10.0.0.7", "198.51.100.4:4711", "198.51.100.4"),
            ("10.0.0.7", "[2001:db8::1]:4711", "2001:db8::1"), ("::1", "2001:db8::1", "2001:db8::9"),
            ("::ffff:10.0.0.7", "::ffff:198.51.100.4", "198.51.100.4"), ("10.0.0.7", ",,", nil),
        ] as [(String, String?, String?)])
    func `is counted by the last address that is not a proxy's`(
        peer: String, forwarded: String?, client: String?
    ) {
        let resolver = ClientResolver(proxies: ["10.0.0.0/24", "::1"].compactMap { IPNetwork($0) })
        let found = resolver.client(peer: IPAddress(peer), forwarded: forwarded)
        #expect(found == client.flatMap { IPAddress($0) }.map { ClientAddress($0.bytes) })
    }

    @Test func `of clients without an address is told to the log, once an hour`() async throws {
        let trial = try await TrialSite()
        let log = Mutex<[String]>([])
        let logger = Logger(label: "test") { _ in LogRecorder { line in log.withLock { $0.append(line) } } }
        let proxies = ["127.0.0.1"].compactMap { IPNetwork($0) }
        for (address, lines) in [("198.51.100.4", 0), ("unknown", 1)] {
            try await RunningServer.with(
                trial, WebServer.Limits(descriptors: 256), proxies: proxies, logger: logger
            ) { port in
                var visitor = Visitor(port: port, address: address)
                for _ in 1...3 { _ = try await visitor.signIn("nobody") }
            }
            let told = log.withLock { $0.filter { $0.contains("X-Forwarded-For") && $0.contains("127.0.0.1") } }
            #expect(told.count == lines, "\(told)")
        }
    }
}

private struct LogRecorder: LogHandler {
    let add: @Sendable (String) -> Void
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    init(_ add: @escaping @Sendable (String) -> Void) { self.add = add }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        add("\(event.message) \(event.metadata ?? [:])")
    }
}
