import GatewayModel
import HelpState
import SOSLocal

struct Italian: Wording {
    func words(for statement: Statement, _ manner: Manner) -> String {
        switch statement {
        case .drill: "Questa è un'esercitazione."
        case .alarm(.high, let name): "Allarme per \(who(name))."
        case .alarm(.medium, let name): "Attenzione, \(who(name))."
        case .alarm(.low, let name): "Un avviso per \(who(name))."

        case .signal(.sosButton): "È stato premuto il pulsante di aiuto."
        case .helpAskedFor: "È stato chiesto aiuto."
        case .signal(.fall): "È stata rilevata una caduta."
        case .signal(.shaking): "È stato rilevato uno scuotimento ripetuto."
        case .limit(let kind, let side, let value, let limit):
            limitWords(kind, side, value, limit, manner)
        case .score(let points, let limit):
            manner == .spoken
                ? "Più parametri vitali insieme richiedono attenzione."
                : "Più parametri vitali insieme richiedono attenzione: "
                    + "\(counted(points, "punto", "punti")) (limite \(limit))."
        case .silence(let seconds): "Il sensore non invia dati da \(time(seconds))."

        case .doubtfulValue(let kind, let side, let name, false):
            "\(name.map { "\($0), il tuo sensore" } ?? "Un sensore in casa") indica \(finding(kind, side)), ma "
                + "potrebbe sbagliare. Stai bene?"
        case .doubtfulValue(let kind, let side, let name, true):
            "\(name.map { "\($0), la tua misurazione" } ?? "Una misurazione in casa") indica "
                + "\(finding(kind, side)), ma potrebbe essere sbagliata. Siediti, riposa un minuto e misura di nuovo."
        case .doubtIsOver(let name):
            "\(name.map { "\($0), il tuo sensore" } ?? "Il sensore") indica di nuovo valori buoni."

        case .actNow(.help, true): "Premi subito il pulsante se stai bene, altrimenti chiamo aiuto."
        case .actNow(.help, false): "Annulla subito l'allarme se stai bene, altrimenti chiamo aiuto."
        case .actNow(.carers, true):
            "Premi subito il pulsante se stai bene, altrimenti avviso chi ti assiste."
        case .actNow(.carers, false):
            "Annulla subito l'allarme se stai bene, altrimenti avviso chi ti assiste."
        case .calling(.help, let seconds): "Chiamo aiuto tra \(counted(seconds, "secondo", "secondi"))."
        case .calling(.carers, let seconds):
            "Avviso chi ti assiste tra \(counted(seconds, "secondo", "secondi"))."
        case .howToCancel(true): "Premi il pulsante se stai bene."
        case .howToCancel(false): "Annulla l'allarme se stai bene."
        case .cancelBy(let means): cancel(by: means)
        case .willCall(.help): "Se nessuno annulla l'allarme, chiamo aiuto."
        case .willCall(.carers): "Se nessuno annulla l'allarme, avviso chi ti assiste."
        case .knows(let recipients):
            "\(capitalised(named(recipients))) lo \(recipients.count > 1 ? "sanno" : "sa") già."
        case .called(.help): "Sto chiamando aiuto. Resta dove sei."
        case .called(.carers): "Sto avvisando chi ti assiste."
        case .arrived(let recipients, let audience):
            (audience == .help ? "Ho chiamato aiuto. " : "")
                + "\(capitalised(named(recipients))) \(recipients.count > 1 ? "hanno" : "ha") ricevuto "
                + "\(audience == .help ? "la chiamata" : "il messaggio"). Nessuno ha ancora risposto."
        case .notReached(let audience, let isDrill):
            (audience == .help
                ? "Non riesco ancora a chiamare aiuto." : "Non riesco ancora ad avvisare chi ti assiste.")
                + " Continuo a provare." + callYourself(audience, isDrill)
        case .cannotCall(.help, let isDrill):
            "Adesso non riesco a chiamare: la linea non va. Continuo a provare."
                + callYourself(.help, isDrill)
        case .cannotCall(.carers, let isDrill):
            "Adesso non riesco ad avvisare chi ti assiste: la linea non va. Continuo a provare."
                + callYourself(.carers, isDrill)
        case .nobodyTold: "Nessuno fuori casa viene avvisato. Se ti serve aiuto, chiama il 112."
        case .termsNotAccepted(let isDrill):
            "Nessuno viene chiamato: manca il consenso alle chiamate di aiuto."
                + (isDrill ? "" : " Se ti serve aiuto, chiama il 112.")

        case .callsNobodyFor(let name, .termsNotAccepted):
            "Nessuno viene chiamato per \(who(name)): manca il consenso alle chiamate di aiuto. Chiama tu il 112."
        case .callsNobodyFor(let name, .nobodyToTell):
            "Nessuno viene chiamato per \(who(name)): le impostazioni non indicano nessuno. Chiama tu il 112."
        case .cannotCallFor(let name):
            "Adesso non si può chiamare aiuto per \(who(name)). Resta raggiungibile tu."

        case .over(let name): "L'allarme per \(who(name)) è finito."
        case .oneIsOver(let name): "Un allarme per \(who(name)) è finito. Un altro continua."
        case .cancelled(let name): by("È stato annullato", name)
        case .accepted(let name?): "\(name) ha preso in carico la chiamata."
        case .accepted(nil): "La chiamata è stata presa in carico."
        case .resolved(let name): by("È stato chiuso", name)
        case .lapsed: "L'esercitazione è finita. Nessuno ha risposto."
        case .nobodyWillCome: "Per questo allarme nessuno è stato chiamato."
        case .nobodyWasReached:
            "Nessuno è stato raggiunto. Se il mio messaggio dovesse ancora arrivare, lo ritiro."
        case .knowingAreInformed: "L'aiuto non è stato chiamato. Avviso chi sapeva dell'allarme."
        case .knowingKnow: "L'aiuto non è stato chiamato. Chi sapeva dell'allarme sa che è finito."
        case .toldAreInformed: "Avviso chi ho chiamato."
        case .toldKnow: "Chi è stato chiamato lo sa."

        case .notRetracted(let name):
            "Chi è stato chiamato per \(who(name)) non sa ancora che è tutto finito. Continuo a provare."
        case .passesOnAllRight(let name):
            "La chiamata per \(who(name)) è già arrivata e resta valida. A chi l'ha ricevuta viene detto che il "
                + "pulsante dice: sto bene."
        case .whoseIsMeant(let names):
            "Sono attivi gli allarmi per \(names.map(who).joined(separator: " e per ")). Questo pulsante non può "
                + "sapere quale vuoi annullare, e tutti continuano. Annulla il tuo da ciò che indossi, o dal "
                + "gateway."
        case .supervisionPaused(let name):
            "Non posso vedere come sta \(who(name)): la sorveglianza è sospesa. Controlla il sensore."
        case .helpUnreachable(let name):
            "Veglio su \(who(name)), ma adesso non riesco a chiamare nessuno. Se serve aiuto, chiama il 112."
        case .helpReachable(let name): "Posso di nuovo chiamare aiuto per \(who(name))."
        case .settingsWrong(false):
            "Una parte delle impostazioni del gateway è sbagliata e non viene usata. Chiedi a chi lo ha installato "
                + "di controllare."
        case .settingsWrong(true):
            "Le nuove impostazioni del gateway non si possono usare. Valgono quelle di prima. Chiedi a chi lo ha "
                + "installato di controllare."
        case .supervisionRestored(let name): "Posso vedere di nuovo come sta \(who(name))."
        case .exercise(let name, let minutes?):
            "Per \(counted(minutes, "minuto", "minuti")) valgono i limiti per l'esercizio di \(who(name))."
        case .exercise(let name, nil): "Valgono di nuovo i limiti abituali di \(who(name))."
        case .testButton(let name, nil):
            "Un messaggio per \(who(name)): prova il tuo pulsante di aiuto. Premilo una volta, entro due minuti. È una "
                + "prova: nessun soccorso viene chiamato."
        case .testButton(let name, let button?):
            "Un messaggio per \(who(name)): prova il tuo pulsante di aiuto \(button). Premilo una volta, entro due minuti. È "
                + "una prova: nessun soccorso viene chiamato."
        case .buttonTestOver(let name):
            "La prova del pulsante di aiuto di \(who(name)) è finita. Da adesso, premerlo chiama aiuto."
        case .buttonWorks(let name): "Grazie. Il pulsante di aiuto di \(who(name)) funziona."
        case .buttonUntested(let name):
            "Il pulsante di aiuto di \(who(name)) non è stato provato in tempo. Non si sa se funziona. Fallo provare."
        case .batteryLow(let name, nil): "La batteria di un sensore di \(who(name)) è quasi scarica."
        case .batteryLow(let name, let percent?):
            "La batteria di un sensore di \(who(name)) è quasi scarica: \(percent) per cento."
        case .batteryCharged(let name): "La batteria del sensore di \(who(name)) è di nuovo carica."
        case .boxPower(.mainsLost):
            "Il gateway va a batteria: manca la corrente. Controlla la spina e il salvavita."
        case .boxPower(.batteryLow):
            "La batteria del gateway è quasi scarica. Smetterà di sorvegliare. Ridai corrente."
        case .boxPower(.mainsBack): "Il gateway ha di nuovo corrente."
        case .boxButton(false):
            "Il pulsante del gateway non funziona: premendolo non chiami nessuno. Chiedi a chi lo ha installato di "
                + "controllare."
        case .boxButton(true): "Il pulsante del gateway funziona di nuovo."
        case .drillFailed(let name):
            "Nessuno ha risposto all'ultima esercitazione per \(who(name)). Chiedi a chi riceve le chiamate."

        case .devicePaired(let name):
            "È stato aggiunto un dispositivo per \(who(name)): mostra le pagine di casa. Se nessuno lo conosce, toglilo "
                + "da queste pagine, o avvisa chi ha installato il gateway."

        case .asksForData(let party, let name, let kinds, let precision, let purpose):
            "\(party ?? "Un esterno") chiede di vedere i dati di \(who(name)): \(listed(kinds, precision))."
                + (purpose.map { " Lo scopo: \(closed($0))" } ?? "")
                + " Niente viene inviato finché qualcuno non accetta."
        case .asksForAccount(let account, let role, let name):
            "L'account \(account ?? "di qualcuno presso TrackMe") può vedere i dati di \(who(name)), come sono mostrati qui"
                + (role == .acts ? ", e agire per \(who(name)) presso TrackMe" : "")
                + "? Non viene collegato finché qualcuno non accetta."
        case .actsOfAccount(let name):
            "Potrebbe revocare i permessi delle aziende, decidere ogni quanto partono i valori, chiedere i limiti degli allarmi e "
                + "il codice fiscale, e partecipare a statistiche di gruppo e a gare per \(who(name))."
        case .answerRequest(let request):
            manner == .spoken
                ? "Chiedi alla tua famiglia di rispondere dalla centralina."
                : "Rispondi con: homegateway consent show \(request)."
        case .asksForLimits(let issuer, let name, let kind):
            "\(issuer.prefix(1).uppercased() + issuer.dropFirst()) chiede che l'allarme di \(who(name)) suoni meno "
                + "facilmente: \(listed([.quantity(kind)], .coarse))."
        case .limitMove(let slot, let from, let to, let kind): moveWords(slot, from, to, kind, manner)
        case .answerLimits(let person, let kind):
            "Niente cambia finché qualcuno non accetta. "
                + (manner == .spoken
                    ? "Chiedi alla tua famiglia di rispondere dalla centralina."
                    : "Rispondi con: homegateway limits accept \(kind.rawValue) --person \(person).")
        }
    }

