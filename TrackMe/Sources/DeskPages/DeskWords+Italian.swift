import ContractReading
import Desk
import GatewayModel

extension DeskWords {
    func italian(_ text: Text) -> String {
        switch text {
        case .desk: "Centrale di emergenza"
        case .open: "Chiamate aperte"
        case .show: "Mostra la chiamata"
        case .ended: "Chiamate concluse"
        case .noCalls: "Nessuna chiamata aperta."
        case .signOut: "Esci"
        case .lost:
            "Questa pagina ha perso il server. Possono mancare chiamate. Ricaricala, o usa un altro dispositivo."
        case .soundOn: "Il suono è spento: attivalo"
        case .present(let count): count == 1 ? "1 operatore in centrale" : "\(count) operatori in centrale"
        case .drill: "ESERCITAZIONE: non inviare nessuno"
        case .partial: "Una parte del messaggio non è leggibile. La chiamata è valida."
        case .age: "Da"
        case .cause: "Causa"
        case .person: "Persona"
        case .house: "Casa"
        case .state: "Stato"
        case .work: "Centrale"
        case .round(let number): "ripetizione \(number)"
        case .pending: "La persona può ancora annullare"
        case .confirmed: "Serve aiuto"
        case .possible: "Possibile, non certa: i valori sono dubbi"
        case .waiting: "Nessuno l'ha presa"
        case .overBy(let state, let by):
            "\(state == .cancelled ? "Annullata dalla casa" : state == .resolved ? "Risolta in casa" : state == .accepted ? "Presa da altri" : "Esercitazione scaduta")\(by.map { ": \($0)" } ?? "")"
        case .takenBy(let name): "Presa da \(name)"
        case .yours: "Questa chiamata è tua"
        case .closedBy(let name, let outcome): "Chiusa da \(name): \(say(.outcomes(outcome)))"
        case .mustClose: "Chiudila qui sotto quando hai finito."
        case .take: "PRENDI LA CHIAMATA"
        case .release: "Restituisci"
        case .close: "Chiudi la chiamata"
        case .note: "Nota"
        case .addNote: "Aggiungi la nota"
        case .outcome: "Esito"
        case .outcomes(let outcome):
            switch outcome {
            case .helpSent: "aiuto inviato"
            case .spokenTo: "sentita, nessun aiuto necessario"
            case .falseAlarm: "falso allarme"
            case .handedOver: "passata a un altro servizio"
            case .rehearsed: "esercitazione con risposta"
            case .other: "altro, vedi la nota"
            }
        case .name: "Nome"
        case .address: "Indirizzo"
        case .phone: "Telefono"
        case .born(let year): "anno di nascita \(year)"
        case .notes: "Note per i soccorritori"
        case .contacts: "Contatti, in quest'ordine"
        case .unknown: "non noto"
        case .trend: "Ultimi minuti"
        case .log: "Registro"
        case .identityMissing: "La casa non ha inviato l'identità per questa chiamata."
        case .place: "Luogo"
        case .placeOf(let source, let of):
            source == "installed"
                ? "Indirizzo di installazione della centralina"
                : "\(source == "fix" ? "Posizione attuale" : "Ultima posizione nota") \(of == "wearable" ? "del dispositivo della persona" : "della centralina")"
        case .accuracy(let metres): "entro \(metres) m"
        case .ageOfPlace(let seconds): seconds < 120 ? "di \(seconds) s fa" : "di \(seconds / 60) min fa"
        case .coordinates: "Coordinate"
        case .map: "Mappa del luogo, il nord è in alto"
        case .metres(let count): count < 1_000 ? "\(count) m" : "\(count / 1_000) km"
        case .noPlace: "La casa non ha inviato un luogo per questa chiamata."
        case .limit: "limite"
        case .value: "Valore"
        case .newest: "ultimo"
        case .time: "Ora"
        case .ringing(let count):
            count == 1 ? "1 chiamata attende qualcuno" : "\(count) chiamate attendono qualcuno"
        case .folded(let count, let house):
            count == 1
                ? "1 altra chiamata aperta della casa \(house)"
                : "Altre \(count) chiamate aperte della casa \(house)"
        case .foldedAge: "Il tempo è quello della più vecchia."
        case .showFold: "Mostrale"
        case .furtherOf(let house): "Altre chiamate aperte della casa \(house)"
        case .closeTogether(let count): count == 1 ? "Chiudi 1 chiamata" : "Chiudi insieme \(count) chiamate"
        case .closeTogetherHint:
            "Chiude quelle qui sopra che nessuno ha preso. La casa non viene avvisata: se continua a chiamare, la chiamata si riapre."
        case .takingTimes(let times):
            times.calls == 0
                ? "Nessuna chiamata misurata negli ultimi \(TakingTimes.days) giorni."
                : "Di \(times.calls) chiamate degli ultimi \(TakingTimes.days) giorni, il \(TakingTimes.percent(times.withinMinute, of: times.calls)) % è stato preso entro \(TakingTimes.soon) s e il \(TakingTimes.percent(times.withinThree, of: times.calls)) % entro \(TakingTimes.late) s."
        case .untouched(let name): "\(name) non fa nulla per questa chiamata da 5 minuti. Chiedi, o subentra."
        case .holderAway(let name): "\(name) non è in centrale: nessuna sua pagina è in vista."
        case .takeOver: "Subentra nella chiamata"
        case .reason: "Motivo"
        case .takeOverHint(let name):
            "Possibile quando \(name) non è in centrale, o non fa nulla per la chiamata da 5 minuti."
        case .keepOn: "Ci sto ancora lavorando"
        case .obstacle(.broker): "LE CHIAMATE NON ARRIVANO: il broker non risponde a questo server."
        case .obstacle(.database): "LE CHIAMATE NON ARRIVANO: il database non risponde a questo server."
        case .canArrive: "Le chiamate possono arrivare."
        case .mayArrive: "Questo server si è appena avviato: non è ancora noto se le chiamate possono arrivare."
        case .newestMessage(let seconds): "L'ultimo segno di vita di una casa è di \(age(seconds)) fa."
        case .silent(let seconds):
            "LE CHIAMATE POTREBBERO NON ARRIVARE: nessuna casa dà segno di vita da \(age(seconds)). Controllare il broker e la sua rete."
        case .acceptanceSent: "Il broker ha l'accettazione; la casa smette di chiamare."
        case .acceptanceWaits: "L'accettazione sta andando alla casa."
        case .acceptanceRefused(let reason): "Il broker rifiuta l'accettazione: \(reason). Telefona alla casa."
        case .refused(let refusal): refused(refusal)
        case .entry(let entry): line(entry)
        case .forwarding(let standing, let minutes): forwarding(standing, minutes)
        case .minutes(let count): count == 1 ? "1 minuto" : "\(count) minuti"
        case .back: "Tutte le chiamate"
        }
    }

