import ControlContract
import GatewayModel

/// Words of the doctor, the log and the walk in one language. Findings stay in the English of `check`.
struct CheckWords: Sendable {
    /// One text. Each language must have words for all of them.
    enum Text: Hashable, Sendable {
        case doctor, doctorHelp, checkNow, neverChecked, problems, advice, works
        case checking(Int, Int)
        case checked(Int, String)
        case log, logHelp, noEvents
        case settings, standard, setAside
        case settingsHelp(_ file: String)
        case walk, walkHelp, walkKept, otherRoom, goOn, endWalk, noSignal
        case walkWith(String)
        case here(String)
        case walkingIn(String)
        case walkingBegins(String)
        case resultOf(String)
        case median(Int, Int)
        case gap(Int, Int64)
        case verdict(WalkDocument.Verdict)
    }

    private let language: PersonProfile.Language

    init(_ language: PersonProfile.Language) { self.language = language }

    func say(_ text: Text) -> String {
        switch language {
        case .english: english(text)
        case .italian: italian(text)
        }
    }

    /// Rooms that most homes have.
    var rooms: [String] {
        switch language {
        case .english: ["Kitchen", "Bathroom", "Bedroom", "Living room", "Hall", "Garden"]
        case .italian: ["Cucina", "Bagno", "Camera", "Soggiorno", "Ingresso", "Giardino"]
        }
    }

    /// Name of an event of `EventRow`.
    func event(_ event: String) -> String {
        switch (language, event) {
        case (.english, "condition-raised"): "Began"
        case (.english, "condition-cleared"): "Ended"
        case (.english, "drill-call"): "Drill: called"
        case (.english, "drill-call-cancelled"): "Drill: call taken back"
        case (.italian, "condition-raised"): "Inizio"
        case (.italian, "condition-cleared"): "Fine"
        case (.italian, "drill-call"): "Prova: chiamata"
        case (.italian, "drill-call-cancelled"): "Prova: chiamata ritirata"
        default: event
        }
    }

    private func english(_ text: Text) -> String {
        switch text {
        case .doctor: "Doctor"
        case .doctorHelp:
            "It reads the settings and tries every part that the gateway needs. It changes nothing, calls nobody, and "
                + "stops when an alarm opens."
        case .checkNow: "Check now"
        case .neverChecked: "Not checked since the gateway has started."
        case .problems: "Problems"
        case .advice: "Advice"
        case .works: "Works"
        case .checking(let done, let total): total == 0 ? "Checking:" : "Checking, \(done) of \(total):"
        case .checked(let problems, let age):
            (problems == 0 ? "No problem" : problems == 1 ? "1 problem" : "\(problems) problems")
                + ". Last check: \(age)."
        case .settings: "Settings"
        case .settingsHelp(let file):
            "The gateway runs with these values. To change one, edit \(file), then: homegateway reload."
        case .standard: "default"
        case .setAside: "Set aside: these parts have no effect"
        case .log: "Log of the day"
        case .logHelp:
            "The last 200 events since the gateway has started, the newest first. Alarms of people are not here."
        case .noEvents: "Nothing has happened yet."
        case .walk: "Walk test"
        case .walkHelp:
            "Wear a wearable, start the walk, and tap the name of each room when you enter it. Stay 15 s at least."
        case .walkKept: "The results stay until the gateway is started again."
        case .otherRoom: "Another room"
        case .goOn: "I am in this room"
        case .endWalk: "End the walk"
        case .noSignal: "no signal strength: it is connected"
        case .walkWith(let id): "Start a walk with \(id)"
        case .here(let room): "You are here: \(room)"
        case .walkingIn(let room): "You are in: \(room)"
        case .walkingBegins(let id): "Walk with \(id): tap the room that you are in."
        case .resultOf(let id): "Reception of \(id)"
        case .median(let median, let worst): "\(median) dBm, worst \(worst) dBm"
        case .gap(let heard, let seconds): "\(heard) heard, longest gap \(seconds) s"
        case .verdict(let verdict):
            switch verdict {
            case .open: "stay longer"
            case .good: "good"
            case .weak: "weak: move the box nearer"
            case .bad: "lost here: move the box, or add a second radio"
            }
        }
    }

    private func italian(_ text: Text) -> String {
        switch text {
        case .doctor: "Diagnosi"
        case .doctorHelp:
            "Legge le impostazioni e prova ogni parte che serve alla centralina. Non cambia niente, non chiama nessuno, "
                + "e si ferma se c'è un allarme."
        case .checkNow: "Controlla adesso"
        case .neverChecked: "Nessun controllo dall'avvio della centralina."
        case .problems: "Problemi"
        case .advice: "Consigli"
        case .works: "Funziona"
        case .checking(let done, let total): total == 0 ? "Controllo:" : "Controllo, \(done) di \(total):"
        case .checked(let problems, let age):
            (problems == 0 ? "Nessun problema" : problems == 1 ? "1 problema" : "\(problems) problemi")
                + ". Ultimo controllo: \(age)."
        case .settings: "Impostazioni"
        case .settingsHelp(let file):
            "La centralina usa questi valori. Per cambiarne uno, modifica \(file), poi: homegateway reload."
        case .standard: "predefinito"
        case .setAside: "Escluse: queste parti non hanno effetto"
        case .log: "Diario del giorno"
        case .logHelp:
            "Gli ultimi 200 eventi dall'avvio della centralina, dal più recente. Gli allarmi delle persone non ci sono."
        case .noEvents: "Non è ancora successo niente."
        case .walk: "Prova di ricezione"
        case .walkHelp:
            "Indossa un sensore, avvia la prova e tocca il nome di ogni stanza quando entri. Resta almeno 15 s."
        case .walkKept: "I risultati restano fino al prossimo avvio della centralina."
        case .otherRoom: "Un'altra stanza"
        case .goOn: "Sono in questa stanza"
        case .endWalk: "Termina la prova"
        case .noSignal: "intensità non nota: è connesso"
        case .walkWith(let id): "Avvia la prova con \(id)"
        case .here(let room): "Sei qui: \(room)"
        case .walkingIn(let room): "Sei in: \(room)"
        case .walkingBegins(let id): "Prova con \(id): tocca la stanza in cui sei."
        case .resultOf(let id): "Ricezione di \(id)"
        case .median(let median, let worst): "\(median) dBm, minimo \(worst) dBm"
        case .gap(let heard, let seconds): "\(heard) sentiti, pausa più lunga \(seconds) s"
        case .verdict(let verdict):
            switch verdict {
            case .open: "resta di più"
            case .good: "buona"
            case .weak: "debole: avvicina la centralina"
            case .bad: "qui si perde: sposta la centralina, o aggiungi una seconda radio"
            }
        }
    }
}
