import Accounts
import GatewayModel
import HTML
import Houses
import PageSecurity
import Store

/// The account itself: profile, password, export and end.
struct AccountPages: Sendable {
    private struct Entry {
        var name: String?
        var errors: [String: String] = [:]
        var status: String?
    }

    let parts: SiteParts

    var routes: [Route] {
        [
            Route(.get, Places.account.text, access: .signedIn) { context in
                let words = Words(context.language)
                return try page(
                    context,
                    Entry(status: context.query["changed"].map { _ in words.say(.passwordChanged) }))
            },
            Route(.post, Places.account.text, access: .signedIn, answer: save),
            Route(.post, Places.password.text, access: .signedIn, answer: changePassword),
            Route(.get, Places.deleteAccount.text, access: .signedIn) { context in
                try await deletion(context)
            },
            Route(.post, Places.deleteAccount.text, access: .signedIn, answer: delete),
        ]
    }

    private func page(_ context: RouteContext, _ entry: Entry = Entry()) throws -> WebAnswer {
        let account = try context.signedIn()
        let layout = Layout(context)
        let words = layout.words
        let agreed = parts.calendar(of: context).date(of: account.agreement.at.millisecondsSince1970)
        let main =
            (entry.status.map { HTML(.p, .set(.role, "status"), text: $0) } ?? .none)
            + HTML(.p, text: account.user.text)
            + HTML(.p, text: words.say(.acceptedOn(agreed.text(words.language))))
            + HTML(.h2, text: words.say(.profile)) + (try profile(account, entry, layout, words))
            + HTML(.h2, text: words.say(.changePassword)) + password(entry, layout, words)
            + (parts.passkeys == nil ? .none : passkeys(words))
            + HTML(.h2, text: words.say(.groups))
            + HTML(.p, content: HTML(.a, .href(Places.groups), text: words.say(.groupsLink)))
            + HTML(.h2, text: words.say(.export)) + HTML(.p, text: words.say(.exportIntro)) + exports(words)
            + HTML(.h2, text: words.say(.deleteTitle))
            + HTML(.p, content: HTML(.a, .href(Places.deleteAccount), text: words.say(.deleteStart)))
        return .page(
            layout.page(title: words.say(.account), main: main), status: entry.errors.isEmpty ? 200 : 422)
    }

    private func profile(
        _ account: Account, _ entry: Entry, _ layout: Layout, _ words: Words
    ) throws -> HTML {
        let words = layout.words
        let languages = PersonProfile.Language.allCases.map { language in
            let title =
                switch language {
                case .english: "English"
                case .italian: "Italiano"
                }
            return HTML(
                .option, .set(.value, language.rawValue), language == account.language ? .flag(.selected) : nil,
                text: title)
        }
        let zones = parts.zones.names.map { zone in
            HTML(.option, .set(.value, zone), zone == account.zone ? .flag(.selected) : nil, text: zone)
        }
        let name = try entry.name ?? parts.sealer.open(account.identity, of: account.user).name
        return layout.form(
            Places.account,
            content: layout.field(
                "name", words.say(.fullName), value: name, complete: "name", error: entry.errors["name"],
                most: Identity.nameLength)
                + HTML(.label, .set(.for, "language"), text: words.say(.language))
                + HTML(.select, .set(.id, "language"), .set(.name, "language"), content: HTML(languages))
                + HTML(.label, .set(.for, "zone"), text: words.say(.zone))
                + HTML(
                    .select, .set(.id, "zone"), .set(.name, "zone"),
                    content: HTML(
                        .option, .set(.value, ""), account.zone == nil ? .flag(.selected) : nil,
                        text: words.say(.serverZone)), HTML(zones))
                + HTML(.p, content: layout.button(.save, kind: "plain")))
    }

