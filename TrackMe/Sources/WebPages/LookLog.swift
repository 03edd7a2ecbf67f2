public import Accounts
import GatewayModel
public import HTML
import Store

/// Section of a page: the accounts that looked at the data of a person.
public struct LookLog: Sendable {
    private static let most = 30

    private let parts: SiteParts

    public init(_ parts: SiteParts) { self.parts = parts }

    public func section(of link: Link, _ context: RouteContext) async throws -> HTML {
        let words = Words(context.language)
        let times = PageTimes(parts.calendar(of: context), Words(context.language))
        let rows = try await parts.stores.views.views(of: link.subject, after: nil, most: Self.most).map {
            view in
            HTML(
                .li, content: HTML(.p, text: view.user?.text ?? words.say(.deletedAccount)),
                HTML(
                    .p, .set(.class, "hint"),
                    text: words.say(.look(view.manner, view.count, times.text(view.last)))))
        }
        return HTML(.h3, text: words.say(.looks)) + HTML(.p, .set(.class, "hint"), text: words.say(.looksIntro))
            + (rows.isEmpty
                ? HTML(.p, text: words.say(.noLooks))
                : HTML(.ul, .set(.class, "entries"), content: HTML(rows)))
    }
}

extension Text {
    static let looksIntro = Text(
        en: "Each account needs a yes at home. Its looks are counted by day, yours as well.",
        it: "Ogni account ha bisogno di un sì a casa. Gli accessi sono contati per giorno, anche i tuoi.")
    static let noLooks = Text(en: "Nobody has looked yet.", it: "Nessuno ha ancora guardato.")
    static let deletedAccount = Text(en: "an account that was deleted", it: "un account eliminato")
    static func look(_ manner: DataView.Manner, _ count: Int, _ time: String) -> Text {
        switch manner {
        case .page:
            Text(
                en: "pages: \(count), last on \(time)",
                it: "pagine: \(count), l'ultima il \(time)")
        case .file:
            Text(
                en: "files: \(count), last on \(time)",
                it: "file: \(count), l'ultimo il \(time)")
        case .program:
            Text(
                en: "by a program: \(count), last on \(time)",
                it: "da un programma: \(count), l'ultima volta il \(time)")
        case .export:
            Text(
                en: "export of everything: \(count), last on \(time)",
                it: "esportazione di tutto: \(count), l'ultima il \(time)")
        }
    }
}
