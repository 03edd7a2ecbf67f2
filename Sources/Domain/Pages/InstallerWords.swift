import ControlContract
import GatewayModel

/// Words of the installer's pages for wearables, checks and walks in one language. Findings and remedies of the gateway
/// stay in its English.
struct InstallerWords: Sendable {
    /// One text. Each language must have words for all of them.
    enum Text: Hashable, Sendable {
        case wearables, noWearables, pairTitle, pairHelp, look, lookAgain, looking
        case aboutLeft(Int)
        case nothingHeard, choose
        case signal(Int)
        case noSignal, connected, notOfUse
        case knownAs(String)
        case unnamed, addTitle, id, idHelp, person, noBond, pairIt, stop, back
        case pairing(String?)
        case adding(String?)
        case forgetting(String?)
        case keepNear, passkeyQuestion, passkeyLabel, pinLabel, send
        case compareQuestion(String)
        case same, different
        case typeAtDevice(String)
        case busyElsewhere, done, failed
        case wearIt(String)
        case heard(String)
        case countsFor, battery, lastHeard, kinds, notKnownYet
        case use(KindUse.Use, String?)
        case switchOff(String)
        case switchOn(String)
        case onlySource(String)
        case anySource(String)
        case inSettingsFile, forget, buzz
        case forgetQuestion(String)
        case forgetHelp, yesForget, keep
        case byConnection, byAdvertising
        case broadcaster, encrypted, inClear, inClearWarning, key, keyHelp, addIt, meaningHelp, noMeaning
        case event(SignalEvent)
        case lastEvent(SignalEvent)
        case meaning(ButtonMeaning)
        case isHeard(String)
        case useIt(String)
        case countsNow, forgetBroadcasterHelp
    }

    private let language: PersonProfile.Language

    init(_ language: PersonProfile.Language) { self.language = language }

    func say(_ text: Text) -> String {
        switch language {
        case .english: english(text)
        case .italian: italian(text)
        }
    }

