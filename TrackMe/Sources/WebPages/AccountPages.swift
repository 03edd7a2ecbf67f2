import Accounts
import GatewayModel
import HTML
import Linking
import Live
import Store

/// The account itself: its language, its agreement and its end.
struct AccountPages: Sendable {
    let parts: SiteParts

    var routes: [Route] {
        [
            Route(.get, Places.account.text, access: .signedIn) { context in try page(context) },
            Route(.post, Places.account.text, access: .signedIn, answer: save),
            Route(.post, Places.deleteAccount.text, access: .signedIn, answer: delete),
        ]
    }

    private func page(_ context: RouteContext, error: Words.Text? = nil) throws -> WebAnswer {
        let account = try context.signedIn()
        let layout = Layout(context)
        let words = layout.words
        let name = try parts.sealer.open(account.identity, of: account.user).name
        let agreed = parts.calendar(parts.clock()).date(of: account.agreement.at.millisecondsSince1970)
        let languages = PersonProfile.Language.allCases.map { language in
            let title =
                switch language {
                case .english: "English"
                case .italian: "Italiano"
                }
            return HTML(
                .option, .set(.value, language.rawValue), language == context.language ? .flag(.selected) : nil,
                text: title)
        }
        let choice =
            HTML(.label, .set(.for, "language"), text: words.say(.language))
            + HTML(.select, .set(.id, "language"), .set(.name, "language"), content: HTML(languages))
            + HTML(.p, content: layout.button(.save, kind: "plain"))
        let main =
            HTML(.p, text: "\(name) (\(account.user))")
            + HTML(.p, text: words.say(.acceptedOn(words.date(agreed))))
            + layout.form(Places.account, content: choice)
            + HTML(.h2, text: words.say(.deleteTitle)) + HTML(.p, text: words.say(.deleteExplained))
            + layout.form(
                Places.deleteAccount,
                content: layout.field(
                    "password", .deleteConfirm, type: "password", complete: "current-password", error: error,
                    most: Password.maximumBytes) + layout.button(.delete))
        return .page(layout.page(title: words.say(.account), main: main), status: error == nil ? 200 : 422)
    }

    private func save(_ context: RouteContext) async throws -> WebAnswer {
        guard let language = PersonProfile.Language(rawValue: context.form["language"] ?? "") else {
            throw Problem(.badRequest, "the pages do not have this language")
        }
        try await parts.stores.accounts.setLanguage(language, of: try context.signedIn().id)
        return .redirect(to: Places.account)
    }

    private func delete(_ context: RouteContext) async throws -> WebAnswer {
        let account = try context.signedIn()
        guard parts.gate.begin(account.user.text, at: parts.bootClock()) else {
            return try page(context, error: .tooManyAttempts)
        }
        let password = Password(entered: context.form["password"] ?? "")
        var isGood = false
        if let password { isGood = await parts.hasher.verify(password, against: account.hash) }
        parts.gate.end(account.user.text, isGood: isGood, at: parts.bootClock())
        guard isGood else { return try page(context, error: .signInFailed) }
        let links = try await parts.stores.links.links(of: account.id)
        try await parts.links.remove(account.id, from: parts.stores.accounts)
        for link in links { parts.hub.endStreams(of: link.subject) }
        // The housekeeping tries again each minute.
        _ = try await parts.stores.retention.emptyLog()
        var answer = WebAnswer.redirect(to: Places.signIn)
        answer.headers.append(parts.cookies.clearing(.session))
        return answer
    }
}
