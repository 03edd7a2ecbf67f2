import Accounts
import CloudCommands
import GatewayModel
import HTML
import PageSecurity
import Store
import Synchronization
public import WebPages

/// Pages of the fleet, for accounts with the role of an installer. They show boxes, and no reading and no person.
public struct FleetPages: Sendable {
    /// A fleet is looked at this often for its open pages.
    private static let lookInterval = Duration.seconds(2)
    /// Looks between two signs of life. Proxies close a silent connection after 30 s as a rule.
    private static let looksPerSign = 5
    /// Open pages at one time.
    private static let mostStreams = 500
    private static let mostCommands = 20

    private let parts: SiteParts
    private let service: FleetService
    private let streams = StreamCount()
    private let looks: FleetLooks

    public init(parts: SiteParts, service: FleetService) {
        (self.parts, self.service) = (parts, service)
        looks = FleetLooks(service.fleets, clock: parts.bootClock)
    }

    public var routes: [Route] {
        let role = Route.Access.role(.installer)
        return [
            Route(.get, "/fleet", access: role, answer: list),
            Route(.get, "/fleet/list", access: role) { context in
                Self.part(view(context).list(try await boxes(context)))
            },
            Route(.get, "/fleet/live", access: role, answer: live),
            Route(.get, "/fleet/add", access: role) { addPage($0, refusal: nil) },
            Route(.post, "/fleet/add", access: role, answer: add),
            Route(.get, "/fleet/boxes/{gateway}", access: role) { try await box($0) },
            Route(.get, "/fleet/boxes/{gateway}/part", access: role) { context in
                Self.part(try await boxPart(try await found(context), view(context)))
            },
            Route(.post, "/fleet/boxes/{gateway}/heartbeat", access: role, answer: setHeartbeat),
            Route(.get, "/fleet/boxes/{gateway}/remove", access: role) { context in
                let box = try await found(context)
                return .page(view(context).removal(of: box))
            },
            Route(.post, "/fleet/boxes/{gateway}/remove", access: role, answer: remove),
        ]
    }

    private static func part(_ html: HTML) -> WebAnswer {
        .text(Array(html.source.utf8), type: "text/html; charset=utf-8")
    }

    private func view(_ context: RouteContext) -> FleetView {
        FleetView(context: context, now: parts.clock(), calendar: parts.calendar(of: context))
    }

    private func fleet(_ context: RouteContext) async throws -> FleetName {
        guard let fleet = try await service.fleets.fleet(of: try context.signedIn().id) else {
            throw Problem(.notAllowed, "the account is in no fleet: trackme accounts join-fleet")
        }
        return fleet
    }

    private func boxes(_ context: RouteContext) async throws -> [FleetBox] {
        try await service.fleets.boxes(of: try await fleet(context))
    }

    private func found(_ context: RouteContext) async throws -> FleetBox {
        guard let gateway = GatewayID(try context.parameter("gateway")),
            let box = try await service.fleets.box(gateway, of: try await fleet(context))
        else { throw Problem(.notFound, "the fleet has no such box") }
        return box
    }

    // MARK: List

    private func list(_ context: RouteContext) async throws -> WebAnswer {
        let (fleet, view) = (try await fleet(context), view(context))
        return .page(view.listPage(of: fleet, try await service.fleets.boxes(of: fleet)))
    }

    /// Tells an open page that a box has come, gone or changed.
    private func live(_ context: RouteContext) async throws -> WebAnswer {
        let fleet = try await fleet(context)
        return .events { send, isOver in
            guard streams.begin(most: Self.mostStreams) else { return }
            defer { streams.end() }
            var (shown, round): ([FleetView.Shown]?, Int) = (nil, 0)
            while !isOver() {
                let time = parts.clock()
                let now = try await looks.boxes(of: fleet).map { FleetView.Shown($0, at: time) }
                if now != shown { try await send(Array("event: change\ndata: none\n\n".utf8)) }
                shown = now
                if round % Self.looksPerSign == 0 {
                    guard try await isSignedIn(context, fleet) else { return }
                    try await send(EventStream.alive)
                }
                round += 1
                try await Task.sleep(for: Self.lookInterval)
            }
        }
    }

    private func isSignedIn(_ context: RouteContext, _ fleet: FleetName) async throws -> Bool {
        guard let session = context.session,
            let found = try await parts.stores.accounts.session(session.id),
            found.session.isValid(at: parts.clock(), as: found.account.role), found.account.role == .installer
        else { return false }
        return try await service.fleets.fleet(of: found.account.id) == fleet
    }

    // MARK: Add and remove

    private func addPage(_ context: RouteContext, refusal: Text?) -> WebAnswer {
        .page(view(context).addPage(refusal: refusal), status: refusal == nil ? 200 : 422)
    }

