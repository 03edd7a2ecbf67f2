import Accounts
import CloudCommands
import Contract
import Desk
import DeskForwarding
import DeskLite
import DeskPages
import DeskService
import FleetPages
import FleetService
import GatewayModel
import GroupsLite
import Intake
import Linking
import Live
import Logging
import MQTTBridge
import PartiesLite
import PartyPages
import PartyService
import PasswordHashing
import PostgresEngine
import RealTime
import RunPages
import RunService
import RunsLite
import SQLDatabase
import SQLiteEngine
import ServiceLifecycle
import Settings
import Store
import StoreLite
import WebPages
import WebServer

/// The parts of a running server.
struct Server {
    private let directory: HouseDirectory
    let services: [any Service]

    /// Opens the database and reads the keys. Blocking I/O.
    init(_ settings: TrackMeSettings, logger: Logger) throws {
        let secrets = try Secrets(settings)
        let file = try settings.openDatabase()
        let clock: @Sendable () -> WallTime = { Clock.wall() }
        let hub = LiveHub { Clock.boot() }
        let forwarding = ForwardingRule(settings)
        let (calls, deskHub) = (DeskLite(file: file, forwarding: forwarding), DeskHub { Clock.boot() })
        let runHub = RunHub()
        let stores = StoreLite.stores(in: file) { report, db in
            let alerts = try DeskLite.receive(
                report.message, from: report.gateway, at: report.at, forwarding: forwarding, db)
            db.afterCommit { deskHub.changed(alerts) }
        } onParty: {
            try SharedLite.receive($0, $1)
        } onRun: { event, db in
            let refusal = try RunsLite.receive(event, db)
            if refusal == nil, case .message(let report) = event {
                db.afterCommit { runHub.changed(report.run, isWithdrawal: report.endsEnrolment) }
            }
            return refusal
        }
        let directory = HouseDirectory(store: stores.houses, logger: logger)
        let intake = Intake(store: stores.intake, houses: directory, hub: hub, logger: logger, clock: clock)
        let sessions = try IntakeService(settings: try BrokerSettings(settings)) {
            try intake.commit($0)
        } onEvent: {
            BrokerLog.write($0, of: $1 ? "calls" : "others", to: logger)
        }
        let commands = CommandLoop(
            commands: stores.commands, signer: CommandSigner(secrets.signer, as: settings.issuer),
            logger: logger,
            clock: clock
        ) { token, gateway in
            try await sessions.others.publish(token, to: Topics(gateway: gateway).commands)
        }
        let links = LinkService(
            links: stores.links, signer: secrets.signer, issuer: settings.issuer,
            operatorName: settings.operatorName, clock: clock)
        let parts = SiteParts(
            stores: stores, links: links,
            hub: hub, hasher: try Argon2Hasher(), sealer: secrets.sealer,
            cookies: SessionCookies(isSecure: secrets.origin.isSecure), clock: clock,
            bootClock: { Clock.boot() }, calendar: { LocalCalendar(until: $0) },
            zones: SystemTimeZones().choices)
        let desk = DeskPages(
            store: calls, hub: deskHub, clock: clock,
            name: { "\(try parts.sealer.open($0.identity, of: $0.user).name), \(settings.operatorName)" },
            isSignedIn: { context in
                guard let session = context.session else { return false }
                return try await stores.sessions.session(session.id)?.session.isValid(at: clock()) == true
            })
        let houseCalls = HouseCallAPI(
            calls: calls, tokens: HouseTokensLite(file: file), hub: deskHub, clock: clock)
        let acceptances = AcceptanceService(
            store: calls, hub: deskHub, signer: secrets.signer, issuer: settings.issuer, logger: logger,
            clock: clock
        ) { payload, topic async throws(PublishFailure) in try await sessions.calls.publish(payload, to: topic)
        }
        let deskStatus = DeskStatusService(
            hub: deskHub, signer: secrets.signer, issuer: settings.issuer, logger: logger, clock: clock
        ) {
            try await stores.houses.houses().map(\.gateway)
        } publish: { payload, topic async throws(PublishFailure) in
            try await sessions.calls.publish(payload, to: topic)
        }
        let fleet = FleetPages(
            parts: parts,
            service: FleetService(
                fleets: stores.fleets, signer: secrets.signer, issuer: settings.issuer, clock: clock))
        let runService = RunService(
            runs: RunsLite(file: file), fleets: stores.fleets, signer: secrets.signer, issuer: settings.issuer,
            operatorName: settings.operatorName, clock: clock)
        let runs = RunPages(parts: parts, service: runService, hub: runHub)
        let forwardings: [any Service] =
            try ForwardingService(settings, file: file, hub: deskHub, logger: logger).map { [$0] } ?? []
        let companies = try Companies(file: file, settings: settings)
        let parties = companies.pages(parts: parts, secrets: secrets, issuer: settings.issuer)
        let groups = try GroupParts(file: file, settings: settings)
        let site = Site(
            origin: secrets.origin,
            routes: parts.routes + desk.routes + houseCalls.routes + fleet.routes + runs.routes
                + parties.routes
                + groups.routes(parts: parts, access: parties.access),
            sessions: stores.sessions, logger: logger, clock: clock)
        self.directory = directory
        services =
            [
                directory, sessions, commands, acceptances,
                AttendanceService(hub: deskHub, logger: logger), deskStatus,
                Housekeeping(
                    stores: stores, links: links, companies: companies, retention: settings.retention,
                    logger: logger, clock: clock),
                WebServer(
                    site: site, at: try ListenAddress(settings.listen),
                    limits: WebServer.Limits(descriptors: OpenFiles.raiseLimit()), logger: logger),
                groups.service(logger: logger, clock: clock), RunLoop(runService, logger: logger),
                runs.frameLoop(logger: logger),
            ] + forwardings
            + companies.services(secrets: secrets, settings: settings, logger: logger, clock: clock)
    }

