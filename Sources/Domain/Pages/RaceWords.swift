import GatewayModel

/// Words of the race pages in one language.
struct RaceWords: Sendable {
    /// One text. Each language must have words for all of them.
    enum Text: Hashable, Sendable {
        case pages, lost, races, noRaces, follow, toCome, isUnderway, isOver
        case startOf(String, String, runners: Int)
        case listAndMap, board, boxes, results, corrections
        case startsAt(String)
        case underway(running: Int, notHeard: Int, finished: Int, of: Int)
        case over(finished: Int, of: Int)
        case cancelled
        case asOf(String)
        case bibOrName, bibOnly, category, allCategories, find, nobodyFound
        case standings, byGun, rank, runner, at, time, undecided
        case rows(Int, Int, of: Int)
        case moreRows, previous, nextRows
        case notHeard, left, didNotStart, didNotFinish, disqualified
        case map, keyLocated, keyProjected, mapText
        case courseOf(String)
        case onMap(located: Int, projected: Int)
        case offCourse
        case located(String)
        case projected(String)
        case expected(String, String, String)
        /// Behind an expected time that has gone by.
        case late

        case bib(Int)
        case standing, lastPoint, onCourse, backToList
        case rankOf(Int, isUndecided: Bool)
        case net(String)
        case pace(String)
        case meanPace(String)
        case splits, noSplits, point, sureTo, paceColumn, clock, how, noBound
        case method(String)
        case readings, byGrant
        case reading(String, String, seconds: Int)

        case lastPassings, noPassings, nextExpected, nobodyExpected
        case rankShort(Int)

        case notUnderwayHere
        case thisBox(String)
        case reads(Int, seconds: Int)
        case noneHeard, clockUnset
        case clockRight(String, String)
        case disputed(String)
        case radios, radio, stateColumn, readsColumn, lastColumn, hears, quiet, deaf
        case notHeardTags(Int, of: Int)
        case allHeard
        case andMore(Int)
        case overdue(Int)
        case overdueAt(String, String, last: String?)
        case otherBoxes, otherBoxesHow, boxColumn, noBox

        case correctionsHow, chooseRunner, reason, addPassing, clockTime, boundSeconds, strike, strikeTitle
        case markAs, mark, undo, undone, correctionLog, noCorrections, struck
        case byAt(String, String)
        case added(String, String)
        case undoes(Int)
        case bibColumn, name, gun, netColumn, download
        case corrected(Int)
    }

    let language: PersonProfile.Language

    init(_ language: PersonProfile.Language) { self.language = language }

    func say(_ text: Text) -> String {
        switch language {
        case .english: english(text)
        case .italian: italian(text)
        }
    }

    // MARK: Figures

    private var mark: String { language == .italian ? "," : "." }

    /// `1:23:45.6` in tenths: no time here is more exact.
    func time(_ milliseconds: Int64) -> String {
        let size = milliseconds.magnitude
        let (hours, minutes, seconds) = (size / 3_600_000, size / 60_000 % 60, size / 1_000 % 60)
        return "\(milliseconds < 0 ? "-" : "")\(hours):\(Self.two(minutes)):\(Self.two(seconds))\(mark)"
            + "\(size % 1_000 / 100)"
    }

    /// `±0.8 s`, rounded up: a shorter one would not hold.
    func bound(_ milliseconds: Int64) -> String {
        let tenths = (max(milliseconds, 0) + 99) / 100
        return "±\(tenths / 10)\(mark)\(tenths % 10) s"
    }

    /// `±2 min`: the bound of an expected time.
    func roundBound(_ milliseconds: Int64) -> String {
        let seconds = (max(milliseconds, 0) + 999) / 1_000
        return seconds < 100 ? "±\(seconds) s" : "±\((seconds + 59) / 60) min"
    }

    func kilometres(_ metres: Int) -> String {
        let hundreds = max(metres, 0) / 100
        return "\(hundreds / 10)\(mark)\(hundreds % 10) km"
    }

    /// - Parameter seconds: per kilometre.
    func pace(_ seconds: Int) -> String {
        let size = UInt64(max(seconds, 0))
        return "\(size / 60):\(Self.two(size % 60)) min/km"
    }

    private static func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    // MARK: Languages

