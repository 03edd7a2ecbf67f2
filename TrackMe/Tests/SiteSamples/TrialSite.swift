public import Accounts
public import CloudCommands
public import Foundation
public import GatewayModel
import HTML
public import Houses
import Logging
public import SQLDatabase
public import Store
import StoreSamples
import Synchronization
import TestSupport
public import WebPages

/// A site on an empty store, with a clock that the test sets, and a browser that keeps cookies.
public final class TrialSite: Sendable {
    public static let origin = "https://trackme.example"
    public static let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)

    /// RFC 8037, appendix A.1.
    public static let signer = try! IssuerSigner(
        jwk: Array(
            #"{"kty":"OKP","crv":"Ed25519","kid":"test","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
                .utf8))

    public let stores: Stores
    public let hub = LiveHub { BootInstant(nanoseconds: 0) }
    public let site: Site
    public let routes: [Route]
    private let database: TestDatabase
    public let file: DatabasePool
    public let parts: SiteParts
    private let now: Clocks

    /// Both clocks, moved together.
    final class Clocks: Sendable {
        private let seconds = Mutex(0)
        private let waited = Mutex<[BootInstant]>([])

        /// Times that answers have waited for. The clock stands meanwhile.
        var waits: [BootInstant] { waited.withLock { $0 } }

        func wait(until time: BootInstant) { waited.withLock { $0.append(time) } }

        var wall: WallTime { TrialSite.noon.later(seconds.withLock { $0 }) }
        var boot: BootInstant {
            BootInstant(nanoseconds: 0).advanced(by: .seconds(1_000 + seconds.withLock { $0 }))
        }

        func advance(_ by: Int) { seconds.withLock { $0 += by } }
    }

    /// - Parameters:
    ///   - migrations: of further capabilities.
    ///   - exports: lists of further capabilities.
    ///   - more: routes of further capabilities.
    ///   - passkeys: whether the address of the server is a name.
    ///   - onRun: as that of `Stores`.
    public init(
        migrations: [Migration] = [], exports: [ExportList] = [],
        more: (SiteParts, DatabasePool) throws -> [Route] = { _, _ in [] }, passkeys: Bool = true,
        onRun: @escaping @Sendable (RunEvent, Database) throws -> DeadLetter.Reason? = { _, _ in .noRun }
    ) async throws {
        database = try TestDatabase(migrations: Stores.migrations + migrations)
        file = try database.open()
        stores = Stores(in: file, exports: exports, onRun: onRun)
        let clocks = Clocks()
        now = clocks
        parts = SiteParts(
            stores: stores,
            links: LinkService(
                links: stores.links, signer: Self.signer, issuer: IssuerID("trackme")!,
                operatorName: "Test clinic",
                clock: { clocks.wall }),
            hub: hub, hasher: try Argon2Hasher(),
            sealer: IdentitySealer(masterKey: [UInt8](repeating: 7, count: 32))!,
            cookies: SessionCookies(isSecure: true), clock: { clocks.wall }, bootClock: { clocks.boot },
            calendar: { _ in LocalCalendar([]) },
            zones: TimeZones(names: ["Asia/Kolkata", "Europe/Rome"]) { _, name in
                let offset = name == "Europe/Rome" ? 3_600 : 19_800
                return LocalCalendar([LocalCalendar.Step(from: 0, offset: offset)])
            },
            passkeys: passkeys
                ? RelyingParty(
                    host: "trackme.example", origin: Self.origin, masterKey: [UInt8](repeating: 7, count: 32))
                : nil,
            wait: { clocks.wait(until: $0) })
        routes = try parts.routes + more(parts, file)
        site = Site(
            origin: WebOrigin(Self.origin)!, routes: routes, sessions: stores.accounts,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), clock: { clocks.wall })
        try await stores.houses.register(
            House(gateway: HousePerson.maria.gateway, key: "{}", added: Self.noon))
    }

    /// All bytes of the database, with its log.
    public func databaseBytes() throws -> Data {
        guard let folder = database.folder else { return Data(try file.allRows().joined(separator: "\n").utf8) }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix("trackme.sqlite") }
            .reduce(Data()) { $0 + (try Data(contentsOf: $1)) }
    }

    public func advance(_ seconds: Int) { now.advance(seconds) }

    /// Times of the monotonic clock that answers have waited for.
    public var waits: [BootInstant] { now.waits }

    /// - Parameter client: nil for an address that the server does not know.
    public func browser(from client: ClientAddress? = nil) -> TrialBrowser { TrialBrowser(self, client) }

    public static let password = "four walls, one door"

    @discardableResult
    public func addAccount(_ user: String, _ role: AccountRole) async throws -> AccountID {
        let name = UserName(user)!
        return try await stores.accounts.add(
            NewAccount(
                user: name,
                hash: try await parts.hasher.hash(
                    Password(chosen: Self.password, for: name), in: .registrations),
                identity: try parts.sealer.seal(Identity(name: "Gino Bianchi")!, of: name), role: role,
                language: .english, agreement: AgreementConsent(version: 1, at: parts.clock()),
                created: parts.clock()))
    }
}

