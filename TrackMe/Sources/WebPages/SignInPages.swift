import Accounts
import HTML
import Store

/// Signing in and out.
struct SignInPages: Sendable {
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
        _ context: RouteContext, user: String = "", warning: Words.Text? = nil, status: Int = 200
    ) -> WebAnswer {
        let layout = Layout(context)
        let fields =
            layout.field(
                "user", .userName, value: user, complete: "username", most: 64)
            + layout.field(
                "password", .password, type: "password", complete: "current-password",
                most: Password.maximumBytes)
            + layout.button(.signIn)
        let main =
            layout.warning(warning) + layout.form(Places.signIn, content: fields)
            + HTML(.p, content: HTML(.a, .href(Places.register), text: layout.words.say(.noAccount)))
        return .page(layout.page(title: layout.words.say(.signIn), main: main), status: status)
    }

    /// A name that nobody has, a wrong one and a wrong password get the same answer after the same time.
    private func signIn(_ context: RouteContext) async throws -> WebAnswer {
        let entered = context.form["user"] ?? ""
        guard let user = UserName(entered), let password = Password(entered: context.form["password"] ?? "")
        else { return page(context, user: entered, warning: .signInFailed, status: 422) }
        guard parts.gate.begin(user.text, at: parts.bootClock()) else {
            return page(context, user: entered, warning: .tooManyAttempts, status: 429)
        }
        let account = try await parts.stores.accounts.account(named: user)
        let isGood = await parts.hasher.verify(password, against: account?.hash)
        parts.gate.end(user.text, isGood: isGood, at: parts.bootClock())
        guard isGood, let account else {
            return page(context, user: entered, warning: .signInFailed, status: 422)
        }
        guard account.disabled == nil else {
            return page(context, user: entered, warning: .accountDisabled, status: 422)
        }
        if let old = context.session { try await parts.stores.sessions.end(old.id) }
        return try await parts.signIn(account.id, as: account.role, context)
    }

    private func signOut(_ context: RouteContext) async throws -> WebAnswer {
        if let session = context.session { try await parts.stores.sessions.end(session.id) }
        var answer = WebAnswer.redirect(to: Places.signIn)
        answer.headers.append(parts.cookies.clearing(.session))
        return answer
    }
}
