extension HealthCode {
    /// Sentence for people, without a full stop. The English one is that of the declaration.
    public func title(in language: PersonProfile.Language) -> String {
        switch language {
        case .english: declaration.title
        case .italian: italianTitle
        }
    }

    private var italianTitle: String {
        switch self {
        case .bluetoothUnavailable: "Il Bluetooth non si raggiunge"
        case .bluetoothHung: "Il Bluetooth sembra bloccato: la sorveglianza è sospesa"
        case .advertsLessSure:
            "I messaggi radio si ricevono tramite bluetoothd, con meno sicurezza: la pressione di un pulsante può sfuggire"
        case .advertsRefused:
            "Ai messaggi radio di un dispositivo non si crede: il suo pulsante non chiamerebbe nessuno"
        case .batteryUnconfirmed:
            "Un dispositivo conta da capo i suoi messaggi: chiama aiuto, ma non può annullare"
        case .radioDeaf:
            "La radio non sente nessun dispositivo: la pressione di un pulsante non si sentirebbe"
        case .wearableNeverHeard: "Un dispositivo non si è mai sentito da quando è stato aggiunto"
        case .sosButtonUntested:
            "Un pulsante SOS non è stato premuto nella sua prova: non si sa se funziona"
        case .wearableAway: "Un dispositivo è fuori portata"
        case .wearableUnsupported: "Un dispositivo non dà niente che questa centralina capisca"
        case .wearableSilent: "Un dispositivo è collegato ma non invia niente"
        case .readingsUnproven: "La misura di un dispositivo si è fermata, anche se è collegato"
        case .batteryLow: "La batteria di un dispositivo è quasi scarica"
        case .sensorContactLost: "Un dispositivo non tocca la pelle"
        case .undecodableReadings: "Un dispositivo invia dati che non si possono decifrare"
        case .wearableUserUnnamed:
            "Con un dispositivo comune ha misurato qualcuno che nessuno ha indicato: il valore non è di nessuno"
        case .positionUnavailable: "Manca la posizione: gpsd non la dà"
        case .brokerUnreachable: "Il broker non si raggiunge"
        case .brokerRefused: "Il broker rifiuta questa centralina"
        case .brokerSessionTaken:
            "Un altro client usa il nome di questa centralina presso il broker e prende il suo collegamento"
        case .brokerMisbehaves: "Il broker continua a inviare messaggi che non deve inviare"
        case .acceptancesRefused:
            "Le accettazioni delle chiamate di aiuto sono rifiutate: le chiamate continuano"
        case .deskUnattended:
            "Alla centrale di emergenza non c'è nessuno, o non si sente: l'aiuto viene chiamato comunque"
        case .nothingAccepted: "Nessuna informativa sui dati è accettata: non si invia niente"
        case .consentDamaged:
            "Il registro dei consensi era danneggiato: le misure restano in casa finché qualcuno non accetta di nuovo"
        case .dashboardUnreachable: "Il pannello della casa non si raggiunge: non mostra niente di nuovo"
        case .outboxFull: "Alcune misure non inviate sono state cancellate per fare posto"
        case .storageUnavailable:
            "Non si può scrivere nella cartella di stato: a un arresto si perde ciò che non è inviato"
        case .storageDamaged:
            "Un file della cartella di stato era danneggiato; la parte leggibile è stata salvata"
        case .devicesDamaged:
            "L'elenco dei dispositivi aggiunti a comando era danneggiato: alcuni forse non sono sorvegliati"
        case .identityRenewed:
            "La chiave della centralina era danneggiata, e ne è stata fatta un'altra: nessuno può verificare le sue ricevute"
        case .clockNotSet:
            "L'orologio della centralina non è regolato: le ore sono sbagliate, e le scadenze dei certificati non si controllano"
        case .historyOff: "Le misure non si conservano in casa: nel passato che si mostra c'è un vuoto"
        case .runFilesWrong:
            "Il file di una gara è sbagliato e non viene usato: la gara non è cronometrata così"
        case .runsDoubtful: "Le gare di questa centralina si contraddicono, o contraddicono i comandi"
        case .alarmsForgotten:
            "Lo stato precedente al riavvio non si può leggere: un allarme può essere andato perso"
        case .alarmNotCancellable: "Nessuno in casa può annullare un falso allarme"
        case .houseUnalarmed:
            "In casa non si può segnalare un allarme a nessuno: né schermo, né suono, né lampada"
        case .houseSilent: "In casa un allarme non si può sentire"
        case .houseVoiceless: "Un allarme suona senza parole"
        case .houseLampDark: "La lampada della casa non si può accendere"
        case .houseButtonDead: "Il pulsante della centralina non funziona: non annulla e non chiama"
        case .realtimeUnavailable: "Il thread degli allarmi non ha la priorità in tempo reale"
        case .channelFailing: "Un modo di chiamare aiuto non funziona"
        case .certificateEnding:
            "Un certificato scade entro 30 giorni, o è scaduto: poi per quella via non si chiama aiuto"
        case .helpUnreachable:
            "Per una persona non funziona nessun modo di chiamare aiuto: un allarme non arriverebbe a nessuno fuori casa"
        case .drillFailed: "All'ultima esercitazione non ha risposto nessuno"
        case .mainsLost: "La centralina va a batteria: manca la corrente"
        case .houseBatteryLow:
            "La batteria della centralina è quasi scarica: la sorveglianza si fermerà"
        case .raceClockUnset:
            "La centralina non conosce l'ora: i tempi sono contrassegnati, e datati quando la conosce"
        case .raceClockDisputed: "Una fonte dell'ora contraddice l'orologio della gara, e non le si crede"
        case .passingLogUnavailable:
            "Il registro dei passaggi non si può scrivere: sono cronometrati e inviati, e persi a un arresto"
        case .raceDeaf: "Una gara è in corso, e la centralina non sente i tag: nessuno è cronometrato"
        case .raceSilent: "Una gara è in corso, e da molto non si sente nessun tag"
        case .raceRadioDeaf: "Una gara è in corso, e una delle radio non sente nessun tag mentre un'altra sì"
        case .settingsRefused:
            "Le impostazioni non si possono usare: valgono le ultime che hanno funzionato"
        case .settingsEntrySetAside:
            "Una parte delle impostazioni è sbagliata e messa da parte: qualcuno è sorvegliato o chiamato di meno"
        case .settingIgnored: "Una parte delle impostazioni è sbagliata e non viene usata"
        case .nobodyToCall:
            "Per una persona non resta nessun modo di chiamare aiuto: ogni suo canale è messo da parte"
        case .settingsFileWrong:
            "Le impostazioni sul disco sono sbagliate: la centralina continua con quelle che ha"
        case .settingsNotApplied: "Le impostazioni sul disco non sono quelle in uso"
        case .inputSetAside:
            "La centralina si è fermata mentre trattava un dato; quel dato è messo da parte e non si tratta più"
        case .sourceUnavailable:
            "La cartella o il socket di un programma non si può usare: non si prende niente da lì"
        case .sourceRefused: "Un programma consegna valori che sono rifiutati"
        case .consoleUnavailable:
            "Il socket delle pagine non si può creare: schermi e telefoni della casa non vedono niente"
        }
    }
}
