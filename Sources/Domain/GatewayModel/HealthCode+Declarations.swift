/// Words and severity of each condition: one place for all that is said of it.
extension HealthCode {
    public struct Declaration: Sendable {
        /// Sentence for people, without a full stop.
        public let title: Text
        public let severity: Severity
        public let remedy: String
    }

    public var declaration: Declaration {
        switch self {
        case .bluetoothUnavailable:
            Declaration(
                title: Text(
                    en: "Bluetooth cannot be reached",
                    it: "Il Bluetooth non si raggiunge"), severity: .supervision,
                remedy: "Check that bluetoothd runs: systemctl status bluetooth")
        case .bluetoothHung:
            Declaration(
                title: Text(
                    en: "Bluetooth seems to hang: supervision is paused",
                    it: "Il Bluetooth sembra bloccato: la sorveglianza è sospesa"), severity: .supervision,
                remedy: "The log names each try; if it lasts, unplug the adapter or restart the box")
        case .advertsLessSure:
            Declaration(
                title: Text(
                    en: "Adverts are heard through bluetoothd, less surely: a press of a button may be missed",
                    it:
                        "I messaggi radio si ricevono tramite bluetoothd, con meno sicurezza: la pressione di un pulsante può sfuggire"
                ), severity: .degraded,
                remedy: "See: homegateway check. The systemd unit grants the right to listen, CAP_NET_RAW")
        case .advertsRefused:
            Declaration(
                title: Text(
                    en: "A wearable's adverts are not believed: its button would call nobody",
                    it:
                        "Ai messaggi radio di un dispositivo non si crede: il suo pulsante non chiamerebbe nessuno"
                ), severity: .supervision,
                remedy:
                    "The log says why. Check key_file against the device's app; or forget it and add it again"
            )
        case .batteryUnconfirmed:
            Declaration(
                title: Text(
                    en: "A wearable counts its adverts anew: it calls for help, and cannot cancel",
                    it: "Un dispositivo conta da capo i suoi messaggi: chiama aiuto, ma non può annullare"),
                severity: .supervision,
                remedy:
                    "If its battery was changed, press its button, then: homegateway devices battery ID. Otherwise "
                    + "somebody may be replaying recorded adverts"
            )
        case .radioDeaf:
            Declaration(
                title: Text(
                    en: "The radio hears no advert of any device: a press of a button would not be heard",
                    it: "La radio non sente nessun dispositivo: la pressione di un pulsante non si sentirebbe"),
                severity: .supervision,
                remedy: "Move the adapter away from Wi-Fi and metal; plug it in again, or restart the box. "
                    + "See: dmesg")
        case .wearableNeverHeard:
            Declaration(
                title: Text(
                    en: "A wearable that advertises was never heard since it was added",
                    it: "Un dispositivo non si è mai sentito da quando è stato aggiunto"),
                severity: .supervision,
                remedy: "Press its button once near the box; begin a test before if it calls for help: "
                    + "homegateway test-button --person ID. If this stays, its address or its battery is wrong: "
                    + "compare homegateway devices list with homegateway devices scan")
        case .sosButtonUntested:
            Declaration(
                title: Text(
                    en: "An SOS button was not pressed in its test: it is not known whether it works",
                    it: "Un pulsante SOS non è stato premuto nella sua prova: non si sa se funziona"),
                severity: .degraded,
                remedy:
                    "Begin a test (homegateway test-button, or the page Set up) and have it pressed once, within two "
                    + "minutes. If nothing is said, change its battery, and compare its address: homegateway devices list"
            )
        case .wearableAway:
            Declaration(
                title: Text(
                    en: "A wearable is out of reach",
                    it: "Un dispositivo è fuori portata"), severity: .supervision,
                remedy: "Check that it is worn, charged and in the house")
        case .wearableUnsupported:
            Declaration(
                title: Text(
                    en: "A wearable gives nothing that this gateway understands",
                    it: "Un dispositivo non dà niente che questa centralina capisca"), severity: .supervision,
                remedy:
                    "It is in reach, and shows no measurement of a standard form. Give its wearer a device of "
                    + "docs/installer/wearables.md, and take this one out: homegateway devices forget ID")
        case .wearableSilent:
            Declaration(
                title: Text(
                    en: "A wearable is connected but sends nothing",
                    it: "Un dispositivo è collegato ma non invia niente"), severity: .supervision,
                remedy: "Check that it is worn as its maker says; take it off and put it on again")
        case .readingsUnproven:
            Declaration(
                title: Text(
                    en: "A wearable's measurement has stopped although it is connected",
                    it: "La misura di un dispositivo si è fermata, anche se è collegato"),
                severity: .supervision,
                remedy: "Check that it is worn and switched on; it is being connected anew")
        case .batteryLow:
            Declaration(
                title: Text(
                    en: "A wearable's battery is nearly empty",
                    it: "La batteria di un dispositivo è quasi scarica"), severity: .degraded,
                remedy: "Charge it, or change its battery")
        case .sensorContactLost:
            Declaration(
                title: Text(
                    en: "A wearable does not touch the skin",
                    it: "Un dispositivo non tocca la pelle"), severity: .supervision,
                remedy: "Put it on again; moisten the electrodes of a chest strap")
        case .undecodableReadings:
            Declaration(
                title: Text(
                    en: "A wearable sends bytes that cannot be decoded",
                    it: "Un dispositivo invia dati che non si possono decifrare"), severity: .degraded,
                remedy: "See the log for the bytes; update or replace the wearable")
        case .wearableUserUnnamed:
            Declaration(
                title:
                    Text(
                        en:
                            "Somebody has measured with a shared device whom nobody has named: the value is nobody's",
                        it:
                            "Con un dispositivo comune ha misurato qualcuno che nessuno ha indicato: il valore non è di nessuno"
                    ), severity: .degraded,
                remedy:
                    "Ask who measured. Name the users of the device: users = { 1 = \"maria\" } of its [[wearable]]"
            )
        case .positionUnavailable:
            Declaration(
                title: Text(
                    en: "No position from gpsd",
                    it: "Manca la posizione: gpsd non la dà"), severity: .degraded,
                remedy: "Check that gpsd runs and its receiver sees the sky: gpspipe -w")
        case .brokerUnreachable:
            Declaration(
                title: Text(
                    en: "The broker cannot be reached",
                    it: "Il broker non si raggiunge"), severity: .degraded,
                remedy: "Check the network and [broker] host and port in the settings")
        case .brokerRefused:
            Declaration(
                title: Text(
                    en: "The broker refuses this gateway",
                    it: "Il broker rifiuta questa centralina"), severity: .degraded,
                remedy: "Check the gateway's rights at the broker; the log has its reason code")
        case .brokerSessionTaken:
            Declaration(
                title: Text(
                    en: "Another client uses this gateway's id at the broker, and takes its connection",
                    it:
                        "Un altro client usa il nome di questa centralina presso il broker e prende il suo collegamento"
                ), severity: .degraded,
                remedy: "Give every gateway its own id: [gateway] id in the settings of each box")
        case .brokerMisbehaves:
            Declaration(
                title: Text(
                    en: "The broker keeps sending packets that it must not send",
                    it: "Il broker continua a inviare messaggi che non deve inviare"), severity: .notice,
                remedy: "Show the operator of the broker the log: it names the packets. None of them is used")
        case .acceptancesRefused:
            Declaration(
                title: Text(
                    en: "Acceptances of calls for help are refused: the calling goes on",
                    it: "Le accettazioni delle chiamate di aiuto sono rifiutate: le chiamate continuano"),
                severity: .degraded,
                remedy: "The log says why. The service must sign them with a key of [[commands.issuers]]: "
                    + "see docs/integrator/commands.md")
        case .deskUnattended:
            Declaration(
                title: Text(
                    en:
                        "Nobody is at the emergency desk, or the desk is not heard: help is called all the same",
                    it:
                        "Alla centrale di emergenza non c'è nessuno, o non si sente: l'aiuto viene chiamato comunque"
                ), severity: .degraded,
                remedy: "Ask the operator of the desk to have somebody sign in. If somebody is there, see "
                    + "docs/trackme/desk.md#tell-the-houses-that-nobody-is-there")
        case .nothingAccepted:
            Declaration(
                title: Text(
                    en: "No data policy is accepted: nothing is sent",
                    it: "Nessuna informativa sui dati è accettata: non si invia niente"), severity: .notice,
                remedy: "Ask the person, then: homegateway consent accept --person NAME data-policy")
        case .consentDamaged:
            Declaration(
                title: Text(
                    en:
                        "The consent ledger was damaged: readings stay in the house until somebody accepts anew",
                    it:
                        "Il registro dei consensi era danneggiato: le misure restano in casa finché qualcuno non accetta di nuovo"
                ), severity: .supervision,
                remedy: "Look: homegateway consent list; then accept for each person, as they wish. "
                    + "The log names the file set aside")
        case .dashboardUnreachable:
            Declaration(
                title: Text(
                    en: "The home's own dashboard is not reached: it shows nothing new",
                    it: "Il pannello della casa non si raggiunge: non mostra niente di nuovo"),
                severity: .notice,
                remedy: "The log says why. Check that its broker runs, and [home_assistant] in the settings")
        case .outboxFull:
            Declaration(
                title: Text(
                    en: "Unsent readings were given up to make room",
                    it: "Alcune misure non inviate sono state cancellate per fare posto"), severity: .degraded,
                remedy: "Restore the connection to the broker; a gap record names the missing readings")
        case .storageDamaged:
            Declaration(
                title: Text(
                    en: "A file of the state directory was damaged; its readable part was saved",
                    it: "Un file della cartella di stato era danneggiato; la parte leggibile è stata salvata"),
                severity: .degraded,
                remedy:
                    "Change the SD card soon; the log names the file set aside. It clears with the next start")
        case .devicesDamaged:
            Declaration(
                title: Text(
                    en: "The file of wearables that were added by command was damaged: some may not be watched",
                    it:
                        "L'elenco dei dispositivi aggiunti a comando era danneggiato: alcuni forse non sono sorvegliati"
                ), severity: .supervision,
                remedy:
                    "Compare: homegateway devices list; find the missing ones: homegateway devices scan. Pair them again. "
                    + "It clears with the next start")
        case .identityRenewed:
            Declaration(
                title: Text(
                    en:
                        "The gateway's own key was damaged, and another was made: nobody can check its receipts",
                    it:
                        "La chiave della centralina era danneggiata, e ne è stata fatta un'altra: nessuno può verificare le sue ricevute"
                ), severity: .degraded,
                remedy:
                    "Have the issuer of commands pin the new key: homegateway contract keys; or put identity.key "
                    + "back from a backup, and restart. It clears with the next start")
        case .clockNotSet:
            Declaration(
                title:
                    Text(
                        en:
                            "The box's clock is not set: times are wrong, and the ends of certificates are not judged",
                        it:
                            "L'orologio della centralina non è regolato: le ore sono sbagliate, e le scadenze dei certificati non si controllano"
                    ), severity: .degraded,
                remedy: "Give the box a network with a time server, or set the clock: timedatectl. "
                    + "Alarms are judged all the same")
        case .certificateEnding:
            Declaration(
                title: Text(
                    en: "A certificate ends within 30 days, or has ended: then help is not called by its way",
                    it:
                        "Un certificato scade entro 30 giorni, o è scaduto: poi per quella via non si chiama aiuto"
                ), severity: .degraded,
                remedy: "The reason names the file and the day. Put a new one in its place, then: "
                    + "sudo systemctl restart homegateway")
        case .runFilesWrong:
            Declaration(
                title: Text(
                    en: "A run file is wrong and is not taken: its run is not timed as it says",
                    it: "Il file di una gara è sbagliato e non viene usato: la gara non è cronometrata così"),
                severity: .degraded,
                remedy: "See: homegateway runs check; correct it, then: homegateway runs reload")
        case .runsDoubtful:
            Declaration(
                title: Text(
                    en: "The runs of this box contradict each other or the commands",
                    it: "Le gare di questa centralina si contraddicono, o contraddicono i comandi"),
                severity: .notice,
                remedy: "See: homegateway runs list")
        case .historyOff:
            Declaration(
                title: Text(
                    en: "Readings are not kept in the house: the past that is shown has a gap",
                    it: "Le misure non si conservano in casa: nel passato che si mostra c'è un vuoto"),
                severity: .degraded,
                remedy: "The log says why: the disk, or the key of [history]. It is tried again by itself")
        case .storageUnavailable:
            Declaration(
                title: Text(
                    en: "The state directory cannot be written: unsent messages are lost at a stop",
                    it:
                        "Non si può scrivere nella cartella di stato: a un arresto si perde ciò che non è inviato"
                ), severity: .degraded, remedy: "Check the disk, and [gateway] state_directory in the settings")
        case .alarmsForgotten:
            Declaration(
                title: Text(
                    en: "The state before the restart cannot be read: an alarm may have been lost",
                    it: "Lo stato precedente al riavvio non si può leggere: un allarme può essere andato perso"),
                severity: .supervision,
                remedy: "Ask how everyone is; the log names the file. It clears with the next start")
        case .alarmNotCancellable:
            Declaration(
                title: Text(
                    en: "Nobody in the house can cancel a false alarm",
                    it: "Nessuno in casa può annullare un falso allarme"), severity: .degraded,
                remedy: "Add a button that cancels, or declare cannot_cancel in the settings: homegateway check"
            )
        case .houseUnalarmed:
            Declaration(
                title: Text(
                    en: "Nobody in the house can be told of an alarm: no console, sound or lamp",
                    it: "In casa non si può segnalare un allarme a nessuno: né schermo, né suono, né lampada"),
                severity: .supervision,
                remedy: "Check where the gateway's standard output goes, and [house] in the settings")
        case .houseSilent:
            Declaration(
                title: Text(
                    en: "An alarm cannot be heard in the house",
                    it: "In casa un allarme non si può sentire"), severity: .degraded,
                remedy: "The log says why. Check the sound card: aplay -l; without one: [house] sound = false")
        case .houseVoiceless:
            Declaration(
                title: Text(
                    en: "An alarm sounds without words",
                    it: "Un allarme suona senza parole"), severity: .degraded,
                remedy: "The log says why. Install espeak-ng; without a voice: [house] voice = false")
        case .houseLampDark:
            Declaration(
                title: Text(
                    en: "The lamp of the house cannot be switched",
                    it: "La lampada della casa non si può accendere"), severity: .degraded,
                remedy: "The log says why. Check [house.lamp] in the settings: gpioinfo")
        case .houseButtonDead:
            Declaration(
                title: Text(
                    en: "The button of the box does not work: it neither cancels nor calls",
                    it: "Il pulsante della centralina non funziona: non annulla e non chiama"),
                severity: .degraded,
                remedy: "The log says why. Check [house.button] in the settings, and its wires: gpioinfo")
        case .realtimeUnavailable:
            Declaration(
                title: Text(
                    en: "No real-time priority for the SOS thread",
                    it: "Il thread degli allarmi non ha la priorità in tempo reale"), severity: .notice,
                remedy: "Start through systemd (LimitRTPRIO=), or as root")
        case .channelFailing:
            Declaration(
                title: Text(
                    en: "A way to call for help does not work",
                    it: "Un modo di chiamare aiuto non funziona"), severity: .degraded,
                remedy: "The log has the observation. It clears with the next test that works, or the next call"
            )
        case .helpUnreachable:
            Declaration(
                title: Text(
                    en: "No way to call help works for a person: an alarm would reach nobody outside",
                    it:
                        "Per una persona non funziona nessun modo di chiamare aiuto: un allarme non arriverebbe a nessuno fuori casa"
                ), severity: .supervision,
                remedy:
                    "Be with the person, or within call. See: homegateway status; check the network, the router "
                    + "and the modem"
            )
        case .drillFailed:
            Declaration(
                title: Text(
                    en: "The last drill was answered by nobody",
                    it: "All'ultima esercitazione non ha risposto nessuno"), severity: .degraded,
                remedy:
                    "Ask those who take the calls; then try again. It clears with the next drill that is answered"
            )
        case .mainsLost:
            Declaration(
                title: Text(
                    en: "The box runs on its battery: the mains are gone",
                    it: "La centralina va a batteria: manca la corrente"), severity: .degraded,
                remedy: "Check the plug, the fuse and the power cut")
        case .houseBatteryLow:
            Declaration(
                title: Text(
                    en: "The box's own battery is nearly empty: it will stop watching",
                    it: "La batteria della centralina è quasi scarica: la sorveglianza si fermerà"),
                severity: .supervision,
                remedy: "Bring the mains back before it is empty; else stay with the person")
        case .raceClockUnset:
            Declaration(
                title: Text(
                    en: "The box does not know the time: its times are marked, and dated when it does",
                    it:
                        "La centralina non conosce l'ora: i tempi sono contrassegnati, e datati quando la conosce"
                ), severity: .degraded,
                remedy:
                    "Give the receiver a view of the sky (gpspipe -w), or the box a network with a time server")
        case .raceClockDisputed:
            Declaration(
                title: Text(
                    en: "A source of the time contradicts the clock of the race, and is not believed",
                    it: "Una fonte dell'ora contraddice l'orologio della gara, e non le si crede"),
                severity: .degraded,
                remedy: "See: homegateway status. Check the receiver's view of the sky, and the time server")
        case .raceDeaf:
            Declaration(
                title: Text(
                    en: "A run is underway, and the box cannot hear tags: nobody is timed",
                    it: "Una gara è in corso, e la centralina non sente i tag: nessuno è cronometrato"),
                severity: .degraded,
                remedy: "See: homegateway check. Bluetooth has to be on; the systemd unit grants CAP_NET_RAW")
        case .raceSilent:
            Declaration(
                title: Text(
                    en: "A run is underway, and no tag was heard for long",
                    it: "Una gara è in corso, e da molto non si sente nessun tag"), severity: .degraded,
                remedy: "Hold a tag beside the box: homegateway race self-test TAG. Look at the antenna")
        case .raceRadioDeaf:
            Declaration(
                title: Text(
                    en: "A run is underway, and one of the radios hears no tag while another does",
                    it: "Una gara è in corso, e una delle radio non sente nessun tag mentre un'altra sì"),
                severity: .degraded,
                remedy: "See: homegateway status. Plug it in again, look at its antenna")
        case .settingsRefused:
            Declaration(
                title: Text(
                    en: "The settings cannot be used: the last ones that worked are in force",
                    it: "Le impostazioni non si possono usare: valgono le ultime che hanno funzionato"),
                severity: .supervision,
                remedy: "See: homegateway check; correct the line, then: homegateway reload")
        case .settingsEntrySetAside:
            Declaration(
                title: Text(
                    en: "A part of the settings is wrong and is set aside: somebody is watched or called less",
                    it:
                        "Una parte delle impostazioni è sbagliata e messa da parte: qualcuno è sorvegliato o chiamato di meno"
                ), severity: .supervision,
                remedy: "See: homegateway check; correct the line, then: homegateway reload")
        case .settingIgnored:
            Declaration(
                title: Text(
                    en: "A part of the settings is wrong and is left out",
                    it: "Una parte delle impostazioni è sbagliata e non viene usata"), severity: .degraded,
                remedy: "See: homegateway check; correct the line, then: homegateway reload")
        case .nobodyToCall:
            Declaration(
                title: Text(
                    en: "No way to call help is left for a person: each of their channels is set aside",
                    it:
                        "Per una persona non resta nessun modo di chiamare aiuto: ogni suo canale è messo da parte"
                ), severity: .supervision,
                remedy: "Stay with the person. Mend a channel: homegateway check; then: homegateway reload")
        case .settingsFileWrong:
            Declaration(
                title: Text(
                    en: "The settings on the disk are wrong: the gateway goes on with those it has",
                    it: "Le impostazioni sul disco sono sbagliate: la centralina continua con quelle che ha"),
                severity: .degraded,
                remedy: "See: homegateway check; correct the line before the next restart")
        case .settingsNotApplied:
            Declaration(
                title: Text(
                    en: "The settings on the disk are not those that run",
                    it: "Le impostazioni sul disco non sono quelle in uso"), severity: .notice,
                remedy: "To apply them: homegateway reload")
        case .passingLogUnavailable:
            Declaration(
                title: Text(
                    en: "The log of passings cannot be written: they are timed and sent, and lost at a stop",
                    it:
                        "Il registro dei passaggi non si può scrivere: sono cronometrati e inviati, e persi a un arresto"
                ), severity: .degraded,
                remedy:
                    "The log says why: a full or worn disk. Free or change it; the waiting passings are written then"
            )
        case .inputSetAside:
            Declaration(
                title:
                    Text(
                        en:
                            "The gateway ended while it handled an input; that input is set aside and not handled again",
                        it:
                            "La centralina si è fermata mentre trattava un dato; quel dato è messo da parte e non si tratta più"
                    ), severity: .degraded,
                remedy:
                    "Ask its sender to send it in another form. Update homegateway, and report the log's line. "
                    + "It clears with the next start")
        case .sourceUnavailable:
            Declaration(
                title: Text(
                    en: "The inbox or the socket of a program cannot be used: nothing is taken from it",
                    it: "La cartella o il socket di un programma non si può usare: non si prende niente da lì"),
                severity: .degraded,
                remedy: "Check that the directory exists and belongs to the gateway's user; see "
                    + "docs/integrator/sources.md")
        case .sourceRefused:
            Declaration(
                title: Text(
                    en: "A program hands over values that are refused",
                    it: "Un programma consegna valori che sono rifiutati"), severity: .notice,
                remedy:
                    "The text beside the file in refused/ says why, as does homegateway status. It clears with "
                    + "the next values that are right")
        case .consoleUnavailable:
            Declaration(
                title:
                    Text(
                        en:
                            "The socket of the pages cannot be made: screens and telephones of the house see nothing",
                        it:
                            "Il socket delle pagine non si può creare: schermi e telefoni della casa non vedono niente"
                    ), severity: .degraded,
                remedy:
                    "Check that the folder of console_socket exists and that the gateway may write there, then: "
                    + "systemctl restart homegateway")
        }
    }
}
