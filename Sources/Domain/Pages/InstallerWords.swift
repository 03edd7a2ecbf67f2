import ControlContract
import GatewayModel

// Findings, conditions, remedies and coverage stay in the English of `check` and `status`.
extension Text {
    static let look = Text(en: "Look for wearables", it: "Cerca i sensori")
    static func signal(_ bars: Int) -> Text {
        Text(en: "signal \(bars) of 4", it: "segnale \(bars) su 4")
    }
    static let id = Text(en: "Its id", it: "Il suo id")
    static let idHelp = Text(
        en: "A short word such as strap or scale: letters, digits and hyphens.",
        it: "Una parola breve come strap o scale: lettere, cifre e trattini.")
    static let person = Text(en: "Person who wears it", it: "Persona che lo indossa")
    static func heard(_ age: String) -> Text {
        Text(en: "It sends readings: \(age).", it: "Invia misure: \(age).")
    }
    static let lastHeard = Text(en: "Last heard", it: "Sentito l'ultima volta")
    static let kinds = Text(en: "Readings that count", it: "Misure che contano")
    static let key = Text(en: "Its key: 32 characters", it: "La sua chiave: 32 caratteri")
    static func event(_ event: SignalEvent) -> Text {
        switch event {
        case .button: Text(en: "Press of its button", it: "Pressione del pulsante")
        case .doublePress: Text(en: "Double press", it: "Doppia pressione")
        case .longPress: Text(en: "Long press", it: "Pressione lunga")
        case .vibration: Text(en: "Vibration", it: "Vibrazione")
        case .motion: Text(en: "Motion", it: "Movimento vicino")
        case .moving: Text(en: "It begins to move", it: "Comincia a muoversi")
        }
    }
}

extension Text {
    static let installTitle = Text(en: "Set up", it: "Installazione")
    static let done = Text(en: "Done", it: "Fatto")
    static let open = Text(en: "To do", it: "Da fare")
    static let radio = Text(en: "Radio", it: "Radio")
    static let wearables = Text(en: "Wearables", it: "Sensori")
    static let neverHeard = Text(en: "not heard yet", it: "mai sentito")
    static let noWearables = Text(en: "No wearable yet.", it: "Ancora nessun sensore.")
    static let pairWearable = Text(en: "Pair a wearable", it: "Abbina un sensore")
    static let buttons = Text(en: "Buttons", it: "Pulsanti")
    static let screens = Text(en: "Screens and telephones", it: "Schermi e telefoni")
    static let role = Text(en: "Use of the device", it: "Uso del dispositivo")
    static func paired(_ count: Int) -> Text {
        Text(
            en: count == 1 ? "1 device is paired." : "\(count) devices are paired.",
            it: count == 1 ? "1 dispositivo abbinato." : "\(count) dispositivi abbinati.")
    }
    static let health = Text(en: "Health", it: "Salute")
    static func conditions(_ count: Int) -> Text {
        Text(
            en: count == 0
                ? "No condition: nothing is wrong." : count == 1 ? "1 condition" : "\(count) conditions",
            it: count == 0 ? "Nessun problema." : count == 1 ? "1 problema" : "\(count) problemi")
    }
}

extension Text {
    static let doctor = Text(en: "Doctor", it: "Diagnosi")
    static let neverChecked = Text(
        en: "Not checked since the gateway has started.",
        it: "Nessun controllo dall'avvio della centralina.")
    static let problems = Text(en: "Problems", it: "Problemi")
    static func checking(_ done: Int, _ total: Int) -> Text {
        Text(
            en: total == 0 ? "Checking:" : "Checking, \(done) of \(total):",
            it: total == 0 ? "Controllo:" : "Controllo, \(done) di \(total):")
    }
    static func checked(_ problems: Int, _ age: String) -> Text {
        Text(
            en: (problems == 0 ? "No problem" : problems == 1 ? "1 problem" : "\(problems) problems")
                + ". Last check: \(age).",
            it: (problems == 0 ? "Nessun problema" : problems == 1 ? "1 problema" : "\(problems) problemi")
                + ". Ultimo controllo: \(age).")
    }
    static let log = Text(en: "Log of the day", it: "Diario del giorno")
    static let settings = Text(en: "Settings", it: "Impostazioni")
    static let walk = Text(en: "Walk test", it: "Prova di ricezione")
    static func median(_ median: Int, _ worst: Int) -> Text {
        Text(
            en: "\(median) dBm, worst \(worst) dBm",
            it: "\(median) dBm, minimo \(worst) dBm")
    }
    static func verdict(_ verdict: WalkDocument.Verdict) -> Text {
        switch verdict {
        case .open: Text(en: "stay longer", it: "resta di più")
        case .good: Text(en: "good", it: "buona")
        case .weak: Text(en: "weak: move the box nearer", it: "debole: avvicina la centralina")
        case .bad:
            Text(
                en: "lost here: move the box, or add a second radio",
                it: "qui si perde: sposta la centralina, o aggiungi una seconda radio")
        }
    }
}

extension Text {
    static func deviceUse(_ role: ControlSession.Role) -> Text {
        switch role {
        case .room: Text(en: "Screen of the room", it: "Schermo della stanza")
        case .person: Text(en: "Device of the person", it: "Dispositivo della persona")
        case .family: Text(en: "Family", it: "Famiglia")
        case .carer: Text(en: "Carer", it: "Assistente")
        case .installer: Text(en: "Installer", it: "Installatore")
        case .organiser: Text(en: "Organiser of a race", it: "Organizzatore di una gara")
        case .anyone: Text(en: "Visitor", it: "Visitatore")
        }
    }
}
