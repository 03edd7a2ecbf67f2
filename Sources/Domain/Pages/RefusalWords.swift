package import ControlContract
import GatewayModel
import HTML

extension Pages {
    /// Refusal of the gateway. Its lines are in English, and shown for a reason without a code alone.
    package struct Refusal: Sendable {
        let code: RefusalCode?
        let lines: [String]

        package init(_ code: RefusalCode?, lines: [String]) { (self.code, self.lines) = (code, lines) }

        package init(_ reply: ControlReply<some ControlDocument>) {
            self.init(reply.refusal, lines: reply.lines)
        }

        package init(_ error: ControlError) { self.init(error.code, lines: [error.description]) }

        func content(in language: PersonProfile.Language) -> HTML {
            if let code { return HTML(.p, text: RefusalWords(language: language).say(code)) }
            return HTML(.p, text: PageWords(language).say(.refusedByBox))
                + HTML(lines.prefix(5).map { HTML(.p, .set(.lang, "en"), text: $0) })
        }
    }
}

/// Words of the gateway's refusals in one language: the reason, and a way out where there is one.
struct RefusalWords: Sendable {
    let language: PersonProfile.Language

    func say(_ code: RefusalCode) -> String {
        switch language {
        case .english: english(code)
        case .italian: italian(code)
        }
    }

    private func english(_ code: RefusalCode) -> String {
        switch code {
        case .notForRole: "This device may not do this. The installer can pair it for another role."
        case .otherPerson:
            "This device was paired for another person, or the box knows no such alarm or question."
        case .readingsNotShown:
            "The person has not agreed to show readings and alarms of the past on this device."
        case .notADecider: "Only the person decides this, and those whom the settings of the box name."
        case .reasonMissing: "Write a word on what happened, and send it again."
        case .drillsOnly: "This device ends drills alone."
        case .noAnswersHere: "This screen takes no answer. Use a telephone or tablet of the person."
        case .pinMissing: "The PIN is missing."
        case .pinWrong: "These digits are not right. Try again."
        case .pinLocked: "There were too many wrong PINs. Wait 15 minutes, or use a device of the person."
        case .nobodyCalledYet: "Nobody has been called yet. Cancel the alarm instead."
        case .alarmOver: "This alarm is over already."
        case .recallUnderWay: "Those who were called are being told already that nobody has to come."
        case .unknownAlarm: "The box knows no such alarm any more."
        case .nothingOpen: "No alarm is open."
        case .severalOpen: "Alarms of several persons are open. Open the page of the alarm and choose one."
        case .endNotAllowed: "An alarm of this person cannot be ended at this device."
        case .unknownPerson: "The box watches over nobody of this name."
        case .emergencyOpen: "An alarm is open. End it before you begin a drill."
        case .drillUnderWay: "A drill of this person is under way. End it first."
        case .dataPolicyFirst: "The person has to accept the data policy first."
        case .unknownRequest: "The box knows no such question."
        case .requestOver: "The time of this request is over. It has to be asked again."
        case .requestGranted: "This request is allowed already. Withdraw the permission to end it."
        case .requestNotGranted: "There is no such permission to withdraw."
        case .notDecidable: "The box cannot decide this."
        case .wrongText: "The text has another form than this field needs, or is there already."
        case .outOfBounds: "The value is outside of the bounds of the box."
        case .noAccounts: "This box is connected to no TrackMe."
        case .busy: "Another change is being written. Try again in a moment."
        case .notKept: "The box could not write this down. Nothing has changed. Tell the installer."
        case .measurementOver: "This question is over. Please measure again."
        case .unknownWearable: "The box knows no wearable of this name any more."
        case .notConnected:
            "The wearable is not connected. Bring it near the box, put it on, and try again in a minute."
        case .cannotBuzz: "This wearable cannot buzz on request. Take it off to see which one it is."
        case .alarmComesFirst:
            "An alarm is open, and its use of the wearables comes first. Try again when it is over."
        case .radioFailed: "The wearable did not take the request. Try again."
        case .notHeard: "The search has not heard this wearable. Look again, and press its button near the box."
        case .keyMalformed:
            "This is no key. It has 32 characters out of 0-9 and a-f. Copy it from the app of the wearable."
        case .keyMissing: "The wearable encrypts. Type its key, as the app of the wearable shows it."
        case .keyUnused:
            "The wearable does not encrypt, and the key protects nothing. Leave it out, or switch on encryption in its app and look again."
        case .keyWrong:
            "The key does not open what the wearable sends. Copy it again from the app of the wearable, press its button, and try again."
        case .meaningMissing: "Choose what an event of the wearable means. Without it, nothing calls for help."
        case .historyOff: "This box keeps no history now."
        case .notReadable: "The box could not read this. Try again, or tell the installer."
        }
    }