    private func english(_ text: Text) -> String {
        switch text {
        case .wearables: "Wearables"
        case .noWearables: "No wearable yet."
        case .pairTitle: "Pair a wearable"
        case .pairHelp: "Put it on or press its button, near the box. Disconnect it from telephones."
        case .look: "Look for wearables"
        case .lookAgain: "Look again"
        case .looking: "Looking for wearables"
        case .aboutLeft(let seconds): "It ends by itself in about \(seconds) s."
        case .nothingHeard: "Nothing is heard yet."
        case .choose: "Choose"
        case .signal(let bars): "signal \(bars) of 4"
        case .noSignal: "no signal strength"
        case .connected: "connected"
        case .notOfUse: "the gateway can read nothing from it"
        case .knownAs(let id): "known as \(id)"
        case .unnamed: "without a name"
        case .addTitle: "Whose wearable is it?"
        case .id: "Its id"
        case .idHelp: "A short word such as strap or scale: letters, digits and hyphens."
        case .person: "Person who wears it"
        case .noBond: "Add it without pairing: a tag, or a strap that needs none"
        case .pairIt: "Pair it"
        case .stop: "Stop"
        case .back: "Back to the wearables"
        case .pairing(let id): "Pairing" + (id.map { " \($0)" } ?? "")
        case .adding(let id): "Adding" + (id.map { " \($0)" } ?? "")
        case .forgetting(let id): "Forgetting" + (id.map { " \($0)" } ?? "")
        case .keepNear: "Keep it near the box and awake. This takes up to two minutes."
        case .passkeyQuestion: "The wearable shows a passkey, or has it on its label."
        case .passkeyLabel: "Passkey: 6 digits"
        case .pinLabel: "PIN of the wearable, from its label or manual"
        case .send: "Send"
        case .compareQuestion(let digits): "Does the wearable show \(digits)?"
        case .same: "Yes, the same"
        case .different: "No"
        case .typeAtDevice(let digits): "Type \(digits) at the wearable."
        case .busyElsewhere: "Another installer works on the wearables now. Wait until that has ended."
        case .done: "Done"
        case .failed: "It did not work"
        case .wearIt(let id): "Put \(id) on now. Its first reading turns this line green."
        case .heard(let age): "It sends readings: \(age)."
        case .countsFor: "Alarms that the wearables can raise"
        case .battery: "Battery"
        case .lastHeard: "Last heard"
        case .kinds: "Readings that count"
        case .notKnownYet: "not known until it was heard once"
        case .use(let use, let source):
            switch use {
            case .off: "off"
            case .kept: "kept, raises no alarm"
            case .raisesAlarms: "raises alarms"
            case .onlySource: "the only source for alarms"
            case .otherSource: "kept; alarms come from \(source ?? "another wearable")"
            }
        case .switchOff(let kind): "Switch \(kind) off"
        case .switchOn(let kind): "Switch \(kind) on"
        case .onlySource(let kind): "Make it the only source of \(kind) for alarms"
        case .anySource(let kind): "Let others raise alarms of \(kind) too"
        case .inSettingsFile: "It is written in the settings file. Change it there."
        case .forget: "Forget it"
        case .buzz: "Let it buzz"
        case .forgetQuestion(let id): "Forget \(id)?"
        case .forgetHelp:
            "The gateway no longer watches it, and its bond is deleted. To use it again, pair it again."
        case .yesForget: "Yes, forget it"
        case .keep: "No, keep it"
        case .byConnection: "by a connection"
        case .byAdvertising: "by its adverts"
        case .broadcaster: "BTHome button or sensor, without a connection"
        case .encrypted: "Encrypted: its key is needed"
        case .inClear: "Not encrypted"
        case .inClearWarning:
            "It does not encrypt: anyone in range can send the same. Better switch on encryption in its app, and look again."
        case .key: "Its key: 32 characters"
        case .keyHelp:
            "The bind key, as the app of the wearable shows it. It is stored at the box, and never shown again."
        case .addIt: "Add it"
        case .meaningHelp: "What do its events mean? An event without a meaning does nothing."
        case .noMeaning: "Nothing"
        case .event(let event):
            switch event {
            case .button: "Press of its button"
            case .doublePress: "Double press"
            case .longPress: "Long press"
            case .vibration: "Vibration"
            case .motion: "Motion"
            case .moving: "It begins to move"
            }
        case .lastEvent(let event): "Last event: " + english(.event(event)).lowercased()
        case .meaning(let meaning):
            switch meaning {
            case .sosButton: "Call for help"
            case .fall: "Fall"
            case .shaking: "Shaking, as in a seizure"
            case .cancel: "I am fine: cancel the alarm"
            case .exercise: "I am about to move: the limits of exercise for 45 minutes"
            }
        case .isHeard(let age): "It is heard: \(age)."
        case .useIt(let id): "\(id) is not heard yet."
        case .countsNow: "From now on its events count: a press that means help calls for help."
        case .forgetBroadcasterHelp:
            "The gateway no longer watches it: a press calls nobody. A key that was typed on the page is deleted."
        }
    }

