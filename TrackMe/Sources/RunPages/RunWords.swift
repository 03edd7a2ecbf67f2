import GatewayModel
import RunBeacon
import Runs
import Store

/// Sentences about runs in one language. Reasons of faults in a course are in English.
struct RunWords: Sendable {
    enum Text: Hashable, Sendable {
        case runs, noRuns, ongoing, coming, past, lost, myRuns, organise, join, leave, joined
        case state(RunState)
        case from(String, to: String)
        case runners(Int, of: Int)
        case standings, byGun, rank, runner, at, time, nobody, undecided, map
        case mapOf(String)
        case keyLocated, keyProjected
        case onMap(located: Int, projected: Int)
        case search, searchHint, show, all, notHeard, left, didNotStart, didNotFinish, disqualified
        case bound(String)
        case trackerLost(String)
        case next(String, String)
        case splits, point, noSplits, back
        case manyRows(Int, Int)
        case id, idHint, title, description, waves, wavesHint, end, endHint, checkpoints, checkpointsHint
        case course, courseHint, keepsCourse, most, create, change, cancel, cancelQuestion, yesCancel
        case organisers, coOrganiser, add, remove, boxes, noBoxes, box, boxHint
        case notAdded(String)
        case participants, bib, name, category, wave, waveHint, tag, tagHint, carries, carriesHint
        case showName, runnerAgrees, enrol, commands, noCommands
        case commandState(CommandState, String?)
        case fault(RunFault)
        case refused(RunActRefusal)
        case badCode, oldCode, tooManyTries, joinExplained
    }

    let language: PersonProfile.Language

    init(_ language: PersonProfile.Language) { self.language = language }

    func say(_ text: Text) -> String {
        switch language {
        case .english: english(text)
        case .italian: italian(text)
        }
    }

