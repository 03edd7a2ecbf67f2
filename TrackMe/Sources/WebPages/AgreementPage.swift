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
        HTML(Text.agreementParagraphs.map { HTML(.p, text: words.say($0)) })
    }

    /// The agreement with the box to tick, for a form.
    static func question(_ layout: Layout, error: Text?) -> HTML {
        HTML(.h2, text: layout.words.say(.agreement)) + text(layout.words) + layout.warning(error)
            + HTML(
                .label, .set(.class, "tick"),
                content: HTML(
                    void: .input, .set(.type, "checkbox"), .set(.name, "agree"), .set(.value, "yes"),
                    .flag(.required)),
                HTML(.span, text: layout.words.say(.agree)))
    }
}

extension Text {
    static let agree = Text(
        en: "I have read the agreement, and I agree that this server stores and shows my readings.",
        it: "Ho letto l'accordo e accetto che questo server conservi e mostri le mie misure.")
    /// Paragraphs of the agreement.
    static let agreementParagraphs = [
        Text(
            en:
                "This server keeps your user name, your name and the hash of your password. Your name is encrypted.",
            it:
                "Questo server conserva il tuo nome utente, il tuo nome e l'hash della tua password. Il tuo nome è cifrato."
        ),
        Text(
            en:
                "When a person has said yes in their own house, the house sends readings of this person's wearables here: for "
                + "example the heart rate, with its time and the device that measured it. The server stores them, and shows "
                + "them to the accounts that the person has accepted.",
            it:
                "Quando una persona ha detto di sì in casa propria, la casa manda qui le misure dei suoi dispositivi: per esempio "
                + "la frequenza cardiaca, con l'ora e il dispositivo che l'ha misurata. Il server le conserva e le mostra agli "
                + "account che la persona ha accettato."),
        Text(
            en:
                "The person can end this at home at any time; you can end it here at any time. From then on you see nothing.",
            it:
                "La persona può terminare tutto a casa in ogni momento; tu puoi farlo qui in ogni momento. Da allora non vedi più "
                + "nulla."),
        Text(
            en:
                "The server gives readings to nobody else. Third parties get only copies that the house itself has addressed to "
                + "them, after the person's own yes.",
            it:
                "Il server non dà le misure a nessun altro. Terzi ricevono solo copie che la casa stessa ha indirizzato a loro, "
                + "dopo il sì della persona."),
        Text(
            en: "You can delete your account at any time, with everything that names you.",
            it: "Puoi eliminare il tuo account in ogni momento, con tutto quello che porta il tuo nome."),
    ]
}
