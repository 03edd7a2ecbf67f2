import Accounts
import GatewayModel
import HTML
import Linking
import Live
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
                let words = MyDataWords(context.language)
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
        let (words, own) = (layout.words, MyDataWords(context.language))
        let agreed = parts.calendar(of: context).date(of: account.agreement.at.millisecondsSince1970)
        let main =
            (entry.status.map { HTML(.p, .set(.role, "status"), text: $0) } ?? .none)
            + HTML(.p, text: account.user.text)
            + HTML(.p, text: words.say(.acceptedOn(agreed.text(words.language))))
            + HTML(.h2, text: own.say(.profile)) + (try profile(account, entry, layout, own))
            + HTML(.h2, text: own.say(.changePassword)) + password(entry, layout, own)
            + (parts.passkeys == nil ? .none : passkeys(PasskeyWords(context.language)))
            + HTML(.h2, text: own.say(.groups))
            + HTML(.p, content: HTML(.a, .href(Places.groups), text: own.say(.groupsLink)))
            + HTML(.h2, text: own.say(.export)) + HTML(.p, text: own.say(.exportIntro)) + exports(own)
            + HTML(.h2, text: words.say(.deleteTitle))
            + HTML(.p, content: HTML(.a, .href(Places.deleteAccount), text: own.say(.deleteStart)))
        return .page(
            layout.page(title: words.say(.account), main: main), status: entry.errors.isEmpty ? 200 : 422)
    }

    private func profile(
        _ account: Account, _ entry: Entry, _ layout: Layout, _ own: MyDataWords
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
                + HTML(.label, .set(.for, "zone"), text: own.say(.zone))
                + HTML(
                    .select, .set(.id, "zone"), .set(.name, "zone"),
                    content: HTML(
                        .option, .set(.value, ""), account.zone == nil ? .flag(.selected) : nil,
                        text: own.say(.serverZone)), HTML(zones))
                + HTML(.p, content: layout.button(.save, kind: "plain")))
    }

    private func password(_ entry: Entry, _ layout: Layout, _ own: MyDataWords) -> HTML {
        layout.form(
            Places.password,
            content: layout.field(
                "current", own.say(.currentPassword), type: "password", complete: "current-password",
                error: entry.errors["current"], most: Password.maximumBytes)
                + layout.field(
                    "password", own.say(.newPassword), type: "password", complete: "new-password",
                    hint: layout.words.say(.passwordHint), error: entry.errors["password"],
                    most: Password.maximumBytes)
                + layout.field(
                    "again", layout.words.say(.passwordAgain), type: "password", complete: "new-password",
                    error: entry.errors["again"], most: Password.maximumBytes)
                + HTML(.p, content: layout.button(own.say(.changePassword), kind: "plain")))
    }

    private func passkeys(_ words: PasskeyWords) -> HTML {
        HTML(.h2, text: words.say(.title))
            + HTML(.p, content: HTML(.a, .href(Places.passkeys), text: words.say(.link)))
    }

    private func exports(_ own: MyDataWords) -> HTML {
        let texts: [(ExportFormat, MyDataWords.Text)] = [
            (.json, .exportJSON), (.csv, .exportCSV), (.fhir, .exportFHIR),
        ]
        return HTML(
            .div, .set(.class, "links"),
            content: HTML(
                texts.map { format, text in
                    HTML(.a, .href(ExportPages.place(format)), text: own.say(text))
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
        let (words, own) = (Words(context.language), MyDataWords(context.language))
        func refused(_ field: String, _ text: String) throws -> WebAnswer {
            try page(context, Entry(errors: [field: text]))
        }
        let password: Password
        do throws(Password.Fault) {
            password = try Password(chosen: context.form["password"] ?? "", for: account.user)
        } catch {
            return try refused("password", words.say(Words.Text(error)))
        }
        guard context.form["again"] == context.form["password"] else {
            return try refused("again", words.say(.passwordsDiffer))
        }
        switch await parts.verify(context.form["current"], of: account) {
        case .tooMany: return try refused("current", words.say(.tooManyAttempts))
        case .wrong: return try refused("current", own.say(.wrongPassword))
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
        let (words, own) = (layout.words, MyDataWords(context.language))
        let now = parts.clock()
        let links = try await parts.stores.links.links(of: account.id).filter(\.state.isOpen)
        let sessions = try await parts.stores.sessions.sessions(of: account.id).filter {
            $0.isValid(at: now, as: account.role)
        }
        let names = links.map { HTML(.li, text: "\($0.subject.person), \($0.subject.gateway)") }
        let withdrawn =
            names.isEmpty
            ? HTML(.p, text: own.say(.deleteNoLinks))
            : HTML(.p, text: own.say(.deleteWithdraws)) + HTML(.ul, content: HTML(names))
                + HTML(.p, text: own.say(.deleteErases)) + HTML(.p, text: own.say(.deleteKeepsOthers))
        let main =
            HTML(.p, text: own.say(.deleteAsk)) + HTML(.p, text: words.say(.deleteExplained)) + withdrawn
            + HTML(.p, text: own.say(.deleteSessions(sessions.count)))
            + HTML(.p, text: own.say(.deleteKey)) + HTML(.p, text: own.say(.deleteStays))
            + HTML(.p, content: HTML(.a, .href(Places.account), text: own.say(.deleteExportFirst)))
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

extension Words.Text {
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
