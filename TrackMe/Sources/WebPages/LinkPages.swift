import Accounts
import GatewayModel
import HTML
import Houses
import PageSecurity
import Store

/// Links of the account to persons of houses.
struct LinkPages: Sendable {
    private struct Entry {
        var house = ""
        var person = ""
        /// The lesser right, until the user chooses.
        var role = LinkRole.looks
        /// Never written back into the page: a code works once.
        var code = ""
        var errors: [String: Text] = [:]
    }

    let parts: SiteParts

    var routes: [Route] {
        [
            Route(.get, Places.links.text, access: .signedIn) { context in
                try await page(context, Entry(), isSent: context.query["sent"] != nil)
            },
            Route(.post, Places.links.text, access: .signedIn, answer: ask),
            Route(.post, "/links/{link}/end", access: .signedIn, answer: end),
        ]
    }

    private func page(_ context: RouteContext, _ entry: Entry, isSent: Bool = false) async throws -> WebAnswer {
        let account = try context.signedIn()
        let layout = Layout(context)
        let words = layout.words
        let calendar = parts.calendar(of: context)
        let rows = try await parts.stores.links.links(of: account.id).prefix(50).map { link in
            let date = calendar.date(of: (link.decided ?? link.asked).millisecondsSince1970)
            let end =
                link.state.isOpen
                ? layout.form(
                    Places.links.appending(link.id.description).adding("/end"),
                    content: layout.button(.endLink, kind: "plain")) : HTML.none
            return HTML(
                .li, content: HTML(.p, text: "\(link.subject.person), \(link.subject.gateway)"),
                HTML(
                    .p, .set(.class, "hint"),
                    text: words.say(.role(link.role)) + ", " + words.say(.state(link.state)) + ", "
                        + words.say(.since(date.text(words.language)))),
                link.state == .linked && !link.mayAct
                    ? HTML(.p, .set(.class, "hint"), text: words.say(.lookOnly)) : .none,
                link.reason.map { HTML(.p, text: words.say(.reason($0))) } ?? .none, end)
        }
        let form =
            layout.field(
                "house", .house, value: entry.house, complete: "off", hint: .houseHint,
                error: entry.errors["house"], most: 32)
            + layout.field(
                "person", .person, value: entry.person, complete: "off", hint: .personHint,
                error: entry.errors["person"], most: 32)
            + layout.field(
                "code", .linkCode, value: "", complete: "one-time-code", hint: .linkCodeHint,
                error: entry.errors["code"], most: 32)
            + HTML(
                .div, .set(.class, "field"),
                content: HTML(.label, .set(.for, "role"), text: words.say(.linkRole)),
                HTML(.p, .set(.id, "role-hint"), .set(.class, "hint"), text: words.say(.linkRoleHint)),
                HTML(
                    .select, .set(.id, "role"), .set(.name, "role"), .set(.ariaDescribedby, "role-hint"),
                    content: HTML(roles(entry, words))))
            + layout.button(.ask)
        let main =
            (isSent ? HTML(.p, .set(.role, "status"), text: words.say(.askSent)) : .none)
            + HTML(.h2, text: words.say(.yourLinks))
            + (rows.isEmpty
                ? HTML(.p, text: words.say(.noLinks)) : HTML(.ul, .set(.class, "entries"), content: HTML(rows)))
            + HTML(.h2, text: words.say(.ask)) + HTML(.p, text: words.say(.linkIntro))
            + layout.form(Places.links, content: form)
        return .page(
            layout.page(title: words.say(.links), main: main), status: entry.errors.isEmpty ? 200 : 422)
    }

    private func roles(_ entry: Entry, _ words: Words) -> [HTML] {
        LinkRole.allCases.map { role in
            HTML(
                .option, .set(.value, role.rawValue), role == entry.role ? .flag(.selected) : nil,
                text: words.say(.role(role)))
        }
    }

