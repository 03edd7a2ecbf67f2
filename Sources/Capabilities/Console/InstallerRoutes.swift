import ConsoleAccess
import ControlContract
import GatewayModel
import HTML
import Pages
import RealTime
import Web

/// Routes of the installer's pages for wearables and checks. The gateway does the work and decides on each act.
extension ConsoleServer {
    /// The reply; nil for another path or another role.
    func install(
        _ request: WebRequest, _ admission: Gatekeeper.Admission, _ house: HouseSnapshot, at now: Moment
    ) -> WebReply? {
        guard admission.session.role == .installer else { return nil }
        let pages = pages(house, admission, at: now)
        func found(_ page: Page?) -> WebReply {
            guard let page else { return Self.page(Self.plain(request).failure(.notFound), status: 404) }
            return Self.page(page, status: 200)
        }
        switch request.path {
        case Pages.Route.wearables.text: return found(pages.wearablesPage())
        case Pages.Route.forgetWearable.text:
            return found(request.query["device"].flatMap { pages.forgetting($0) })
        case Pages.Route.pairWearable.text:
            guard case .deviceSetup(let state) = polls.ask(.pair, admission.identified, feed) else { break }
            guard let address = request.query["address"] else { return found(pages.pairing(state)) }
            // The scan may have lost it meanwhile.
            return pages.addition(of: address, in: state).map { Self.page($0, status: 200) }
                ?? Self.redirect(to: Pages.Route.pairWearable.text)
        case Pages.Route.doctor.text:
            guard case .check(let report) = polls.ask(.doctor, admission.identified, feed) else { break }
            return found(pages.doctor(report))
        case Pages.Route.log.text:
            let reply = try? feed.ask(Verb.RecentEvents(), for: admission.identified)
            guard case .events(let events) = reply?.content else { break }
            return found(pages.log(events, in: LocalCalendar(until: now.wall)))
        case Pages.Route.settings.text:
            let reply = try? feed.ask(Verb.Settings(), for: admission.identified)
            guard case .settings(let listing) = reply?.content else { break }
            return found(pages.settings(listing))
        case Pages.Route.walk.text:
            guard let reply = polls.reply(.walk, admission.identified, feed) else { break }
            return found(pages.walk(reply.walk))
        default: return nil
        }
        return away(request, admission)
    }

    /// Content of a page that shows a document of the gateway; nil until it is known.
    func polledContent(
        _ page: PagePolls.Polled, _ pages: Pages, _ session: ControlSession, at now: BootInstant
    ) -> HTML? {
        switch polls.document(of: page, for: session, at: now) {
        case .deviceSetup(let state): pages.pairingContent(state)
        case .check(let report): pages.doctorContent(report)
        case .walk(let walk): pages.walkContent(walk)
        default: page == .walk ? pages.walkContent(nil) : nil
        }
    }
}

extension ControlReply {
    /// Nil before the first walk.
    fileprivate var walk: WalkDocument? { if case .walk(let document) = content { document } else { nil } }
}

extension Gatekeeper.Admission {
    /// The session with the id of its paired device: the gateway knows by it which one began a work.
    var identified: ControlSession { session.identified(by: id.short) }
}
