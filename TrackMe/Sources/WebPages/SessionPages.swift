import Accounts
import GatewayModel
import HTML
import PageSecurity
import Store

/// Signed-in browsers of an account.
struct SessionPages: Sendable {
    let parts: SiteParts

    var routes: [Route] {
        [
            Route(.get, Places.sessions.text, access: .signedIn, answer: list),
            Route(.post, "/sessions/{session}/end", access: .signedIn) { context in
                let account = try context.signedIn()
                let short = try context.parameter("session")
                try await parts.stores.accounts.end(short: short, of: account.id)
                return .redirect(to: context.session?.id.short == short ? Places.signIn : Places.sessions)
            },
            Route(.post, Places.endOtherSessions.text, access: .signedIn) { context in
                try await parts.signOutOthers(context)
                return .redirect(to: Places.sessions)
            },
        ]
    }

    private func list(_ context: RouteContext) async throws -> WebAnswer {
        let account = try context.signedIn()
        let layout = Layout(context)
        let words = layout.words
        let now = parts.clock()
        let calendar = parts.calendar(of: context)
        let sessions = try await parts.stores.accounts.sessions(of: account.id).filter {
            $0.isValid(at: now, as: account.role)
        }
        let rows = sessions.map { session in
            let isOwn = session.id == context.session?.id
            let agent = session.agent.isEmpty ? words.say(.unknownBrowser) : session.agent
            let date = calendar.date(of: session.created.millisecondsSince1970).text(words.language)
            return HTML(
                .li,
                content: HTML(.p, text: agent),
                HTML(
                    .p, .set(.class, "hint"),
                    text: words.say(.since(date)) + (isOwn ? ", " + words.say(.thisSession) : "")),
                layout.form(
                    Places.sessions.appending(session.id.short).adding("/end"),
                    content: layout.button(.endSession, kind: "plain")))
        }
        let main =
            HTML(.h2, text: words.say(.otherSessions)) + HTML(.ul, .set(.class, "entries"), content: HTML(rows))
            + HTML(.p, .set(.class, "hint"), text: words.say(.endOthersHint))
            + layout.form(
                Places.endOtherSessions, content: layout.button(.endOtherSessions, kind: "plain"))
        return .page(layout.page(title: words.say(.sessions), main: main))
    }
}

extension Text {
    static let thisSession = Text(en: "this browser", it: "questo browser")
    static let endSession = Text(en: "End this session", it: "Termina questa sessione")
    static let otherSessions = Text(en: "Browsers that are signed in", it: "Browser con accesso")
    static let unknownBrowser = Text(en: "unknown browser", it: "browser sconosciuto")
    static let endOtherSessions = Text(en: "Sign out all other browsers", it: "Esci da tutti gli altri browser")
    static let endOthersHint = Text(
        en:
            "A browser in which you have signed in lets you in while strangers try your name. After a lost device sign out "
            + "all others: they are then strangers as well.",
        it:
            "Un browser con cui hai fatto l'accesso ti lascia entrare anche mentre altri provano il tuo nome. Se perdi un "
            + "dispositivo, esci da tutti gli altri: anche loro saranno allora sconosciuti.")
}