    private func password(_ entry: Entry, _ layout: Layout, _ words: Words) -> HTML {
        layout.form(
            Places.password,
            content: layout.field(
                "current", words.say(.currentPassword), type: "password", complete: "current-password",
                error: entry.errors["current"], most: Password.maximumBytes)
                + layout.field(
                    "password", words.say(.newPassword), type: "password", complete: "new-password",
                    hint: layout.words.say(.passwordHint), error: entry.errors["password"],
                    most: Password.maximumBytes)
                + layout.field(
                    "again", layout.words.say(.passwordAgain), type: "password", complete: "new-password",
                    error: entry.errors["again"], most: Password.maximumBytes)
                + HTML(.p, content: layout.button(words.say(.changePassword), kind: "plain")))
    }

    private func passkeys(_ words: Words) -> HTML {
        HTML(.h2, text: words.say(.title))
            + HTML(.p, content: HTML(.a, .href(Places.passkeys), text: words.say(.link)))
    }

    private func exports(_ words: Words) -> HTML {
        let texts: [(ExportFormat, Text)] = [
            (.json, .exportJSON), (.csv, .exportCSV), (.fhir, .exportFHIR),
        ]
        return HTML(
            .div, .set(.class, "links"),
            content: HTML(
                texts.map { format, text in
                    HTML(.a, .href(ExportPages.place(format)), text: words.say(text))
                }))
    }

    // MARK: Changes

    /// Changes the fields that the form has.
    private func save(_ context: RouteContext) async throws -> WebAnswer {
        let account = try context.signedIn()
        var identity: Identity?
        if let name = context.form["name"] {
            identity = Identity(name: name)
            guard identity != nil else {
                return try page(
                    context, Entry(name: name, errors: ["name": Words(context.language).say(.badName)]))
            }
        }
        let zone = context.form["zone"]
        guard zone.map({ $0.isEmpty || parts.zones.names.contains($0) }) ?? true else {
            throw Problem(.badRequest, "there is no such time zone")
        }
        if let text = context.form["language"] {
            guard let language = PersonProfile.Language(rawValue: text) else {
                throw Problem(.badRequest, "the pages do not have this language")
            }
            try await parts.stores.accounts.setLanguage(language, of: account.id)
        }
        if let identity {
            try await parts.stores.accounts.setIdentity(
                try parts.sealer.seal(identity, of: account.user), of: account.id)
        }
        if let zone { try await parts.stores.accounts.setZone(zone.isEmpty ? nil : zone, of: account.id) }
        return .redirect(to: Places.account)
    }

    private func changePassword(_ context: RouteContext) async throws -> WebAnswer {
        let account = try context.signedIn()
        let words = Words(context.language)
        func refused(_ field: String, _ text: String) throws -> WebAnswer {
            try page(context, Entry(errors: [field: text]))
        }
        let password: Password
        do throws(Password.Fault) {
            password = try Password(chosen: context.form["password"] ?? "", for: account.user)
        } catch {
            return try refused("password", words.say(Text(error)))
        }
        guard context.form["again"] == context.form["password"] else {
            return try refused("again", words.say(.passwordsDiffer))
        }
        switch await parts.verify(context.form["current"], of: account) {
        case .tooMany: return try refused("current", words.say(.tooManyAttempts))
        case .wrong: return try refused("current", words.say(.wrongPassword))
        case .good: break
        }
        try await parts.stores.accounts.setHash(
            try await parts.hasher.hash(password, in: Attempt.signedIn(account, "password").lane),
            of: account.id)
        try await parts.signOutOthers(context)
        return .redirect(to: Places.account.with("changed", "1"))
    }

    // MARK: End