    /// Reads the houses before the first message is judged.
    func prepare() async throws { try await directory.refresh() }
}

/// Keys of the server, and its address.
struct Secrets {
    let signer: IssuerSigner
    let sealer: IdentitySealer
    let webhookSigner: WebhookSigner
    let origin: WebOrigin

    /// Blocking I/O.
    init(_ settings: TrackMeSettings) throws {
        guard let origin = WebOrigin(settings.origin) else {
            throw ServerFault(
                "origin: saw \(settings.origin), expected https://HOST, or http://localhost:PORT on this machine alone: "
                    + "correct it in the settings")
        }
        self.origin = origin
        do {
            signer = try IssuerSigner(jwk: Array(try settings.issuerKeyFile.text().utf8))
        } catch {
            throw ServerFault("issuer_key_file: \(error). Make one: trackme keys")
        }
        guard let key = Base64URL.decode(try settings.masterKeyFile.text()),
            let sealer = IdentitySealer(masterKey: key)
        else {
            throw ServerFault("master_key_file: expected 32 bytes as base64url. Make one: trackme keys")
        }
        guard let webhookSigner = WebhookSigner(masterKey: key) else {
            throw ServerFault(
                "master_key_file: no key for webhooks can be derived from it. Make one: trackme keys")
        }
        (self.sealer, self.webhookSigner) = (sealer, webhookSigner)
    }
}

/// Reason for which the server cannot start, with the remedy.
struct ServerFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension TrackMeSettings {
    var databasePath: String { stateDirectory + "/trackme.sqlite" }

    /// Blocking I/O.
    func openDatabase() throws -> DatabasePool {
        let migrations =
            StoreLite.migrations + AuditLog.migrations + DeskLite.migrations + PartiesLite.migrations
            + GroupsLite.migrations + RunsLite.migrations
        if let file = databaseAddressFile {
            do {
                return try DatabasePool(postgres: try PostgresAddress(file.text()), migrations: migrations)
            } catch {
                throw ServerFault(
                    "url_file of [database], \(file): \(error). Check that the server runs and that the string is right"
                )
            }
        }
        do {
            return try DatabasePool(path: databasePath, migrations: migrations)
        } catch {
            throw ServerFault(
                "\(databasePath): \(error). Check that the directory exists and that this account may write there"
            )
        }
    }
}

extension BrokerSettings {
    /// Reads the files of the name and the password. Blocking I/O.
    init(_ settings: TrackMeSettings) throws {
        let broker = settings.broker
        var credentials: Credentials?
        if let login = broker.login {
            let user =
                switch login.username {
                case .written(let name): name
                case .file(let file): try file.text()
                }
            credentials = Credentials(user: user, password: try login.passwordFile?.text() ?? "")
        }
        let security: Security =
            switch broker.security {
            case .none: .plain
            case .tls(let files):
                .tls(
                    caFile: files.caFile, certificateFile: files.client?.certificateFile,
                    keyFile: try files.client?.keyFile.privatePath())
            }
        self.init(
            brokers: broker.addresses.map { BrokerEndpoint(host: $0.host, port: UInt16(clamping: $0.port)) },
            clientID: settings.clientID, keepAlive: broker.keepAlive, sessionExpiry: broker.sessionExpiry,
            security: security, credentials: credentials)
    }
}

extension ListenAddress {
    /// - Parameter text: as the settings checked it.
    init(_ text: String) throws {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]) else {
            throw ServerFault("listen: saw \(text), expected an address with a port such as 127.0.0.1:8780")
        }
        self.init(host: text[..<colon].filter { $0 != "[" && $0 != "]" }, port: port)
    }
}

/// Log of the sessions with the broker. It names no person.
enum BrokerLog {
    /// - Parameter topics: of the session.
    static func write(_ event: BrokerEvent, of topics: String, to logger: Logger) {
        var logger = logger
        logger[metadataKey: "topics"] = "\(topics)"
        switch event {
        case .connected(let welcome):
            logger.notice(
                "the broker has accepted the session",
                metadata: [
                    "broker": "\(welcome.broker)", "session": "\(welcome.isSessionPresent ? "resumed" : "new")",
                ])
        case .disconnected(let reason, let wait), .sessionTaken(let reason, let wait):
            logger.warning("the broker is away", metadata: ["reason": "\(reason)", "retry": "\(wait)"])
        case .refused(let code, let text, let wait):
            logger.error(
                "the broker refuses the session: check its users and rights",
                metadata: ["code": "\(code)", "reason": "\(text)", "retry": "\(wait)"])
        case .subscriptionRefused(let topic, let reason):
            logger.error(
                "the broker refuses a subscription: check the rights of this server",
                metadata: ["topic": "\(topic)", "reason": "\(reason)"])
        case .subscribed, .held: break
        case .fault(let fault, let count):
            logger.warning(
                "the broker has broken the protocol", metadata: ["fault": "\(fault)", "count": "\(count)"])
        }
    }
}