    private func ask(_ context: RouteContext) async throws -> WebAnswer {
        let account = try context.signedIn()
        var entry = Entry(
            house: context.form["house"] ?? "", person: context.form["person"] ?? "",
            code: context.form["code"] ?? "")
        if let role = context.form["role"] {
            guard let known = LinkRole(rawValue: role) else {
                throw Problem(.badRequest, "role: expected looks or acts")
            }
            entry.role = known
        }
        let gateway = GatewayID(entry.house)
        let person = PersonID(entry.person)
        let code = OneTimeCode(entry.code, of: .digits)
        var house: House?
        if let gateway { house = try await parts.stores.houses.house(gateway) }
        if house == nil { entry.errors["house"] = .noSuchHouse }
        if person == nil { entry.errors["person"] = .badPerson }
        if code == nil { entry.errors["code"] = .badLinkCode }
        guard let gateway, let person, let code, entry.errors.isEmpty else {
            return try await page(context, entry)
        }
        do {
            _ = try await parts.links.ask(
                account, for: HousePerson(gateway, person), as: entry.role, with: code)
        } catch StoreFault.linkExists {
            entry.errors["person"] = .linkExists
            return try await page(context, entry)
        } catch StoreFault.tooManyLinks {
            entry.errors["person"] = .tooManyLinks
            return try await page(context, entry)
        } catch StoreFault.tooManyQuestions {
            entry.errors["person"] = .tooManyQuestions
            return try await page(context, entry)
        }
        return .redirect(to: Places.links.with("sent", "1"))
    }

    private func end(_ context: RouteContext) async throws -> WebAnswer {
        let account = try context.signedIn()
        guard let id = LinkID(try context.parameter("link")),
            let link = try await parts.stores.links.link(id, of: account.id)
        else { throw Problem(.notFound, "the account has no such link") }
        _ = try await parts.links.end(id, of: account)
        parts.hub.endPages(of: link.subject)
        return .redirect(to: Places.links)
    }
}

extension Text {
    static let linkIntro = Text(
        en:
            "Your account sees nothing of a person until the yes at home. There, the button of the code for TrackMe on the "
            + "screen of the room shows three lines: house, person and code. Type them here within 10 minutes. The "
            + "house then asks the person.",
        it:
            "Il tuo account non vede niente di una persona prima del sì in casa. Lì, il pulsante del codice per TrackMe sullo "
            + "schermo della stanza mostra tre righe: casa, persona e codice. Scrivile qui entro 10 minuti. La casa poi "
            + "lo chiede alla persona.")
    static let houseHint = Text(en: "For example house-12", it: "Per esempio house-12")
    static let personHint = Text(en: "For example maria", it: "Per esempio maria")
    static let askSent = Text(
        en: "The question is on its way. You see the readings here as soon as the person has said yes at home.",
        it: "La domanda è partita. Vedrai qui le misure appena la persona avrà detto di sì a casa.")
    static let linkCode = Text(en: "Code", it: "Codice")
    static let linkCodeHint = Text(en: "For example 4821-7305", it: "Per esempio 4821-7305")
    static let badLinkCode = Text(
        en: "The code has 8 digits. The screen of the house shows it, or homegateway link-code.",
        it: "Il codice ha 8 cifre. Lo mostra lo schermo della casa, oppure homegateway link-code.")
    static let noSuchHouse = Text(
        en: "No house of this name is registered here. Ask the operator of this server.",
        it: "Qui non è registrata nessuna casa con questo nome. Chiedi al gestore di questo server.")
    static let badPerson = Text(
        en: "The name of a person has small letters, digits and hyphens.",
        it: "Il nome di una persona ha lettere minuscole, cifre e trattini.")
    static let linkExists = Text(
        en: "There is a question or a link for this person already.",
        it: "C'è già una domanda o un collegamento per questa persona.")
    static let tooManyLinks = Text(
        en: "You have asked often enough today. Try again tomorrow.",
        it: "Per oggi hai chiesto abbastanza. Riprova domani.")
    static let tooManyQuestions = Text(
        en: "Two questions for a link wait for the answer of this person already. Answer them at home first.",
        it: "Due domande di collegamento aspettano già la risposta di questa persona. Prima va risposto a casa."
    )
    static let linkRole = Text(en: "Right of the account", it: "Diritto dell'account")
    static let linkRoleHint = Text(
        en:
            "An account that looks sees the data. One that acts for the person also ends permissions of companies, sets how "
            + "often values are sent, asks for the limits of alarms and for the fiscal code, and takes part in groups and "
            + "runs.",
        it:
            "Un account che guarda vede i dati. Uno che agisce per la persona anche revoca permessi delle aziende, decide ogni "
            + "quanto partono i valori, chiede i limiti degli allarmi e il codice fiscale, e partecipa a gruppi e gare."
    )
    static let lookOnly = Text(
        en:
            "You look only. To act for the person, end this link and ask again: somebody at home has to say yes.",
        it:
            "Puoi solo guardare. Per agire per la persona, termina questo collegamento e chiedi di nuovo: a casa qualcuno deve "
            + "dire di sì.")
    static let endLink = Text(en: "End", it: "Termina")
    static let yourLinks = Text(en: "Your links", it: "I tuoi collegamenti")
    static let noLinks = Text(en: "None yet.", it: "Ancora nessuno.")
}