    /// Tells each consequence before the person confirms.
    private func deletion(_ context: RouteContext, error: String? = nil) async throws -> WebAnswer {
        let account = try context.signedIn()
        let layout = Layout(context)
        let words = layout.words
        let now = parts.clock()
        let links = try await parts.stores.links.links(of: account.id).filter(\.state.isOpen)
        let sessions = try await parts.stores.accounts.sessions(of: account.id).filter {
            $0.isValid(at: now, as: account.role)
        }
        let names = links.map { HTML(.li, text: "\($0.subject.person), \($0.subject.gateway)") }
        let withdrawn =
            names.isEmpty
            ? HTML(.p, text: words.say(.deleteNoLinks))
            : HTML(.p, text: words.say(.deleteWithdraws)) + HTML(.ul, content: HTML(names))
                + HTML(.p, text: words.say(.deleteErases)) + HTML(.p, text: words.say(.deleteKeepsOthers))
        let main =
            HTML(.p, text: words.say(.deleteAsk)) + HTML(.p, text: words.say(.deleteExplained)) + withdrawn
            + HTML(.p, text: words.say(.deleteSessions(sessions.count)))
            + HTML(.p, text: words.say(.deleteKey)) + HTML(.p, text: words.say(.deleteStays))
            + HTML(.p, content: HTML(.a, .href(Places.account), text: words.say(.deleteExportFirst)))
            + layout.form(
                Places.deleteAccount,
                content: layout.field(
                    "password", words.say(.deleteConfirm), type: "password", complete: "current-password",
                    error: error, most: Password.maximumBytes) + layout.button(.delete))
        return .page(
            layout.page(title: words.say(.deleteTitle), main: main), status: error == nil ? 200 : 422)
    }

    private func delete(_ context: RouteContext) async throws -> WebAnswer {
        let account = try context.signedIn()
        let words = Words(context.language)
        switch await parts.verify(context.form["password"], of: account) {
        case .tooMany: return try await deletion(context, error: words.say(.tooManyAttempts))
        case .wrong: return try await deletion(context, error: words.say(.signInFailed))
        case .good: break
        }
        let links = try await parts.stores.links.links(of: account.id)
        try await parts.links.remove(account.id, from: parts.stores.accounts)
        for link in links { parts.hub.endPages(of: link.subject) }
        // The housekeeping tries again each minute.
        _ = try await parts.stores.retention.emptyLog()
        var answer = WebAnswer.redirect(to: Places.signIn)
        answer.setCookies(parts.cookies.session.clearing)
        return answer
    }
}

extension Text {
    init(_ fault: Password.Fault) {
        self =
            switch fault {
            case .tooShort: .passwordShort
            case .tooLong: .passwordLong
            case .common: .passwordCommon
            case .likeUserName: .passwordLikeName
            }
    }
}

