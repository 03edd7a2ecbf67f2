import Accounts
import GatewayModel
import HTML
import PageSecurity
import Store

/// Page behind the link with which the operator invites a user: the user chooses the password, once.
struct InvitationPages: Sendable {
    let parts: SiteParts

    var routes: [Route] {
        [
            Route(.get, "/invitation/{secret}", access: .everybody) { context in
                guard let (_, account) = try await invited(context) else { return gone(context) }
                return try page(context, account, [:])
            },
            Route(.post, "/invitation/{secret}", access: .everybody, answer: accept),
        ]
    }

    private func invited(_ context: RouteContext) async throws -> (secret: RandomSecret, account: Account)? {
        guard let secret = RandomSecret(try context.parameter("secret")),
            let account = try await parts.stores.accounts.invited(by: secret.hash, at: parts.clock())
        else { return nil }
        return (secret, account)
    }

    private func gone(_ context: RouteContext) -> WebAnswer {
        let layout = Layout(context)
        return .page(
            layout.page(
                title: layout.words.say(.invitation),
                main: layout.warning(.invitationGone)
                    + HTML(.p, content: HTML(.a, .href(Places.signIn), text: layout.words.say(.signIn)))),
            status: 404)
    }

    private func page(
        _ context: RouteContext, _ account: Account, _ errors: [String: Text]
    ) throws -> WebAnswer {
        let layout = Layout(context)
        let words = layout.words
        let name = try parts.sealer.open(account.identity, of: account.user).name
        let main =
            HTML(.p, text: words.say(.invitationIntro(name)))
            // For the browser's own store of passwords.
            + layout.form(
                Places.invitation.appending(try context.parameter("secret")),
                content: HTML(
                    void: .input, .set(.type, "hidden"), .set(.name, "user"), .set(.value, account.user.text),
                    .set(.autocomplete, "username"))
                    + HTML(.p, text: words.say(.userName) + ": " + account.user.text)
                    + ChosenPassword.fields(layout, errors)
                    + AgreementPage.question(layout, error: errors["agree"])
                    + layout.button(.choosePassword))
        return .page(
            layout.page(title: words.say(.invitation), main: main), status: errors.isEmpty ? 200 : 422)
    }

    private func accept(_ context: RouteContext) async throws -> WebAnswer {
        guard let (secret, account) = try await invited(context) else { return gone(context) }
        var errors: [String: Text] = [:]
        let password = ChosenPassword.read(context, for: account.user, &errors)
        guard errors.isEmpty, let password else { return try page(context, account, errors) }
        // The secret bounds the hashes: nobody guesses one, and it is good for one password.
        let isAccepted = try await parts.stores.accounts.accept(
            secret.hash, hash: try await parts.hasher.hash(password, in: .registrations),
            agreement: AgreementConsent(version: AgreementConsent.currentVersion, at: parts.clock()))
        guard isAccepted else { return gone(context) }
        if let old = context.session { try await parts.stores.accounts.end(old.id) }
        return try await parts.signIn(account.id, as: account.role, context)
    }
}

extension Text {
    static let invitation = Text(en: "Your account", it: "Il tuo account")
    static let invitationGone = Text(
        en:
            "This link does not work. A link works once, and for three days. Ask the operator of this server for another one.",
        it:
            "Questo link non funziona. Un link funziona una volta sola, e per tre giorni. Chiedine un altro al gestore di questo server."
    )
    static let choosePassword = Text(en: "Save the password, and sign in", it: "Salva la password e accedi")
    static func invitationIntro(_ name: String) -> Text {
        Text(
            en: "\(name), choose the password of your account. This link works once.",
            it: "\(name), scegli la password del tuo account. Questo link funziona una volta sola.")
    }
}
