package import ControlContract
package import GatewayModel
package import HTML

/// Part of the pages with its places, its entries in the navigation, its live content and its acts. Another one is a file of
/// its own, and one line in `all`.
package struct PageModule: Sendable {
    let pages: [HousePage]
    let acts: [PageAct]

    init(_ pages: [HousePage] = [], acts: [PageAct] = []) {
        (self.pages, self.acts) = (pages, acts)
    }

    /// The entries of the navigation stand in this order.
    package static let all: [PageModule] = [
        .room, .alarm, .question, .today, .alarms, .charts, .report, .profile, .sharing, .pairedDevices,
        .linkCode, .install, .wearables, .screens, .walk, .health, .doctor, .settings, .log, .races,
    ]

    private static let pagesByPlace = Dictionary(grouping: all.flatMap(\.pages), by: \.place.text)
    private static let actsByPlace = Dictionary(
        uniqueKeysWithValues: all.flatMap(\.acts).map { ($0.place.text, $0) })

    /// All acts, for tests of their rights.
    package static var acts: [PageAct] { all.flatMap(\.acts) }

    /// The page at a path for a role; nil where there is none.
    package static func page(at path: String, for role: ControlSession.Role) -> HousePage? {
        pagesByPlace[path]?.first { $0.roles.contains(role) }
    }

    package static func act(at path: String) -> PageAct? { actsByPlace[path] }

    /// Live content that a stream of this name follows; that of the first page for a name that the role has not.
    package static func livePart(_ name: String?, for role: ControlSession.Role) -> HousePage.Live? {
        let own = all.lazy.flatMap(\.pages).filter { $0.roles.contains(role) }.compactMap(\.live)
        return own.first { $0.name == name } ?? page(at: Pages.Route.room.text, for: role)?.live
    }

    static func navigation(_ pages: Pages) -> [(HTML.Place, String)] {
        all.flatMap(\.pages).compactMap { page in
            page.entry.flatMap { $0.roles.contains(pages.viewer.role) ? (page.place, $0.title(pages)) : nil }
        }
    }
}

/// A page of the house.
package struct HousePage: Sendable {
    /// Entry in the navigation.
    struct Entry: Sendable {
        let roles: Set<ControlSession.Role>
        let title: @Sendable (Pages) -> String
    }

    /// Content of `<main>` that a stream keeps current.
    package struct Live: Sendable {
        package let name: String
        /// Look that the gateway is asked for as long as the page is open; nil for a content of the house's state alone.
        package let look: (any ControlVerb)?
        /// Nil where it is not known yet.
        package let content: @Sendable (Pages, (any ControlDocument)?) -> HTML?

        /// Content that is made of the state of the house.
        init(_ name: String, _ content: @escaping @Sendable (Pages) -> HTML) {
            (self.name, look) = (name, nil)
            self.content = { pages, _ in content(pages) }
        }

        /// Content that is made of a document of the gateway for one session.
        init<Look: ControlVerb>(
            _ name: String, _ look: Look, _ content: @escaping @Sendable (Pages, Look.Document?) -> HTML?
        ) {
            (self.name, self.look) = (name, look)
            self.content = { content($0, $1 as? Look.Document) }
        }
    }

    let place: HTML.Place
    let roles: Set<ControlSession.Role>
    let entry: Entry?
    package let live: Live?
    /// Errors: a gateway that does not answer.
    package let show: @Sendable (PageVisit) throws -> PageAnswer

    /// - Parameters:
    ///   - roles: those that see it; others get the page of an error.
    ///   - entry: its title in the navigation of some roles.
    init(
        _ place: HTML.Place, for roles: Set<ControlSession.Role> = Set(ControlSession.Role.allCases),
        entry: Entry? = nil, live: Live? = nil, _ show: @escaping @Sendable (PageVisit) throws -> PageAnswer
    ) {
        (self.place, self.roles, self.entry, self.live, self.show) = (place, roles, entry, live, show)
    }
}

extension HousePage.Entry {
    init(_ roles: Set<ControlSession.Role>, _ title: @escaping @Sendable (Pages) -> String) {
        (self.roles, self.title) = (roles, title)
    }
}

/// The gateway, as a page asks it for one session. Each question blocks for 5 s at most. Errors: it does not answer.
package protocol PageGateway {
    func ask<Request: ControlVerb>(_ request: Request) throws -> ControlReply<Request.Document>
    /// Asks for the look of a live part, and keeps the answer for the stream of the page.
    func look<Request: ControlVerb>(_ request: Request) throws -> ControlReply<Request.Document>
}

/// Request for a page by a paired device.
package struct PageVisit {
    let pages: Pages
    let query: [String: String]
    let session: ControlSession
    let now: WallTime
    private let makeCalendar: () -> LocalCalendar
    let gateway: any PageGateway

    package init(
        _ pages: Pages, query: [String: String], session: ControlSession, now: WallTime,
        calendar: @escaping () -> LocalCalendar, gateway: any PageGateway
    ) {
        (self.pages, self.query, self.session, self.now) = (pages, query, session, now)
        (makeCalendar, self.gateway) = (calendar, gateway)
    }

    /// Calendar of the house. Each call reads the rules of the time zone.
    var calendar: LocalCalendar { makeCalendar() }
}

/// Answer to the request for a page.
package enum PageAnswer: Sendable {
    case page(Page, status: Int)
    /// Table for other programs, with the name of its file.
    case table(String, named: String)
    case redirect(HTML.Place)
    /// There is no such page for this session.
    case missing
    /// The form is none of a page of this version.
    case expired
    /// The gateway gave no document.
    case away

    /// - Parameter page: nil where there is none for this session.
    static func page(_ page: Page?, status: Int = 200) -> PageAnswer {
        page.map { .page($0, status: status) } ?? .missing
    }

    /// The gateway does not show it to this session.
    static func refused(_ page: Page) -> PageAnswer { .page(page, status: 403) }
}
