import ControlContract
import GatewayModel
import Phrases

/// Words of the pages in one language. Sentences that the house also speaks come from `Statement`.
struct PageWords: Sendable {
    /// One text of a page. Each language must have words for all of them.
    enum Text: Hashable, Sendable {
        case pages
        case nobodyWatches, boxSilent, boxSilentButton, lookAtService, comesBack
        case nobodyWatchesOver(String)
        case outOfTouch, pressWorn, noAnswerDial, pageOutOfTouch
        case roomTitle
        case greeting(hour: Int, String?)
        case watching, watchingCannotCall, cannotCall
        case cannotSee(String?)
        case putOn, notWorn
        case asUsual, higher, lower, now
        case secondsAgo(Int)
        case minutesAgo(Int)
        case hoursAgo(Int)
        case daysAgo(Int)
        case callHelp, callNow, callsNobodyYet
        case callNowFor(String)
        case yesCall, no
        /// The name is given where the screen is for several persons.
        case exercise(String?)
        case exerciseOver(String?, minutes: Int)
        case testButton(String?)
        case linkCode(String?)
        case linkCodeTitle, linkCodeIntro, linkCodeHouse, linkCodePerson, linkCodeDigits
        /// Clock time of the end of the code.
        case linkCodeUntil(String)
        case linkCodeUsed, linkCodeVoid, linkCodeOver, newLinkCode
        /// The device by its id, and how long ago.
        case whoMeasured(String, String)
        case measuredBy(String)
        case measuredByOther
        case alarmTitle, iAmFine, helpNow, callAfterAll, callAgain, fineAfterAll
        case mistake, mistakeQuestion, noKeepCalling, yesStop
        case orDial
        case helpIn(Int)
        case stepCalled(String)
        case stepTried(String)
        case notRenewed
        case anotherIsOver
        case valueInDoubt, valueInDoubtAsked
        case stepReached(String)
        case stepNotReached
        case stepAnswered(String)
        case stepNoAnswer
        case alarmOf(String?)
        case isOver, nowCancelElsewhere
        case question, yes, later, pin, wrongPIN, answerElsewhere, noQuestion
        case date(LocalTime)
        case forTime(from: String, until: String)
        case needsHelp(String?)
        case takenBy(String, String)
        case helpUnknown
        case todayTitle, allWell, notAllWell, unnamedMeasurement, haveIt, itIsOver, reason, battery,
            batteryUnknown, lastReadings
        case sharingTitle, asked, allowed, ended, nobodyYet, withdraw
        /// Those who see something of a person by the agreements of the household, by name.
        case byAgreement(String)
        case cloudSees, helpersSee, homeSees, nobodySees
        case withdrawQuestion(String)
        case yesWithdraw
        case keep, stateRefused, stateWithdrawn, stateExpired, purpose, takeBack
        case linkedAccount(LinkRole)
        case devices, newDevices, noDevice, deviceKnown, deviceEnd
        /// Number of new devices, and the person of the newest.
        case devicesAdded(Int, String?)
        case deviceTimes(paired: String, seen: String)
        case pairTitle, pairCode, pairSend, pairHelp
        case codeUnknown, codeExpired
        /// Whether another visitor has used the code, or has tried wrong ones.
        case codeUsed(byOther: Bool)
        case codeVoid(byOther: Bool)
        case codeNotRead(seconds: Int, byOther: Bool)
        case refusedByBox
        case errorTitle, back, notFound, notAllowed, tooMany, boxAway, expired
    }

    let language: PersonProfile.Language

    init(_ language: PersonProfile.Language) { self.language = language }

    func say(_ text: Text) -> String {
        switch language {
        case .english: english(text)
        case .italian: italian(text)
        }
    }

    func say(_ statement: Statement) -> String { language.wording.words(for: statement, .shown) }

    func title(_ kind: String) -> String {
        QuantityKind(rawValue: kind)?.words(in: language).title ?? kind
    }

    func unit(_ kind: String) -> String { QuantityKind(rawValue: kind)?.words(in: language).displayUnit ?? "" }

    func figure(_ value: Double) -> String {
        Figure(value, decimalMark: language == .italian ? "," : ".").text
    }

    func age(_ milliseconds: Int64) -> String {
        let seconds = Int(clamping: max(milliseconds, 0) / 1_000)
        return switch seconds {
        case ..<10: say(.now)
        case ..<60: say(.secondsAgo(seconds))
        case ..<7_200: say(.minutesAgo(max(seconds / 60, 1)))
        default: say(.hoursAgo(seconds / 3_600))
        }
    }

