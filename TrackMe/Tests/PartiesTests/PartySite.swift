import Accounts
import Crypto
import Foundation
import GatewayModel
import Groups
import Houses
import Parties
import SiteSamples
import Store
import StoreSamples
import Synchronization
import Testing
import WebPages

/// A site with the pages and the API of third parties.
struct PartySite {
    static let areas = ["Milano centro", "Milano <nord> & \"sud\""].map { AreaName($0)! }

    let trial: TrialSite
    let parties: PartyStore
    let transport: RecordingTransport
    let key = CompanyKey(id: "2026")
    let requests: RequestService

    /// - Parameter rule: of the groups; nil for a server without areas.
    init(groups rule: GroupRule? = .margin) async throws {
        let transport = RecordingTransport()
        self.transport = transport
        trial = try await TrialSite(
            migrations: AuditLog.migrations + PartyStore.migrations + GroupTables.migrations
        ) { parts, file in
            let (parties, requests) = (PartyStore(file: file), PartyRequestStore(file: file))
            let pages = PartyPages(
                parts: parts,
                stores: PartyStores(
                    parties: parties, requests: requests, shared: SharedStore(file: file),
                    subscriptions: SubscriptionStore(file: file)),
                tokens: TokenService(
                    parties: parties, tokens: PartyTokenStore(file: file),
                    audiences: PartyPages.audiences(of: WebOrigin(TrialSite.origin)!), clock: parts.clock),
                requests: RequestService(
                    requests: requests, sealer: parts.sealer,
                    signer: CommandSigner(TrialSite.signer, as: IssuerID("trackme")!), clock: parts.clock),
                webhooks: WebhookParts(
                    transport: transport, signer: WebhookSigner(masterKey: [UInt8](repeating: 7, count: 32))!))
            let groups = GroupPages(
                parts: parts,
                stores: GroupStores(
                    members: GroupMemberStore(file: file), releases: GroupReleaseStore(file: file),
                    groups: PartyGroupStore(file: file)), access: pages.access,
                offer: GroupOffer(areas: rule == nil ? [] : Self.areas, rule: rule ?? .margin, days: 3))
            return pages.routes + groups.routes
        }
        parties = PartyStore(file: trial.file)
        requests = RequestService(
            requests: PartyRequestStore(file: trial.file), sealer: trial.parts.sealer,
            signer: CommandSigner(TrialSite.signer, as: IssuerID("trackme")!), clock: trial.parts.clock)
    }

    /// Intake with the events of third parties.
    var intake: IntakeStore {
        Stores(in: trial.file) { _, _ in
        } onParty: {
            try SharedStore.receive($0, $1)
        }.intake
    }

    var now: WallTime { trial.parts.clock() }

    /// Has an account ask for the fiscal code of its person on the page, and the house give it after a yes at home.
    ///
    /// - Parameter code: nil where the house has none.
    func give(
        _ code: String?, of subject: HousePerson, to browser: TrialBrowser, by link: LinkID = LinkID(1)
    ) async throws {
        await browser.get("/sharing")
        #expect(await browser.post("/sharing/\(link)/code", []).status == 303)
        let request = try #require(try await trial.stores.facts.sharing(.fiscalCode, of: subject)?.request)
        let lookUp = try code.map { trial.parts.sealer.lookUp(try FiscalCode($0)) }
        _ = try intake.keep(
            [
                .decided(request.text, by: subject, .accepted, entry: 2),
                .fact(
                    StoredFact(
                        subject: subject, value: .fiscalCode(lookUp: lookUp), request: request, time: now)),
            ], at: now)
    }

    /// A company that the operator has approved.
    func addCompany(_ id: PartyID = .clinic, key: CompanyKey? = nil) async throws {
        try await parties.add(
            NewParty(
                id: id, vat: try VATNumber("IT00743110157"), name: "Clinica \(id)",
                contact: PartyContact("it@clinic.example")!,
                key: try await PartyKeyReader.key((key ?? self.key).jwk, at: now), applied: now)!)
        _ = try await parties.change(id, by: .approve, as: "operator", at: now)
    }

    /// Asks for a token by a form.
    func askToken(_ assertion: String, _ changes: [String: String?] = [:]) async -> Seen {
        var fields: [String: String?] = [
            "grant_type": "client_credentials",
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion": assertion,
        ]
        fields.merge(changes) { $1 }
        let body = fields.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: "&")
        return await trial.browser().send(
            "POST", "/oauth/token", body: body,
            headers: ["content-type": "application/x-www-form-urlencoded"])
    }

    /// A token of an approved company.
    func token(_ id: PartyID = .clinic, key: CompanyKey? = nil) async throws -> String {
        let answer = await askToken((key ?? self.key).assertion(of: id.text, at: now))
        let json = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any]
        return json?["access_token"] as? String ?? ""
    }

    func get(_ path: String, token: String) async -> Seen {
        await trial.browser().get(path, headers: ["authorization": "Bearer \(token)"])
    }

    func post(
        _ path: String, _ body: String, token: String, headers: [String: String] = [:]
    ) async -> Seen {
        var sent = ["authorization": "Bearer \(token)", "content-type": "application/json"]
        sent.merge(headers) { $1 }
        return await trial.browser().send("POST", path, body: body, headers: sent)
    }
}

/// A company's key pair.
struct CompanyKey {
    let key = Curve25519.Signing.PrivateKey()
    let id: String

    var jwk: String {
        let x = Base64URL.encode(Array(key.publicKey.rawRepresentation))
        return #"{"kty":"OKP","crv":"Ed25519","kid":"\#(id)","x":"\#(x)"}"#
    }

    /// A JWT over any header and claims.
    func signed(_ header: String, _ claims: String) -> String {
        let text = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        let signature = (try? key.signature(for: Data(text.utf8))).map { Array($0) } ?? []
        return text + "." + Base64URL.encode(signature)
    }

    func assertion(
        of client: String, at now: WallTime, life: Int64 = 120, jti: String = UUID().uuidString,
        audience: String = #""https://trackme.example/oauth/token""#, header: String? = nil
    ) -> String {
        signed(
            header ?? #"{"alg":"EdDSA","typ":"JWT","kid":"\#(id)"}"#,
            #"{"iss":"\#(client)","sub":"\#(client)","aud":\#(audience),"jti":"\#(jti)","#
                + #""exp":\#(now.millisecondsSince1970 / 1_000 + life)}"#)
    }
}

/// Transport that keeps its POSTs and answers 204.
final class RecordingTransport: WebhookTransport {
    struct Post: Sendable {
        let url: String
        let headers: [String: String]
        let body: [UInt8]
    }

    private let kept = Mutex<[Post]>([])

    var posts: [Post] { kept.withLock { $0 } }

    func accepts(_ url: String) -> Bool { url.hasPrefix("https://") }

    func post(
        _ body: [UInt8], headers: [(name: String, value: String)], to url: String
    ) async -> Subscription.Outcome {
        let post = Post(
            url: url, headers: Dictionary(headers.map { ($0.name, $0.value) }) { $1 }, body: body)
        kept.withLock { $0.append(post) }
        return .response(status: 204, retryAfter: nil)
    }
}
