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

    /// The agreement with the box to tick, for a form.
    static func question(_ layout: Layout, error: Words.Text?) -> HTML {
        HTML(.h2, text: layout.words.say(.agreement)) + text(layout.words) + layout.warning(error)
            + HTML(
                .label, .set(.class, "tick"),
                content: HTML(
                    void: .input, .set(.type, "checkbox"), .set(.name, "agree"), .set(.value, "yes"),
                    .flag(.required)),
                HTML(.span, text: layout.words.say(.agree)))
    }
}
