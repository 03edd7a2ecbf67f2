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
        let words = MyDataWords(context.language)
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