/// Answer as a browser sees it.
public struct Seen {
    public let status: Int
    public let headers: [(name: String, value: String)]
    public let text: String
    /// Bytes of the largest piece of a file.
    public let largestPiece: Int

    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// Value of the hidden field of the first form.
    public var token: String? {
        text.firstMatch(of: /name="token" value="([^"]+)"/).map { String($0.1) }
    }
}

/// Keeps cookies and sends forms with the token of the last page.
public final class TrialBrowser {
    /// Its database is there as long as the browser.
    private let trial: TrialSite
    private let client: ClientAddress?
    public private(set) var cookies: [String: String] = [:]
    public private(set) var token = ""

    init(_ trial: TrialSite, _ client: ClientAddress?) { (self.trial, self.client) = (trial, client) }

    private var site: Site { trial.site }

    @discardableResult
    public func get(_ path: String, headers: [String: String] = [:]) async -> Seen {
        await send("GET", path, body: "", headers: headers)
    }

    @discardableResult
    public func post(
        _ path: String, _ fields: [(String, String)], headers: [String: String] = [:], token: String? = nil
    ) async -> Seen {
        let all = [("token", token ?? self.token)] + fields
        let body = all.map { "\($0.0)=\(Self.encoded($0.1))" }.joined(separator: "&")
        var sent = [
            "origin": TrialSite.origin, "content-type": "application/x-www-form-urlencoded",
            "sec-fetch-site": "same-origin",
        ]
        sent.merge(headers) { $1 }
        return await send("POST", path, body: body, headers: sent)
    }

    /// Sends a request as it is, with the cookies.
    public func send(
        _ method: String, _ path: String, body: String, headers: [String: String] = [:]
    ) async -> Seen {
        var sent = ["host": "trackme.example"]
        if !cookies.isEmpty {
            sent["cookie"] = cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
        }
        sent.merge(headers) { $1 }
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let answer = await site.answer(
            WebRequest(
                method: method, path: parts[0], query: parts.count > 1 ? parts[1] : "", headers: sent,
                body: Array(body.utf8), client: client))
        for (name, value) in answer.headers where name == "Set-Cookie" {
            let pair = value.prefix { $0 != ";" }.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            cookies[String(pair[0])] = value.contains("Max-Age=0") ? nil : String(pair[1])
        }
        var text = ""
        var largest = 0
        switch answer.content {
        case .bytes(let bytes): text = String(decoding: bytes, as: UTF8.self)
        case .file(let file):
            var whole: [UInt8] = []
            do {
                try await file { bytes in
                    whole += bytes
                    largest = max(largest, bytes.count)
                }
            } catch {
                whole += Array("broken off: \(error)".utf8)
            }
            text = String(decoding: whole, as: UTF8.self)
        case .stream: break
        }
        let seen = Seen(status: answer.status, headers: answer.headers, text: text, largestPiece: largest)
        if let found = seen.token { token = found }
        return seen
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let hex = String(byte, radix: 16)
            return "%" + (hex.count == 1 ? "0" + hex : hex)
        }.joined()
    }

    /// Loads the page to sign in, and sends its form.
    @discardableResult
    public func signIn(_ user: String, password: String = TrialSite.password) async -> Seen {
        await get("/sign-in")
        return await post("/sign-in", [("user", user), ("password", password)])
    }

    /// Registers and is signed in.
    @discardableResult
    public func register(_ user: String, password: String = TrialSite.password) async -> Seen {
        await get("/register")
        return await post(
            "/register",
            [
                ("user", user), ("name", "Maria <Rossi>"), ("password", password), ("again", password),
                ("agree", "yes"),
            ])
    }
}