    /// As `age`, in days from the second day on.
    func longAge(_ milliseconds: Int64) -> String {
        milliseconds < 2 * 86_400_000
            ? age(milliseconds) : say(.daysAgo(Int(clamping: milliseconds / 86_400_000)))
    }

    private func english(_ text: Text) -> String {
        switch text {
        case .pages: "Pages"
        case .nobodyWatches: "Nobody is watching at the moment."
        case .nobodyWatchesOver(let name): "Nobody is watching over \(name) at the moment."
        case .boxSilent: "The box does not answer."
        case .boxSilentButton: "The box does not answer. Your button calls nobody."
        case .lookAtService: "See at the box: systemctl status homegateway"
        case .comesBack: "This page comes back by itself."
        case .outOfTouch: "This screen is out of touch."
        case .pressWorn: "Need help? Press the button you wear."
        case .noAnswerDial: "No answer? Dial 112."
        case .pageOutOfTouch: "This page is out of touch with the house. It shows nothing until it is back."
        case .roomTitle: "Room"
        case .greeting(let hour, let name):
            (hour < 12 ? "Good morning" : hour < 18 ? "Good afternoon" : "Good evening")
                + (name.map { ", \($0)." } ?? ".")
        case .watching: "I am watching over you."
        case .watchingCannotCall: "I watch, but I cannot call anybody at the moment. Dial 112."
        case .cannotCall: "I cannot call anybody at the moment. Dial 112."
        case .cannotSee(let name): "I cannot see how \(name ?? "you") \(name == nil ? "are" : "is")."
        case .putOn: "Check that the sensor is on and charged."
        case .notWorn: "No sensor is set up."
        case .asUsual: "as usual"
        case .higher: "higher than usual for you"
        case .lower: "lower than usual for you"
        case .now: "now"
        case .secondsAgo(let count): "\(count) seconds ago"
        case .minutesAgo(let count): count == 1 ? "1 minute ago" : "\(count) minutes ago"
        case .hoursAgo(let count): "\(count) hours ago"
        case .daysAgo(let count): "\(count) days ago"
        case .callHelp: "CALL HELP"
        case .callsNobodyYet: "CALL HELP calls nobody yet."
        case .callNow: "Call help now?"
        case .callNowFor(let name): "Call help now for \(name)"
        case .exercise(let name): "I am about to move, for 45 minutes" + (name.map { " (\($0))" } ?? "")
        case .exerciseOver(let name, let minutes):
            "I have stopped moving" + (name.map { " (\($0))" } ?? "") + ". \(minutes) min are left"
        case .whoMeasured(let device, let age): "Who has measured with \(device), \(age)?"
        case .measuredBy(let name): name
        case .measuredByOther: "Somebody else"
        case .testButton(let name): "Test my help button" + (name.map { " (\($0))" } ?? "")
        case .linkCode(let name): "Code for a relative at TrackMe" + (name.map { " (\($0))" } ?? "")
        case .linkCodeTitle: "Code for TrackMe"
        case .linkCodeIntro:
            "Tell these three lines to your relative alone. At TrackMe, on the page Links, your relative types them:"
        case .linkCodeHouse: "House"
        case .linkCodePerson: "Person"
        case .linkCodeDigits: "Code"
        case .linkCodeUntil(let time):
            "The code works once, until \(time). When your relative uses it, the box asks here. Only your yes shows anything."
        case .linkCodeUsed: "This code was used. It works no more."
        case .linkCodeVoid:
            "There were five wrong codes: somebody mistyped, or guessed. This code is void, and shows nothing to anybody."
        case .linkCodeOver: "This code is too old. It works no more."
        case .newLinkCode: "Make another code"
        case .yesCall: "Yes, call"
        case .no: "No"
        case .alarmTitle: "Alarm"
        case .iAmFine: "I AM FINE"
        case .helpNow: "HELP NOW"
        case .callAfterAll: "Call help after all"
        case .callAgain: "CALL AGAIN"
        case .fineAfterAll: "I am fine after all"
        case .mistake: "Called by mistake"
        case .mistakeQuestion: "Stop the call for help?"
        case .noKeepCalling: "NO, I need help"
        case .yesStop: "YES, STOP"
        case .orDial: "Or dial 112."
        case .helpIn(let seconds): "Help will be called in \(seconds) s"
        case .stepCalled(let clock): "Called \(clock)"
        case .stepTried(let clock): "Tried since \(clock), nobody has the call"
        case .notRenewed: "This page does not renew itself. Load it again."
        case .anotherIsOver: "Another alarm is over."
        case .valueInDoubt: "The value may be wrong."
        case .valueInDoubtAsked: "The value may be wrong. The house is asking in the room."
        case .stepReached(let clock): "Reached \(clock)"
        case .stepNotReached: "Reached: not yet"
        case .stepAnswered(let clock): "Answered \(clock)"
        case .stepNoAnswer: "Answered: not yet"
        case .alarmOf(let name): name.map { "Alarm for \($0)." } ?? "An alarm is open."
        case .isOver: "The alarm is over."
        case .nowCancelElsewhere: "This screen cannot cancel it."
        case .question: "A question"
        case .yes: "Yes"
        case .later: "Ask me later"
        case .pin: "Your PIN"
        case .wrongPIN: "These digits are not right. After 5 wrong tries wait 15 minutes."
        case .answerElsewhere:
            "This screen takes no answer. Answer on your own telephone or tablet, or ask those who decide with you."
        case .date(let time):
            "\(language.weekdays[time.weekday]), \(time.date.day) \(language.months[time.date.month - 1])"
        case .noQuestion: "No question is waiting."
        case .forTime(let from, let until): "For readings from \(from) to \(until)."
        case .todayTitle: "Today"
        case .allWell: "All well"
        case .unnamedMeasurement: "There is a measurement, and nobody has said whose it is."
        case .notAllWell: "One thing is not as it should be"
        case .needsHelp(let name): name.map { "\($0) needs help" } ?? "Somebody needs help"
        case .takenBy(let name, let clock): "Taken by \(name), \(clock)"
        case .helpUnknown: "It is not known whether help can be called."
        case .haveIt: "I have it"
        case .itIsOver: "It is over"
        case .reason: "What happened?"
        case .battery: "Batteries"
        case .batteryUnknown: "not known"
        case .lastReadings: "Last readings"
        case .sharingTitle: "Who may see"
        case .asked: "Asked"
        case .allowed: "Allowed"
        case .ended: "Ended"
        case .nobodyYet: "Nobody else"
        case .byAgreement(let name): "By what \(name) has agreed to"
        case .cloudSees: "The cloud service gets the readings."
        case .helpersSee:
            "In an emergency those who are called get the cause, the place, the name, the contacts and the notes for helpers."
        case .homeSees:
            "Family and carers with a paired device see the readings, and so does the home's own dashboard."
        case .nobodySees: "Nothing leaves the house, and no other device shows readings."
        case .withdraw: "Withdraw"
        case .withdrawQuestion(let party): "Withdraw the permission of \(party)?"
        case .yesWithdraw: "Yes, withdraw"
        case .keep: "No, keep it"
        case .stateRefused: "refused"
        case .stateWithdrawn: "withdrawn"
        case .stateExpired: "expired"
        case .purpose: "Purpose"
        case .linkedAccount(.looks): "An account at TrackMe sees the data as they are shown here"
        case .linkedAccount(.acts):
            "An account at TrackMe sees the data as they are shown here, and acts for the person at TrackMe"
        case .takeBack: "You can take this back under Who may see."
        case .pairTitle: "Pair this device"
        case .pairCode: "Code of 8 characters"
        case .pairSend: "Pair"
        case .pairHelp: "The installer makes a code at the box."
        case .devices: "Devices that are paired for you"
        case .newDevices: "New devices"
        case .noDevice: "There is none."
        case .devicesAdded(1, let name):
            "A device has been added" + (name.map { " for \($0)" } ?? "") + ": look"
        case .devicesAdded(let count, _): "\(count) devices have been added: look"
        case .deviceTimes(let paired, let seen): "added \(paired), last used \(seen)"
        case .deviceKnown: "I know this device"
        case .deviceEnd: "End this device"
        case .codeUnknown:
            "This code is not right, or no longer valid. Check it, or ask for another one."
        case .codeExpired: "This code is too old: it works for five minutes. Ask for another one."
        case .codeUsed(false): "This device has used this code already, and it works once. Ask for another one."
        case .codeUsed(true):
            "Another device has used this code already. If that was not you, somebody else has used it: have that device "
                + "ended at once, on the screen of the room or by the installer. Then ask for another code."
        case .codeVoid(false):
            "This code is right, but no longer works: too many wrong codes were entered before it. Ask for another one."
        case .codeVoid(true):
            "This code is right, but no longer works: too many wrong codes were entered before it, and not only on this "
                + "device. If that was not you, somebody else is trying to get in. Tell the installer, and ask for "
                + "another code."
        case .codeNotRead(let seconds, let byOther):
            "This code was not looked at: too many codes were entered within a minute"
                + (byOther
                    ? ", and not only on this device. If that was not you, somebody else is trying to get in: tell the "
                        + "installer." : ".") + " Enter it again in \(seconds) s."
        case .refusedByBox: "The box has not done this. It says:"
        case .errorTitle: "This did not work"
        case .back: "Back"
        case .notFound: "There is no such page."
        case .notAllowed: "This device may not do this."
        case .tooMany: "Too many tries. Wait a minute, and try again."
        case .boxAway: "The box did not answer. If you changed something, look whether it was done."
        case .expired: "The page was too old. Open it again."
        }
    }