    private func english(_ text: Text) -> String {
        switch text {
        case .runs: "Runs"
        case .noRuns: "There is none."
        case .ongoing: "Ongoing runs"
        case .coming: "Coming runs"
        case .past: "Past runs"
        case .lost: "This page has lost the server: its content may be old. Reload it."
        case .myRuns: "My runs"
        case .organise: "Organise a run"
        case .join: "Participate"
        case .leave: "Leave the run"
        case .joined: "Runs in which I participate"
        case .state(.idle): "has not begun"
        case .state(.underway): "underway"
        case .state(.over): "over"
        case .state(.cancelled): "cancelled"
        case .from(let start, let end): "From \(start) to \(end)"
        case .runners(let count, let most): "\(count) of at most \(most) participants"
        case .standings: "Standings"
        case .byGun: "By the time since the start of the wave, with the error in 95 of 100 cases"
        case .rank: "Rank"
        case .runner: "Runner"
        case .at: "At"
        case .time: "Time"
        case .nobody: "No runner is found."
        case .undecided: "~ the difference to the runner before is smaller than the error of both times."
        case .map: "Map"
        case .mapOf(let title): "Course of \(title)"
        case .keyLocated: "measured place"
        case .keyProjected: "place by the pace of the last leg"
        case .onMap(let located, let projected):
            "\(located) with a measured place, \(projected) with an expected one."
        case .search: "Bib or name"
        case .searchHint: "Names are known of runners that let the public see them."
        case .show: "Filter"
        case .all: "All runners"
        case .notHeard: "not heard yet"
        case .left: "left"
        case .didNotStart: "did not start"
        case .didNotFinish: "did not finish"
        case .disqualified: "disqualified"
        case .bound(let bound): "± \(bound)"
        case .trackerLost(let time): "tracker lost, last position \(time)"
        case .next(let point, let time): "\(point) expected at \(time)"
        case .splits: "Times"
        case .point: "Point"
        case .noSplits: "No time yet."
        case .back: "Back"
        case .manyRows(let shown, let count): "The first \(shown) of \(count): search for the others."
        case .id: "Short name"
        case .idHint: "1 to 32 of a-z, 0-9 and -. It cannot be changed later."
        case .title: "Name of the run"
        case .description: "Description"
        case .waves: "Start"
        case .wavesHint:
            "2026-05-10T09:00:00+02:00, or for several waves: fast 2026-05-10T09:00:00+02:00; late 2026-05-10T09:10:00+02:00"
        case .end: "End"
        case .endHint: "Nobody is tracked from here on. Form: 2026-05-10T12:00:00+02:00"
        case .checkpoints: "Checkpoints"
        case .checkpointsHint:
            "Name, metres from the start, box: start 0 house-11; bridge 2500,7500 house-12; finish 10000 house-13 finish"
        case .course: "Course"
        case .courseHint: "Paste the text of a GPX file, or an encoded polyline."
        case .keepsCourse:
            "Paste a GPX file or an encoded polyline to replace the course. Leave it as it is to keep it."
        case .most: "Maximum number of participants"
        case .create: "Create the run"
        case .change: "Change the run"
        case .cancel: "Cancel the run"
        case .cancelQuestion: "Nobody is tracked any more, permanently. The boxes get a command."
        case .yesCancel: "Yes, cancel it"
        case .organisers: "Organisers"
        case .coOrganiser: "User name of a co-organiser"
        case .add: "Add"
        case .remove: "Remove"
        case .boxes: "Boxes"
        case .noBoxes: "No box has been added yet."
        case .box: "Code of the box, or name of a box of your fleet"
        case .boxHint: "On the box: homegateway contract claim. The code is good for an hour."
        case .notAdded(let box): "\(box) stands at a checkpoint and is not added yet."
        case .participants: "Participants"
        case .bib: "Bib"
        case .name: "Name"
        case .category: "Category"
        case .wave: "Wave"
        case .waveHint: "Leave it empty in a run of one wave."
        case .tag: "Tag"
        case .tagHint: "C0:FF:EE:00:00:01, or ibeacon:UUID/MAJOR/MINOR"
        case .carries: "Box that the runner carries"
        case .carriesHint: "Instead of a tag, or beside it."
        case .showName: "Spectators may see my name"
        case .runnerAgrees: "The runner has agreed that spectators see the name"
        case .enrol: "Enrol"
        case .commands: "Commands to the boxes"
        case .noCommands: "None yet."
        case .commandState(let state, let reason):
            switch state {
            case .sent: "on its way, signed"
            case .done: "done, with the signed receipt of the box"
            case .refused: "refused by the box" + (reason.map { ": \($0)" } ?? "")
            case .noAnswer: "no answer in 23 hours"
            }
        case .fault(let fault):
            switch fault {
            case .id: "The short name has another form."
            case .title: "The name needs 1 to 100 characters."
            case .description: "The description has 500 characters at most."
            case .most: "The maximum is a number from 1 to 2000."
            case .waves: "The start has another form."
            case .end: "The end has another form."
            case .tooLong: "A run is shorter than a week."
            case .checkpoints: "The checkpoints have another form. Distances ascend."
            case .course(let reason): "This is no course: \(reason)"
            case .bib: "A bib is a number from 1 to 99999."
            case .name: "A name has 1 to 100 characters."
            case .category: "A category has 1 to 40 characters."
            case .wave: "The run has no such wave."
            case .tag: "The tag has another form."
            case .box: "The box has another form."
            case .noTracker: "The runner has nothing to be tracked by: give a tag or a box."
            case .contradiction(let reason): "This contradicts itself: \(reason)"
            }
        case .refused(let refusal):
            switch refusal {
            case .unknownRun: "There is no such run."
            case .notAllowed: "You have no right to do this."
            case .taken: "The short name is another run's."
            case .changedMeanwhile:
                "Somebody else has changed the run since you opened this page. The page shows the present state: enter your change again."
            case .over: "The run is over, or its end has passed."
            case .cancelled: "The run is cancelled."
            case .begun: "The run has begun: its course stays."
            case .unknownUser: "There is no such user."
            case .unknownRunner: "There is no such runner."
            case .inUse: "The bib or the tag is another runner's, or you participate already."
            case .full: "The run has as many participants as it may."
            case .tooMany: "There are as many as there may be."
            case .otherKey: "The server knows a box of this name with another key."
            }
        case .badCode: "This is no code of a box. Copy the whole line that the command prints."
        case .oldCode: "This code is older than an hour. Run the command again."
        case .tooManyTries: "Too many wrong codes. Wait a minute."
        case .joinExplained:
            "From the start to the end of the run its boxes track you, and spectators see your bib, your times and your place on the course. You can leave at any time: then everything about you disappears from this server."
        }
    }

