import ConsoleAccess
import ControlContract
import Foundation
import GatewayModel
import Glibc
import HTML
import PageSecurity
import Pages
import QRCodes
import RealTime
package import Settings
import Synchronization
import Web

/// Pages and acts of the house for paired devices: each request passes the gatekeeper, and the gateway decides again.
package final class ConsoleServer: Sendable {
    private struct State {
        var gatekeeper: Gatekeeper
        var pairing = PairingCodes()
        var generator = SystemRandomNumberGenerator()
        /// Questions that were put off, with the time at which they are asked again.
        var putOff: [PutOff: BootInstant] = [:]
        /// Devices of persons that the house has not said yet.
        var unannounced: [ControlSession] = []
    }

    /// A question that was put off at the screens of one role and person: at those of others it still waits.
    private struct PutOff: Hashable {
        let role: ControlSession.Role
        let person: PersonID?
        let question: String
    }

    /// Time for which a question is not shown again: it should not spoil the day, nor be forgotten.
    private static let putOffTime = Duration.seconds(4 * 3_600)
    /// Time for which a known device is not shown again: then it is no longer new.
    private static let knownTime = Duration.seconds(24 * 3_600)
    /// Interval of the tries to have the house say that a device was paired.
    private static let announcePause = Duration.seconds(5)

    private let settings: ConsoleSettings
    private let identity: WebServer.Identity?
    /// One thread at a time reads the orders and writes the paired devices: an older list must not replace a newer one.
    private let files: Mutex<ConsoleFiles>
    let feed: HouseFeed
    let polls = PagePolls()
    private let streams = PageStreams()
    let races: RaceFeed
    private let state: Mutex<State>

    /// Reads the paired devices, and the certificate or makes one. Blocking I/O.
    ///
    /// Errors: a state directory, a file of devices or a certificate that cannot be used.
    package init(_ settings: ConsoleSettings) throws {
        self.settings = settings
        let files = ConsoleFiles(directory: settings.stateDirectory)
        try files.prepare()
        self.files = Mutex(files)
        identity = try files.identity(settings)
        feed = HouseFeed(socket: settings.gatewaySocket)
        races = RaceFeed(feed)
        state = Mutex(
            State(
                gatekeeper: Gatekeeper(
                    isSecure: identity != nil, names: settings.names, store: try files.sessions(),
                    showsRaces: settings.racePages)))
    }

    /// Serves until the process ends.
    ///
    /// - Parameter onReady: called with the addresses of the pages and of the metrics, once connections are taken.
    package func run(onReady: (_ pages: [String], _ metrics: String?) -> Void) throws -> Never {
        let server = try WebServer(
            addresses: settings.listen, identity: identity, limits: WebServer.Limits()
        ) { [self] in answer($0) }
        let metrics = try settings.metrics.map { try MetricsServer { [self] in self.metrics() }.listen(at: $0) }
        _ = try NamedThread("orders") { [self] in
            while true {
                takeOrders()
                usleep(500_000)
            }
        }
        _ = try NamedThread("announce") { [self] in
            while true {
                announceDevices()
                usleep(500_000)
            }
        }
        _ = try NamedThread("races") { [self] in
            while true {
                let sessions = state.withLock(\.gatekeeper.store).sessions
                races.send(to: Set(sessions.map(\.id.short)), in: Self.calendar(at: Clock.wall()))
                usleep(1_000_000)
            }
        }
        _ = try NamedThread("polls") { [self] in
            while true {
                polls.renew(feed)
                sleep(1)
            }
        }
        _ = try NamedThread("alive") { [self] in
            while true {
                if feed.house(at: Clock.boot()) == nil {
                    let sessions = state.withLock(\.gatekeeper.store).sessions
                    streams.send(nil, to: Set(sessions.map(\.id.short)), render: content)
                } else {
                    streams.keepAlive()
                }
                usleep(500_000)
            }
        }
        onReady(server.addresses, metrics?.addresses.first)
        withExtendedLifetime((server, metrics)) {
            feed.run { house in
                let sessions = state.withLock(\.gatekeeper.store).sessions
                streams.send(house, to: Set(sessions.map(\.id.short)), render: content)
            }
        }
    }

    /// From any thread; may wait for the disk.
    private func metrics() -> HouseMetrics {
        var box = HouseMetrics.Box()
        box.connections = feed.connections
        box.pairedDevices = state.withLock(\.gatekeeper.store).sessions.count
        var disk = statvfs()
        if statvfs(settings.stateDirectory, &disk) == 0 {
            box.diskFree = UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
            box.diskSize = UInt64(disk.f_blocks) * UInt64(disk.f_frsize)
        }
        return HouseMetrics(feed.house(at: Clock.boot()), box)
    }

    // MARK: Paired devices

    private func takeOrders() {
        files.withLock { files in
            for order in files.takeOrders() {
                switch order {
                case .pair(let code, let session):
                    let now = Clock.boot()
                    state.withLock { $0.pairing.open(code, for: session, at: now) }
                case .revoke(let short):
                    // Its streams end with the next state, within a second.
                    _ = state.withLock { try? $0.gatekeeper.revoke(short) }
                    save(files)
                }
            }
        }
    }

    private func save() { files.withLock { save($0) } }

    /// Writes the paired devices as they are now.
    private func save(_ files: ConsoleFiles) {
        do {
            try files.write(state.withLock(\.gatekeeper.store))
        } catch {
            Self.report(
                "the paired devices cannot be written, and the next start knows the earlier ones: \(error)")
        }
    }

    private func paired(at now: WallTime) -> [PairedDevice] {
        state.withLock(\.gatekeeper.store).sessions.map { paired in
            PairedDevice(
                id: paired.id.short, role: paired.session.role, person: paired.session.person?.text,
                name: paired.session.name,
                pairedAgeMs: max(now.millisecondsSince1970 - paired.paired.millisecondsSince1970, 0),
                seenAgeMs: max(now.millisecondsSince1970 - paired.lastSeen.millisecondsSince1970, 0))
        }
    }

    /// Has the house say which devices were paired for a person. A gateway that does not answer is asked again.
    private func announceDevices() {
        guard let session = state.withLock({ $0.unannounced.first }), let person = session.person else {
            return
        }
        do {
            _ = try feed.ask(Verb.DevicePaired(person: person.text, by: session.name), for: session)
            _ = state.withLock { $0.unannounced.removeFirst() }
        } catch {
            sleep(UInt32(Self.announcePause.components.seconds))
        }
    }

    private static func report(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    // MARK: Requests

    private func answer(_ request: WebRequest) -> WebReply {
        let goal = Self.goal(of: request)
        var visit = Gatekeeper.Visit(method: request.method, host: request.host)
        (visit.origin, visit.fetchSite, visit.cookie) = (request.origin, request.fetchSite, request.cookie)
        visit.formToken = request.form["token"]
        let now = Clock.moment()
        let decision = state.withLock { $0.gatekeeper.decide(on: visit, to: goal, at: now) }
        switch decision {
        case .refused(let refusal):
            return Self.page(Self.plain(request).failure(.notAllowed), status: refusal.status)
        case .open: return open(request, goal, at: now)
        case .spectator: return race(request, nil, at: now)
        case .needsPairing:
            // A stream is asked for by a script, which a page for people is nothing to.
            if [Self.streamPlace, Self.alivePlace, Pages.Route.raceStream.text].contains(request.path) {
                return WebReply(
                    status: 401, headers: SecurityHeaders.console.fields(for: .page), body: .bytes([]))
            }
            // A box with open race pages stands at a race: its first page is theirs.
            let isFirst = request.path == Pages.Route.room.text && settings.racePages
            return Self.redirect(to: (isFirst ? Pages.Route.races : Pages.Route.pair).text)
        case .wrongRole, .foreignForm: return Self.page(Self.plain(request).failure(.notAllowed), status: 403)
        case .tooManyActs: return Self.page(Self.plain(request).failure(.tooMany), status: 429)
        case .admitted(let admission):
            var reply = admit(request, goal, admission, at: now)
            reply.isForPairedDevice = true
            return reply
        }
    }

    private func admit(
        _ request: WebRequest, _ goal: Gatekeeper.Goal, _ admission: Gatekeeper.Admission, at now: Moment
    ) -> WebReply {
        if admission.writes { save() }
        if case .act = goal {
            let reply = perform(request, admission, at: now)
            // The page that follows the act must not get the content from before it.
            streams.expire()
            return reply
        }
        if goal == .race { return race(request, admission, at: now) }
        return show(request, admission, at: now)
    }

    private static let streamPlace = "/stream"
    /// Open pages ask for it, so that their next act finds a connection. It says nothing.
    private static let alivePlace = "/alive"
    /// Browsers ask for it by themselves. There is none.
    private static let icon = "/favicon.ico"

    private static func goal(of request: WebRequest) -> Gatekeeper.Goal {
        switch request.path {
        case PageFiles.style.place.text, PageFiles.script.place.text, icon: .open
        case Pages.Route.pair.text: request.method == "POST" ? .pairing : .open
        default:
            PageModule.act(at: request.path).map { .act(roles: $0.roles, isLimited: $0.isLimited) }
                ?? (isOfRace(request.path) ? .race : .page)
        }
    }

    // MARK: Without a session

    private func open(_ request: WebRequest, _ goal: Gatekeeper.Goal, at now: Moment) -> WebReply {
        if goal == .pairing { return pair(request, at: now) }
        switch request.path {
        case PageFiles.style.place.text: return Self.asset(PageFiles.style)
        case PageFiles.script.place.text: return Self.asset(PageFiles.script)
        case Self.icon:
            return WebReply(status: 204, headers: SecurityHeaders.console.fields(for: .page), body: .bytes([]))
        default: return Self.page(Self.plain(request).pairing(token: ""), status: 200)
        }
    }

    private func pair(_ request: WebRequest, at now: Moment) -> WebReply {
        takeOrders()
        let (outcome, cookie) = state.withLock { state in
            let outcome = state.pairing.tryCode(
                request.form["code"] ?? "", from: request.client, at: now.boot)
            guard case .tried(.right(let session)) = outcome else { return (outcome, String?.none) }
            let token = SessionToken(using: &state.generator)
            let cookie = try? state.gatekeeper.pair(token, for: session, at: now.wall)
            if cookie != nil, session.person != nil, session.role.isPersonal {
                state.unannounced.append(session.identified(by: token.id.short))
            }
            return (outcome, cookie)
        }
        let refusal: PlainPages.CodeRefusal
        switch outcome {
        case .tried(.right(let session)):
            // Without a place: every device of a full house is a room's or a person's.
            guard let cookie else { return Self.page(Self.plain(request).failure(.tooMany), status: 503) }
            Self.report("a device was paired, role \(session.role.rawValue)")
            save()
            return Self.redirect(to: Pages.Route.room.text, cookie: cookie)
        case .tried(.unknown): refusal = .unknown
        case .tried(.expired): refusal = .expired
        case .tried(.used(let byOther)): refusal = .used(byOther: byOther)
        case .tried(.void(let byOther)): refusal = .void(byOther: byOther)
        case .throttled(let wait, let byOther):
            refusal = .notRead(seconds: Int(wait.components.seconds) + 1, byOther: byOther)
        }
        Self.report("a code has paired no device: \(refusal)")
        return Self.page(Self.plain(request).pairing(token: "", refusal), status: 403)
    }

    // MARK: Pages

    private func show(_ request: WebRequest, _ admission: Gatekeeper.Admission, at now: Moment) -> WebReply {
        let house = feed.house(at: now.boot)
        if request.path == Self.streamPlace { return stream(request, admission, house) }
        if request.path == Self.alivePlace {
            return WebReply(status: 204, headers: SecurityHeaders.console.fields(for: .page), body: .bytes([]))
        }
        guard let house else { return away(request, admission) }
        guard let page = PageModule.page(at: request.path, for: admission.session.role) else {
            return reply(.missing, to: request, admission)
        }
        return visit(request, admission, house, at: now, page.show)
    }

    private func visit(
        _ request: WebRequest, _ admission: Gatekeeper.Admission, _ house: HouseSnapshot, at now: Moment,
        back: HTML.Place? = nil, _ work: (PageVisit) throws -> PageAnswer
    ) -> WebReply {
        let session = admission.identified
        let visit = PageVisit(
            pages(house, admission, at: now), query: request.query, session: session, now: now.wall,
            calendar: { LocalCalendar(until: now.wall) },
            gateway: SessionGateway(feed: feed, polls: polls, session: session))
        do {
            return reply(try work(visit), to: request, admission, back: back)
        } catch {
            return away(request, admission, back: back)
        }
    }

    private func reply(
        _ answer: PageAnswer, to request: WebRequest, _ admission: Gatekeeper.Admission,
        back: HTML.Place? = nil
    ) -> WebReply {
        switch answer {
        case .page(let page, let status): Self.page(page, status: status)
        case .table(let text, let name): Self.table(text, named: name)
        case .redirect(let place): Self.redirect(to: place.text)
        case .missing: Self.page(Self.plain(request).failure(.notFound), status: 404)
        case .expired: Self.page(Self.plain(request).failure(.expired), status: 400)
        case .away: away(request, admission, back: back)
        }
    }

    private func stream(
        _ request: WebRequest, _ admission: Gatekeeper.Admission, _ house: HouseSnapshot?
    ) -> WebReply {
        let session = admission.session
        guard let live = PageModule.livePart(request.query["page"], for: session.role) else {
            return reply(.missing, to: request, admission)
        }
        let kind = PageStreams.Kind(
            role: session.role, person: session.person, content: live.name,
            session: live.look == nil ? nil : admission.identified)
        let stream = streams.open(kind, for: admission.id.short, at: house, render: content)
        guard let stream else { return Self.page(Self.plain(request).failure(.tooMany), status: 503) }
        return Self.events(stream)
    }

    /// Content of `<main>` for all streams of a kind; nil where it is not known.
    private func content(_ house: HouseSnapshot?, _ kind: PageStreams.Kind) -> HTML? {
        guard let house else {
            return awayPages(kind.role, kind.person, token: "", otherwise: .english)
                .content(followedBy: HTML.Place("/stream").with("page", kind.content))
        }
        guard let live = PageModule.livePart(kind.content, for: kind.role) else { return nil }
        let now = Clock.moment()
        return live.content(
            pages(house, kind.role, kind.person, token: "", at: now),
            kind.session.flatMap { session in
                live.look.flatMap { polls.document(of: $0, for: session, at: now.boot) }
            })
    }

    // MARK: While the gateway does not answer

    /// The page that stands in for every other one while the gateway does not answer. Where it lives and has not answered
    /// this request alone, a page of an error.
    ///
    /// - Parameters:
    ///   - admission: nil for a spectator of a race.
    ///   - back: page to go to after an act.
    func away(
        _ request: WebRequest, _ admission: Gatekeeper.Admission?, back: HTML.Place? = nil
    ) -> WebReply {
        guard feed.house(at: Clock.boot()) == nil else {
            return Self.page(Self.plain(request).failure(.boxAway), status: 503)
        }
        let pages = awayPages(
            admission?.session.role ?? .anyone, admission?.session.person, token: admission?.formToken ?? "",
            otherwise: Self.language(of: request))
        return Self.page(pages.page(back: back), status: 503)
    }

    /// - Parameter language: where no state says the language of the person or the house.
    private func awayPages(
        _ role: ControlSession.Role, _ person: PersonID?, token: String,
        otherwise language: PersonProfile.Language
    ) -> AwayPages {
        let house = feed.lastHouse
        let viewer = Viewer(
            role: role, person: person?.text, language: house.flatMap { Self.language($0, person) } ?? language,
            token: token)
        let pages = house.map {
            Pages($0.seen(by: role, of: person), for: viewer, at: LocalTime(Clock.wall(), eastOfUTC: 0))
        }
        return AwayPages(pages?.visible ?? [], for: viewer)
    }

    private static func language(_ house: HouseSnapshot, _ person: PersonID?) -> PersonProfile.Language? {
        (house.persons.first { $0.id == person?.text }?.language ?? house.house?.language)
            .flatMap(PersonProfile.Language.init)
    }

    func pages(_ house: HouseSnapshot, _ admission: Gatekeeper.Admission, at now: Moment) -> Pages {
        pages(
            house, admission.session.role, admission.session.person, token: admission.formToken, at: now)
    }

    /// - Parameter token: of the forms; empty for a stream.
    private func pages(
        _ house: HouseSnapshot, _ role: ControlSession.Role, _ person: PersonID?, token: String, at now: Moment
    ) -> Pages {
        let putOff = state.withLock { state in
            state.putOff = state.putOff.filter { $0.value > now.boot }
            return Set(state.putOff.keys.filter { $0.role == role && $0.person == person }.map(\.question))
        }
        return Pages(
            house.seen(by: role, of: person),
            for: Viewer(
                role: role, person: person?.text,
                language: Self.language(house, person) ?? .english, token: token),
            at: LocalTime(now.wall, eastOfUTC: LocalZone.system.eastOfUTC(now.wall)), putOff: putOff,
            paired: paired(at: now.wall))
    }

    // MARK: Acts

    private func perform(
        _ request: WebRequest, _ admission: Gatekeeper.Admission, at now: Moment
    ) -> WebReply {
        guard let act = PageModule.act(at: request.path) else { return reply(.missing, to: request, admission) }
        let form = PostedForm(request.form, by: admission.session.name)
        switch act.work {
        case .verb(let verb, then: let next):
            return carryOut(request, admission, then: next(admission.session.role), at: now) {
                () throws(ControlError) in try verb(form)
            }
        case .visit(let work, then: let back):
            guard let house = feed.house(at: now.boot) else { return away(request, admission, back: back) }
            return visit(request, admission, house, at: now, back: back) { try work($0, form) }
        case .own(.putOff): return putOff(request, admission, at: now)
        case .own(.correctRace): return correctRace(request, admission, at: now)
        case .own(.newCode): return newCode(request, admission, at: now)
        case .own(.revoke):
            _ = state.withLock { try? $0.gatekeeper.revoke(request.form["session"] ?? "") }
            save()
            return Self.redirect(to: Pages.Route.screens.text)
        case .own(.endDevice): return answerDevice(request, admission, isKnown: false, at: now)
        case .own(.knowDevice): return answerDevice(request, admission, isKnown: true, at: now)
        }
    }

    private func putOff(
        _ request: WebRequest, _ admission: Gatekeeper.Admission, at now: Moment
    ) -> WebReply {
        let (role, person) = (admission.session.role, admission.session.person)
        // A bounded number: only questions of the gateway that this session sees.
        let house = feed.house(at: now.boot)?.seen(by: role, of: person)
        let questions = (house?.requests.map(\.id) ?? []) + (house?.limitQuestions.map(\.id) ?? [])
        state.withLock { state in
            guard let question = request.form["question"], questions.contains(question) else { return }
            state.putOff[PutOff(role: role, person: person, question: question)] = now.boot.advanced(
                by: Self.putOffTime)
        }
        return Self.redirect(to: Pages.Route.room.text)
    }

    /// Has the gateway carry out a verb. Its refusal becomes a page.
    private func carryOut(
        _ request: WebRequest, _ admission: Gatekeeper.Admission, then back: HTML.Place, at now: Moment,
        _ verb: () throws(ControlError) -> any ControlVerb
    ) -> WebReply {
        do {
            let reply = try feed.carryOut(try verb(), for: admission.identified)
            if reply.isDone { return Self.redirect(to: back.text) }
            // The field of the PIN says what was wrong with it.
            if [.pinMissing, .pinWrong, .pinLocked].contains(reply.refusal),
                let house = feed.house(at: now.boot)
            {
                return Self.page(pages(house, admission, at: now).question(.pin), status: 403)
            }
            return Self.page(Self.plain(request).refusal(Pages.Refusal(reply), back: back), status: 409)
        } catch let error as ControlError {
            return Self.page(Self.plain(request).refusal(Pages.Refusal(error), back: back), status: 400)
        } catch {
            return away(request, admission, back: back)
        }
    }

    /// Ends a device that is paired for the person, or keeps its news away from these screens.
    private func answerDevice(
        _ request: WebRequest, _ admission: Gatekeeper.Admission, isKnown: Bool, at now: Moment
    ) -> WebReply {
        guard let house = feed.house(at: now.boot) else {
            return away(request, admission, back: Pages.Route.room)
        }
        let devices = pages(house, admission, at: now).endableDevices
        let role = admission.session.role
        guard let device = devices.first(where: { $0.id == request.form["session"] }) else {
            return Self.page(Self.plain(request).failure(.notFound), status: 404)
        }
        if isKnown {
            state.withLock { state in
                let question = PutOff(role: role, person: admission.session.person, question: device.id)
                state.putOff[question] = now.boot.advanced(by: Self.knownTime)
            }
            return Self.redirect(to: Pages.Route.room.text)
        }
        // Its streams end with the next state, within a second.
        _ = state.withLock { try? $0.gatekeeper.revoke(device.id) }
        save()
        Self.report("a device was ended by the role \(role.rawValue)")
        return Self.redirect(to: (role == .person ? Pages.Route.devices : Pages.Route.room).text)
    }

    private func newCode(
        _ request: WebRequest, _ admission: Gatekeeper.Admission, at now: Moment
    ) -> WebReply {
        guard let house = feed.house(at: now.boot) else {
            return away(request, admission, back: Pages.Route.screens)
        }
        let pages = pages(house, admission, at: now)
        let role = request.form["role"].flatMap(ControlSession.Role.init)
        let person = request.form["person"].flatMap { PersonID($0) }
        do throws(ControlError) {
            guard let role, role != .anyone else {
                throw ControlError("role: saw none that can be paired, expected one of the list")
            }
            guard person == nil || house.persons.contains(where: { $0.id == person?.text }) else {
                throw ControlError("person: saw nobody of this house, expected one of the list")
            }
            let session = try ControlSession(role: role, person: person, name: request.form["name"] ?? "")
            let code = state.withLock { state in
                let code = OneTimeCode(of: .letters, using: &state.generator)
                state.pairing.open(code, for: session, at: now.boot)
                return code
            }
            return Self.page(pages.screens(offer: offer(code)), status: 200)
        } catch {
            return Self.page(pages.screens(flaw: error.description), status: 400)
        }
    }

    /// Code with the address that leads to it: after `#`, which no server and no log sees.
    private func offer(_ code: OneTimeCode) -> PairingOffer {
        let place = Self.pairingPlace(settings)
        return PairingOffer(
            code: code.grouped, address: place ?? Self.ownPairingPlace(settings),
            // A square that leads to the visitor's own device would be of no use.
            square: place.flatMap { QRCode("\($0)#\(code)")?.rows })
    }

    // MARK: Replies

    static func plain(_ request: WebRequest) -> PlainPages {
        PlainPages(language(of: request))
    }

    static func language(of request: WebRequest) -> PersonProfile.Language {
        PersonProfile.Language(accepted: request.acceptLanguage)
    }

    static func page(_ page: Page, status: Int) -> WebReply {
        WebReply(
            status: status,
            headers: [("Content-Type", "text/html; charset=utf-8")]
                + SecurityHeaders.console.fields(for: .page),
            body: .bytes(page.bytes))
    }

    static func table(_ text: String, named name: String) -> WebReply {
        WebReply(
            status: 200,
            headers: [
                ("Content-Type", "text/csv; charset=utf-8"),
                ("Content-Disposition", "attachment; filename=\"\(name).csv\""),
            ] + SecurityHeaders.console.fields(for: .page), body: .bytes(Array(text.utf8)))
    }

    static func events(_ stream: WebSubscription) -> WebReply {
        WebReply(
            status: 200,
            headers: [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")]
                + SecurityHeaders.console.fields(for: .page), body: .events(stream))
    }

    private static func asset(_ asset: Asset) -> WebReply {
        WebReply(
            status: 200,
            headers: [("Content-Type", asset.kind.mediaType)] + SecurityHeaders.console.fields(for: .asset),
            body: .bytes(asset.bytes))
    }

    static func redirect(to path: String, cookie: String? = nil) -> WebReply {
        WebReply(
            status: 303,
            headers: [("Location", path)] + (cookie.map { [("Set-Cookie", $0)] } ?? [])
                + SecurityHeaders.console.fields(for: .page), body: .bytes([]))
    }
}

/// The gateway, as the pages of one session ask it.
private struct SessionGateway: PageGateway {
    let feed: HouseFeed
    let polls: PagePolls
    let session: ControlSession

    func ask<Request: ControlVerb>(_ request: Request) throws -> ControlReply<Request.Document> {
        try feed.ask(request, for: session)
    }

    func look<Request: ControlVerb>(_ request: Request) throws -> ControlReply<Request.Document> {
        try polls.ask(request, for: session, feed)
    }
}

extension Gatekeeper.Admission {
    /// The session with the id of its paired device: the gateway knows by it which one began a work.
    var identified: ControlSession { session.identified(by: id.short) }
}