extension Text {
    static let passwordShort = Text(en: "The password is too short.", it: "La password è troppo corta.")
    static let passwordLong = Text(
        en: "The password is too long: 256 bytes at most.",
        it: "La password è troppo lunga: al massimo 256 byte.")
    static let passwordCommon = Text(
        en: "This password is easy to guess. Choose another one.",
        it: "Questa password è facile da indovinare. Scegline un'altra.")
    static let passwordLikeName = Text(
        en: "The password must not contain the user name.",
        it: "La password non deve contenere il nome utente.")
    static let deleteTitle = Text(en: "Delete the account", it: "Elimina l'account")
    static let deleteExplained = Text(
        en:
            "Your name, your sessions and your links are deleted at once. Readings of a person to whom nobody is linked "
            + "any more are deleted as well. What the house itself keeps stays in the house. This cannot be undone.",
        it:
            "Il tuo nome, le tue sessioni e i tuoi collegamenti sono eliminati subito. Sono eliminate anche le misure di "
            + "una persona a cui nessuno è più collegato. Quello che la casa conserva resta nella casa. Non si può "
            + "annullare.")
    static let deleteConfirm = Text(
        en: "Write your password to confirm",
        it: "Scrivi la tua password per confermare")
    static let delete = Text(en: "Delete my account", it: "Elimina il mio account")
    static let save = Text(en: "Save", it: "Salva")
    static func acceptedOn(_ date: String) -> Text {
        Text(
            en: "You accepted this agreement on \(date).",
            it: "Hai accettato questo accordo il \(date).")
    }
    static let profile = Text(en: "Profile", it: "Profilo")
    static let serverZone = Text(en: "as the server", it: "come il server")
    static let changePassword = Text(en: "Change the password", it: "Cambia la password")
    static let currentPassword = Text(en: "Present password", it: "Password attuale")
    static let newPassword = Text(en: "New password", it: "Nuova password")
    static let passwordChanged = Text(
        en: "The password is changed. All other browsers are signed out.",
        it: "La password è cambiata. Tutti gli altri browser sono usciti.")
    static let groups = Text(en: "Group figures", it: "Statistiche di gruppo")
    static let groupsLink = Text(
        en: "Choose whether you are counted in figures of groups",
        it: "Scegli se essere contato nelle statistiche di gruppo")
    static let exportIntro = Text(
        en:
            "One file with your account, and with all that is kept of the persons who have accepted you: readings where they are "
            + "still kept, else the least, mean and greatest of each minute or hour. "
            + "For calls at the emergency desk ask the operator.",
        it:
            "Un file con il tuo account e con tutto quello che è conservato delle persone che ti hanno accettato: le misure "
            + "finché ci sono, poi minimo, media e massimo di ogni minuto o di ogni ora. "
            + "Per le chiamate alla centrale di emergenza chiedi al gestore.")
    static let exportJSON = Text(en: "Everything as JSON", it: "Tutto in JSON")
    static let exportCSV = Text(en: "Readings as CSV", it: "Misure in CSV")
    static let exportFHIR = Text(en: "Readings as FHIR R4", it: "Misure in FHIR R4")
    static let deleteStart = Text(en: "Read what happens first", it: "Leggi prima che cosa succede")
    static let deleteAsk = Text(
        en: "If you delete your account, this happens at once:",
        it: "Se elimini il tuo account, succede subito questo:")
    static let deleteWithdraws = Text(
        en: "These links are ended, and the houses are told by a signed command, until each has answered:",
        it:
            "Questi collegamenti finiscono, e le case lo sanno da un comando firmato, finché ognuna non ha risposto:"
    )
    static let deleteErases = Text(
        en:
            "If no other account is linked to one of these persons, everything that is kept here of that person is erased: "
            + "readings, summaries, gaps, news, documents and the log of looks.",
        it:
            "Se nessun altro account è collegato a una di queste persone, è cancellato tutto quello che qui è conservato di lei: "
            + "misure, riassunti, lacune, notizie, documenti e il registro degli accessi.")
    static let deleteKeepsOthers = Text(
        en: "If another account is linked to the person, the readings stay for that account.",
        it: "Se un altro account è collegato alla persona, le misure restano per quell'account.")
    static func deleteSessions(_ count: Int) -> Text {
        Text(
            en: "Signed-in browsers that are signed out: \(count).",
            it: "Browser con accesso che escono: \(count).")
    }
    static let deleteKey = Text(
        en:
            "The key that opens your name is destroyed, also for old copies of the database once they are replaced.",
        it:
            "La chiave che apre il tuo nome è distrutta, anche per le vecchie copie del database appena sono sostituite."
    )
    static let deleteStays = Text(
        en:
            "What stays: the data in the house itself, copies that a company has already read, and calls for help at the desk, "
            + "which the operator has to keep.",
        it:
            "Resta: quello che la casa stessa conserva, le copie che un'azienda ha già letto, e le chiamate di aiuto alla "
            + "centrale, che il gestore deve conservare.")
    static let deleteExportFirst = Text(
        en: "Take your data with you first, if you want to keep them.",
        it: "Prima porta i tuoi dati con te, se vuoi tenerli.")
    static let deleteNoLinks = Text(en: "Your account has no link.", it: "Il tuo account non ha collegamenti.")
}