    private func listed(_ kinds: [DataKind], _ precision: LocationPrecision) -> String {
        let titles = kinds.map { kind in
            kind == .location
                ? precision == .exact ? "la posizione esatta" : "la posizione a circa un chilometro"
                : kind.title(in: .italian).lowercased()
        }
        guard let last = titles.last, titles.count > 1 else { return titles.first ?? "" }
        return titles.dropLast().joined(separator: ", ") + " e " + last
    }

    private func closed(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }

    private func moveWords(
        _ slot: LimitSlot, _ from: Double, _ to: Double, _ kind: QuantityKind, _ manner: Manner
    ) -> String {
        let side = slot.side == .low ? "inferiore" : "superiore"
        let words = kind.words(in: .italian)
        let (old, new) = (Figure(from, decimalMark: ","), Figure(to, decimalMark: ","))
        let unit = manner == .spoken ? words.spokenUnit(isOne: new.isOne) : words.displayUnit
        return "Il limite \(side)\(slot.isWarning ? " di avviso" : "") sarebbe \(new.text) \(unit) invece di "
            + "\(old.text)."
    }

    private func cancel(by means: CancelMeans) -> String {
        switch means {
        case .box, .boxOnly: "Premi il pulsante della centralina."
        case .worn: "Premi il pulsante che porti addosso."
        case .wornTwice: "Premi due volte il pulsante che porti addosso."
        case .wornLong: "Tieni premuto il pulsante che porti addosso."
        case .screen: "Puoi annullarlo sullo schermo."
        case .gateway: "Puoi annullarlo solo dalla centralina."
        case .nothing: "Da qui non si può annullare."
        }
    }

