import ConsoleAccess
import PageSecurity
import SeededRandom
import Testing

@Suite struct `Guard of the requests` {
    private let secure = RequestGuard(isSecure: true, names: ["Gateway.local", "house.example"])

    private func get(_ host: String?) -> RequestGuard.Refusal? {
        secure.refusal(method: "GET", host: host, origin: nil, fetchSite: nil)
    }

    @Test(arguments: [
        "127.0.0.1", "127.0.0.1:8765", "192.168.1.20:8765", "[::1]", "[fe80::1]:8765", "localhost:8765",
        "gateway.LOCAL:8765", "house.example",
    ])
    func `the box answers to its names and to addresses`(host: String) {
        #expect(get(host) == nil)
    }

    @Test(arguments: [
        nil, "", "evil.example", "evil.example:8765", "127.0.0.1.evil.example", "gateway.local.evil.example",
        "evil.example@127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:99999", "127.0.0.1:+80",
        "127.0.0.1:80:80",
        "127.1", "0177.0.0.1", "256.0.0.1", "2130706433", "[", "[]", "[::1", "[::1]x", "[evil.example]", "::1",
        "localhost.", " localhost", "localhost,evil.example", "[::1%eth0]",
    ])
    func `another Host is misdirected`(host: String?) {
        #expect(get(host) == .foreignHost)
        #expect(get(host)?.status == 421)
    }

    @Test func `the Host is refused before the method and the origin`() {
        #expect(
            secure.refusal(
                method: "DELETE", host: "evil.example", origin: "https://evil.example", fetchSite: nil)
                == .foreignHost)
    }

    @Test func `an act comes from a page of exactly this origin`() {
        func post(_ origin: String?, _ site: String? = nil) -> RequestGuard.Refusal? {
            secure.refusal(method: "POST", host: "10.0.0.2:8765", origin: origin, fetchSite: site)
        }
        #expect(post("https://10.0.0.2:8765") == nil)
        #expect(post("https://10.0.0.2:8765", "same-origin") == nil)
        for origin in [
            nil, "", "null", "http://10.0.0.2:8765", "https://10.0.0.2", "https://10.0.0.2:8766",
            "https://10.0.0.2:8765/", "https://10.0.0.2:8765.evil.example", "https://evil.example",
        ] {
            #expect(post(origin) == .foreignOrigin, "\(origin ?? "-")")
        }
        for site in ["cross-site", "same-site", "none", ""] {
            #expect(post("https://10.0.0.2:8765", site) == .foreignOrigin, "\(site)")
        }
    }

    @Test func `plain HTTP accepts acts of its own origin`() {
        let plain = RequestGuard(isSecure: false, names: [])
        #expect(
            plain.refusal(
                method: "POST", host: "127.0.0.1:8765", origin: "http://127.0.0.1:8765", fetchSite: nil)
                == nil)
    }

    @Test(arguments: ["PUT", "DELETE", "OPTIONS", "TRACE", "get", ""])
    func `other methods are refused`(method: String) {
        #expect(
            secure.refusal(method: method, host: "localhost", origin: nil, fetchSite: nil) == .method)
    }
}

@Suite struct `Cookie and headers` {
    private var generator = SeededGenerator(seed: 5)

    @Test mutating func `the cookie is bound to the origin, and scripts and other sites do not get it`() {
        let token = SessionToken(using: &generator)
        let cookie = SessionCookie.console(isSecure: true)
        let text = cookie.setting(token)
        #expect(text.hasPrefix("__Host-hg=\(token.cookieValue); Path=/; Secure; HttpOnly; SameSite=Strict; "))
        #expect(!text.contains("Domain"))
        #expect(cookie.token(in: "a=b; __Host-hg=\(token.cookieValue)")?.id == token.id)
        #expect(cookie.clearing.hasSuffix("Max-Age=0"))
    }

    @Test mutating func `on plain HTTP the cookie has neither the prefix nor Secure`() {
        let token = SessionToken(using: &generator)
        let cookie = SessionCookie.console(isSecure: false)
        #expect(cookie.setting(token).hasPrefix("hg=\(token.cookieValue); Path=/; HttpOnly; SameSite=Strict; "))
        #expect(cookie.token(in: "__Host-hg=\(token.cookieValue)") == nil)
    }

    @Test mutating func `a missing, malformed or doubled cookie opens nothing`() {
        let value = SessionToken(using: &generator).cookieValue
        let cookie = SessionCookie.console(isSecure: true)
        for header in [
            nil, "", "__Host-hg", "__Host-hg=", "hg=\(value)", "__Host-hg=\(value)A",
            "__Host-hg=\(value.dropLast())",
            "__Host-hg=\"\(value)\"", "__Host-hg=\(value); __Host-hg=\(value)", "x__Host-hg=\(value)",
        ] {
            #expect(cookie.token(in: header) == nil, "\(header ?? "-")")
        }
    }

    @Test func `no page is framed, cached, sniffed or allowed to run inline code`() {
        let page = Dictionary(
            uniqueKeysWithValues: SecurityHeaders.console.fields(for: .page).map { ($0.name, $0.value) })
        #expect(page["X-Frame-Options"] == "DENY")
        #expect(page["Cross-Origin-Opener-Policy"] == "same-origin")
        #expect(page["Cross-Origin-Resource-Policy"] == "same-origin")
        #expect(page["X-Content-Type-Options"] == "nosniff")
        #expect(page["Referrer-Policy"] == "same-origin")
        #expect(page["Cache-Control"] == "no-store")
        let policy = page["Content-Security-Policy"] ?? ""
        #expect(policy.hasPrefix("default-src 'none'; "))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
        let asset = SecurityHeaders.console.fields(for: .asset)
        #expect(asset.map(\.name) == SecurityHeaders.console.fields(for: .page).map(\.name))
    }
}