    private func english(_ text: Text) -> String {
        switch text {
        case .pages: "Pages of the race"
        case .lost: "The box does not answer. These are the last times it gave."
        case .races: "Races"
        case .noRaces: "This box has no race."
        case .follow: "Follow the race"
        case .toCome: "To come"
        case .isUnderway: "Under way"
        case .isOver: "Over"
        case .startOf(let day, let time, let runners): "Start \(day), \(time). Runners: \(runners)."
        case .listAndMap: "List and map"
        case .board: "Board"
        case .boxes: "Boxes"
        case .results: "Results"
        case .corrections: "Corrections"
        case .startsAt(let time): "The start is at \(time)."
        case .underway(let running, let notHeard, let finished, let all):
            "Under way. On the course: \(running). "
                + (notHeard == 0 ? "" : "Not heard yet: \(notHeard). ") + "Finished: \(finished) of \(all)."
        case .over(let finished, let all): "The run is over. Finished: \(finished) of \(all)."
        case .cancelled: "The run is cancelled."
        case .asOf(let time): "As of \(time)."
        case .bibOrName: "Bib or name"
        case .bibOnly: "Bib"
        case .category: "Category"
        case .allCategories: "All"
        case .find: "Find"
        case .nobodyFound: "No runner fits."
        case .standings: "Standings"
        case .byGun: "By time from the start of the wave, with its error in 95 of 100 cases"
        case .rank: "Rank"
        case .runner: "Runner"
        case .at: "Last point"
        case .time: "Time"
        case .undecided:
            "~ closer to the runner before than the errors of both times: only a camera can decide."
        case .rows(let first, let last, let all): "Rows \(first) to \(last) of \(all)"
        case .moreRows: "More rows"
        case .previous: "Earlier rows"
        case .nextRows: "Next rows"
        case .notHeard: "Not heard yet"
        case .left: "Has left the run"
        case .didNotStart: "Did not start"
        case .didNotFinish: "Did not finish"
        case .disqualified: "Disqualified"
        case .map: "Map"
        case .keyLocated: "Full dot: measured place"
        case .keyProjected: "Hollow dot: projected by the pace of the last leg"
        case .mapText: "The list has the distance of each runner."
        case .courseOf(let title): "Course of \(title), north up"
        case .onMap(let located, let projected):
            "Runners on the course: \(located) measured, \(projected) projected."
        case .offCourse: "off the course"
        case .located(let distance): "at \(distance), measured"
        case .projected(let distance): "at \(distance), projected"
        case .expected(let point, let time, let bound): "\(point) expected at \(time) \(bound)"
        case .late: "late"
        case .bib(let number): "Bib \(number)"
        case .standing: "Standing"
        case .lastPoint: "Last point"
        case .onCourse: "On the course"
        case .backToList: "All runners"
        case .rankOf(let rank, let isUndecided):
            "Rank \(rank)\(isUndecided ? ", only a camera can decide" : "")"
        case .net(let time): "\(time) from their own start"
        case .pace(let pace): "Pace \(pace)"
        case .meanPace(let pace): "Mean pace \(pace)"
        case .splits: "Splits"
        case .noSplits: "No box has heard this runner yet."
        case .point: "Point"
        case .sureTo: "Error"
        case .paceColumn: "Pace of the leg"
        case .clock: "Time of day"
        case .how: "Timed by"
        case .noBound: "unknown"
        case .method("ble-peak"): "box"
        case .method("gps-line"): "position"
        case .method("manual"): "hand"
        case .method(let other): other
        case .readings: "Readings"
        case .byGrant: "Shown because the runner has allowed it."
        case .reading(let title, let figure, let seconds): "\(title): \(figure), \(seconds) s ago"
        case .lastPassings: "Last passings"
        case .noPassings: "No runner has passed yet."
        case .nextExpected: "Expected next"
        case .nobodyExpected: "No runner is expected."
        case .rankShort(let rank): "rank \(rank)"
        case .notUnderwayHere: "The run is not under way. The state of the box is shown while it is."
        case .thisBox(let id): "This box (\(id))"
        case .reads(let reads, let seconds):
            "Reads of tags in the last minute: \(reads). The last was \(seconds) s ago."
        case .noneHeard: "No tag was heard yet."
        case .clockUnset: "The clock of the race was never set since the start of the box."
        case .clockRight(let source, let bound): "Clock of the race: by \(source), right to \(bound)."
        case .disputed(let sources): "These sources contradict the clock and are not believed: \(sources)."
        case .radios: "Radios"
        case .radio: "Radio"
        case .stateColumn: "State"
        case .readsColumn: "Reads a minute"
        case .lastColumn: "Last"
        case .hears: "hears"
        case .quiet: "quiet while others hear: look at its antenna"
        case .deaf: "deaf: its scanner does not run"
        case .notHeardTags(let count, let all): "Tags not heard: \(count) of \(all)"
        case .allHeard: "Each runner with a tag was heard since the start of the gateway."
        case .andMore(let count): "And \(count) more."
        case .overdue(let count): "Overdue: \(count)"
        case .overdueAt(let runner, let point, let last):
            "\(runner): should have passed \(point). " + (last.map { "Last heard \($0)." } ?? "Never heard.")
        case .otherBoxes: "Other points"
        case .otherBoxesHow: "Boxes by the file of the run. This box does not see how the others are."
        case .boxColumn: "Box"
        case .noBox: "none is named"
        case .correctionsHow:
            "A correction changes the results and not the log of passings. It is kept with its author, time and reason."
        case .chooseRunner: "Show this runner"
        case .reason: "Reason"
        case .addPassing: "Add a passing"
        case .clockTime: "Time of day at the box, such as 10:23:45"
        case .boundSeconds: "Error in seconds"
        case .strike: "Strike this passing"
        case .strikeTitle: "Strike a passing"
        case .markAs: "Mark the runner as"
        case .mark: "Mark"
        case .undo: "Undo this correction"
        case .undone: "undone"
        case .correctionLog: "Log of corrections"
        case .noCorrections: "None."
        case .struck: "passing struck"
        case .byAt(let name, let time): "\(name), \(time)"
        case .added(let point, let time): "passing added: \(point) at \(time)"
        case .undoes(let number): "correction \(number) undone"
        case .bibColumn: "Bib"
        case .name: "Name"
        case .gun: "Gun time"
        case .netColumn: "Net time"
        case .download: "Download as a table (CSV)"
        case .corrected(let count): "Corrections by hand: \(count)."
        }
    }

