import Accounts
public import GatewayModel
public import HTML

/// Frame of the pages: navigation, title, style and script.
public struct Layout: Sendable {
    let words: Words
    private let account: Account?
    private let formToken: String
    private let path: String

    public init(_ context: RouteContext) {
        words = Words(context.language)
        (account, formToken, path) = (context.account, context.formToken, context.request.path)
    }

    /// - Parameter isLive: whether the page has a stream of readings.
    public func page(title: String, isLive: Bool = false, main: HTML) -> Page {
        page(title: title, script: isLive ? PageFiles.readings.place : nil, refreshSeconds: nil, main: main)
    }

    /// Page whose script helps with a form of it.
    func page(title: String, script: HTML.Place?, main: HTML) -> Page {
        page(title: title, script: script, refreshSeconds: nil, main: main)
    }

    /// Page with a part that a change on the server replaces.
    ///
    /// - Parameters:
    ///   - live: place of its stream.
    ///   - part: the part, and its place.
    ///   - lost: sentence for a page that has lost the server.
    ///   - first: content before the part, which a change leaves alone.
    ///   - rest: content after the part, likewise.
    ///   - hasForm: whether `first` or `rest` has a form. Without script a page is loaded anew every 5 s; one with a form is not, since
    ///     somebody may be typing.
    ///   - script: keeps the part current.
    public func page(
        title: String, live: HTML.Place, part: HTML, at place: HTML.Place, lost: String, first: HTML = .none,
        rest: HTML = .none, hasForm: Bool = false, script: HTML.Place = PageFiles.livePart.place
    ) -> Page {
        let warning = HTML(
            .p, .set(.id, "lost"), .set(.class, "warn hidden"), .set(.role, "alert"), text: lost)
        let section = HTML(.section, .set(.dataLive, live.text), .set(.dataPage, place.text), content: part)
        return page(
            title: title, script: script, refreshSeconds: hasForm ? nil : 5,
            main: warning + first + section + rest)
    }

    private func page(title: String, script: HTML.Place?, refreshSeconds: Int?, main: HTML) -> Page {
        Page(
            lang: words.language.rawValue, title: "\(title) - \(words.say(.product))",
            kind: .family, refreshSeconds: refreshSeconds, style: PageFiles.style.place, script: script,
            header: navigation, main: HTML(.h1, text: title) + main)
    }

    private var navigation: HTML {
        var entries: [(HTML.Place, Text)] =
            account == nil
            ? [(Places.signIn, .signIn), (Places.register, .register), (Places.parties, .companies)]
            : [
                (Places.data, .myData), (Places.sharing, .sharing), (Places.links, .links),
                (Places.sessions, .sessions),
                (Places.account, .account),
            ]
        switch account?.role {
        case .dispatcher: entries.insert((Places.desk, .desk), at: 0)
        case .installer: entries.insert((Places.fleet, .fleet), at: 0)
        case .person, nil: break
        }
        entries += [(Places.runs, .runs), (Places.agreement, .agreement)]
        let links = entries.map { place, text in
            HTML(
                .a, .href(place), place.text == path ? .set(.ariaCurrent, "page") : nil, text: words.say(text))
        }
        let out =
            account == nil
            ? HTML.none : form(Places.signOut, content: button(.signOut, kind: "plain"), kind: "out")
        return HTML(.nav, .set(.ariaLabel, words.say(.product)), content: HTML(links), out)
    }

    /// `24 Nov 2026`
    public func date(_ date: CivilDate) -> String { date.text(words.language) }

    /// Form with the token of the session.
    public func form(_ place: HTML.Place, content: HTML, kind: String = "act") -> HTML {
        HTML(
            .form, .set(.method, "post"), .action(place), .set(.class, kind),
            content: HTML(
                void: .input, .set(.type, "hidden"), .set(.name, "token"), .set(.value, formToken)),
            content)
    }

    func button(_ text: Text, kind: String = "main") -> HTML { button(words.say(text), kind: kind) }

    public func button(_ text: String, kind: String = "main") -> HTML {
        HTML(.button, .set(.type, "submit"), .set(.class, kind), text: text)
    }

    func field(
        _ name: String, _ label: Text, type: String = "text", value: String = "", complete: String,
        hint: Text? = nil, error: Text? = nil, most: Int
    ) -> HTML {
        field(
            name, words.say(label), type: type, value: value, complete: complete, hint: hint.map(words.say),
            error: error.map(words.say), most: most)
    }

    /// Entry field with its label, its hint and its error.
    public func field(
        _ name: String, _ label: String, type: String = "text", value: String = "", complete: String,
        hint: String? = nil, error: String? = nil, most: Int
    ) -> HTML {
        let described = [hint.map { _ in "\(name)-hint" }, error.map { _ in "\(name)-error" }].compactMap { $0 }
        return HTML(
            .div, .set(.class, "field"),
            content: HTML(.label, .set(.for, name), text: label),
            hint.map { HTML(.p, .set(.id, "\(name)-hint"), .set(.class, "hint"), text: $0) }
                ?? .none,
            HTML(
                void: .input, .set(.id, name), .set(.name, name), .set(.type, type),
                .set(.autocomplete, complete), .set(.maxlength, most), .flag(.required),
                value.isEmpty ? nil : .set(.value, value),
                described.isEmpty ? nil : .set(.ariaDescribedby, described.joined(separator: " ")),
                error == nil ? nil : .set(.ariaInvalid, "true")),
            error.map { HTML(.p, .set(.id, "\(name)-error"), .set(.class, "warn"), text: $0) }
                ?? .none)
    }

    /// Field that a script fills in, or that the form had before.
    static func hidden(_ name: String, _ value: String = "") -> HTML {
        HTML(void: .input, .set(.type, "hidden"), .set(.name, name), .set(.value, value))
    }

    /// Warning that a script shows.
    static func hiddenWarning(_ id: String, _ text: String) -> HTML {
        HTML(.p, .set(.id, id), .set(.class, "warn hidden"), .set(.role, "alert"), text: text)
    }

    func warning(_ text: Text?) -> HTML { warning(text.map(words.say)) }

    public func warning(_ text: String?) -> HTML {
        text.map { HTML(.p, .set(.class, "warn"), .set(.role, "alert"), text: $0) } ?? .none
    }
}

/// Page of an error, without a session.
struct ErrorPage {
    let language: PersonProfile.Language

    func page(_ problem: Problem) -> Page {
        let words = Words(language)
        let title = words.say(.errorTitle(problem.kind))
        return Page(
            lang: language.rawValue, title: "\(title) - \(words.say(.product))", kind: .family,
            style: PageFiles.style.place,
            main: HTML(.h1, text: title) + HTML(.p, text: words.say(.errorHint(problem.kind)))
                + HTML(.p, content: HTML(.a, .href(Places.root), text: words.say(.back))))
    }
}

extension Text {
    static let desk = Text(en: "Emergency desk", it: "Centrale di emergenza")
    static let fleet = Text(en: "Boxes", it: "Centraline")
    static let runs = Text(en: "Runs", it: "Gare")
    static let companies = Text(en: "For companies", it: "Per le aziende")
    static func errorTitle(_ kind: Problem.Kind) -> Text {
        switch kind {
        case .badRequest: Text(en: "This cannot be read", it: "Questo non si può leggere")
        case .notSignedIn, .badToken: Text(en: "Sign in first", it: "Prima accedi")
        case .notAllowed: Text(en: "This is not allowed", it: "Questo non è permesso")
        case .notFound: Text(en: "There is no such page", it: "Questa pagina non esiste")
        case .methodNotAllowed, .conflict:
            Text(en: "This is not possible here", it: "Questo qui non è possibile")
        case .foreignHost:
            Text(
                en: "This address is not the right one",
                it: "Questo indirizzo non è quello giusto")
        case .busy: Text(en: "Too many requests", it: "Troppe richieste")
        case .failed: Text(en: "Something went wrong", it: "Qualcosa non ha funzionato")
        }
    }
    static func errorHint(_ kind: Problem.Kind) -> Text {
        switch kind {
        case .badRequest, .notAllowed, .methodNotAllowed, .conflict:
            Text(
                en: "Go back, load the page again, and try once more.",
                it: "Torna indietro, ricarica la pagina e riprova.")
        case .notSignedIn, .badToken: Text(en: "Your session has ended.", it: "La tua sessione è terminata.")
        case .notFound: Text(en: "Check the address.", it: "Controlla l'indirizzo.")
        case .foreignHost:
            Text(
                en: "Open the server by the address that its operator gave you.",
                it: "Apri il server con l'indirizzo che ti ha dato il gestore.")
        case .busy: Text(en: "Wait some minutes, and try again.", it: "Aspetta qualche minuto e riprova.")
        case .failed:
            Text(
                en: "Try again in some minutes. The operator finds the reason in the log.",
                it: "Riprova fra qualche minuto. Il gestore trova il motivo nel registro.")
        }
    }
    static let back = Text(en: "To the first page", it: "Alla prima pagina")
}
