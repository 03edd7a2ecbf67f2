import Accounts
import GatewayModel
import HTML
import PageSecurity
import Store

/// Signing in and out.
struct SignInPages: Sendable {
    /// Time after which a wrong password and a refused try are answered: several times that of a hash, so that the time does
    /// not tell whether one was made.
    static let failureTime = Duration.milliseconds(300)

    let parts: SiteParts

    var routes: [Route] {
        [
            Route(.get, Places.root.text, access: .everybody) { context in
                .redirect(to: context.account.map { Places.first(of: $0.role) } ?? Places.signIn)
            },
            Route(.get, Places.signIn.text, access: .everybody) { context in
                context.account == nil ? page(context) : .redirect(to: Places.data)
            },
            Route(.post, Places.signIn.text, access: .everybody, answer: signIn),
            Route(.post, Places.signOut.text, access: .signedIn, answer: signOut),
        ]
    }

    private func page(
        _ context: RouteContext, user: String = "", warning: Text? = nil, status: Int = 200
    ) -> WebAnswer {
        let layout = Layout(context)
        let words = Words(context.language)
        let refusal = PasskeySignIn.Refusal(rawValue: context.query["passkey"] ?? "")
        let passkey = parts.passkeys == nil ? HTML.none : PasskeySignIn.part(layout, words)
        let fields =
            layout.field(
                "user", .userName, value: user, complete: "username", most: 64)
            + layout.field(
                "password", .password, type: "password", complete: "current-password",
                most: Password.maximumBytes)
            + layout.button(.signIn)
        let main =
            layout.warning(warning) + layout.warning(refusal.map { words.say(.refusal($0)) })
            + layout.form(Places.signIn, content: fields) + passkey
            + HTML(.p, content: HTML(.a, .href(Places.register), text: layout.words.say(.noAccount)))
        return .page(
            layout.page(
                title: layout.words.say(.signIn), script: parts.passkeys.map { _ in PageFiles.passkeys.place },
                main: main), status: status)
    }

    /// A name that nobody has and a wrong password get the same answer after the same time, as do both while strangers are
    /// refused.
    private func signIn(_ context: RouteContext) async throws -> WebAnswer {
        let begun = parts.bootClock()
        let entered = context.form["user"] ?? ""
        guard let user = UserName(entered), let password = Password(entered: context.form["password"] ?? "")
        else { return page(context, user: entered, warning: .signInFailed, status: 422) }
        let account = try await parts.stores.accounts.account(named: user)
        let stranger = Attempt.stranger(user.text, from: context.request.client)
        let known = try await parts.knownBrowser(context, of: account)
        let isShut = known == nil && !parts.gate.admits(stranger, at: begun)
        let attempt: Attempt =
            switch (account, known) {
            case (let account?, let known?): .known(known, to: account)
            case (let account?, nil) where account.role != .person:
                .worker(user.text, from: context.request.client)
            default: stranger
            }
        let isAdmitted = parts.gate.begin(attempt, at: begun)
        var isGood = false
        if isAdmitted {
            isGood = await parts.hasher.verify(password, against: account?.hash, in: attempt.lane)
            parts.gate.end(attempt, isGood: isGood)
        }
        guard isGood, let account else {
            await parts.wait(begun.advanced(by: Self.failureTime))
            return isAdmitted && !isShut
                ? page(context, user: entered, warning: .signInFailed, status: 422)
                : page(context, user: entered, warning: .signInRefused, status: 429)
        }
        guard account.disabled == nil else {
            return page(context, user: entered, warning: .accountDisabled, status: 422)
        }
        if let old = context.session { try await parts.stores.accounts.end(old.id) }
        return try await parts.signIn(account.id, as: account.role, context)
    }

    private func signOut(_ context: RouteContext) async throws -> WebAnswer {
        if let session = context.session { try await parts.stores.accounts.end(session.id) }
        var answer = WebAnswer.redirect(to: Places.signIn)
        answer.setCookies(parts.cookies.session.clearing)
        return answer
    }
}

extension Text {
    static let noAccount = Text(en: "I have no account yet", it: "Non ho ancora un account")
    static let signInRefused = Text(
        en:
            "You are not signed in. Check the name and the password. If both are right, there are too many attempts at the "
            + "moment: wait some minutes, or use a browser in which you have signed in before.",
        it:
            "Accesso non riuscito. Controlla il nome e la password. Se sono giusti, al momento ci sono troppi tentativi: "
            + "aspetta qualche minuto, oppure usa un browser con cui hai già fatto l'accesso.")
    static let accountDisabled = Text(
        en: "The operator has disabled this account. Ask the operator of this server.",
        it: "Il gestore ha disattivato questo account. Chiedi al gestore di questo server.")
    static func refusal(_ refusal: PasskeySignIn.Refusal) -> Text {
        switch refusal {
        case .refused:
            Text(
                en:
                    "This passkey does not sign in here. If you have removed it, delete it on the device as well. Try again, or use "
                    + "your password.",
                it:
                    "Questa passkey qui non fa accedere. Se l’hai tolta, cancellala anche dal dispositivo. Riprova, oppure usa la "
                    + "password.")
        case .late:
            Text(
                en: "You are not signed in: it took more than five minutes. Try again.",
                it: "L’accesso non è riuscito: sono passati più di cinque minuti. Riprova.")
        case .copied:
            Text(
                en:
                    "You are not signed in: there may be a copy of this passkey. Use your password, remove the passkey, and tell the "
                    + "operator.",
                it:
                    "L’accesso non è riuscito: forse esiste una copia di questa passkey. Usa la password, togli la passkey e avvisa "
                    + "il gestore.")
        case .disabled: Text.accountDisabled
        case .busy: Text.tooManyAttempts
        }
    }
}
