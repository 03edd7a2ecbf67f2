package import GatewayModel
import HelpState
import SOSLocal

extension Statement {
    /// Words of the statement for the ear or for the eye.
    package func text(_ manner: Manner) -> Text {
        let (en, it) = (English(), Italian())
        return switch self {
        case .drill: Text(en: "This is a drill.", it: "Questa è un'esercitazione.")
        case .alarm(.high, let name):
            Text(
                en: "Alarm for \(en.who(name)).",
                it: "Allarme per \(it.who(name)).")
        case .alarm(.medium, let name):
            Text(
                en: "Attention, \(en.who(name)).",
                it: "Attenzione, \(it.who(name)).")
        case .alarm(.low, let name):
            Text(
                en: "A note for \(en.who(name)).",
                it: "Un avviso per \(it.who(name)).")
        case .signal(.sosButton):
            Text(
                en: "The help button was pressed.",
                it: "È stato premuto il pulsante di aiuto.")
        case .helpAskedFor: Text(en: "Help was asked for.", it: "È stato chiesto aiuto.")
        case .signal(.fall): Text(en: "A fall was detected.", it: "È stata rilevata una caduta.")
        case .signal(.shaking):
            Text(
                en: "Repeated shaking was detected.",
                it: "È stato rilevato uno scuotimento ripetuto.")
        case .limit(let kind, let side, let value, let limit):
            Text(
                en: en.limitWords(kind, side == .low ? "too low" : "too high", value, limit, manner),
                it: it.limitWords(kind, side, value, limit, manner))
        case .score(let points, let limit):
            Text(
                en: manner == .spoken
                    ? "Several vital signs together ask for attention."
                    : "Several vital signs together ask for attention: \(en.counted(points, "point")) (limit \(limit)).",
                it: manner == .spoken
                    ? "Più parametri vitali insieme richiedono attenzione."
                    : "Più parametri vitali insieme richiedono attenzione: "
                        + "\(it.counted(points, "punto", "punti")) (limite \(limit)).")
        case .silence(let seconds):
            Text(
                en: "The sensor has sent nothing for \(en.time(seconds)).",
                it: "Il sensore non invia dati da \(it.time(seconds)).")
        case .doubtfulValue(let kind, let side, let name, false):
            Text(
                en:
                    "\(name.map { "\($0), your sensor" } ?? "A sensor in the house") shows \(en.finding(kind, side)), but it may "
                    + "be wrong. Are you all right?",
                it:
                    "\(name.map { "\($0), il tuo sensore" } ?? "Un sensore in casa") indica \(it.finding(kind, side)), ma "
                    + "potrebbe sbagliare. Stai bene?")
        case .doubtfulValue(let kind, let side, let name, true):
            Text(
                en: "\(name.map { "\($0), your measurement" } ?? "A measurement in the house") shows "
                    + "\(en.finding(kind, side)), but it may be wrong. Sit down, rest for a minute and measure again.",
                it: "\(name.map { "\($0), la tua misurazione" } ?? "Una misurazione in casa") indica "
                    + "\(it.finding(kind, side)), ma potrebbe essere sbagliata. Siediti, riposa un minuto e misura di nuovo."
            )
        case .doubtIsOver(let name):
            Text(
                en: "\(name.map { "\($0), your sensor" } ?? "The sensor") shows good values again.",
                it: "\(name.map { "\($0), il tuo sensore" } ?? "Il sensore") indica di nuovo valori buoni.")
        case .actNow(.help, true):
            Text(
                en: "Press the button now if you are all right, or help will be called.",
                it: "Premi subito il pulsante se stai bene, altrimenti chiamo aiuto.")
        case .actNow(.help, false):
            Text(
                en: "Cancel the alarm now if you are all right, or help will be called.",
                it: "Annulla subito l'allarme se stai bene, altrimenti chiamo aiuto.")
        case .actNow(.carers, true):
            Text(
                en: "Press the button now if you are all right, or your carers will be called.",
                it: "Premi subito il pulsante se stai bene, altrimenti avviso chi ti assiste.")
        case .actNow(.carers, false):
            Text(
                en: "Cancel the alarm now if you are all right, or your carers will be called.",
                it: "Annulla subito l'allarme se stai bene, altrimenti avviso chi ti assiste.")
        case .calling(.help, let seconds):
            Text(
                en: "Help will be called in \(en.counted(seconds, "second")).",
                it: "Chiamo aiuto tra \(it.counted(seconds, "secondo", "secondi")).")
        case .calling(.carers, let seconds):
            Text(
                en: "Your carers will be called in \(en.counted(seconds, "second")).",
                it: "Avviso chi ti assiste tra \(it.counted(seconds, "secondo", "secondi")).")
        case .howToCancel(true):
            Text(
                en: "Press the button if you are all right.",
                it: "Premi il pulsante se stai bene.")
        case .howToCancel(false):
            Text(
                en: "Cancel the alarm if you are all right.",
                it: "Annulla l'allarme se stai bene.")
        case .cancelBy(let means): Text(en: en.cancel(by: means), it: it.cancel(by: means))
        case .willCall(.help):
            Text(
                en: "Help will be called if nobody cancels the alarm.",
                it: "Se nessuno annulla l'allarme, chiamo aiuto.")
        case .willCall(.carers):
            Text(
                en: "Your carers will be told if nobody cancels the alarm.",
                it: "Se nessuno annulla l'allarme, avviso chi ti assiste.")
        case .knows(let recipients):
            Text(
                en:
                    "\(capitalised(en.named(recipients))) \(en.isPlural(recipients) ? "know" : "knows") already.",
                it: "\(capitalised(it.named(recipients))) lo \(recipients.count > 1 ? "sanno" : "sa") già.")
        case .called(.help):
            Text(
                en: "I am calling for help. Stay where you are.",
                it: "Sto chiamando aiuto. Resta dove sei.")
        case .called(.carers): Text(en: "I am telling your carers.", it: "Sto avvisando chi ti assiste.")
        case .arrived(let recipients, let audience):
            Text(
                en: (audience == .help ? "I called for help. " : "")
                    + "\(capitalised(en.named(recipients))) \(en.isPlural(recipients) ? "have" : "has") the "
                    + "\(audience == .help ? "call" : "message"). Nobody has answered yet.",
                it: (audience == .help ? "Ho chiamato aiuto. " : "")
                    + "\(capitalised(it.named(recipients))) \(recipients.count > 1 ? "hanno" : "ha") ricevuto "
                    + "\(audience == .help ? "la chiamata" : "il messaggio"). Nessuno ha ancora risposto.")
        case .notReached(let audience, let isDrill):
            Text(
                en: "I cannot reach \(en.subject(audience)) yet. I keep trying."
                    + en.callYourself(audience, isDrill),
                it: (audience == .help
                    ? "Non riesco ancora a chiamare aiuto." : "Non riesco ancora ad avvisare chi ti assiste.")
                    + " Continuo a provare." + it.callYourself(audience, isDrill))
        case .cannotCall(.help, let isDrill):
            Text(
                en: "I cannot call anybody at the moment: the line is down. I keep trying."
                    + en.callYourself(.help, isDrill),
                it: "Adesso non riesco a chiamare: la linea non va. Continuo a provare."
                    + it.callYourself(.help, isDrill))
        case .cannotCall(.carers, let isDrill):
            Text(
                en: "I cannot tell your carers at the moment: the line is down. I keep trying."
                    + en.callYourself(.carers, isDrill),
                it: "Adesso non riesco ad avvisare chi ti assiste: la linea non va. Continuo a provare."
                    + it.callYourself(.carers, isDrill))
        case .nobodyTold:
            Text(
                en: "Nobody outside the house is told. If you need help, dial 112.",
                it: "Nessuno fuori casa viene avvisato. Se ti serve aiuto, chiama il 112.")
        case .termsNotAccepted(let isDrill):
            Text(
                en: "Nobody is called: calls for help are not agreed to."
                    + (isDrill ? "" : " If you need help, dial 112."),
                it: "Nessuno viene chiamato: manca il consenso alle chiamate di aiuto."
                    + (isDrill ? "" : " Se ti serve aiuto, chiama il 112."))
        case .callsNobodyFor(let name, .termsNotAccepted):
            Text(
                en:
                    "Nobody is called for \(en.who(name)): calls for help are not agreed to. Dial 112 yourself.",
                it:
                    "Nessuno viene chiamato per \(it.who(name)): manca il consenso alle chiamate di aiuto. Chiama tu il 112."
            )
        case .callsNobodyFor(let name, .nobodyToTell):
            Text(
                en:
                    "Nobody is called for \(en.who(name)): the settings name nobody to call. Dial 112 yourself.",
                it:
                    "Nessuno viene chiamato per \(it.who(name)): le impostazioni non indicano nessuno. Chiama tu il 112."
            )
        case .cannotCallFor(let name):
            Text(
                en: "Help cannot be called for \(en.who(name)) at the moment. Be reachable yourself.",
                it: "Adesso non si può chiamare aiuto per \(it.who(name)). Resta raggiungibile tu.")
        case .over(let name):
            Text(
                en: "The alarm for \(en.who(name)) is over.",
                it: "L'allarme per \(it.who(name)) è finito.")
        case .oneIsOver(let name):
            Text(
                en: "One alarm for \(en.who(name)) is over. Another one goes on.",
                it: "Un allarme per \(it.who(name)) è finito. Un altro continua.")
        case .cancelled(let name):
            Text(
                en: en.by("It was cancelled", name),
                it: it.by("È stato annullato", name))
        case .accepted(let name?):
            Text(
                en: "\(name) has taken the call.",
                it: "\(name) ha preso in carico la chiamata.")
        case .accepted(nil):
            Text(
                en: "Someone has taken the call.",
                it: "La chiamata è stata presa in carico.")
        case .resolved(let name): Text(en: en.by("It was ended", name), it: it.by("È stato chiuso", name))
        case .lapsed:
            Text(
                en: "The drill is over. Nobody answered it.",
                it: "L'esercitazione è finita. Nessuno ha risposto.")
        case .nobodyWillCome:
            Text(
                en: "Nobody has been called for it.",
                it: "Per questo allarme nessuno è stato chiamato.")
        case .nobodyWasReached:
            Text(
                en: "Nobody was reached. If my message still arrives, I take it back.",
                it: "Nessuno è stato raggiunto. Se il mio messaggio dovesse ancora arrivare, lo ritiro.")
        case .knowingAreInformed:
            Text(
                en: "Help was not called. I am telling those who knew of the alarm.",
                it: "L'aiuto non è stato chiamato. Avviso chi sapeva dell'allarme.")
        case .knowingKnow:
            Text(
                en: "Help was not called. Those who knew of the alarm know that it is over.",
                it: "L'aiuto non è stato chiamato. Chi sapeva dell'allarme sa che è finito.")
        case .toldAreInformed: Text(en: "I am telling those whom I called.", it: "Avviso chi ho chiamato.")
        case .toldKnow: Text(en: "Those who were called know.", it: "Chi è stato chiamato lo sa.")
        case .notRetracted(let name):
            Text(
                en:
                    "Those who were called for \(en.who(name)) do not know yet that it is over. The gateway keeps trying.",
                it:
                    "Chi è stato chiamato per \(it.who(name)) non sa ancora che è tutto finito. Continuo a provare."
            )
        case .passesOnAllRight(let name):
            Text(
                en:
                    "The call for \(en.who(name)) has arrived already, and it stands. Those who have it are being told that the "
                    + "button says: I am all right.",
                it:
                    "La chiamata per \(it.who(name)) è già arrivata e resta valida. A chi l'ha ricevuta viene detto che il "
                    + "pulsante dice: sto bene.")
        case .whoseIsMeant(let names):
            Text(
                en:
                    "The alarms for \(names.map(en.who).joined(separator: " and for ")) are open. This button cannot tell "
                    + "which is meant, so they go on. Cancel yours on what you wear, or at the gateway.",
                it:
                    "Sono attivi gli allarmi per \(names.map(it.who).joined(separator: " e per ")). Questo pulsante non può "
                    + "sapere quale vuoi annullare, e tutti continuano. Annulla il tuo da ciò che indossi, o dal "
                    + "gateway.")
        case .supervisionPaused(let name):
            Text(
                en: "The gateway cannot see how \(en.who(name)) is: supervision is paused. Check the sensor.",
                it:
                    "Non posso vedere come sta \(it.who(name)): la sorveglianza è sospesa. Controlla il sensore."
            )
        case .helpUnreachable(let name):
            Text(
                en:
                    "I watch over \(en.who(name)), but I cannot call anybody at the moment. If you need help, dial 112.",
                it:
                    "Veglio su \(it.who(name)), ma adesso non riesco a chiamare nessuno. Se serve aiuto, chiama il 112."
            )
        case .helpReachable(let name):
            Text(
                en: "I can call help for \(en.who(name)) again.",
                it: "Posso di nuovo chiamare aiuto per \(it.who(name)).")
        case .settingsWrong(false):
            Text(
                en:
                    "A part of the gateway's settings is wrong and is left out. Ask whoever installed it to look.",
                it:
                    "Una parte delle impostazioni del gateway è sbagliata e non viene usata. Chiedi a chi lo ha installato "
                    + "di controllare.")
        case .settingsWrong(true):
            Text(
                en:
                    "The gateway's new settings cannot be used. It goes on with earlier ones. Ask whoever installed it to "
                    + "look.",
                it:
                    "Le nuove impostazioni del gateway non si possono usare. Valgono quelle di prima. Chiedi a chi lo ha "
                    + "installato di controllare.")
        case .supervisionRestored(let name):
            Text(
                en: "The gateway sees again how \(en.who(name)) is.",
                it: "Posso vedere di nuovo come sta \(it.who(name)).")
        case .exercise(let name, let minutes?):
            Text(
                en: "For \(en.counted(minutes, "minute")) the limits for exercise hold for \(en.who(name)).",
                it:
                    "Per \(it.counted(minutes, "minuto", "minuti")) valgono i limiti per l'esercizio di \(it.who(name))."
            )
        case .exercise(let name, nil):
            Text(
                en: "The usual limits hold again for \(en.who(name)).",
                it: "Valgono di nuovo i limiti abituali di \(it.who(name)).")
        case .testButton(let name, nil):
            Text(
                en:
                    "A message for \(en.who(name)): please test your help button. Press it once, within two minutes. It is a test: no "
                    + "help is called.",
                it:
                    "Un messaggio per \(it.who(name)): prova il tuo pulsante di aiuto. Premilo una volta, entro due minuti. È una "
                    + "prova: nessun soccorso viene chiamato.")
        case .testButton(let name, let button?):
            Text(
                en:
                    "A message for \(en.who(name)): please test your help button \(button). Press it once, within two minutes. It is a "
                    + "test: no help is called.",
                it:
                    "Un messaggio per \(it.who(name)): prova il tuo pulsante di aiuto \(button). Premilo una volta, entro due minuti. È "
                    + "una prova: nessun soccorso viene chiamato.")
        case .buttonTestOver(let name):
            Text(
                en:
                    "The test of the help button of \(en.who(name)) is over. From now on a press calls for help.",
                it:
                    "La prova del pulsante di aiuto di \(it.who(name)) è finita. Da adesso, premerlo chiama aiuto."
            )
        case .buttonWorks(let name):
            Text(
                en: "Thank you. The help button of \(en.who(name)) works.",
                it: "Grazie. Il pulsante di aiuto di \(it.who(name)) funziona.")
        case .buttonUntested(let name):
            Text(
                en:
                    "The help button of \(en.who(name)) was not tested in time. It is not known whether it works. Have it tested.",
                it:
                    "Il pulsante di aiuto di \(it.who(name)) non è stato provato in tempo. Non si sa se funziona. Fallo provare."
            )
        case .batteryLow(let name, nil):
            Text(
                en: "The battery of a sensor of \(en.who(name)) is nearly empty.",
                it: "La batteria di un sensore di \(it.who(name)) è quasi scarica.")
        case .batteryLow(let name, let percent?):
            Text(
                en: "The battery of a sensor of \(en.who(name)) is nearly empty: \(percent) percent.",
                it: "La batteria di un sensore di \(it.who(name)) è quasi scarica: \(percent) per cento.")
        case .batteryCharged(let name):
            Text(
                en: "The battery of the sensor of \(en.who(name)) is charged again.",
                it: "La batteria del sensore di \(it.who(name)) è di nuovo carica.")
        case .boxPower(.mainsLost):
            Text(
                en: "The gateway runs on its battery: the mains are gone. Check the plug and the fuse.",
                it: "Il gateway va a batteria: manca la corrente. Controlla la spina e il salvavita.")
        case .boxPower(.batteryLow):
            Text(
                en: "The battery of the gateway is nearly empty. It will stop watching. Bring the mains back.",
                it: "La batteria del gateway è quasi scarica. Smetterà di sorvegliare. Ridai corrente.")
        case .boxPower(.mainsBack):
            Text(
                en: "The gateway has mains power again.",
                it: "Il gateway ha di nuovo corrente.")
        case .boxButton(false):
            Text(
                en:
                    "The button of the gateway does not work: pressing it calls nobody. Ask whoever installed it to look.",
                it:
                    "Il pulsante del gateway non funziona: premendolo non chiami nessuno. Chiedi a chi lo ha installato di "
                    + "controllare.")
        case .boxButton(true):
            Text(
                en: "The button of the gateway works again.",
                it: "Il pulsante del gateway funziona di nuovo.")
        case .drillFailed(let name):
            Text(
                en: "Nobody answered the last drill for \(en.who(name)). Ask those who take the calls.",
                it:
                    "Nessuno ha risposto all'ultima esercitazione per \(it.who(name)). Chiedi a chi riceve le chiamate."
            )
        case .devicePaired(let name):
            Text(
                en:
                    "A device has been added for \(en.who(name)): it shows the pages of the house. If nobody knows it, end it on "
                    + "these pages, or tell whoever installed the gateway.",
                it:
                    "È stato aggiunto un dispositivo per \(it.who(name)): mostra le pagine di casa. Se nessuno lo conosce, toglilo "
                    + "da queste pagine, o avvisa chi ha installato il gateway.")
        case .asksForData(let party, let name, let kinds, let precision, let purpose):
            Text(
                en:
                    "\(party ?? "A third party") asks to see \(kinds.allSatisfy { $0.quantity != nil } ? "readings" : "data") of "
                    + "\(en.who(name)): \(en.listed(kinds, precision))."
                    + (purpose.map { " Its purpose: \(closed($0))" } ?? "")
                    + " Nothing is sent until somebody accepts.",
                it:
                    "\(party ?? "Un esterno") chiede di vedere i dati di \(it.who(name)): \(it.listed(kinds, precision))."
                    + (purpose.map { " Lo scopo: \(closed($0))" } ?? "")
                    + " Niente viene inviato finché qualcuno non accetta.")
        case .asksForAccount(let account, let role, let name):
            Text(
                en:
                    "May the account \(account ?? "of someone at TrackMe") see the data of \(en.who(name)), as they are shown here"
                    + (role == .acts ? ", and act for \(en.who(name)) at TrackMe" : "")
                    + "? It is not linked until somebody accepts.",
                it:
                    "L'account \(account ?? "di qualcuno presso TrackMe") può vedere i dati di \(it.who(name)), come sono mostrati qui"
                    + (role == .acts ? ", e agire per \(it.who(name)) presso TrackMe" : "")
                    + "? Non viene collegato finché qualcuno non accetta.")
        case .actsOfAccount(let name):
            Text(
                en:
                    "It could end permissions of companies, set how often values are sent, ask for the limits of alarms and for the fiscal "
                    + "code, and take part in figures of groups and in runs for \(en.who(name)).",
                it:
                    "Potrebbe revocare i permessi delle aziende, decidere ogni quanto partono i valori, chiedere i limiti degli allarmi e "
                    + "il codice fiscale, e partecipare a statistiche di gruppo e a gare per \(it.who(name)).")
        case .answerRequest(let request):
            Text(
                en: manner == .spoken
                    ? "Ask your family to answer at the gateway."
                    : "Answer with: homegateway consent show \(request).",
                it: manner == .spoken
                    ? "Chiedi alla tua famiglia di rispondere dalla centralina."
                    : "Rispondi con: homegateway consent show \(request).")
        case .asksForLimits(let issuer, let name, let kind):
            Text(
                en:
                    "\(capitalised(issuer)) asks to sound the alarm of \(en.who(name)) less readily: \(en.listed([.quantity(kind)], .coarse)).",
                it:
                    "\(issuer.prefix(1).uppercased() + issuer.dropFirst()) chiede che l'allarme di \(it.who(name)) suoni meno "
                    + "facilmente: \(it.listed([.quantity(kind)], .coarse)).")
        case .limitMove(let slot, let from, let to, let kind):
            Text(
                en: en.moveWords(slot, from, to, kind, manner),
                it: it.moveWords(slot, from, to, kind, manner))
        case .answerLimits(let person, let kind):
            Text(
                en: "Nothing changes until somebody accepts. "
                    + (manner == .spoken
                        ? "Ask your family to answer at the gateway."
                        : "Answer with: homegateway limits accept \(kind.rawValue) --person \(person)."),
                it: "Niente cambia finché qualcuno non accetta. "
                    + (manner == .spoken
                        ? "Chiedi alla tua famiglia di rispondere dalla centralina."
                        : "Rispondi con: homegateway limits accept \(kind.rawValue) --person \(person)."))
        }
    }
}

private func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

private func closed(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }
