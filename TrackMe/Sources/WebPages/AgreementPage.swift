import GatewayModel
import HTML

/// Text of the agreement.
struct AgreementPage: Sendable {
    var routes: [Route] {
        [
            Route(.get, Places.agreement.text, access: .everybody) { context in
                let layout = Layout(context)
                return .page(
                    layout.page(title: layout.words.say(.agreement), main: Self.text(layout.words)))
            }
        ]
    }

    static func text(_ words: Words) -> HTML {
        HTML(Words.englishAgreement.indices.map { HTML(.p, text: words.say(.agreementParagraph($0))) })
    }
}
