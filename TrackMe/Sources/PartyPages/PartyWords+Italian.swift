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
        case .sharing: "Chi vede i miei dati"
        case .sharingIntro:
            "Aziende che hanno chiesto i vostri dati. Un'azienda riceve solo i dati che la vostra casa le invia dopo il "
                + "vostro sì, e niente più dopo il vostro no."
        case .noRequests: "Nessuna azienda ha chiesto."
        case .noLink: "Il vostro account non è ancora collegato a una persona."
        case .endRequest: "Terminare"
        case .state(let state, let date):
            switch state {
            case .sent: "Chiesto il \(date). Rispondete a casa."
            case .accepted: "Accettato il \(date)"
            case .refused: "Rifiutato il \(date)"
            case .withdrawn: "Terminato il \(date)"
            case .expired: "Scaduto il \(date)"
            }
        case .suspendedCompany:
            "Il gestore di questo server ha sospeso questa società: per ora non riceve nulla. La sua risposta a casa resta "
                + "com'è."
        case .closedCompany:
            "Il gestore di questo server ha chiuso questa società: non riceve più nulla, e la sua casa viene avvisata di "
                + "togliere il permesso."
        case .until(let date): "Fino al \(date)"
        case .read(let count, let date): "L'azienda ha letto \(count) messaggi, l'ultima volta il \(date)."
        case .neverRead: "L'azienda non ha letto niente."
        case .code: "Codice fiscale"
        case .codeIntro:
            "Un'azienda qui trova una persona solo con il codice fiscale del profilo di casa, dopo un sì a casa. Questo server "
                + "conserva un valore di controllo, non il codice. Per ogni azienda serve comunque un altro sì."
        case .askForCode: "Chiedere il codice fiscale a casa"
        case .endCode: "Non far più trovare questa persona alle aziende"
        case .codeState(let state, let date):
            switch state {
            case .never:
                "Nessuna azienda può trovare questa persona. I codici scritti qui in versioni precedenti non valgono più: chiedete "
                    + "a casa."
            case .asked:
                "Chiesto il \(date). Rispondete a casa: fino ad allora nessuna azienda può trovare questa persona."
            case .given: "Lo dà la casa dal \(date). Un'azienda che conosce il codice può chiedere."
            case .missing:
                "La persona ha detto di sì il \(date), ma a casa non c'è un codice fiscale, quindi nessuna azienda può trovarla. "
                    + "Scrivetelo a casa nella pagina Profilo, oppure con: homegateway profile set --fiscal-code. Arriva qui da solo."
            case .underway: "La persona ha detto di sì il \(date). Il codice sta arrivando."
            case .refused: "Rifiutato il \(date). Nessuna azienda può trovare questa persona."
            case .ended: "Terminato il \(date). Nessuna azienda può trovare questa persona."
            case .expired: "Nessuno ha risposto fino al \(date). Nessuna azienda può trovare questa persona."
            case .failed:
                "La casa non ha accettato la domanda del \(date). Nessuna azienda può trovare questa persona."
            }
        case .codeAlsoElsewhere:
            "Un'altra casa dà lo stesso codice fiscale per un'altra persona, che non viene trovata. Confrontate il codice del profilo "
                + "di casa con la tessera. Se è giusto, avvisate il gestore di questo server."
        case .codeOfAnother:
            "Un'altra casa ha dato prima lo stesso codice fiscale per un'altra persona, quindi nessuna azienda può trovare questa "
                + "persona. Confrontate il codice del profilo di casa con la tessera. Se è giusto, avvisate il gestore di questo server."
        case .reason(let code): "Motivo: \(code)"
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
