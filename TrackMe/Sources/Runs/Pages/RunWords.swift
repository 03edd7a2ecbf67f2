import GatewayModel
import RunBeacon
import Store

/// Figures of a run.
extension Words {
    /// `1:02:03.4`
    func elapsed(_ duration: Duration) -> String {
        let (seconds, rest) = duration.components
        let tenths = max(0, seconds * 10 + rest / 100_000_000_000_000_000)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (tenths / 36_000, tenths / 600 % 60)
        let head = hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)"
        return "\(head):\(two(tenths / 10 % 60)).\(tenths % 10)"
    }

    /// Rounded up.
    func bound(_ duration: Duration) -> String {
        let (seconds, rest) = duration.components
        let tenths = seconds * 10 + (rest + 99_999_999_999_999_999) / 100_000_000_000_000_000
        return say(.bound(tenths < 600 ? "\(tenths / 10).\(tenths % 10) s" : "\((tenths + 599) / 600) min"))
    }
}

extension Text {
    static let runs = Text(en: "Runs", it: "Gare")
    static let lost = Text(
        en: "This page has lost the server: its content may be old. Reload it.",
        it: "La pagina ha perso il server: il contenuto può essere vecchio. Ricaricala.")
    static let organise = Text(en: "Organise a run", it: "Organizza una gara")
    static let join = Text(en: "Participate", it: "Partecipa")
    static let leave = Text(en: "Leave the run", it: "Lascia la gara")
    static let joined = Text(en: "Runs in which I participate", it: "Gare a cui partecipo")
    static func state(_ runState: RunState) -> Text {
        switch runState {
        case .idle: Text(en: "has not begun", it: "non è iniziata")
        case .underway: Text(en: "underway", it: "in corso")
        case .over: Text(en: "over", it: "finita")
        case .cancelled: Text(en: "cancelled", it: "annullata")
        }
    }
    static func runners(_ count: Int, of most: Int) -> Text {
        Text(
            en: "\(count) of at most \(most) participants",
            it: "\(count) partecipanti su \(most) al massimo")
    }
    static let standings = Text(en: "Standings", it: "Classifica")
    static let rank = Text(en: "Rank", it: "Posto")
    static let runner = Text(en: "Runner", it: "Atleta")
    static let at = Text(en: "At", it: "Punto")
    static let time = Text(en: "Time", it: "Tempo")
    static let nobody = Text(en: "No runner is found.", it: "Nessun atleta trovato.")
    static let map = Text(en: "Map", it: "Mappa")
    static func bound(_ bound: String) -> Text {
        Text(en: "± \(bound)", it: "± \(bound)")
    }
    static let splits = Text(en: "Times", it: "Tempi")
    static let vitals = Text(en: "Heart rate and energy", it: "Battito ed energia")
    static let endSharing = Text(en: "Show them no more", it: "Non mostrarli più")
    /// Name of the person at home.
    static func share(_ person: String) -> Text {
        Text(en: "Ask \(person) at home", it: "Chiedi a \(person) a casa")
    }
    static func sharing(_ state: RunSharing.State, _ reason: String?) -> Text {
        switch (state, reason) {
        case (.asked, _):
            Text(
                en: "The question is on its way, or waits for an answer at home.",
                it: "La domanda è in viaggio, o attende una risposta a casa.")
        case (.shared, _):
            Text(
                en: "Spectators see your heart rate and your energy.",
                it: "Gli spettatori vedono il tuo battito e la tua energia.")
        case (.refused, _): Text(en: "At home the answer was no.", it: "A casa la risposta è stata no.")
        case (.ended, _):
            Text(
                en: "Spectators do not see them any more.",
                it: "Gli spettatori non li vedono più.")
        case (.expired, _):
            Text(
                en: "The run or the time for the answer is over.",
                it: "La gara o il tempo per rispondere è finito.")
        case (.failed, let reason):
            Text(
                en: "The house has refused the question\(reason.map { ": \($0)" } ?? "").",
                it: "La casa ha rifiutato la domanda\(reason.map { ": \($0)" } ?? "").")
        }
    }
    static let id = Text(en: "Short name", it: "Nome breve")
    static let title = Text(en: "Name of the run", it: "Nome della gara")
    static let description = Text(en: "Description", it: "Descrizione")
    static let waves = Text(en: "Start", it: "Partenza")
    static let end = Text(en: "End", it: "Fine")
    static let checkpoints = Text(en: "Checkpoints", it: "Punti di controllo")
    static let course = Text(en: "Course", it: "Percorso")
    static let most = Text(en: "Maximum number of participants", it: "Numero massimo di partecipanti")
    static let create = Text(en: "Create the run", it: "Crea la gara")
    static let change = Text(en: "Change the run", it: "Modifica la gara")
    static let cancel = Text(en: "Cancel the run", it: "Annulla la gara")
    static let organisers = Text(en: "Organisers", it: "Organizzatori")
    static let remove = Text(en: "Remove", it: "Togli")
    static let boxes = Text(en: "Boxes", it: "Centraline")
    static let box = Text(
        en: "Code of the box, or name of a box of your fleet",
        it: "Codice della centralina, o nome di una della tua flotta")
    static let discard = Text(
        en: "Remove its times, positions and corrections until now as well",
        it: "Togli anche i suoi tempi, le posizioni e le correzioni fino a ora")
    static let participants = Text(en: "Participants", it: "Partecipanti")
    static let bib = Text(en: "Bib", it: "Pettorale")
    static let name = Text(en: "Name", it: "Nome")
    static let category = Text(en: "Category", it: "Categoria")
    static let wave = Text(en: "Wave", it: "Gruppo")
    static let tag = Text(en: "Tag", it: "Tag")
    static let carries = Text(en: "Box that the runner carries", it: "Centralina che l'atleta porta")
    static let enrol = Text(en: "Enrol", it: "Iscrivi")
    static let commands = Text(en: "Commands to the boxes", it: "Comandi alle centraline")
    /// The reason of a fault in a course is in English.
    static func fault(_ fault: RunFault) -> Text {
        switch fault {
        case .id: Text(en: "The short name has another form.", it: "Il nome breve ha un'altra forma.")
        case .title:
            Text(
                en: "The name needs 1 to 100 characters.",
                it: "Il nome ha da 1 a 100 caratteri.")
        case .description:
            Text(
                en: "The description has 500 characters at most.",
                it: "La descrizione ha al massimo 500 caratteri.")
        case .most:
            Text(
                en: "The maximum is a number from 1 to 2000.",
                it: "Il massimo è un numero da 1 a 2000.")
        case .waves: Text(en: "The start has another form.", it: "La partenza ha un'altra forma.")
        case .end: Text(en: "The end has another form.", it: "La fine ha un'altra forma.")
        case .tooLong: Text(en: "A run is shorter than a week.", it: "Una gara dura meno di una settimana.")
        case .checkpoints:
            Text(
                en: "The checkpoints have another form. Distances ascend.",
                it: "I punti di controllo hanno un'altra forma. Le distanze crescono.")
        case .course(let reason):
            Text(en: "This is no course: \(reason)", it: "Questo non è un percorso: \(reason)")
        case .bib:
            Text(
                en: "A bib is a number from 1 to 99999.",
                it: "Un pettorale è un numero da 1 a 99999.")
        case .name: Text(en: "A name has 1 to 100 characters.", it: "Un nome ha da 1 a 100 caratteri.")
        case .category:
            Text(
                en: "A category has 1 to 40 characters.",
                it: "Una categoria ha da 1 a 40 caratteri.")
        case .wave: Text(en: "The run has no such wave.", it: "La gara non ha questo gruppo.")
        case .tag: Text(en: "The tag has another form.", it: "Il tag ha un'altra forma.")
        case .box: Text(en: "The box has another form.", it: "La centralina ha un'altra forma.")
        case .noTracker:
            Text(
                en: "The runner has nothing to be tracked by: give a tag or a box.",
                it: "L'atleta non ha nulla con cui essere seguito: indica un tag o una centralina.")
        case .contradiction(let reason):
            Text(
                en: "This contradicts itself: \(reason)",
                it: "C'è una contraddizione: \(reason)")
        }
    }
    static func refused(_ refusal: RunActRefusal) -> Text {
        switch refusal {
        case .unknownRun: Text(en: "There is no such run.", it: "Questa gara non esiste.")
        case .notAllowed: Text(en: "You have no right to do this.", it: "Non hai il diritto di farlo.")
        case .taken: Text(en: "The short name is another run's.", it: "Il nome breve è di un'altra gara.")
        case .changedMeanwhile:
            Text(
                en:
                    "Somebody else has changed the run since you opened this page. The page shows the present state: enter your change again.",
                it:
                    "Qualcun altro ha modificato la gara da quando hai aperto la pagina. La pagina mostra lo stato attuale: ripeti la modifica."
            )
        case .over:
            Text(
                en: "The run is over, or its end has passed.",
                it: "La gara è finita, o la sua fine è passata.")
        case .cancelled: Text(en: "The run is cancelled.", it: "La gara è annullata.")
        case .begun:
            Text(
                en: "The run has begun: its course stays.",
                it: "La gara è iniziata: il percorso resta.")
        case .unknownUser: Text(en: "There is no such user.", it: "Questo utente non esiste.")
        case .unknownRunner: Text(en: "There is no such runner.", it: "Questo atleta non esiste.")
        case .unknownBox: Text(en: "The run has no such box.", it: "La gara non ha questa centralina.")
        case .inUse:
            Text(
                en: "The bib or the tag is another runner's, or you participate already.",
                it: "Il pettorale o il tag è di un altro atleta, o partecipi già.")
        case .full:
            Text(
                en: "The run has as many participants as it may.",
                it: "La gara ha tutti i partecipanti che può avere.")
        case .tooMany: Text(en: "There are as many as there may be.", it: "Ce ne sono già quanti possibile.")
        case .otherKey:
            Text(
                en: "The server knows a box of this name with another key.",
                it: "Il server conosce una centralina con questo nome e un'altra chiave.")
        case .boxStands:
            Text(
                en:
                    "The box stands at a checkpoint. Change the checkpoints first: give the place to another box, or to none.",
                it:
                    "La centralina sta a un punto di controllo. Modifica prima i punti: dai il posto a un'altra, o a nessuna."
            )
        case .boxIsCarried:
            Text(
                en:
                    "A runner carries this box. Enrol the runner with another tracker first, or remove the runner.",
                it: "Un atleta porta questa centralina. Iscrivilo prima con un altro localizzatore, o toglilo.")
        case .boxTakenOut:
            Text(
                en:
                    "The box was taken out of this run, which ended the run there permanently. Use another box, or organise another run.",
                it:
                    "La centralina è stata tolta da questa gara, che su di lei è finita per sempre. Usane un'altra, o organizza un'altra gara."
            )
        case .keyUsed:
            Text(
                en: "The Idempotency-Key belongs to another act of this account: choose a new one.",
                it: "La Idempotency-Key è di un altro atto di questo account: scegline una nuova.")
        }
    }
    static let tooManyTries = Text(
        en: "Too many wrong codes. Wait a minute.",
        it: "Troppi codici sbagliati. Aspetta un minuto.")
}
