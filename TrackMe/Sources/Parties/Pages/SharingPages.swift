import Accounts
import ContractReading
import GatewayModel
import HTML
import Store
import WebPages

/// Page of a person: the requests of third parties with their answers, the reads, and the fiscal code that the house gives.
struct SharingPages: Sendable {
    private static let place: HTML.Place = "/sharing"
    private static let most = 50

    let parts: SiteParts
    let requests: PartyRequestStore
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
        let words = Words(context.language)
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
        _ request: PersonRequest, of link: Link, _ layout: Layout, _ words: Words,
        _ calendar: LocalCalendar
    ) -> HTML {
        let asked = request.request
        func date(_ time: WallTime) -> String { layout.date(calendar.date(of: time.millisecondsSince1970)) }
        let kinds = asked.kinds.map { DataKind(rawValue: $0)?.title.in(words.language) ?? $0 }
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

    private static func notice(of state: PartyState) -> Text? {
        switch state {
        case .applied, .approved: nil
        case .suspended: .suspendedCompany
        case .closed: .closedCompany
        }
    }

    /// Fiscal codes of the linked persons: the state of each, and a button for an account that acts.
    private func codes(
        _ links: [Link], _ layout: Layout, _ words: Words, _ calendar: LocalCalendar
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

extension Text {
    static let sharing = Text(en: "Who sees my data", it: "Chi vede i miei dati")
    static let sharingIntro = Text(
        en:
            "Companies that have asked for your data. A company gets only data that your house sends to it after your yes, "
            + "and nothing more after your no.",
        it:
            "Aziende che hanno chiesto i vostri dati. Un'azienda riceve solo i dati che la vostra casa le invia dopo il "
            + "vostro sì, e niente più dopo il vostro no.")
    static let noRequests = Text(en: "No company has asked.", it: "Nessuna azienda ha chiesto.")
    static let noLink = Text(
        en: "Your account is not linked to a person yet.",
        it: "Il vostro account non è ancora collegato a una persona.")
    static let endRequest = Text(en: "End", it: "Terminare")
    static let suspendedCompany = Text(
        en:
            "The operator of this server has suspended this company: it gets nothing for now. Your answer at home stays as it is.",
        it:
            "Il gestore di questo server ha sospeso questa società: per ora non riceve nulla. La sua risposta a casa resta "
            + "com'è.")
    static let closedCompany = Text(
        en:
            "The operator of this server has closed this company: it gets nothing any more, and your house is told to end its "
            + "permission.",
        it:
            "Il gestore di questo server ha chiuso questa società: non riceve più nulla, e la sua casa viene avvisata di "
            + "togliere il permesso.")
    static let neverRead = Text(en: "The company has read nothing.", it: "L'azienda non ha letto niente.")
    static let code = Text(en: "Fiscal code", it: "Codice fiscale")
    static let codeIntro = Text(
        en:
            "A company finds a person here only by the fiscal code in the profile at home, after a yes at home. This server keeps a "
            + "check value of it, not the code. Each company still needs a yes of its own.",
        it:
            "Un'azienda qui trova una persona solo con il codice fiscale del profilo di casa, dopo un sì a casa. Questo server "
            + "conserva un valore di controllo, non il codice. Per ogni azienda serve comunque un altro sì.")
    static let askForCode = Text(en: "Ask at home for the fiscal code", it: "Chiedere il codice fiscale a casa")
    static let endCode = Text(
        en: "Do not let companies find this person any more",
        it: "Non far più trovare questa persona alle aziende")
    static let codeAlsoElsewhere = Text(
        en:
            "Another house gives the same fiscal code for another person, who is not found by it. Compare the code in the profile at "
            + "home with the card. If it is right, tell the operator of this server.",
        it:
            "Un'altra casa dà lo stesso codice fiscale per un'altra persona, che non viene trovata. Confrontate il codice del profilo "
            + "di casa con la tessera. Se è giusto, avvisate il gestore di questo server.")
    static let codeOfAnother = Text(
        en:
            "Another house gave the same fiscal code for another person first, so no company can find this person. Compare the code in "
            + "the profile at home with the card. If it is right, tell the operator of this server.",
        it:
            "Un'altra casa ha dato prima lo stesso codice fiscale per un'altra persona, quindi nessuna azienda può trovare questa "
            + "persona. Confrontate il codice del profilo di casa con la tessera. Se è giusto, avvisate il gestore di questo server."
    )
    static func codeState(_ state: CodeState, _ date: String) -> Text {
        switch state {
        case .never:
            Text(
                en:
                    "No company can find this person. Codes that were typed here in earlier versions no longer count: ask at home.",
                it:
                    "Nessuna azienda può trovare questa persona. I codici scritti qui in versioni precedenti non valgono più: chiedete "
                    + "a casa.")
        case .asked:
            Text(
                en: "Asked on \(date). Answer at home: until then no company can find this person.",
                it:
                    "Chiesto il \(date). Rispondete a casa: fino ad allora nessuna azienda può trovare questa persona."
            )
        case .given:
            Text(
                en: "Given by the house since \(date). A company that knows the code can ask.",
                it: "Lo dà la casa dal \(date). Un'azienda che conosce il codice può chiedere.")
        case .missing:
            Text(
                en:
                    "The person said yes on \(date), but there is no fiscal code at home, so no company can find this person. Write it "
                    + "at home on the page Profile, or with: homegateway profile set --fiscal-code. It comes here by itself.",
                it:
                    "La persona ha detto di sì il \(date), ma a casa non c'è un codice fiscale, quindi nessuna azienda può trovarla. "
                    + "Scrivetelo a casa nella pagina Profilo, oppure con: homegateway profile set --fiscal-code. Arriva qui da solo."
            )
        case .underway:
            Text(
                en: "The person said yes on \(date). The code is on its way.",
                it: "La persona ha detto di sì il \(date). Il codice sta arrivando.")
        case .refused:
            Text(
                en: "Refused on \(date). No company can find this person.",
                it: "Rifiutato il \(date). Nessuna azienda può trovare questa persona.")
        case .ended:
            Text(
                en: "Ended on \(date). No company can find this person.",
                it: "Terminato il \(date). Nessuna azienda può trovare questa persona.")
        case .expired:
            Text(
                en: "Nobody answered until \(date). No company can find this person.",
                it: "Nessuno ha risposto fino al \(date). Nessuna azienda può trovare questa persona.")
        case .failed:
            Text(
                en: "The house did not take the question of \(date). No company can find this person.",
                it:
                    "La casa non ha accettato la domanda del \(date). Nessuna azienda può trovare questa persona."
            )
        }
    }
    static func reason(_ code: String) -> Text {
        Text(en: "Reason: \(code)", it: "Motivo: \(code)")
    }
}