    private func italian(_ text: Text) -> String {
        switch text {
        case .pages: "Pagine della corsa"
        case .lost: "La centralina non risponde. Questi sono gli ultimi tempi che ha dato."
        case .races: "Corse"
        case .noRaces: "Questa centralina non ha corse."
        case .follow: "Segui la corsa"
        case .toCome: "In programma"
        case .isUnderway: "In corso"
        case .isOver: "Finita"
        case .startOf(let day, let time, let runners): "Partenza \(day), \(time). Iscritti: \(runners)."
        case .listAndMap: "Elenco e mappa"
        case .board: "Tabellone"
        case .boxes: "Centraline"
        case .results: "Risultati"
        case .corrections: "Correzioni"
        case .startsAt(let time): "La partenza è alle \(time)."
        case .underway(let running, let notHeard, let finished, let all):
            "In corso. Sul percorso: \(running). "
                + (notHeard == 0 ? "" : "Non ancora rilevati: \(notHeard). ")
                + "Arrivati: \(finished) di \(all)."
        case .over(let finished, let all): "La corsa è finita. Arrivati: \(finished) di \(all)."
        case .cancelled: "La corsa è annullata."
        case .asOf(let time): "Aggiornato alle \(time)."
        case .bibOrName: "Pettorale o nome"
        case .bibOnly: "Pettorale"
        case .category: "Categoria"
        case .allCategories: "Tutte"
        case .find: "Cerca"
        case .nobodyFound: "Nessun atleta corrisponde."
        case .standings: "Classifica"
        case .byGun: "Per tempo dalla partenza del gruppo, con l'errore in 95 casi su 100"
        case .rank: "Pos."
        case .runner: "Atleta"
        case .at: "Ultimo punto"
        case .time: "Tempo"
        case .undecided:
            "~ più vicino all'atleta precedente degli errori dei due tempi: può decidere solo una telecamera."
        case .rows(let first, let last, let all): "Righe da \(first) a \(last) di \(all)"
        case .moreRows: "Altre righe"
        case .previous: "Righe precedenti"
        case .nextRows: "Righe successive"
        case .notHeard: "Non ancora rilevato"
        case .left: "Uscito dalla corsa"
        case .didNotStart: "Non partito"
        case .didNotFinish: "Ritirato"
        case .disqualified: "Squalificato"
        case .map: "Mappa"
        case .keyLocated: "Punto pieno: posizione misurata"
        case .keyProjected: "Punto vuoto: stimata dal passo dell'ultimo tratto"
        case .mapText: "L'elenco dà la distanza di ogni atleta."
        case .courseOf(let title): "Percorso di \(title), nord in alto"
        case .onMap(let located, let projected):
            "Atleti sul percorso: \(located) misurati, \(projected) stimati."
        case .offCourse: "fuori dal percorso"
        case .located(let distance): "a \(distance), misurata"
        case .projected(let distance): "a \(distance), stimata"
        case .expected(let point, let time, let bound): "\(point) previsto alle \(time) \(bound)"
        case .late: "in ritardo"
        case .bib(let number): "Pettorale \(number)"
        case .standing: "Classifica"
        case .lastPoint: "Ultimo punto"
        case .onCourse: "Sul percorso"
        case .backToList: "Tutti gli atleti"
        case .rankOf(let rank, let isUndecided):
            "Posizione \(rank)\(isUndecided ? ", può decidere solo una telecamera" : "")"
        case .net(let time): "\(time) dalla propria partenza"
        case .pace(let pace): "Passo \(pace)"
        case .meanPace(let pace): "Passo medio \(pace)"
        case .splits: "Intertempi"
        case .noSplits: "Nessuna centralina ha ancora rilevato questo atleta."
        case .point: "Punto"
        case .sureTo: "Errore"
        case .paceColumn: "Passo del tratto"
        case .clock: "Ora"
        case .how: "Rilevato da"
        case .noBound: "ignoto"
        case .method("ble-peak"): "centralina"
        case .method("gps-line"): "posizione"
        case .method("manual"): "a mano"
        case .method(let other): other
        case .readings: "Misure"
        case .byGrant: "Mostrate perché l'atleta lo ha permesso."
        case .reading(let title, let figure, let seconds): "\(title): \(figure), \(seconds) s fa"
        case .lastPassings: "Ultimi passaggi"
        case .noPassings: "Non è ancora passato nessuno."
        case .nextExpected: "Prossimi arrivi"
        case .nobodyExpected: "Nessun atleta è previsto."
        case .rankShort(let rank): "pos. \(rank)"
        case .notUnderwayHere: "La corsa non è in corso. Lo stato della centralina si vede durante la corsa."
        case .thisBox(let id): "Questa centralina (\(id))"
        case .reads(let reads, let seconds):
            "Letture dei trasponder nell'ultimo minuto: \(reads). L'ultima \(seconds) s fa."
        case .noneHeard: "Nessun trasponder rilevato finora."
        case .clockUnset: "L'orologio della corsa non è mai stato regolato dall'avvio della centralina."
        case .clockRight(let source, let bound): "Orologio della corsa: da \(source), esatto entro \(bound)."
        case .disputed(let sources): "Queste fonti contraddicono l'orologio e non sono credute: \(sources)."
        case .radios: "Radio"
        case .radio: "Radio"
        case .stateColumn: "Stato"
        case .readsColumn: "Letture al minuto"
        case .lastColumn: "Ultima"
        case .hears: "riceve"
        case .quiet: "muta mentre altre ricevono: controllare l'antenna"
        case .deaf: "sorda: la ricezione non è attiva"
        case .notHeardTags(let count, let all): "Trasponder non rilevati: \(count) di \(all)"
        case .allHeard: "Ogni atleta con trasponder è stato rilevato dall'avvio del gateway."
        case .andMore(let count): "E altri \(count)."
        case .overdue(let count): "In ritardo: \(count)"
        case .overdueAt(let runner, let point, let last):
            "\(runner): doveva passare \(point). "
                + (last.map { "Rilevato l'ultima volta alle \($0)." } ?? "Mai rilevato.")
        case .otherBoxes: "Altri punti"
        case .otherBoxesHow:
            "Centraline secondo il file della corsa. Questa centralina non vede lo stato delle altre."
        case .boxColumn: "Centralina"
        case .noBox: "nessuna indicata"
        case .correctionsHow:
            "Una correzione cambia i risultati e non il registro dei passaggi. Resta con autore, ora e motivo."
        case .chooseRunner: "Mostra questo atleta"
        case .reason: "Motivo"
        case .addPassing: "Aggiungi un passaggio"
        case .clockTime: "Ora del giorno alla centralina, come 10:23:45"
        case .boundSeconds: "Errore in secondi"
        case .strike: "Annulla questo passaggio"
        case .strikeTitle: "Annulla un passaggio"
        case .markAs: "Segna l'atleta come"
        case .mark: "Segna"
        case .undo: "Revoca questa correzione"
        case .undone: "revocata"
        case .correctionLog: "Registro delle correzioni"
        case .noCorrections: "Nessuna."
        case .struck: "passaggio annullato"
        case .byAt(let name, let time): "\(name), \(time)"
        case .added(let point, let time): "passaggio aggiunto: \(point) alle \(time)"
        case .undoes(let number): "correzione \(number) revocata"
        case .bibColumn: "Pett."
        case .name: "Nome"
        case .gun: "Tempo ufficiale"
        case .netColumn: "Tempo netto"
        case .download: "Scarica come tabella (CSV)"
        case .corrected(let count): "Correzioni a mano: \(count)."
        }
    }
}