    private func italian(_ text: Text) -> String {
        switch text {
        case .runs: "Gare"
        case .noRuns: "Nessuna."
        case .ongoing: "Gare in corso"
        case .coming: "Prossime gare"
        case .past: "Gare passate"
        case .lost: "La pagina ha perso il server: il contenuto può essere vecchio. Ricaricala."
        case .myRuns: "Le mie gare"
        case .organise: "Organizza una gara"
        case .join: "Partecipa"
        case .leave: "Lascia la gara"
        case .joined: "Gare a cui partecipo"
        case .state(.idle): "non è iniziata"
        case .state(.underway): "in corso"
        case .state(.over): "finita"
        case .state(.cancelled): "annullata"
        case .from(let start, let end): "Dalle \(start) alle \(end)"
        case .runners(let count, let most): "\(count) partecipanti su \(most) al massimo"
        case .standings: "Classifica"
        case .byGun: "Per tempo dallo sparo, con l'errore in 95 casi su 100"
        case .rank: "Posto"
        case .runner: "Atleta"
        case .at: "Punto"
        case .time: "Tempo"
        case .nobody: "Nessun atleta trovato."
        case .undecided: "~ la differenza dall'atleta precedente è minore dell'errore dei due tempi."
        case .map: "Mappa"
        case .mapOf(let title): "Percorso di \(title)"
        case .keyLocated: "posizione misurata"
        case .keyProjected: "posizione secondo il passo dell'ultimo tratto"
        case .onMap(let located, let projected):
            "\(located) con posizione misurata, \(projected) con posizione prevista."
        case .search: "Pettorale o nome"
        case .searchHint: "Si conoscono i nomi degli atleti che li mostrano al pubblico."
        case .show: "Filtra"
        case .all: "Tutti gli atleti"
        case .notHeard: "non ancora rilevato"
        case .left: "ritirato"
        case .didNotStart: "non partito"
        case .didNotFinish: "non arrivato"
        case .disqualified: "squalificato"
        case .bound(let bound): "± \(bound)"
        case .trackerLost(let time): "localizzatore perso, ultima posizione \(time)"
        case .next(let point, let time): "\(point) previsto alle \(time)"
        case .splits: "Tempi"
        case .point: "Punto"
        case .noSplits: "Ancora nessun tempo."
        case .back: "Indietro"
        case .manyRows(let shown, let count): "I primi \(shown) di \(count): cerca gli altri."
        case .id: "Nome breve"
        case .idHint: "Da 1 a 32 caratteri tra a-z, 0-9 e -. Non si può cambiare dopo."
        case .title: "Nome della gara"
        case .description: "Descrizione"
        case .waves: "Partenza"
        case .wavesHint:
            "2026-05-10T09:00:00+02:00, o per più gruppi: veloci 2026-05-10T09:00:00+02:00; altri 2026-05-10T09:10:00+02:00"
        case .end: "Fine"
        case .endHint: "Da qui nessuno è più seguito. Forma: 2026-05-10T12:00:00+02:00"
        case .checkpoints: "Punti di controllo"
        case .checkpointsHint:
            "Nome, metri dalla partenza, centralina: start 0 house-11; ponte 2500,7500 house-12; arrivo 10000 house-13 finish"
        case .course: "Percorso"
        case .courseHint: "Incolla il testo di un file GPX, o una polyline codificata."
        case .keepsCourse:
            "Incolla un file GPX o una polyline codificata per sostituire il percorso. Lascia com'è per tenerlo."
        case .most: "Numero massimo di partecipanti"
        case .create: "Crea la gara"
        case .change: "Modifica la gara"
        case .cancel: "Annulla la gara"
        case .cancelQuestion: "Nessuno è più seguito, per sempre. Le centraline ricevono un comando."
        case .yesCancel: "Sì, annullala"
        case .organisers: "Organizzatori"
        case .coOrganiser: "Nome utente di un co-organizzatore"
        case .add: "Aggiungi"
        case .remove: "Togli"
        case .boxes: "Centraline"
        case .noBoxes: "Nessuna centralina aggiunta."
        case .box: "Codice della centralina, o nome di una della tua flotta"
        case .boxHint: "Sulla centralina: homegateway contract claim. Il codice vale un'ora."
        case .notAdded(let box): "\(box) sta a un punto di controllo e non è ancora aggiunta."
        case .participants: "Partecipanti"
        case .bib: "Pettorale"
        case .name: "Nome"
        case .category: "Categoria"
        case .wave: "Gruppo"
        case .waveHint: "Lascialo vuoto in una gara con un solo gruppo."
        case .tag: "Tag"
        case .tagHint: "C0:FF:EE:00:00:01, o ibeacon:UUID/MAJOR/MINOR"
        case .carries: "Centralina che l'atleta porta"
        case .carriesHint: "Al posto del tag, o insieme."
        case .showName: "Gli spettatori possono vedere il mio nome"
        case .runnerAgrees: "L'atleta è d'accordo che gli spettatori vedano il nome"
        case .enrol: "Iscrivi"
        case .commands: "Comandi alle centraline"
        case .noCommands: "Ancora nessuno."
        case .commandState(let state, let reason):
            switch state {
            case .sent: "in viaggio, firmato"
            case .done: "eseguito, con la ricevuta firmata della centralina"
            case .refused: "rifiutato dalla centralina" + (reason.map { ": \($0)" } ?? "")
            case .noAnswer: "nessuna risposta in 23 ore"
            }
        case .fault(let fault):
            switch fault {
            case .id: "Il nome breve ha un'altra forma."
            case .title: "Il nome ha da 1 a 100 caratteri."
            case .description: "La descrizione ha al massimo 500 caratteri."
            case .most: "Il massimo è un numero da 1 a 2000."
            case .waves: "La partenza ha un'altra forma."
            case .end: "La fine ha un'altra forma."
            case .tooLong: "Una gara dura meno di una settimana."
            case .checkpoints: "I punti di controllo hanno un'altra forma. Le distanze crescono."
            case .course(let reason): "Questo non è un percorso: \(reason)"
            case .bib: "Un pettorale è un numero da 1 a 99999."
            case .name: "Un nome ha da 1 a 100 caratteri."
            case .category: "Una categoria ha da 1 a 40 caratteri."
            case .wave: "La gara non ha questo gruppo."
            case .tag: "Il tag ha un'altra forma."
            case .box: "La centralina ha un'altra forma."
            case .noTracker: "L'atleta non ha nulla con cui essere seguito: indica un tag o una centralina."
            case .contradiction(let reason): "C'è una contraddizione: \(reason)"
            }
        case .refused(let refusal):
            switch refusal {
            case .unknownRun: "Questa gara non esiste."
            case .notAllowed: "Non hai il diritto di farlo."
            case .taken: "Il nome breve è di un'altra gara."
            case .changedMeanwhile:
                "Qualcun altro ha modificato la gara da quando hai aperto la pagina. La pagina mostra lo stato attuale: ripeti la modifica."
            case .over: "La gara è finita, o la sua fine è passata."
            case .cancelled: "La gara è annullata."
            case .begun: "La gara è iniziata: il percorso resta."
            case .unknownUser: "Questo utente non esiste."
            case .unknownRunner: "Questo atleta non esiste."
            case .inUse: "Il pettorale o il tag è di un altro atleta, o partecipi già."
            case .full: "La gara ha tutti i partecipanti che può avere."
            case .tooMany: "Ce ne sono già quanti possibile."
            case .otherKey: "Il server conosce una centralina con questo nome e un'altra chiave."
            }
        case .badCode: "Questo non è il codice di una centralina. Copia tutta la riga che il comando scrive."
        case .oldCode: "Questo codice ha più di un'ora. Esegui di nuovo il comando."
        case .tooManyTries: "Troppi codici sbagliati. Aspetta un minuto."
        case .joinExplained:
            "Dalla partenza alla fine della gara le sue centraline ti seguono, e gli spettatori vedono il tuo pettorale, i tuoi tempi e la tua posizione sul percorso. Puoi lasciare la gara in ogni momento: allora tutto ciò che ti riguarda sparisce da questo server."
        }
    }

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
