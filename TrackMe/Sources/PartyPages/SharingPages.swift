import Accounts
import GatewayModel
import HTML
import Parties
import PartyService
import Store
import WebPages

/// Page of a person: the requests of third parties with their answers, the reads, and the fiscal code.
struct SharingPages: Sendable {
    private static let place: HTML.Place = "/sharing"
    private static let most = 50

    private struct Entry {
        var code = ""
        var error: PartyWords.Text?
    }

    let parts: SiteParts
    let requests: any PartyRequestStore
    let codes: any FiscalCodeStore
    let service: RequestService

    var routes: [Route] {
        [
            Route(.get, Self.place.text, access: .signedIn) { context in try await page(context, Entry()) },
            Route(.post, "/sharing/code", access: .signedIn, answer: setCode),
            Route(.post, "/sharing/code/remove", access: .signedIn) { context in
                try await codes.removeFiscalCode(of: try context.signedIn().id)
                return .redirect(to: Self.place)
            },
            Route(.post, "/sharing/{link}/{request}/end", access: .signedIn, answer: end),
        ]
    }

    private func page(_ context: RouteContext, _ entry: Entry) async throws -> WebAnswer {
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
        if links.isEmpty { sections.append(HTML(.p, text: words.say(.noLink))) }
        sections.append(try await code(account, links.filter(\.mayAct), entry, layout, words))
        let main = HTML(.p, text: words.say(.sharingIntro)) + HTML(sections)
        return .page(
            layout.page(title: words.say(.sharing), main: main), status: entry.error == nil ? 200 : 422)
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

    /// Form of the account's code for the persons of links that act; without such links a known code, to be removed.
    private func code(
        _ account: Account, _ links: [Link], _ entry: Entry, _ layout: Layout, _ words: PartyWords
    ) async throws -> HTML {
        let kept = try await codes.fiscalCode(of: account.id)
        let known = try kept.map { try parts.sealer.openCode($0.sealed, of: account.id).text }
        let options = links.map { link in
            HTML(
                .option, .set(.value, link.id.description), link.id == kept?.link ? .flag(.selected) : nil,
                text: "\(link.subject.person), \(link.subject.gateway)")
        }
        guard known != nil || !links.isEmpty else { return .none }
        let form =
            links.isEmpty
            ? HTML(.p, text: known ?? "")
            : layout.form(
                "/sharing/code",
                content: layout.field(
                    "code", words.say(.code), value: entry.error == nil ? known ?? "" : entry.code,
                    complete: "off", hint: words.say(.codeHint), error: entry.error.map(words.say), most: 20)
                    + HTML(.label, .set(.for, "link"), text: words.say(.codeOf))
                    + HTML(.select, .set(.id, "link"), .set(.name, "link"), content: HTML(options))
                    + HTML(.p, content: layout.button(words.say(.saveCode))))
        let remove =
            known == nil
            ? HTML.none
            : layout.form(
                "/sharing/code/remove", content: layout.button(words.say(.removeCode), kind: "plain"))
        let warning = layout.warning(kept?.isContested == true ? words.say(.codeContested) : nil)
        return HTML(.h2, text: words.say(.code)) + warning + form + remove
    }

    private func setCode(_ context: RouteContext) async throws -> WebAnswer {
        let account = try context.signedIn()
        let text = context.form["code"] ?? ""
        let code: FiscalCode
        do throws(FiscalCode.Flaw) { code = try FiscalCode(text) } catch {
            return try await page(context, Entry(code: text, error: .badCode))
        }
        guard let link = LinkID(context.form["link"] ?? ""),
            try await codes.setFiscalCode(
                KeptFiscalCode(
                    account: account.id, link: link, lookUp: parts.sealer.lookUp(code),
                    sealed: try parts.sealer.seal(code, of: account.id)))
        else { throw Problem(.notFound, "the account has no such link") }
        return .redirect(to: Self.place)
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