    private func finding(_ kind: QuantityKind, _ side: LimitRule.Side) -> String {
        let isHigh = side == .high
        return switch kind {
        case .heartRate: isHigh ? "un battito veloce" : "un battito lento"
        case .oxygenSaturation: "poco ossigeno nel sangue"
        case .systolicPressure, .diastolicPressure:
            isHigh ? "una pressione molto alta" : "una pressione molto bassa"
        case .bodyTemperature: isHigh ? "una temperatura alta" : "una temperatura bassa"
        case .glucose: isHigh ? "la glicemia alta" : "la glicemia bassa"
        default: isHigh ? "un valore troppo alto" : "un valore troppo basso"
        }
    }

    private func who(_ name: String?) -> String { name ?? "una persona in casa" }
    private func by(_ what: String, _ name: String?) -> String {
        name.map { "\(what) da \($0)." } ?? "\(what)."
    }
    private func callYourself(_ audience: Statement.Audience, _ isDrill: Bool) -> String {
        isDrill
            ? " Fai controllare il collegamento."
            : audience == .help ? " Chiama tu il 112." : " Chiama tu chi ti assiste."
    }
    private func named(_ recipients: [HelpRecipient]) -> String {
        let names = recipients.map { $0.name ?? ($0.kind == .desk ? "la centrale" : "chi ti assiste") }
        guard let last = names.last else { return "qualcuno" }
        return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " e " + last
    }
    private func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    private func counted(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }

    private func time(_ seconds: Int) -> String {
        seconds < 120
            ? counted(seconds, "secondo", "secondi") : counted(seconds / 60, "minuto", "minuti")
    }

    private func limitWords(
        _ kind: QuantityKind, _ side: LimitRule.Side, _ value: Double, _ limit: Double, _ manner: Manner
    ) -> String {
        let words = kind.words(in: .italian)
        let ending = words.isFeminine ? "a" : "o"
        let judged = side == .low ? "troppo bass\(ending)" : "troppo alt\(ending)"
        let figure = Figure(value, decimalMark: ",")
        switch manner {
        case .spoken:
            return "\(words.title) \(judged): \(figure.text) \(words.spokenUnit(isOne: figure.isOne))."
        case .shown:
            let limit = Figure(limit, decimalMark: ",").text
            return "\(words.title) \(judged): \(figure.text) \(words.displayUnit) (limite \(limit))."
        }
    }
}
