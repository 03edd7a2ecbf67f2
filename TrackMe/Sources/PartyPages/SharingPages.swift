import Accounts
import GatewayModel
import HTML
import Parties
import PartyService
import Store
import WebPages

/// Page of a person: the requests of third parties with their answers, the reads, and the fiscal code that the house gives.
struct SharingPages: Sendable {
    private static let place: HTML.Place = "/sharing"
    private static let most = 50

    let parts: SiteParts
    let requests: any PartyRequestStore
    let service: RequestService

    var routes: [Route] {
        [
            Route(.get, Self.place.text, access: .signedIn, answer: page),
            Route(.post, "/sharing/{link}/code", access: .signedIn) { context in
                try await parts.act(context) { link in
                    try await parts.ask(for: .fiscalCode, of: link, context)
                    return .redirect(to: Self.place)
                }
            },
            Route(.post, "/sharing/{link}/end-code", access: .signedIn) { context in
                try await parts.act(context) { link in
                    try await parts.end(.fiscalCode, of: link, context)
                    return .redirect(to: Self.place)
                }
            },
            Route(.post, "/sharing/{link}/{request}/end", access: .signedIn, answer: end),
        ]
    }

    private func page(_ context: RouteContext) async throws -> WebAnswer {
        let account = try context.signedIn()
        let layout = Layout(context)
        let words = PartyWords(context.language)
        let links = try await parts.stores.links.links(of: account.id).filter { $0.state == .linked }
        var sections: [HTML] = []
        for link in links {
            let rows = try await requests.requests(about: link.subject, most: Self.most).map { request in
                row(request, of: link, layout, words, parts.calendar(of: context))
            }
            sections.append(HTML(.h2, text: "\(link.subject.person), \(link.subject.gateway)"))
            sections.append(
                rows.isEmpty
                    ? HTML(.p, text: words.say(.noRequests))
                    : HTML(.ul, .set(.class, "entries"), content: HTML(rows)))
            sections.append(try await LookLog(parts).section(of: link, context))
        }
        sections.append(
            links.isEmpty
                ? HTML(.p, text: words.say(.noLink))
                : try await codes(links, layout, words, parts.calendar(of: context)))
        let main = HTML(.p, text: words.say(.sharingIntro)) + HTML(sections)
        return .page(layout.page(title: words.say(.sharing), main: main))
    }

    private func row(
        _ request: PersonRequest, of link: Link, _ layout: Layout, _ words: PartyWords,
        _ calendar: LocalCalendar
    ) -> HTML {
        let asked = request.request
        func date(_ time: WallTime) -> String { layout.date(calendar.date(of: time.millisecondsSince1970)) }
        let kinds = asked.kinds.map { DataKind(rawValue: $0)?.title(in: words.language) ?? $0 }
        let read =
            request.lastRead.map { words.say(.read(request.read, date($0))) } ?? words.say(.neverRead)
        let end =
            asked.state.isOpen && link.mayAct
            ? layout.form(
                Self.place.appending(link.id.description).appending(asked.id.text).adding("/end"),
                content: layout.button(words.say(.endRequest), kind: "plain")) : HTML.none
        return HTML(
            .li, content: HTML(.p, text: "\(request.partyName): \(asked.purpose)"),
            HTML(.p, .set(.class, "hint"), text: kinds.joined(separator: ", ")),
            HTML(.p, text: words.say(.state(asked.state, date(asked.decided ?? asked.asked)))),
            Self.notice(of: request.partyState).map { HTML(.p, .set(.class, "hint"), text: words.say($0)) }
                ?? .none,
            asked.until.map { HTML(.p, .set(.class, "hint"), text: words.say(.until(date($0)))) } ?? .none,
            HTML(.p, text: read), end)
    }

    private static func notice(of state: PartyState) -> PartyWords.Text? {
        switch state {
        case .applied, .approved: nil
        case .suspended: .suspendedCompany
        case .closed: .closedCompany
        }
    }

    /// Fiscal codes of the linked persons: the state of each, and a button for an account that acts.
    private func codes(
        _ links: [Link], _ layout: Layout, _ words: PartyWords, _ calendar: LocalCalendar
    ) async throws -> HTML {
        let contested = try await parts.stores.facts.contestedCodes()
        var rows: [HTML] = []
        for link in links {
            let sharing = try await parts.stores.facts.sharing(.fiscalCode, of: link.subject)
            let date = sharing.map {
                layout.date(calendar.date(of: ($0.decided ?? $0.asked).millisecondsSince1970))
            }
            let holders = contested.first { $0.contains { $0.subject == link.subject } }
            let warning = holders.map { holders in
                words.say(holders.first?.subject == link.subject ? .codeAlsoElsewhere : .codeOfAnother)
            }
            let isOpen = sharing?.state.isOpen == true
            let place = Self.place.appending(link.id.description)
            let form =
                link.mayAct
                ? layout.form(
                    place.adding(isOpen ? "/end-code" : "/code"),
                    content: layout.button(
                        words.say(isOpen ? .endCode : .askForCode), kind: isOpen ? "plain" : "main"))
                : HTML.none
            rows.append(
                HTML(
                    .li, content: HTML(.p, text: "\(link.subject.person), \(link.subject.gateway)"),
                    HTML(.p, text: words.say(.codeState(CodeState(sharing), date ?? ""))),
                    sharing?.reason.map { HTML(.p, .set(.class, "hint"), text: words.say(.reason($0))) }
                        ?? .none,
                    layout.warning(warning), form))
        }
        return HTML(.h2, text: words.say(.code)) + HTML(.p, text: words.say(.codeIntro))
            + HTML(.ul, .set(.class, "entries"), content: HTML(rows))
    }

    private func end(_ context: RouteContext) async throws -> WebAnswer {
        guard let request = RequestID(try context.parameter("request")) else {
            throw Problem(.notFound, "there is no such request")
        }
        return try await parts.act(context) { link in
            _ = try await service.close(request, about: link.subject, by: try context.signedIn())
            return .redirect(to: Self.place)
        }
    }
}

/// State of the fiscal code of a person, as the page shows it.
enum CodeState: Hashable, Sendable {
    case never, asked, given, missing, underway, refused, ended, expired, failed

    init(_ sharing: FactSharing?) {
        self =
            switch (sharing?.state, sharing?.value) {
            case (nil, _): .never
            case (.asked, _): .asked
            case (.shared, .fiscalCode(.some)): .given
            case (.shared, .fiscalCode(nil)): .missing
            case (.shared, _): .underway
            case (.refused, _): .refused
            case (.ended, _): .ended
            case (.expired, _): .expired
            case (.failed, _): .failed
            }
    }
}
