import Accounts
import GatewayModel
import HTML
import PageSecurity
import Store

/// Registration of a new user.
struct RegistrationPages: Sendable {
    /// Fields of the form as they were entered, without the passwords.
    private struct Entry {
        var user = ""
        var name = ""
        var errors: [String: Text] = [:]
    }

    let parts: SiteParts

    var routes: [Route] {
        [
            Route(.get, Places.register.text, access: .everybody) { context in
                context.account == nil ? page(context, Entry()) : .redirect(to: Places.data)
            },
            Route(.post, Places.register.text, access: .everybody, answer: register),
        ]
    }

    private func page(_ context: RouteContext, _ entry: Entry) -> WebAnswer {
        let layout = Layout(context)
        let words = layout.words
        let fields =
            layout.field(
                "user", .userName, value: entry.user, complete: "username", hint: .userNameHint,
                error: entry.errors["user"], most: 32)
            + layout.field(
                "name", .fullName, value: entry.name, complete: "name", error: entry.errors["name"],
                most: Identity.nameLength)
            + ChosenPassword.fields(layout, entry.errors)
            + AgreementPage.question(layout, error: entry.errors["agree"])
        let main =
            layout.form(Places.register, content: fields + layout.button(.register))
            + HTML(.p, content: HTML(.a, .href(Places.signIn), text: words.say(.haveAccount)))
        return .page(
            layout.page(title: words.say(.register), main: main), status: entry.errors.isEmpty ? 200 : 422)
    }

    private func register(_ context: RouteContext) async throws -> WebAnswer {
        var entry = Entry(user: context.form["user"] ?? "", name: context.form["name"] ?? "")
        let user = UserName(entry.user)
        let identity = Identity(name: entry.name)
        if user == nil { entry.errors["user"] = .badUserName }
        if identity == nil { entry.errors["name"] = .badName }
        guard let user else { return page(context, entry) }
        let password = ChosenPassword.read(context, for: user, &entry.errors)
        guard entry.errors.isEmpty, let identity, let password else { return page(context, entry) }
        // The form tells whether a name is taken, and costs a hash.
        let attempt = Attempt.registration(user.text, from: context.request.client)
        guard parts.gate.begin(attempt, at: parts.bootClock()) else {
            throw Problem(.busy, "too many registrations: wait a minute")
        }
        let now = parts.clock()
        do {
            let account = try await parts.stores.accounts.add(
                NewAccount(
                    user: user, hash: try await parts.hasher.hash(password, in: attempt.lane),
                    identity: try parts.sealer.seal(identity, of: user), role: .person,
                    language: context.language,
                    agreement: AgreementConsent(version: AgreementConsent.currentVersion, at: now),
                    created: now))
            parts.gate.end(attempt, isGood: true)
            return try await parts.signIn(account, context)
        } catch StoreFault.nameTaken {
            parts.gate.end(attempt, isGood: false)
            entry.errors["user"] = .nameTaken
            return page(context, entry)
        }
    }
}

extension Text {
    static let userNameHint = Text(
        en: "3 to 32 letters, digits, dots or hyphens, beginning with a letter.",
        it: "Da 3 a 32 lettere, cifre, punti o trattini; comincia con una lettera.")
    static let haveAccount = Text(en: "I have an account", it: "Ho già un account")
    static let nameTaken = Text(
        en: "This user name is taken. Choose another one.",
        it: "Questo nome utente è già preso. Scegline un altro.")
    static let badUserName = Text(en: "This is no user name.", it: "Questo non è un nome utente.")
}
