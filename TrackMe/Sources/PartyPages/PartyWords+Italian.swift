import Parties

extension PartyWords {
    func italian(_ text: Text) -> String {
        switch text {
        case .register: "Registrare un'azienda"
        case .registerIntro:
            "Un'azienda può chiedere alle persone i loro dati. Il gestore di questo server esamina ogni domanda. Poi "
                + "ogni persona decide a casa propria."
        case .company: "Nome dell'azienda"
        case .companyHint: "Le persone lo leggono nella domanda. Al massimo 100 caratteri."
        case .vat: "Partita IVA"
        case .vatHint: "Con il prefisso del paese, per esempio IT00743110157"
        case .id: "Nome breve"
        case .idHint:
            "Da 1 a 32 lettere minuscole, cifre e trattini, per esempio clinic. È l'ID client dei vostri programmi e "
                + "non si può cambiare."
        case .contact: "Indirizzo e-mail"
        case .contactHint: "Il gestore scrive a questo indirizzo. Le persone non lo vedono."
        case .key: "Chiave pubblica"
        case .keyHint:
            "Una JWK Ed25519 con un kid, su una riga. I vostri programmi firmano con la chiave privata, che resta da voi."
        case .apply: "Inviare la domanda"
        case .applied:
            "La domanda è arrivata. Il gestore la esamina e scrive al vostro indirizzo e-mail."
        case .badCompany: "Scrivete il nome dell'azienda, con al massimo 100 caratteri."
        case .badVAT: "Non ha la forma di una partita IVA dell'Unione europea."
        case .badVATDigit:
            "La cifra di controllo di questa partita IVA è sbagliata. Confrontatela cifra per cifra."
        case .badID: "Non è un nome breve, oppure è riservato."
        case .takenID: "Questo nome breve è già usato. Sceglietene un altro."
        case .badContact: "Non è un indirizzo e-mail."
        case .badKey: "Non è una JWK pubblica Ed25519 con un kid."
        }
    }
}
