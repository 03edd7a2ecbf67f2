import ConsoleAccess
import ControlContract
import Foundation
import GatewayModel
import Glibc
import HTML
import Pages
import RealTime
import Synchronization
package import Web

/// Pages and acts of the house for paired devices: each request passes the gatekeeper, and the gateway decides again.
package final class ConsoleServer: Sendable {
    package struct Settings: Sendable {
        package var addresses = ["127.0.0.1:8765"]
        /// Names of the box beside IP addresses and `localhost`.
        package var names: [String] = []
        package var identity: WebServer.Identity?
        package var limits = WebServer.Limits()
        /// Path of the gateway's socket for the console.
        package var socket = "/run/homegateway/console.sock"
        package var stateDirectory = "/var/lib/homegateway-console"

        package init() {}
    }

    private struct State {
        var gatekeeper: Gatekeeper
        var pairing = PairingMachine()
        var generator = SystemRandomNumberGenerator()
    }

    private let settings: Settings
    private let files: ConsoleFiles
    private let feed: HouseFeed
    private let streams = PageStreams()
    private let state: Mutex<State>

    /// Reads the paired devices. Blocking I/O. Errors: a state directory or a file of devices that cannot be used.
    package init(_ settings: Settings) throws {
        self.settings = settings
        files = ConsoleFiles(directory: settings.stateDirectory)
        try files.prepare()
        feed = HouseFeed(socket: settings.socket)
        state = Mutex(
            State(
                gatekeeper: Gatekeeper(
                    isSecure: settings.identity != nil, names: settings.names, store: try files.sessions())))
    }

    /// Serves until the process ends.
    ///
    /// - Parameter onReady: called with the addresses, once connections are taken.
    package func run(onReady: ([String]) -> Void) throws {
        let server = try WebServer(
            addresses: settings.addresses, identity: settings.identity, limits: settings.limits
        ) { [self] in answer($0) }
        _ = try NamedThread("orders") { [self] in
            while true {
                takeOrders()
                usleep(500_000)
            }
        }
        onReady(server.addresses)
        feed.run { streams.send($0) }
        server.stop()
    }

    package func stop() { feed.stop() }

    // MARK: Orders

    private func takeOrders() {
        for order in files.takeOrders() {
            switch order {
            case .pair(let code, let session):
                let now = Clock.boot()
                state.withLock { $0.pairing.open(code, for: session, at: now) }
            case .revoke(let short):
                let store = state.withLock { state -> SessionStore? in
                    guard (try? state.gatekeeper.revoke(short)) != nil else { return nil }
                    return state.gatekeeper.store
                }
                if let store { try? files.write(store) }
                streams.close(short)
            }
        }
    }

    // MARK: Requests

    private func answer(_ request: WebRequest) -> WebReply {
        let goal = Self.goal(of: request)
        var visit = Gatekeeper.Visit(method: request.method, host: request.host)
        (visit.origin, visit.fetchSite, visit.cookie) = (request.origin, request.fetchSite, request.cookie)
        visit.formToken = request.form["token"]
        let now = Clock.moment()
        let (decision, store) = state.withLock { state in
            (state.gatekeeper.decide(on: visit, to: goal, at: now), state.gatekeeper.store)
        }
        switch decision {
        case .refused(let refusal):
            return Self.page(Self.plain(request).failure(.notAllowed), status: refusal.status)
        case .open: return open(request, goal, at: now)
        case .needsPairing: return Self.page(Self.plain(request).pairing(token: ""), status: 401)
        case .wrongRole, .foreignForm: return Self.page(Self.plain(request).failure(.notAllowed), status: 403)
        case .tooManyActs: return Self.page(Self.plain(request).failure(.tooMany), status: 429)
        case .admitted(let admission):
            if admission.writes { try? files.write(store) }
            if case .act(let act) = goal { return perform(act, request, admission) }
            return show(request, admission, at: now)
        }
    }

    private static func goal(of request: WebRequest) -> Gatekeeper.Goal {
        switch request.path {
        case PageFiles.stylePlace.text, PageFiles.scriptPlace.text: .open
        case Pages.Route.pair.text: request.method == "POST" ? .pairing : .open
        case Pages.Route.abort.text: .act(.abort)
        case Pages.Route.help.text: .act(.callHelp)
        case Pages.Route.accept.text: .act(.acceptAlarm)
        case Pages.Route.resolve.text: .act(.resolve)
        case Pages.Route.allow.text: .act(.allow)
        case Pages.Route.refuse.text: .act(.refuse)
        case Pages.Route.later.text: .act(.later)
        case Pages.Route.withdraw.text: .act(.withdraw)
        default: .page
        }
    }

    // MARK: Without a session

    private func open(_ request: WebRequest, _ goal: Gatekeeper.Goal, at now: Moment) -> WebReply {
        if goal == .pairing { return pair(request, at: now) }
        switch request.path {
        case PageFiles.stylePlace.text:
            return Self.asset(PageFiles.style, "text/css; charset=utf-8")
        case PageFiles.scriptPlace.text:
            return Self.asset(PageFiles.script, "text/javascript; charset=utf-8")
        default: return Self.page(Self.plain(request).pairing(token: ""), status: 200)
        }
    }

    private func pair(_ request: WebRequest, at now: Moment) -> WebReply {
        takeOrders()
        let outcome = state.withLock { state -> (cookie: String, store: SessionStore)? in
            guard case .paired(let session) = state.pairing.tryCode(request.form["code"] ?? "", at: now.boot)
            else { return nil }
            let token = SessionToken(using: &state.generator)
            guard let cookie = try? state.gatekeeper.pair(token, for: session, at: now.wall) else { return nil }
            return (cookie, state.gatekeeper.store)
        }
        guard let (cookie, store) = outcome else {
            return Self.page(Self.plain(request).failure(.expired), status: 403)
        }
        do {
            try files.write(store)
        } catch {
            // The device is paired until the next start.
        }
        return Self.redirect(to: Pages.Route.room.text, cookie: cookie)
    }

    // MARK: Pages

    private func show(_ request: WebRequest, _ admission: Gatekeeper.Admission, at now: Moment) -> WebReply {
        let house = feed.house(at: now.boot)
        if request.path == "/stream" { return stream(request, admission, house) }
        guard let house else {
            return Self.page(Self.plain(request).failure(.boxAway), status: 503)
        }
        let pages = Self.pages(house, admission, at: now.wall)
        let isRoom = admission.session.role == .room
        let page: Page? =
            switch request.path {
            case Pages.Route.room.text: isRoom ? pages.room() : pages.today()
            case Pages.Route.today.text: pages.today()
            case Pages.Route.callHelp.text: pages.callHelp()
            case Pages.Route.question.text: pages.question(asksPIN: false)
            case Pages.Route.sharing.text: pages.sharing()
            case Pages.Route.withdrawal.text: request.query["request"].flatMap { pages.withdrawal(of: $0) }
            default: nil
            }
        guard let page else { return Self.page(Self.plain(request).failure(.notFound), status: 404) }
        return Self.page(page, status: 200)
    }

    private func stream(
        _ request: WebRequest, _ admission: Gatekeeper.Admission, _ house: HouseSnapshot?
    ) -> WebReply {
        let showsToday = request.query["page"] == "today" || admission.session.role != .room
        let stream = streams.open(for: admission.id.short, at: house) { house in
            let pages = Self.pages(house, admission, at: Clock.wall())
            return showsToday ? pages.todayContent() : pages.roomContent()
        }
        guard let stream else { return Self.page(Self.plain(request).failure(.tooMany), status: 503) }
        let headers =
            [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")]
            + SecurityHeaders.fields(for: .page)
        return WebReply(status: 200, headers: headers, body: .events(stream))
    }

    private static func pages(
        _ house: HouseSnapshot, _ admission: Gatekeeper.Admission, at wall: WallTime
    ) -> Pages {
        let session = admission.session
        let language = house.persons.first { $0.id == session.person?.text }?.language ?? house.house?.language
        return Pages(
            house.seen(by: session),
            for: Viewer(
                role: session.role, person: session.person?.text,
                language: language.flatMap(PersonProfile.Language.init) ?? .english, token: admission.formToken),
            at: LocalTime(wall))
    }

    // MARK: Acts

    private func perform(
        _ act: ConsoleAct, _ request: WebRequest, _ admission: Gatekeeper.Admission
    ) -> WebReply {
        let form = request.form
        let back = act == .withdraw ? Pages.Route.sharing.text : Pages.Route.room.text
        do {
            let session = admission.session
            let order: ControlRequest
            switch act {
            case .abort:
                order = .abort(try .init(alarm: form["alarm"], person: form["person"], by: session.name))
            case .callHelp:
                order = .callHelp(try .init(person: form["person"], alarm: form["alarm"], by: session.name))
            case .acceptAlarm:
                order = .acceptAlarm(try .init(alarm: form["alarm"], person: form["person"], by: session.name))
            case .resolve:
                order = .resolve(
                    try .init(
                        alarm: form["alarm"], person: form["person"], reason: form["reason"], by: session.name))
            case .allow: order = .accept(try .init(subject: form["request"], person: nil, by: session.name))
            case .refuse: order = .refuse(try .init(subject: form["request"], person: nil, by: session.name))
            case .withdraw:
                order = .withdraw(try .init(subject: form["request"], person: nil, by: session.name))
            case .later: return Self.redirect(to: back)
            }
            let reply = try feed.ask(order, for: session)
            guard reply.isDone else {
                return Self.page(Self.plain(request).failure(.notAllowed), status: 409)
            }
            return Self.redirect(to: back)
        } catch is ControlError {
            return Self.page(Self.plain(request).failure(.boxAway), status: 503)
        } catch {
            return Self.page(Self.plain(request).failure(.boxAway), status: 503)
        }
    }

    // MARK: Replies

    private static func plain(_ request: WebRequest) -> PlainPages {
        PlainPages(request.acceptLanguage?.lowercased().hasPrefix("it") == true ? .italian : .english)
    }

    private static func page(_ page: Page, status: Int) -> WebReply {
        WebReply(
            status: status,
            headers: [("Content-Type", "text/html; charset=utf-8")] + SecurityHeaders.fields(for: .page),
            body: .bytes(page.bytes))
    }

    private static func asset(_ text: String, _ type: String) -> WebReply {
        WebReply(
            status: 200, headers: [("Content-Type", type)] + SecurityHeaders.fields(for: .asset),
            body: .bytes(Array(text.utf8)))
    }

    private static func redirect(to path: String, cookie: String? = nil) -> WebReply {
        WebReply(
            status: 303,
            headers: [("Location", path)] + (cookie.map { [("Set-Cookie", $0)] } ?? [])
                + SecurityHeaders.fields(for: .page), body: .bytes([]))
    }
}

extension LocalTime {
    fileprivate init(_ wall: WallTime) {
        var seconds = time_t(wall.millisecondsSince1970 / 1_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        self.init(
            hour: Int(parts.tm_hour), minute: Int(parts.tm_min), month: Int(parts.tm_mon) + 1,
            day: Int(parts.tm_mday), weekday: Int(parts.tm_wday))
    }
}