    private func add(_ context: RouteContext) async throws -> WebAnswer {
        let (fleet, account) = (try await fleet(context), try context.signedIn())
        let attempt = Attempt.signedIn(account, "code of a box")
        guard parts.gate.begin(attempt, at: parts.bootClock()) else {
            return addPage(context, refusal: .tooManyTries)
        }
        do {
            let gateway = try await service.add(context.form["code"] ?? "", to: fleet, by: account)
            parts.gate.end(attempt, isGood: true)
            return .redirect(to: FleetView.place(of: gateway))
        } catch let refusal as FleetRefusal {
            parts.gate.end(attempt, isGood: false)
            return addPage(context, refusal: .refused(refusal))
        } catch let refusal as CommandRefusal {
            parts.gate.end(attempt, isGood: false)
            return addPage(context, refusal: refusal.reason == .expired ? .oldCode : .badCode)
        }
    }

    private func remove(_ context: RouteContext) async throws -> WebAnswer {
        let box = try await found(context)
        guard try await service.remove(box.gateway, from: try await fleet(context), by: try context.signedIn())
        else { throw Problem(.notFound, "the fleet has no such box") }
        return .redirect(to: FleetView.root)
    }

    // MARK: One box

    private func boxPart(_ box: FleetBox, _ view: FleetView) async throws -> HTML {
        view.box(
            box,
            commands: try await service.fleets.heartbeatCommands(of: box.gateway, most: Self.mostCommands))
    }

    private func box(_ context: RouteContext, refusal: Text? = nil) async throws -> WebAnswer {
        let (box, view) = (try await found(context), view(context))
        return .page(
            view.boxPage(box, part: try await boxPart(box, view), refusal: refusal),
            status: refusal == nil ? 200 : 422)
    }

    private func setHeartbeat(_ context: RouteContext) async throws -> WebAnswer {
        let box = try await found(context)
        guard let seconds = Int(context.form["seconds"] ?? ""), FleetService.heartbeats.contains(seconds) else {
            return try await self.box(context, refusal: .badSeconds)
        }
        do {
            try await service.setHeartbeat(
                seconds, of: box.gateway, in: try await fleet(context), by: try context.signedIn())
        } catch FleetRefusal.notInFleet {
            throw Problem(.notFound, "the fleet has no such box")
        } catch StoreFault.tooManyIntervals {
            return try await self.box(context, refusal: .tooManyCommands)
        }
        return .redirect(to: FleetView.place(of: box.gateway))
    }
}

/// Looks at fleets for their open pages: the pages of one fleet share a look.
private actor FleetLooks {
    /// Age up to which a look is good. With the interval of the pages it is the longest delay of a change, 3 s.
    private static let life = Duration.seconds(1)

    private let fleets: FleetStore
    private let clock: @Sendable () -> BootInstant
    private var last: [FleetName: (at: BootInstant, boxes: Task<[FleetBox], any Error>)] = [:]

    init(_ fleets: FleetStore, clock: @escaping @Sendable () -> BootInstant) {
        (self.fleets, self.clock) = (fleets, clock)
    }

    func boxes(of fleet: FleetName) async throws -> [FleetBox] {
        let now = clock()
        if let look = last[fleet], look.at.duration(to: now) < Self.life { return try await look.boxes.value }
        let look = Task { [fleets] in try await fleets.boxes(of: fleet) }
        last[fleet] = (now, look)
        return try await look.value
    }
}

/// Number of open streams.
private final class StreamCount: Sendable {
    private let count = Mutex(0)

    func begin(most: Int) -> Bool {
        count.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
    }

    func end() { count.withLock { $0 -= 1 } }
}

extension Text {
    static let badSeconds = Text(
        en: "Write a whole number from 10 to 86400.",
        it: "Scrivi un numero intero da 10 a 86400.")
    static let tooManyCommands = Text(
        en: "The box has been sent too many commands today: try again tomorrow.",
        it: "Oggi la centralina ha ricevuto troppi comandi: riprova domani.")
    static let oldCode = Text(
        en: "This code is older than an hour. Run the command again.",
        it: "Questo codice ha più di un'ora. Esegui di nuovo il comando.")
    static let badCode = Text(
        en: "This is no code of a box. Copy the whole line that the command prints.",
        it: "Questo non è il codice di una centralina. Copia tutta la riga che il comando stampa.")
    static let tooManyTries = Text(
        en: "Too many wrong codes. Wait a minute.",
        it: "Troppi codici sbagliati. Aspetta un minuto.")
    static func refused(_ fleetRefusal: FleetRefusal) -> Text {
        switch fleetRefusal {
        case .otherKey:
            Text(
                en:
                    "The server knows a box of this name with another key. Give the new box a name of its own, or have the operator replace the key.",
                it:
                    "Il server conosce una centralina con questo nome e un'altra chiave. Dai alla nuova un nome suo, o fai sostituire la chiave dal gestore."
            )
        case .otherFleet:
            Text(
                en: "Another fleet has this box. Its installers or the operator give it free.",
                it: "Questa centralina è di un'altra flotta. La liberano i suoi installatori o il gestore.")
        case .tooMany:
            Text(
                en: "The fleet has as many boxes as it can hold.",
                it: "La flotta ha tutte le centraline che può avere.")
        case .notInFleet: Text(en: "The box has left the fleet.", it: "La centralina ha lasciato la flotta.")
        }
    }
}
