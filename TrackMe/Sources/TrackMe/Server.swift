import Accounts
import CloudCommands
import Contract
import Desk
import Fleet
import GatewayModel
import Houses
import Intake
import Logging
import MQTTBridge
import Parties
import RealTime
import Runs
import SQLDatabase
import Schema
import ServerSettings
import ServiceLifecycle
import Store
import WebPages
import WebServer

/// The parts of a running server: pages, API and streams at each server, and the duties of one server at a time.
struct Server {
    /// Interval at which keys of houses are read where the registration of a house is told.
    private static let houseInterval = Duration.seconds(30)

    let services: [any Service]
    let duties: Duties

    /// Opens the database and reads the keys. Blocking I/O.
    init(_ settings: ServerSettings, logger: Logger) throws {
        let secrets = try Secrets(settings)
        let file = try settings.openDatabase()
        let clock: @Sendable () -> WallTime = { Clock.wall() }
        let (outbox, broker) = (NoticeOutbox(), BrokerPresence())
        let hubs = Hubs(
            live: LiveHub { Clock.boot() }, desk: DeskHub { Clock.boot() },
            runs: RunHub { outbox.put(RunNotice.changed($0, isWithdrawal: $1)) })
        let forwarding = ForwardingRule(settings)
        let calls = DeskStore(file: file, sealer: secrets.callSealer, forwarding: forwarding)
        let stores = Stores(in: file, exports: Schema.exports) { report, db in
            let alerts = try DeskStore.receive(
                report.message, from: report.gateway, at: report.at, sealer: secrets.callSealer,
                forwarding: forwarding, db)
            db.afterCommit { hubs.desk.changed(alerts) }
        } onParty: {
            try SharedStore.receive($0, $1)
        } onRun: { event, db in
            try RunStore.receive(event, db) { run, isWithdrawal in
                try db.announce(RunNotice.changed(run, isWithdrawal: isWithdrawal))
                db.afterCommit { hubs.runs.reported(run, isWithdrawal: isWithdrawal) }
            }
        } onDamage: { damage in
            logger.error(
                "a block of readings is damaged: restore the database from a backup",
                metadata: ["block": "\(damage)"])
        }
        let listener = file.listener()
        let directory = HouseDirectory(
            store: stores.houses, every: listener == nil ? .seconds(1) : Self.houseInterval, logger: logger)
        let gate = AttemptGate { outbox.put(AttemptNotice.result($0)) }
        let links = LinkService(
            links: stores.links, signer: secrets.signer, issuer: settings.issuer,
            operatorName: settings.operatorName, clock: clock)
        let parts = SiteParts(
            stores: stores, links: links,
            hub: hubs.live, hasher: try Argon2Hasher(), sealer: secrets.sealer,
            cookies: SessionCookies(isSecure: secrets.origin.isSecure), clock: clock,
            bootClock: { Clock.boot() }, calendar: { LocalCalendar(until: $0) },
            zones: SystemTimeZones().choices, gate: gate, passkeys: secrets.passkeys,
            wait: { time in try? await Task.sleep(for: Clock.boot().duration(to: time)) })
        let runService = RunService(
            runs: RunStore(file: file), fleets: stores.fleets, signer: secrets.signer, issuer: settings.issuer,
            operatorName: settings.operatorName, clock: clock)
        let companies = try Companies(file: file, settings: settings)
        let groups = try GroupParts(file: file, settings: settings)
        let intake = Intake(
            store: stores.intake, houses: directory, hub: hubs.live, sealer: secrets.sealer, logger: logger,
            clock: clock)
        duties = Duties(
            settings: settings, secrets: secrets, file: file, stores: stores, calls: calls, hubs: hubs,
            directory: directory, intake: intake, broker: broker, links: links, runService: runService,
            companies: companies,
            groups: groups, clock: clock, logger: logger)
        let runs = RunPages(parts: parts, service: runService, hub: hubs.runs)
        let site = Site(
            origin: secrets.origin,
            routes: Self.routes(
                parts, settings: settings, secrets: secrets, file: file, calls: calls, hubs: hubs,
                companies: companies, groups: groups) + runs.routes,
            sessions: stores.accounts, logger: logger, clock: clock)
        var services: [any Service] = [
            directory, companies.sending, runs.frameLoop(logger: logger),
            ArrivalService(
                hub: hubs.desk, broker: broker, logger: logger, clock: clock,
                newest: { try await calls.newestMessage() }, openCalls: { try await calls.openCalls() }),
        ]
        if let listener {
            let inbox = NoticeInbox(
                hubs: hubs, directory: directory, gate: gate, bootClock: { Clock.boot() })
            services += [
                NoticeService(listener: listener, inbox: inbox),
                NoticeSender(outbox: outbox, file: file, logger: logger),
                PresenceService(hub: hubs.desk, logger: logger) {
                    try await file.announce(DeskNotice.present($0))
                },
                LivePoller(hub: hubs.live, samples: stores.samples, logger: logger),
                try CallWatch(settings: try BrokerSettings(settings)) {
                    try intake.commit($0)
                } onEvent: {
                    broker.report($0, of: "calls, beside, \($1)")
                    BrokerLog.write($0, of: "calls, beside", to: logger)
                },
            ]
        }
        services.append(
            WebServer(
                site: site, at: try ListenAddress(settings.listen),
                limits: WebServer.Limits(descriptors: OpenFiles.raiseLimit()),
                clients: ClientResolver(proxies: settings.trustedProxies), logger: logger))
        self.services = services
    }

    private static func routes(
        _ parts: SiteParts, settings: ServerSettings, secrets: Secrets, file: DatabasePool, calls: DeskStore,
        hubs: Hubs, companies: Companies, groups: GroupParts
    ) -> [Route] {
        let clock = parts.clock
        let desk = DeskPages(
            store: calls, hub: hubs.desk, clock: clock,
            name: { "\(try parts.sealer.open($0.identity, of: $0.user).name), \(settings.operatorName)" },
            isSignedIn: { context in
                guard let session = context.session,
                    let found = try await parts.stores.accounts.session(session.id)
                else { return false }
                return found.session.isValid(at: clock(), as: found.account.role)
            })
        let houseCalls = HouseCallAPI(
            calls: calls, tokens: HouseTokenStore(file: file), hub: hubs.desk, clock: clock)
        let fleet = FleetPages(
            parts: parts,
            service: FleetService(
                fleets: parts.stores.fleets, signer: secrets.signer, issuer: settings.issuer, clock: clock))
        let parties = companies.pages(parts: parts, secrets: secrets, issuer: settings.issuer)
        let ready = ReadyAPI(hub: hubs.desk, clock: clock)
        return parts.routes + desk.routes + houseCalls.routes + ready.routes + fleet.routes
            + parties.routes + groups.routes(parts: parts, access: parties.access)
    }
}

/// Fan-outs of changes to the open pages of this server.
struct Hubs: Sendable {
    let live: LiveHub
    let desk: DeskHub
    let runs: RunHub
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
