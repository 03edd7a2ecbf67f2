import ContractReading
import GatewayModel
import Store

extension MyDataWords {
    func italian(_ text: Text) -> String {
        switch text {
        case .month: "30 giorni"
        case .quarter: "90 giorni"
        case .noData(let gap):
            "nessun dato, perché \(Self.italianReason(gap.reason)) (ne mancano \(gap.dropped))"
        case .missing(let from, let to, let gap):
            "Da \(from) a \(to): mancano \(gap.dropped) misure, perché \(Self.italianReason(gap.reason))."
        case .alarm(let time, let state, let isDrill):
            (isDrill ? "Prova di un allarme" : "Allarme") + " del \(time): "
                + {
                    switch state {
                    case .pending, .confirmed: "non ancora finito"
                    case .cancelled: "annullato"
                    case .resolved: "risolto"
                    case .accepted: "qualcuno lo ha accettato"
                    case .lapsed: "nessuno ha risposto"
                    }
                }()
        case .houseLink: "Casa e dispositivi"
        case .house: "Casa"
        case .seen(let time): "Ultimo segno di vita: \(time)."
        case .neverSeen: "La casa non ha ancora detto nulla di sé."
        case .present: "È collegata."
        case .away: "Non è collegata."
        case .version(let version): "Versione \(version)."
        case .onBattery(let percent):
            percent.map { "Funziona a batteria, carica al \($0) %." } ?? "Funziona a batteria."
        case .unsent(let count): "Messaggi che aspettano di partire: \(count)."
        case .conditions: "Condizioni segnalate dalla casa"
        case .condition(let code?, let subject): Self.sentence(code.title(in: .italian), subject)
        case .condition(nil, let subject):
            Self.sentence(
                "La casa segnala qualcosa che questo server non sa nominare; lo mostrano le pagine in casa",
                subject)
        case .devices: "Dispositivi"
        case .noDevices: "Nessun dispositivo ha mandato misure."
        case .lastReading(let time): "Ultima misura: \(time)."
        case .noReading: "Nessuna misura conosciuta."
        case .batteryLow: "La batteria è quasi scarica."
        case .batteryNotTold: "La casa parla di una batteria solo quando è quasi scarica."
        case .limits: "Soglie degli allarmi"
        case .automatedSOS: "Chiamate di aiuto (AutomatedSOS)"
        case .automatedSOSOn: "Attive: accettate a casa"
        case .automatedSOSOff: "Non attive: a casa nessuno le ha accettate. La casa non chiama aiuto da sola"
        case .automatedSOSHint:
            "La casa riconosce le emergenze dai sensori e chiama aiuto. Si attivano e disattivano solo a casa, nella pagina Permessi della casa o con l'installatore."
        case .limitsIntro:
            "La casa giudica gli allarmi con soglie sue. Le mostra qui, e nei grafici di tutti gli account collegati, se la "
                + "persona dice di sì a casa."
        case .limitsAsk: "Chiedi alla persona"
        case .limitsEnd: "Non mostrarle più"
        case .limitState(let state):
            switch state {
            case .asked: "Chiesto alla persona"
            case .shared: "Mostrate"
            case .refused: "La persona ha detto di no"
            case .ended: "Non più mostrate"
            case .expired: "La persona non ha risposto"
            case .failed: "La casa non ha accettato la domanda"
            }
        case .limit(let side, let value):
            switch side {
            case .low: "Allarme sotto \(value)"
            case .high: "Allarme sopra \(value)"
            case .warningLow: "Avviso sotto \(value)"
            case .warningHigh: "Avviso sopra \(value)"
            }
        case .notices: "Notizie dalla casa"
        case .noNotices: "Non ci sono notizie."
        case .ended: "Finito"
        case .interval: "Ogni quanto partono le misure"
        case .intervalIntro:
            "In casa si vede ogni misura: gli allarmi non cambiano. Un intervallo più lungo manda solo meno misure a questo server "
                + "e alle aziende. La casa può rifiutare il comando."
        case .seconds: "Secondi fra due misure"
        case .secondsHint: "Da 1 a 3600. Con 0 tornano le impostazioni della casa."
        case .send: "Manda alla casa"
        case .badSeconds: "Scrivi un numero intero da 0 a 3600."
        case .tooMany: "Per oggi basta. Riprova domani."
        case .sent: "Il comando è partito."
        case .commands: "Comandi e risposte della casa"
        case .noCommands: "Nessun comando mandato."
        case .everySeconds(let kind, let seconds): "\(kind): ogni \(seconds) s"
        case .asSettings(let kind): "\(kind): come nelle impostazioni della casa"
        case .state(let state):
            switch state {
            case .sent: "in viaggio"
            case .done: "eseguito dalla casa"
            case .refused: "rifiutato dalla casa"
            case .noAnswer: "la casa non ha risposto in tempo"
            }
        case .reason(let code): "Motivo: \(code)"
        case .looks: "Account che hanno guardato"
        case .looksIntro:
            "Ogni account ha bisogno di un sì a casa. Gli accessi sono contati per giorno, anche i tuoi."
        case .noLooks: "Nessuno ha ancora guardato."
        case .deletedAccount: "un account eliminato"
        case .look(let manner, let count, let time):
            switch manner {
            case .page: "pagine: \(count), l'ultima il \(time)"
            case .file: "file: \(count), l'ultimo il \(time)"
            case .program: "da un programma: \(count), l'ultima volta il \(time)"
            case .export: "esportazione di tutto: \(count), l'ultima il \(time)"
            }
        case .profile: "Profilo"
        case .zone: "Fuso orario"
        case .serverZone: "come il server"
        case .changePassword: "Cambia la password"
        case .currentPassword: "Password attuale"
        case .newPassword: "Nuova password"
        case .passwordChanged: "La password è cambiata. Tutti gli altri browser sono usciti."
        case .wrongPassword: "Questa non è la tua password."
        case .groups: "Statistiche di gruppo"
        case .groupsLink: "Scegli se essere contato nelle statistiche di gruppo"
        case .export: "Porta tutto con te"
        case .exportIntro:
            "Un file con il tuo account e con tutto quello che è conservato delle persone che ti hanno accettato: le misure "
                + "finché ci sono, poi minimo, media e massimo di ogni minuto o di ogni ora. "
                + "Per le chiamate alla centrale di emergenza chiedi al gestore."
        case .exportJSON: "Tutto in JSON"
        case .exportCSV: "Misure in CSV"
        case .exportFHIR: "Misure in FHIR R4"
        case .deleteStart: "Leggi prima che cosa succede"
        case .deleteAsk: "Se elimini il tuo account, succede subito questo:"
        case .deleteWithdraws:
            "Questi collegamenti finiscono, e le case lo sanno da un comando firmato, finché ognuna non ha risposto:"
        case .deleteErases:
            "Se nessun altro account è collegato a una di queste persone, è cancellato tutto quello che qui è conservato di lei: "
                + "misure, riassunti, lacune, notizie, documenti e il registro degli accessi."
        case .deleteKeepsOthers:
            "Se un altro account è collegato alla persona, le misure restano per quell'account."
        case .deleteSessions(let count): "Browser con accesso che escono: \(count)."
        case .deleteKey:
            "La chiave che apre il tuo nome è distrutta, anche per le vecchie copie del database appena sono sostituite."
        case .deleteStays:
            "Resta: quello che la casa stessa conserva, le copie che un'azienda ha già letto, e le chiamate di aiuto alla "
                + "centrale, che il gestore deve conservare."
        case .deleteExportFirst: "Prima porta i tuoi dati con te, se vuoi tenerli."
        case .deleteNoLinks: "Il tuo account non ha collegamenti."
        }
    }

    private static func italianReason(_ reason: SampleGap.Reason?) -> String {
        switch reason {
        case .quota: "il disco della casa era pieno"
        case .age: "la casa è stata lontana troppo a lungo"
        case .storage: "il disco della casa non ha funzionato"
        case .refused: "il broker non le ha accettate"
        case nil: "di un motivo che questo server non conosce"
        }
    }
}
