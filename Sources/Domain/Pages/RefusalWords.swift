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
            if let code { return HTML(.p, text: Text.refusal(code).in(language)) }
            return HTML(.p, text: Text.refusedByBox.in(language))
                + HTML(lines.prefix(5).map { HTML(.p, .set(.lang, "en"), text: $0) })
        }
    }
}

extension Text {
    static let refusedByBox = Text(
        en: "The box has not done this. It says:", it: "La centralina non l'ha fatto. Dice:")

    /// Words of a refusal of the gateway: the reason, and a way out where there is one.
    static func refusal(_ code: RefusalCode) -> Text {
        switch code {
        case .notForRole:
            Text(
                en: "This device may not do this. The installer can pair it for another role.",
                it: "Questo dispositivo non può farlo. L'installatore può abbinarlo con un altro ruolo.")
        case .otherPerson:
            Text(
                en: "This device was paired for another person, or the box knows no such alarm or question.",
                it:
                    "Questo dispositivo è abbinato a un'altra persona, o la centralina non conosce l'allarme o la domanda."
            )
        case .readingsNotShown:
            Text(
                en: "The person has not agreed to show readings and alarms of the past on this device.",
                it:
                    "La persona non ha accettato di mostrare su questo dispositivo le misure e gli allarmi passati."
            )
        case .notADecider:
            Text(
                en: "Only the person decides this, and those whom the settings of the box name.",
                it: "Decide solo la persona, o chi è indicato nelle impostazioni della centralina.")
        case .reasonMissing:
            Text(
                en: "Write a word on what happened, and send it again.",
                it: "Scrivi una parola su che cosa è successo e invia di nuovo.")
        case .drillsOnly:
            Text(
                en: "This device ends drills alone.",
                it: "Questo dispositivo termina soltanto le esercitazioni.")
        case .noAnswersHere:
            Text(
                en: "This screen takes no answer. Use a telephone or tablet of the person.",
                it: "Questo schermo non accetta risposte. Usa un telefono o tablet della persona.")
        case .pinMissing: Text(en: "The PIN is missing.", it: "Manca il PIN.")
        case .pinWrong:
            Text(
                en: "These digits are not right. Try again.",
                it: "Queste cifre non sono giuste. Riprova.")
        case .pinLocked:
            Text(
                en: "There were too many wrong PINs. Wait 15 minutes, or use a device of the person.",
                it: "Troppi PIN sbagliati. Aspetta 15 minuti, o usa un dispositivo della persona.")
        case .nobodyCalledYet:
            Text(
                en: "Nobody has been called yet. Cancel the alarm instead.",
                it: "Nessuno è stato ancora chiamato. Annulla invece l'allarme.")
        case .alarmOver: Text(en: "This alarm is over already.", it: "Questo allarme è già finito.")
        case .recallUnderWay:
            Text(
                en: "Those who were called are being told already that nobody has to come.",
                it: "Chi è stato chiamato viene già informato che non deve venire.")
        case .unknownAlarm:
            Text(
                en: "The box knows no such alarm any more.",
                it: "La centralina non conosce più questo allarme.")
        case .nothingOpen: Text(en: "No alarm is open.", it: "Nessun allarme è aperto.")
        case .severalOpen:
            Text(
                en: "Alarms of several persons are open. Open the page of the alarm and choose one.",
                it: "Sono aperti allarmi di più persone. Apri la pagina dell'allarme e scegline uno.")
        case .endNotAllowed:
            Text(
                en: "An alarm of this person cannot be ended at this device.",
                it: "Un allarme di questa persona non si può terminare da questo dispositivo.")
        case .unknownPerson:
            Text(
                en: "The box watches over nobody of this name.",
                it: "La centralina non veglia su nessuno con questo nome.")
        case .emergencyOpen:
            Text(
                en: "An alarm is open. End it before you begin a drill.",
                it: "Un allarme è aperto. Terminalo prima di un'esercitazione.")
        case .drillUnderWay:
            Text(
                en: "A drill of this person is under way. End it first.",
                it: "Un'esercitazione di questa persona è in corso. Prima terminala.")
        case .dataPolicyFirst:
            Text(
                en: "The person has to accept the data policy first.",
                it: "La persona deve prima accettare l'informativa sui dati.")
        case .unknownRequest:
            Text(
                en: "The box knows no such question.",
                it: "La centralina non conosce questa domanda.")
        case .requestOver:
            Text(
                en: "The time of this request is over. It has to be asked again.",
                it: "Il tempo di questa richiesta è finito. Va chiesta di nuovo.")
        case .requestGranted:
            Text(
                en: "This request is allowed already. Withdraw the permission to end it.",
                it: "Questa richiesta è già permessa. Per terminarla revoca il permesso.")
        case .requestNotGranted:
            Text(
                en: "There is no such permission to withdraw.",
                it: "Non c'è un permesso da revocare.")
        case .notDecidable: Text(en: "The box cannot decide this.", it: "La centralina non può deciderlo.")
        case .wrongText:
            Text(
                en: "The text has another form than this field needs, or is there already.",
                it: "Il testo ha una forma diversa da quella che serve, o c'è già.")
        case .outOfBounds:
            Text(
                en: "The value is outside of the bounds of the box.",
                it: "Il valore è fuori dai limiti della centralina.")
        case .noAccounts:
            Text(
                en: "This box is connected to no TrackMe.",
                it: "Questo apparecchio non è collegato a nessun TrackMe.")
        case .busy:
            Text(
                en: "Another change is being written. Try again in a moment.",
                it: "Un'altra modifica è in corso. Riprova tra un momento.")
        case .notKept:
            Text(
                en: "The box could not write this down. Nothing has changed. Tell the installer.",
                it: "La centralina non ha potuto annotarlo. Nulla è cambiato. Avvisa l'installatore.")
        case .measurementOver:
            Text(
                en: "This question is over. Please measure again.",
                it: "Questa domanda è chiusa. Misuri di nuovo, per favore.")
        case .unknownWearable:
            Text(
                en: "The box knows no wearable of this name any more.",
                it: "La centralina non conosce più un sensore con questo nome.")
        case .notConnected:
            Text(
                en:
                    "The wearable is not connected. Bring it near the box, put it on, and try again in a minute.",
                it: "Il sensore non è connesso. Avvicinalo alla centralina, indossalo e riprova tra un minuto.")
        case .cannotBuzz:
            Text(
                en: "This wearable cannot buzz on request. Take it off to see which one it is.",
                it: "Questo sensore non sa vibrare a richiesta. Toglilo per vedere quale è.")
        case .alarmComesFirst:
            Text(
                en: "An alarm is open, and its use of the wearables comes first. Try again when it is over.",
                it: "Un allarme è aperto e viene prima. Riprova quando è finito.")
        case .radioFailed:
            Text(
                en: "The wearable did not take the request. Try again.",
                it: "Il sensore non ha accettato la richiesta. Riprova.")
        case .notHeard:
            Text(
                en: "The search has not heard this wearable. Look again, and press its button near the box.",
                it:
                    "La ricerca non ha sentito questo sensore. Cerca ancora, e premi il suo pulsante vicino alla centralina."
            )
        case .keyMalformed:
            Text(
                en:
                    "This is no key. It has 32 characters out of 0-9 and a-f. Copy it from the app of the wearable.",
                it: "Questa non è una chiave. Ha 32 caratteri tra 0-9 e a-f. Copiala dall'app del sensore.")
        case .keyMissing:
            Text(
                en: "The wearable encrypts. Type its key, as the app of the wearable shows it.",
                it: "Il sensore cifra. Scrivi la sua chiave, come la mostra l'app del sensore.")
        case .keyUnused:
            Text(
                en:
                    "The wearable does not encrypt, and the key protects nothing. Leave it out, or switch on encryption in its app and look again.",
                it:
                    "Il sensore non cifra, e la chiave non protegge niente. Lasciala vuota, o attiva la cifratura nella sua app e cerca ancora."
            )
        case .keyWrong:
            Text(
                en:
                    "The key does not open what the wearable sends. Copy it again from the app of the wearable, press its button, and try again.",
                it:
                    "La chiave non apre ciò che il sensore invia. Copiala di nuovo dall'app del sensore, premi il suo pulsante e riprova."
            )
        case .meaningMissing:
            Text(
                en: "Choose what an event of the wearable means. Without it, nothing calls for help.",
                it: "Scegli che cosa significa un evento del sensore. Senza, niente chiama aiuto.")
        case .historyOff:
            Text(
                en: "This box keeps no history now.",
                it: "Questa centralina ora non conserva la cronologia.")
        case .notReadable:
            Text(
                en: "The box could not read this. Try again, or tell the installer.",
                it: "La centralina non ha potuto leggerlo. Riprova, o avvisa l'installatore.")
        }
    }
}