    private func italian(_ code: RefusalCode) -> String {
        switch code {
        case .notForRole: "Questo dispositivo non può farlo. L'installatore può abbinarlo con un altro ruolo."
        case .otherPerson:
            "Questo dispositivo è abbinato a un'altra persona, o la centralina non conosce l'allarme o la domanda."
        case .readingsNotShown:
            "La persona non ha accettato di mostrare su questo dispositivo le misure e gli allarmi passati."
        case .notADecider: "Decide solo la persona, o chi è indicato nelle impostazioni della centralina."
        case .reasonMissing: "Scrivi una parola su che cosa è successo e invia di nuovo."
        case .drillsOnly: "Questo dispositivo termina soltanto le esercitazioni."
        case .noAnswersHere: "Questo schermo non accetta risposte. Usa un telefono o tablet della persona."
        case .pinMissing: "Manca il PIN."
        case .pinWrong: "Queste cifre non sono giuste. Riprova."
        case .pinLocked: "Troppi PIN sbagliati. Aspetta 15 minuti, o usa un dispositivo della persona."
        case .nobodyCalledYet: "Nessuno è stato ancora chiamato. Annulla invece l'allarme."
        case .alarmOver: "Questo allarme è già finito."
        case .recallUnderWay: "Chi è stato chiamato viene già informato che non deve venire."
        case .unknownAlarm: "La centralina non conosce più questo allarme."
        case .nothingOpen: "Nessun allarme è aperto."
        case .severalOpen: "Sono aperti allarmi di più persone. Apri la pagina dell'allarme e scegline uno."
        case .endNotAllowed: "Un allarme di questa persona non si può terminare da questo dispositivo."
        case .unknownPerson: "La centralina non veglia su nessuno con questo nome."
        case .emergencyOpen: "Un allarme è aperto. Terminalo prima di un'esercitazione."
        case .drillUnderWay: "Un'esercitazione di questa persona è in corso. Prima terminala."
        case .dataPolicyFirst: "La persona deve prima accettare l'informativa sui dati."
        case .unknownRequest: "La centralina non conosce questa domanda."
        case .requestOver: "Il tempo di questa richiesta è finito. Va chiesta di nuovo."
        case .requestGranted: "Questa richiesta è già permessa. Per terminarla revoca il permesso."
        case .requestNotGranted: "Non c'è un permesso da revocare."
        case .notDecidable: "La centralina non può deciderlo."
        case .wrongText: "Il testo ha una forma diversa da quella che serve, o c'è già."
        case .outOfBounds: "Il valore è fuori dai limiti della centralina."
        case .noAccounts: "Questo apparecchio non è collegato a nessun TrackMe."
        case .busy: "Un'altra modifica è in corso. Riprova tra un momento."
        case .notKept: "La centralina non ha potuto annotarlo. Nulla è cambiato. Avvisa l'installatore."
        case .measurementOver: "Questa domanda è chiusa. Misuri di nuovo, per favore."
        case .unknownWearable: "La centralina non conosce più un sensore con questo nome."
        case .notConnected:
            "Il sensore non è connesso. Avvicinalo alla centralina, indossalo e riprova tra un minuto."
        case .cannotBuzz: "Questo sensore non sa vibrare a richiesta. Toglilo per vedere quale è."
        case .alarmComesFirst: "Un allarme è aperto e viene prima. Riprova quando è finito."
        case .radioFailed: "Il sensore non ha accettato la richiesta. Riprova."
        case .notHeard:
            "La ricerca non ha sentito questo sensore. Cerca ancora, e premi il suo pulsante vicino alla centralina."
        case .keyMalformed:
            "Questa non è una chiave. Ha 32 caratteri tra 0-9 e a-f. Copiala dall'app del sensore."
        case .keyMissing: "Il sensore cifra. Scrivi la sua chiave, come la mostra l'app del sensore."
        case .keyUnused:
            "Il sensore non cifra, e la chiave non protegge niente. Lasciala vuota, o attiva la cifratura nella sua app e cerca ancora."
        case .keyWrong:
            "La chiave non apre ciò che il sensore invia. Copiala di nuovo dall'app del sensore, premi il suo pulsante e riprova."
        case .meaningMissing:
            "Scegli che cosa significa un evento del sensore. Senza, niente chiama aiuto."
        case .historyOff: "Questa centralina ora non conserva la cronologia."
        case .notReadable: "La centralina non ha potuto leggerlo. Riprova, o avvisa l'installatore."
        }
    }
}
