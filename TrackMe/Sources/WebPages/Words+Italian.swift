import Accounts
import GatewayModel

extension Words {
    func italian(_ text: Text) -> String {
        switch text {
        case .product: "TrackMe"
        case .myData: "I miei dati"
        case .links: "Collegamenti"
        case .sessions: "Sessioni"
        case .desk: "Centrale di emergenza"
        case .fleet: "Centraline"
        case .runs: "Gare"
        case .account: "Account"
        case .signIn: "Accedi"
        case .signOut: "Esci"
        case .register: "Registrati"
        case .agreement: "Accordo"
        case .companies: "Per le aziende"
        case .sharing: "Chi vede i miei dati"
        case .userName: "Nome utente"
        case .fullName: "Nome e cognome"
        case .password: "Password"
        case .passwordAgain: "Ripeti la password"
        case .language: "Lingua"
        case .userNameHint: "Da 3 a 32 lettere, cifre, punti o trattini; comincia con una lettera."
        case .passwordHint: "Almeno 12 caratteri. Vanno bene alcune parole che stanno insieme solo per te."
        case .agree: "Ho letto l'accordo e accetto che questo server conservi e mostri le mie misure."
        case .agreeFirst: "Senza il tuo consenso non c'è account."
        case .haveAccount: "Ho già un account"
        case .noAccount: "Non ho ancora un account"
        case .invitation: "Il tuo account"
        case .invitationIntro(let name):
            "\(name), scegli la password del tuo account. Questo link funziona una volta sola."
        case .invitationGone:
            "Questo link non funziona. Un link funziona una volta sola, e per tre giorni. Chiedine un altro al gestore di questo server."
        case .choosePassword: "Salva la password e accedi"
        case .nameTaken: "Questo nome utente è già preso. Scegline un altro."
        case .badUserName: "Questo non è un nome utente."
        case .badName: "Scrivi il tuo nome, al massimo 100 caratteri."
        case .passwordsDiffer: "Le due password sono diverse. Scrivi due volte la stessa."
        case .passwordShort: "La password è troppo corta."
        case .passwordLong: "La password è troppo lunga: al massimo 256 byte."
        case .passwordCommon: "Questa password è facile da indovinare. Scegline un'altra."
        case .passwordLikeName: "La password non deve contenere il nome utente."
        case .signInFailed: "Il nome utente e la password non corrispondono."
        case .accountDisabled: "Il gestore ha disattivato questo account. Chiedi al gestore di questo server."
        case .signInRefused:
            "Accesso non riuscito. Controlla il nome e la password. Se sono giusti, al momento ci sono troppi tentativi: "
                + "aspetta qualche minuto, oppure usa un browser con cui hai già fatto l'accesso."
        case .tooManyAttempts: "Troppi tentativi. Aspetta qualche minuto e riprova."
        case .noLinkYet:
            "Il tuo account non è ancora collegato a una persona. Prima chiedi alla casa della persona."
        case .linkIntro:
            "Il tuo account non vede niente di una persona prima del sì in casa. Lì, il pulsante del codice per TrackMe sullo "
                + "schermo della stanza mostra tre righe: casa, persona e codice. Scrivile qui entro 10 minuti. La casa poi "
                + "lo chiede alla persona."
        case .house: "Casa"
        case .houseHint: "Per esempio house-12"
        case .person: "Persona"
        case .personHint: "Per esempio maria"
        case .linkCode: "Codice"
        case .linkCodeHint: "Per esempio 4821-7305"
        case .badLinkCode:
            "Il codice ha 8 cifre. Lo mostra lo schermo della casa, oppure homegateway link-code."
        case .ask: "Chiedi alla persona"
        case .askSent: "La domanda è partita. Vedrai qui le misure appena la persona avrà detto di sì a casa."
        case .noSuchHouse:
            "Qui non è registrata nessuna casa con questo nome. Chiedi al gestore di questo server."
        case .badPerson: "Il nome di una persona ha lettere minuscole, cifre e trattini."
        case .linkExists: "C'è già una domanda o un collegamento per questa persona."
        case .tooManyLinks: "Per oggi hai chiesto abbastanza. Riprova domani."
        case .tooManyQuestions:
            "Due domande di collegamento aspettano già la risposta di questa persona. Prima va risposto a casa."
        case .linkRole: "Diritto dell'account"
        case .linkRoleHint:
            "Un account che guarda vede i dati. Uno che agisce per la persona anche revoca permessi delle aziende, decide ogni "
                + "quanto partono i valori, chiede i limiti degli allarmi e il codice fiscale, e partecipa a gruppi e gare."
        case .role(.looks): "guarda"
        case .role(.acts): "agisce per la persona"
        case .lookOnly:
            "Puoi solo guardare. Per agire per la persona, termina questo collegamento e chiedi di nuovo: a casa qualcuno deve "
                + "dire di sì."
        case .state(let state):
            switch state {
            case .asked: "in attesa della risposta"
            case .linked: "collegato"
            case .refused: "rifiutato dalla persona"
            case .expired: "scaduto senza risposta"
            case .ended: "terminato"
            case .failed: "non riuscito"
            }
        case .reason(let code):
            switch code {
            case "no-answer": "La casa non ha risposto in tempo."
            case "house-removed": "Il gestore ha tolto la casa da questo server."
            case "link-code-wrong":
                "La casa non mostra questo codice per questa persona. Confronta le tre righe con lo schermo della casa."
            case "link-code-over":
                "Il codice è già usato, troppo vecchio, o annullato da codici sbagliati. Fanne un altro in casa."
            case "link-code-missing": "Ora la casa chiede un codice. Fanne uno in casa, e chiedi di nuovo."
            case "unknown-member":
                "Il software di questa casa è troppo vecchio per questo. Prima va aggiornato."
            case "data-policy-first": "Prima la persona deve accettare in casa l'informativa sui dati."
            default: "La casa ha risposto: \(code)"
            }
        case .since(let date): "dal \(date)"
        case .endLink: "Termina"
        case .yourLinks: "I tuoi collegamenti"
        case .noLinks: "Ancora nessuno."
        case .live: "Dal vivo"
        case .newest: "Misure più recenti"
        case .at(let time): "alle \(time)"
        case .noReadings: "Non ci sono misure."
        case .kind: "Tipo"
        case .time: "Ora"
        case .value: "Valore"
        case .show: "Mostra"
        case .day: "Giorno"
        case .week: "Settimana"
        case .span: "Periodo"
        case .earlier: "Prima"
        case .later: "Dopo"
        case .lastDay: "Ultimo giorno"
        case .chartOf(let kind, let dates): "\(kind), \(dates)"
        case .summary(let count, let min, let mean, let max):
            "\(count) misure: da \(min) a \(max), in media \(mean)."
        case .least: "Minimo"
        case .mean: "Media"
        case .greatest: "Massimo"
        case .count: "Misure"
        case .download: "Scarica come CSV"
        case .table: "Gli stessi dati in tabella"
        case .lost: "Il collegamento è interrotto. I valori sono vecchi."
        case .thisSession: "questo browser"
        case .endSession: "Termina questa sessione"
        case .otherSessions: "Browser con accesso"
        case .unknownBrowser: "browser sconosciuto"
        case .endOtherSessions: "Esci da tutti gli altri browser"
        case .endOthersHint:
            "Un browser con cui hai fatto l'accesso ti lascia entrare anche mentre altri provano il tuo nome. Se perdi un "
                + "dispositivo, esci da tutti gli altri: anche loro saranno allora sconosciuti."
        case .deleteTitle: "Elimina l'account"
        case .deleteExplained:
            "Il tuo nome, le tue sessioni e i tuoi collegamenti sono eliminati subito. Sono eliminate anche le misure di "
                + "una persona a cui nessuno è più collegato. Quello che la casa conserva resta nella casa. Non si può "
                + "annullare."
        case .deleteConfirm: "Scrivi la tua password per confermare"
        case .delete: "Elimina il mio account"
        case .save: "Salva"
        case .saved: "Salvato."
        case .agreementParagraph(let number): Self.italianAgreement[number]
        case .acceptedOn(let date): "Hai accettato questo accordo il \(date)."
        case .errorTitle(let kind):
            switch kind {
            case .badRequest: "Questo non si può leggere"
            case .notSignedIn, .badToken: "Prima accedi"
            case .notAllowed: "Questo non è permesso"
            case .notFound: "Questa pagina non esiste"
            case .methodNotAllowed, .conflict: "Questo qui non è possibile"
            case .foreignHost: "Questo indirizzo non è quello giusto"
            case .busy: "Troppe richieste"
            case .failed: "Qualcosa non ha funzionato"
            }
        case .errorHint(let kind):
            switch kind {
            case .badRequest, .notAllowed, .methodNotAllowed, .conflict:
                "Torna indietro, ricarica la pagina e riprova."
            case .notSignedIn, .badToken: "La tua sessione è terminata."
            case .notFound: "Controlla l'indirizzo."
            case .foreignHost: "Apri il server con l'indirizzo che ti ha dato il gestore."
            case .busy: "Aspetta qualche minuto e riprova."
            case .failed: "Riprova fra qualche minuto. Il gestore trova il motivo nel registro."
            }
        case .back: "Alla prima pagina"
        }
    }

    static let italianAgreement = [
        "Questo server conserva il tuo nome utente, il tuo nome e l'hash della tua password. Il tuo nome è cifrato.",
        "Quando una persona ha detto di sì in casa propria, la casa manda qui le misure dei suoi dispositivi: per esempio "
            + "la frequenza cardiaca, con l'ora e il dispositivo che l'ha misurata. Il server le conserva e le mostra agli "
            + "account che la persona ha accettato.",
        "La persona può terminare tutto a casa in ogni momento; tu puoi farlo qui in ogni momento. Da allora non vedi più "
            + "nulla.",
        "Il server non dà le misure a nessun altro. Terzi ricevono solo copie che la casa stessa ha indirizzato a loro, "
            + "dopo il sì della persona.",
        "Puoi eliminare il tuo account in ogni momento, con tutto quello che porta il tuo nome.",
    ]
}