    private func refused(_ refusal: DeskRefusal) -> String {
        switch refusal {
        case .unknownCall: "Questa chiamata non esiste."
        case .taken(let by, _): "La chiamata è di \(by.name)."
        case .notTaken: "Prima prendi la chiamata."
        case .holderPresent(let by, _):
            "La chiamata è di \(by.name), che è in centrale e ci ha lavorato negli ultimi 5 minuti."
        case .closed(let by, _): "\(by.name) ha chiuso questa chiamata."
        case .over(let state, let by): say(.overBy(state, by)) + ". Non c'è niente da prendere."
        case .emptyNote: "Il testo è vuoto."
        case .noteTooLong(let limit): "Il testo supera \(limit) caratteri."
        case .tooManyNotes: "La chiamata non può avere altre note."
        }
    }

    private func forwarding(_ standing: CallForwarding.Standing, _ minutes: Int) -> String {
        switch standing {
        case .none: ""
        case .waitsForDispatcher: "Tra poco inoltrata al servizio esterno, se nessuno la prende"
        case .unanswered: "Inoltro in corso: il servizio esterno non ha ancora risposto"
        case .failing(let failure):
            "NON INOLTRATA da \(say(.minutes(minutes))): \(failure.reason). Telefonare al servizio."
        case .handedOver: "Il servizio esterno ha la chiamata; nessuno lì l'ha confermata"
        case .accepted(let acceptance): "Presa dal servizio esterno: \(acceptance.by)"
        case .withdrawn: "Il servizio esterno sa che la chiamata è chiusa"
        }
    }

    private func line(_ entry: EmergencyCall.Entry) -> String {
        switch entry {
        case .message(let state, let round, _):
            "La casa: \(state.rawValue)" + (round.map { ", ripetizione \($0)" } ?? "")
        case .taken(let dispatcher): "\(dispatcher.name) ha preso la chiamata"
        case .released(let dispatcher): "\(dispatcher.name) ha restituito la chiamata"
        case .takenOver(let dispatcher, let holder, let reason):
            "\(dispatcher.name) è subentrato a \(holder.name): \(reason)"
        case .keptOn(let dispatcher): "\(dispatcher.name) ci sta ancora lavorando"
        case .noted(let dispatcher, let text): "\(dispatcher.name): \(text)"
        case .closed(let dispatcher, let outcome, let note):
            "\(dispatcher.name) ha chiuso la chiamata: \(say(.outcomes(outcome)))"
                + (note.isEmpty ? "" : ". \(note)")
        case .reopened: "La casa ha continuato a chiamare: la chiamata è di nuovo aperta"
        case .acceptanceDelivered(let dispatcher): "Il broker ha l'accettazione di \(dispatcher.name)"
        case .acceptanceRefused(let reason): "Il broker rifiuta l'accettazione: \(reason)"
        case .forwarded(let kind, let number): "Il servizio esterno ha il messaggio \(number): \(kind.rawValue)"
        case .forwardingFailed(let reason): "Non inoltrata: \(reason)"
        case .forwardingGivenUp(let reason): "Inoltro abbandonato: \(reason)"
        case .acceptedOutside(let name): "Presa dal servizio esterno: \(name)"
        }
    }
}
