import Consent
import ControlContract
import GatewayModel
package import HTML

extension PageModule {
    static let linkCode = PageModule(
        [
            HousePage(
                Pages.Route.linkCode, for: [.person, .room],
                live: .init("link-code") { $0.linkCodeContent() }
            ) { .page($0.pages.linkCodePage()) }
        ], acts: [.makeLinkCode])
}

extension Pages.Route {
    static let linkCode: HTML.Place = "/link-code"
}

extension PageAct {
    static let makeLinkCode = PageAct(
        "/act/link-code", then: Pages.Route.linkCode
    ) { (form) throws(ControlError) in
        Verb.LinkCode(try form.onPerson)
    }
}

/// Code with which an account of TrackMe may ask to be linked to a person of the house.
extension Pages {
    /// Button that makes a code; nothing where no code can lead to a question.
    func linkCodeButton(_ person: HouseSnapshot.Person) -> HTML {
        guard house.linkCodes != nil, person.agreements.contains(ConsentSubject.dataPolicy.rawValue) else {
            return .none
        }
        return form(.makeLinkCode).button(
            words.say(.linkCode(visible.count == 1 ? nil : person.name)), kind: "plain",
            fields: [("person", person.id)])
    }

    package func linkCodePage() -> Page {
        let title = words.say(.linkCodeTitle)
        // The state after the act comes within a second: a browser without script asks again for it.
        let isShown = house.linkCodes?.isEmpty == false
        // Time to say the code on the telephone and to see that it was used.
        return viewer.role == .room
            ? kiosk(title, linkCodeContent(), leaveSeconds: isShown ? 600 : nil)
            : family(title, linkCodeContent(), refreshSeconds: 5)
    }

    /// Content of `<main>`, as the stream sends it: an alarm takes its place.
    package func linkCodeContent() -> HTML {
        guard openAlarms.isEmpty else { return viewer.role == .room ? alarmContent() : todayContent() }
        let codes = (house.linkCodes ?? []).filter { isVisible($0.person) }
        return HTML(
            .div, .set(.class, "rest"), .set(.dataPage, "link-code"),
            content: HTML(.h1, text: words.say(.linkCodeTitle)),
            HTML(visible.flatMap { person in codes.filter { $0.person == person.id }.map(lines) }),
            HTML(visible.map(codeButton)), questionLink,
            HTML(.a, .href(Route.room), .set(.class, "ask"), text: words.say(.back)))
    }

    private func codeButton(_ person: HouseSnapshot.Person) -> HTML {
        let isMade = house.linkCodes?.contains { $0.person == person.id } ?? false
        guard isMade, visible.count == 1 else { return linkCodeButton(person) }
        return form(.makeLinkCode).button(
            words.say(.newLinkCode), kind: "plain", fields: [("person", person.id)])
    }

    /// The three lines that are typed at TrackMe, under the names of its fields.
    private func lines(_ code: HouseSnapshot.LinkCode) -> HTML {
        guard let digits = code.code else {
            let text: Text =
                switch code.state {
                case .used: .linkCodeUsed
                case .void: .linkCodeVoid
                case .expired, .open: .linkCodeOver
                }
            return HTML(
                .p, code.state == .void ? .set(.class, "warn") : nil,
                text: (visible.count == 1 ? "" : (name(code.person).map { $0 + ": " } ?? "")) + words.say(text))
        }
        let rows: [(Text, String)] = [
            (.linkCodeHouse, house.gateway), (.linkCodePerson, code.person), (.linkCodeDigits, digits),
        ]
        let tiles = rows.map { label, value in
            HTML(
                .section, .set(.class, "tile"), content: HTML(.h2, text: words.say(label)),
                HTML(.p, .set(.class, "figure"), text: value))
        }
        return HTML(.p, text: words.say(.linkCodeIntro))
            + HTML(.div, .set(.class, "tiles"), content: HTML(tiles))
            + HTML(.p, text: words.say(.linkCodeUntil(clock(of: code.expires))))
    }
}

extension Text {
    static let linkCodeTitle = Text(en: "Code for TrackMe", it: "Codice per TrackMe")
    static let linkCodeIntro = Text(
        en:
            "Tell these three lines to your relative alone. At TrackMe, on the page Links, your relative types them:",
        it: "Di' queste tre righe solo al tuo familiare, che le scrive su TrackMe, alla pagina Collegamenti:")
    static let linkCodeHouse = Text(en: "House", it: "Casa")
    static let linkCodePerson = Text(en: "Person", it: "Persona")
    static let linkCodeDigits = Text(en: "Code", it: "Codice")
    /// Clock time of the end of the code.
    static func linkCodeUntil(_ time: String) -> Text {
        Text(
            en:
                "The code works once, until \(time). When your relative uses it, the box asks here. Only your yes shows anything.",
            it:
                "Il codice vale una volta, fino alle \(time). Quando il familiare lo usa, l'apparecchio chiede qui. Solo il tuo sì mostra "
                + "qualcosa.")
    }
    static let linkCodeUsed = Text(
        en: "This code was used. It works no more.",
        it: "Questo codice è stato usato. Non vale più.")
    static let linkCodeVoid = Text(
        en:
            "There were five wrong codes: somebody mistyped, or guessed. This code is void, and shows nothing to anybody.",
        it:
            "Ci sono stati cinque codici sbagliati: un errore, o qualcuno che ha provato a indovinare. Questo codice non vale "
            + "più e non mostra niente a nessuno.")
    static let linkCodeOver = Text(
        en: "This code is too old. It works no more.",
        it: "Questo codice è troppo vecchio. Non vale più.")
    static let newLinkCode = Text(en: "Make another code", it: "Fai un altro codice")
}