    private func italian(_ text: Text) -> String {
        switch text {
        case .wearables: "Sensori"
        case .noWearables: "Ancora nessun sensore."
        case .pairTitle: "Abbina un sensore"
        case .pairHelp: "Indossalo o premi il suo pulsante, vicino alla centralina. Scollegalo dai telefoni."
        case .look: "Cerca i sensori"
        case .lookAgain: "Cerca ancora"
        case .looking: "Ricerca dei sensori"
        case .aboutLeft(let seconds): "Finisce da sola tra circa \(seconds) s."
        case .nothingHeard: "Ancora niente."
        case .choose: "Scegli"
        case .signal(let bars): "segnale \(bars) su 4"
        case .noSignal: "intensità non nota"
        case .connected: "connesso"
        case .notOfUse: "la centralina non può leggerne niente"
        case .knownAs(let id): "noto come \(id)"
        case .unnamed: "senza nome"
        case .addTitle: "Di chi è il sensore?"
        case .id: "Il suo id"
        case .idHelp: "Una parola breve come strap o scale: lettere, cifre e trattini."
        case .person: "Persona che lo indossa"
        case .noBond: "Aggiungilo senza abbinarlo: un tag, o una fascia che non lo richiede"
        case .pairIt: "Abbinalo"
        case .stop: "Ferma"
        case .back: "Torna ai sensori"
        case .pairing(let id): "Abbinamento" + (id.map { " di \($0)" } ?? "")
        case .adding(let id): "Aggiunta" + (id.map { " di \($0)" } ?? "")
        case .forgetting(let id): "Rimozione" + (id.map { " di \($0)" } ?? "")
        case .keepNear: "Tienilo vicino alla centralina e acceso. Servono fino a due minuti."
        case .passkeyQuestion: "Il sensore mostra un codice, o lo ha sull'etichetta."
        case .passkeyLabel: "Codice: 6 cifre"
        case .pinLabel: "PIN del sensore, dall'etichetta o dal manuale"
        case .send: "Invia"
        case .compareQuestion(let digits): "Il sensore mostra \(digits)?"
        case .same: "Sì, lo stesso"
        case .different: "No"
        case .typeAtDevice(let digits): "Scrivi \(digits) sul sensore."
        case .busyElsewhere: "Un altro installatore lavora sui sensori. Attendi che finisca."
        case .done: "Fatto"
        case .failed: "Non è riuscito"
        case .wearIt(let id): "Indossa \(id) adesso. La prima misura rende verde questa riga."
        case .heard(let age): "Invia misure: \(age)."
        case .countsFor: "Allarmi che i sensori possono dare"
        case .battery: "Batteria"
        case .lastHeard: "Sentito l'ultima volta"
        case .kinds: "Misure che contano"
        case .notKnownYet: "non noto finché non è stato sentito una volta"
        case .use(let use, let source):
            switch use {
            case .off: "spenta"
            case .kept: "conservata, non dà allarmi"
            case .raisesAlarms: "dà allarmi"
            case .onlySource: "l'unica fonte per gli allarmi"
            case .otherSource: "conservata; gli allarmi vengono da \(source ?? "un altro sensore")"
            }
        case .switchOff(let kind): "Spegni \(kind)"
        case .switchOn(let kind): "Accendi \(kind)"
        case .onlySource(let kind): "Rendilo l'unica fonte di \(kind) per gli allarmi"
        case .anySource(let kind): "Lascia che anche altri diano allarmi di \(kind)"
        case .inSettingsFile: "È scritto nel file delle impostazioni. Cambialo lì."
        case .forget: "Rimuovilo"
        case .buzz: "Fallo vibrare"
        case .forgetQuestion(let id): "Rimuovere \(id)?"
        case .forgetHelp:
            "La centralina non lo segue più, e l'abbinamento è cancellato. Per usarlo ancora, abbinalo di nuovo."
        case .yesForget: "Sì, rimuovilo"
        case .keep: "No, tienilo"
        case .byConnection: "con una connessione"
        case .byAdvertising: "dai suoi annunci"
        case .broadcaster: "Pulsante o sensore BTHome, senza connessione"
        case .encrypted: "Cifrato: serve la sua chiave"
        case .inClear: "Non cifrato"
        case .inClearWarning:
            "Non cifra: chiunque sia vicino può inviare lo stesso. È meglio attivare la cifratura nella sua app e cercare ancora."
        case .key: "La sua chiave: 32 caratteri"
        case .keyHelp:
            "La bind key, come la mostra l'app del sensore. Resta nella centralina e non viene più mostrata."
        case .addIt: "Aggiungilo"
        case .meaningHelp: "Che cosa significano i suoi eventi? Un evento senza significato non fa niente."
        case .noMeaning: "Niente"
        case .event(let event):
            switch event {
            case .button: "Pressione del pulsante"
            case .doublePress: "Doppia pressione"
            case .longPress: "Pressione lunga"
            case .vibration: "Vibrazione"
            case .motion: "Movimento vicino"
            case .moving: "Comincia a muoversi"
            }
        case .lastEvent(let event): "Ultimo evento: " + italian(.event(event)).lowercased()
        case .meaning(let meaning):
            switch meaning {
            case .sosButton: "Chiama aiuto"
            case .fall: "Caduta"
            case .shaking: "Scosse, come in una crisi"
            case .cancel: "Sto bene: annulla l'allarme"
            case .exercise: "Sto per muovermi: i limiti per l'esercizio per 45 minuti"
            }
        case .isHeard(let age): "Si sente: \(age)."
        case .useIt(let id): "\(id) non si sente ancora."
        case .countsNow: "Da adesso i suoi eventi contano: una pressione che significa aiuto chiama aiuto."
        case .forgetBroadcasterHelp:
            "La centralina non lo segue più: una pressione non chiama nessuno. Una chiave scritta sulla pagina è cancellata."
        }
    }
}