    private func italian(_ text: Text) -> String {
        switch text {
        case .pages: "Pagine"
        case .nobodyWatches: "Adesso nessuno veglia."
        case .nobodyWatchesOver(let name): "Adesso nessuno veglia su \(name)."
        case .boxSilent: "La centralina non risponde."
        case .boxSilentButton: "La centralina non risponde. Il pulsante non chiama."
        case .lookAtService: "Sulla centralina: systemctl status homegateway"
        case .comesBack: "Questa pagina torna da sola."
        case .outOfTouch: "Questo schermo è scollegato."
        case .pressWorn: "Ti serve aiuto? Premi il tuo pulsante."
        case .noAnswerDial: "Non risponde? Chiama il 112."
        case .pageOutOfTouch: "Questa pagina è scollegata dalla casa. Non mostra nulla finché non torna."
        case .roomTitle: "Stanza"
        case .greeting(let hour, let name):
            (hour < 13 ? "Buongiorno" : hour < 18 ? "Buon pomeriggio" : "Buonasera")
                + (name.map { ", \($0)." } ?? ".")
        case .watching: "Veglio su di te."
        case .watchingCannotCall: "Veglio su di te, ma adesso non riesco a chiamare nessuno. Chiama il 112."
        case .cannotCall: "Adesso non riesco a chiamare nessuno. Chiama il 112."
        case .cannotSee(let name): name.map { "Non vedo come sta \($0)." } ?? "Non vedo come stai."
        case .putOn: "Controlla che il sensore sia indossato e carico."
        case .notWorn: "Nessun sensore è impostato."
        case .asUsual: "come al solito"
        case .higher: "più alto del tuo solito"
        case .lower: "più basso del tuo solito"
        case .now: "ora"
        case .secondsAgo(let count): "\(count) secondi fa"
        case .minutesAgo(let count): count == 1 ? "1 minuto fa" : "\(count) minuti fa"
        case .hoursAgo(let count): "\(count) ore fa"
        case .daysAgo(let count): "\(count) giorni fa"
        case .callHelp: "CHIAMA AIUTO"
        case .callsNobodyYet: "CHIAMA AIUTO non chiama ancora nessuno."
        case .callNow: "Chiamo aiuto adesso?"
        case .callNowFor(let name): "Chiama aiuto adesso per \(name)"
        case .exercise(let name): "Sto per muovermi, per 45 minuti" + (name.map { " (\($0))" } ?? "")
        case .exerciseOver(let name, let minutes):
            "Ho finito di muovermi" + (name.map { " (\($0))" } ?? "") + ". Mancano \(minutes) min"
        case .whoMeasured(let device, let age): "Chi ha misurato con \(device), \(age)?"
        case .measuredBy(let name): name
        case .measuredByOther: "Qualcun altro"
        case .testButton(let name): "Prova il mio pulsante di aiuto" + (name.map { " (\($0))" } ?? "")
        case .linkCode(let name): "Codice per un familiare su TrackMe" + (name.map { " (\($0))" } ?? "")
        case .linkCodeTitle: "Codice per TrackMe"
        case .linkCodeIntro:
            "Di' queste tre righe solo al tuo familiare, che le scrive su TrackMe, alla pagina Collegamenti:"
        case .linkCodeHouse: "Casa"
        case .linkCodePerson: "Persona"
        case .linkCodeDigits: "Codice"
        case .linkCodeUntil(let time):
            "Il codice vale una volta, fino alle \(time). Quando il familiare lo usa, l'apparecchio chiede qui. Solo il tuo sì mostra "
                + "qualcosa."
        case .linkCodeUsed: "Questo codice è stato usato. Non vale più."
        case .linkCodeVoid:
            "Ci sono stati cinque codici sbagliati: un errore, o qualcuno che ha provato a indovinare. Questo codice non vale "
                + "più e non mostra niente a nessuno."
        case .linkCodeOver: "Questo codice è troppo vecchio. Non vale più."
        case .newLinkCode: "Fai un altro codice"
        case .yesCall: "Sì, chiama"
        case .no: "No"
        case .alarmTitle: "Allarme"
        case .iAmFine: "STO BENE"
        case .helpNow: "AIUTO SUBITO"
        case .callAfterAll: "Chiama aiuto lo stesso"
        case .callAgain: "RICHIAMA AIUTO"
        case .fineAfterAll: "Sto bene, davvero"
        case .mistake: "È stato un errore"
        case .mistakeQuestion: "Fermo la chiamata di aiuto?"
        case .noKeepCalling: "NO, mi serve aiuto"
        case .yesStop: "SÌ, FERMA"
        case .orDial: "O chiama il 112."
        case .helpIn(let seconds): "Chiamo aiuto tra \(seconds) s"
        case .stepCalled(let clock): "Chiamato alle \(clock)"
        case .stepTried(let clock): "Ci provo dalle \(clock), nessuno ha ricevuto la chiamata"
        case .notRenewed: "Questa pagina non si aggiorna. Caricala di nuovo."
        case .anotherIsOver: "Un altro allarme è finito."
        case .valueInDoubt: "Il valore può essere sbagliato."
        case .valueInDoubtAsked: "Il valore può essere sbagliato. La casa lo chiede nella stanza."
        case .stepReached(let clock): "Arrivato alle \(clock)"
        case .stepNotReached: "Arrivato: non ancora"
        case .stepAnswered(let clock): "Risposto alle \(clock)"
        case .stepNoAnswer: "Risposta: non ancora"
        case .alarmOf(let name): name.map { "Allarme per \($0)." } ?? "Un allarme è aperto."
        case .isOver: "L'allarme è finito."
        case .nowCancelElsewhere: "Questo schermo non può annullarlo."
        case .question: "Una domanda"
        case .yes: "Sì"
        case .later: "Chiedimelo più tardi"
        case .pin: "Il tuo PIN"
        case .wrongPIN: "Queste cifre non sono giuste. Dopo 5 errori aspetta 15 minuti."
        case .answerElsewhere:
            "Questo schermo non accetta risposte. Rispondi dal tuo telefono o tablet, o chiedi a chi decide con te."
        case .date(let time):
            "\(language.weekdays[time.weekday]) \(time.date.day) \(language.months[time.date.month - 1])"
        case .noQuestion: "Nessuna domanda in attesa."
        case .forTime(let from, let until): "Per le misure dal \(from) al \(until)."
        case .todayTitle: "Oggi"
        case .allWell: "Tutto bene"
        case .unnamedMeasurement: "C'è una misura, e nessuno ha detto di chi è."
        case .notAllWell: "Una cosa non va come dovrebbe"
        case .needsHelp(let name): "\(name ?? "Qualcuno") ha bisogno di aiuto"
        case .takenBy(let name, let clock): "Se ne occupa \(name), dalle \(clock)"
        case .helpUnknown: "Non si sa se l'aiuto è raggiungibile."
        case .haveIt: "Me ne occupo io"
        case .itIsOver: "È finito"
        case .reason: "Che cosa è successo?"
        case .battery: "Batterie"
        case .batteryUnknown: "non nota"
        case .lastReadings: "Ultime misure"
        case .sharingTitle: "Chi può vedere"
        case .asked: "In attesa"
        case .allowed: "Permessi"
        case .ended: "Finiti"
        case .nobodyYet: "Nessun altro"
        case .byAgreement(let name): "Secondo i consensi di \(name)"
        case .cloudSees: "Il servizio cloud riceve le misure."
        case .helpersSee:
            "In un'emergenza chi viene chiamato riceve la causa, il luogo, il nome, i contatti e le note per i soccorritori."
        case .homeSees:
            "Familiari e assistenti con un dispositivo associato vedono le misure, come il pannello della casa."
        case .nobodySees: "Nulla esce di casa, e nessun altro dispositivo mostra le misure."
        case .withdraw: "Revoca"
        case .withdrawQuestion(let party): "Revocare il permesso di \(party)?"
        case .yesWithdraw: "Sì, revoca"
        case .keep: "No, lascia"
        case .stateRefused: "rifiutato"
        case .stateWithdrawn: "revocato"
        case .stateExpired: "scaduto"
        case .purpose: "Scopo"
        case .linkedAccount(.looks): "Un account presso TrackMe vede i dati come sono mostrati qui"
        case .linkedAccount(.acts):
            "Un account presso TrackMe vede i dati come sono mostrati qui, e agisce per la persona presso TrackMe"
        case .takeBack: "Puoi revocarlo in Chi può vedere."
        case .pairTitle: "Abbina questo dispositivo"
        case .pairCode: "Codice di 8 caratteri"
        case .pairSend: "Abbina"
        case .pairHelp: "L'installatore crea un codice sulla centralina."
        case .devices: "Dispositivi abbinati per te"
        case .newDevices: "Dispositivi nuovi"
        case .noDevice: "Non ce ne sono."
        case .devicesAdded(1, let name):
            "È stato aggiunto un dispositivo" + (name.map { " per \($0)" } ?? "") + ": guarda"
        case .devicesAdded(let count, _): "Sono stati aggiunti \(count) dispositivi: guarda"
        case .deviceTimes(let paired, let seen): "aggiunto \(paired), usato l'ultima volta \(seen)"
        case .deviceKnown: "Conosco questo dispositivo"
        case .deviceEnd: "Togli questo dispositivo"
        case .codeUnknown:
            "Questo codice non è giusto, o non vale più. Controllalo, o chiedine un altro."
        case .codeExpired: "Questo codice è scaduto: vale cinque minuti. Chiedine un altro."
        case .codeUsed(false):
            "Questo dispositivo ha già usato questo codice, che vale una volta sola. Chiedine un altro."
        case .codeUsed(true):
            "Un altro dispositivo ha già usato questo codice. Se non eri tu, lo ha usato qualcun altro: fai togliere subito "
                + "quel dispositivo, dallo schermo della stanza o dall'installatore. Poi chiedi un altro codice."
        case .codeVoid(false):
            "Questo codice è giusto, ma non vale più: prima sono stati scritti troppi codici sbagliati. Chiedine un altro."
        case .codeVoid(true):
            "Questo codice è giusto, ma non vale più: prima sono stati scritti troppi codici sbagliati, e non solo su "
                + "questo dispositivo. Se non eri tu, qualcun altro prova a entrare. Avvisa l'installatore, e chiedi un "
                + "altro codice."
        case .codeNotRead(let seconds, let byOther):
            "Questo codice non è stato letto: in un minuto sono stati scritti troppi codici"
                + (byOther
                    ? ", e non solo su questo dispositivo. Se non eri tu, qualcun altro prova a entrare: avvisa "
                        + "l'installatore." : ".") + " Riscrivilo tra \(seconds) s."
        case .refusedByBox: "La centralina non l'ha fatto. Dice:"
        case .errorTitle: "Non ha funzionato"
        case .back: "Indietro"
        case .notFound: "Questa pagina non esiste."
        case .notAllowed: "Questo dispositivo non può farlo."
        case .tooMany: "Troppi tentativi. Aspetta un minuto e riprova."
        case .boxAway: "La centralina non ha risposto. Se hai cambiato qualcosa, controlla se è stato fatto."
        case .expired: "La pagina era troppo vecchia. Aprila di nuovo."
        }
    }
}

extension PageWords {
    /// Role of the account of a request. An unknown role counts as the greater one: nothing that is asked for stays unsaid.
    func role(of request: HouseSnapshot.Request) -> LinkRole {
        request.role.map { LinkRole(rawValue: $0) ?? .acts } ?? .looks
    }

    /// A kind without words is shown by its name on the wire: nothing that is asked for stays unsaid.
    func asks(_ request: HouseSnapshot.Request, of person: String?) -> String {
        let known = request.kinds.compactMap { DataKind(rawValue: $0) }
        guard known.count == request.kinds.count else {
            return "\(request.partyName): \(request.kinds.joined(separator: ", "))"
        }
        if request.party == PartyID.accounts.text {
            return say(Statement.asksForAccount(account: request.partyName, role(of: request), of: person))
        }
        let precision = request.precision.flatMap { LocationPrecision(rawValue: $0) } ?? .coarse
        return say(Statement.asksForData(party: request.partyName, of: person, known, precision, purpose: nil))
    }
}
