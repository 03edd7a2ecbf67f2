import GatewayModel

/// Figures of a race in one language.
extension Words {
    /// `1:23:45.6` in tenths: no time here is more exact.
    func time(_ milliseconds: Int64) -> String {
        let size = milliseconds.magnitude
        let (hours, minutes, seconds) = (size / 3_600_000, size / 60_000 % 60, size / 1_000 % 60)
        return
            "\(milliseconds < 0 ? "-" : "")\(hours):\(Self.two(minutes)):\(Self.two(seconds))\(language.decimalMark)"
            + "\(size % 1_000 / 100)"
    }

    /// `±0.8 s`, rounded up: a shorter one would not hold.
    func bound(_ milliseconds: Int64) -> String {
        let tenths = (max(milliseconds, 0) + 99) / 100
        return "±\(tenths / 10)\(language.decimalMark)\(tenths % 10) s"
    }

    /// `±2 min`: the bound of an expected time.
    func roundBound(_ milliseconds: Int64) -> String {
        let seconds = (max(milliseconds, 0) + 999) / 1_000
        return seconds < 100 ? "±\(seconds) s" : "±\((seconds + 59) / 60) min"
    }

    func kilometres(_ metres: Int) -> String {
        let hundreds = max(metres, 0) / 100
        return "\(hundreds / 10)\(language.decimalMark)\(hundreds % 10) km"
    }

    /// - Parameter seconds: per kilometre.
    func pace(_ seconds: Int) -> String {
        let size = UInt64(max(seconds, 0))
        return "\(size / 60):\(Self.two(size % 60)) min/km"
    }

    private static func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Text {
    static let lost = Text(
        en: "The box does not answer. These are the last times it gave.",
        it: "La centralina non risponde. Questi sono gli ultimi tempi che ha dato.")
    static let races = Text(en: "Races", it: "Corse")
    static let board = Text(en: "Board", it: "Tabellone")
    static let boxes = Text(en: "Boxes", it: "Centraline")
    static let results = Text(en: "Results", it: "Risultati")
    static let corrections = Text(en: "Corrections", it: "Correzioni")
    static func over(finished: Int, of all: Int) -> Text {
        Text(
            en: "The run is over. Finished: \(finished) of \(all).",
            it: "La corsa è finita. Arrivati: \(finished) di \(all).")
    }
    static let cancelled = Text(en: "The run is cancelled.", it: "La corsa è annullata.")
    static let bibOnly = Text(en: "Bib", it: "Pettorale")
    static let category = Text(en: "Category", it: "Categoria")
    static let nobodyFound = Text(en: "No runner fits.", it: "Nessun atleta corrisponde.")
    static let standings = Text(en: "Standings", it: "Classifica")
    static let byGun = Text(
        en: "By time from the start of the wave, with its error in 95 of 100 cases",
        it: "Per tempo dalla partenza del gruppo, con l'errore in 95 casi su 100")
    static let rank = Text(en: "Rank", it: "Pos.")
    static let runner = Text(en: "Runner", it: "Atleta")
    static let at = Text(en: "Last point", it: "Ultimo punto")
    static let raceTime = Text(en: "Time", it: "Tempo")
    static let undecided = Text(
        en: "~ closer to the runner before than the errors of both times: only a camera can decide.",
        it: "~ più vicino all'atleta precedente degli errori dei due tempi: può decidere solo una telecamera.")
    static let notHeard = Text(en: "Not heard yet", it: "Non ancora rilevato")
    static let didNotStart = Text(en: "Did not start", it: "Non partito")
    static let didNotFinish = Text(en: "Did not finish", it: "Ritirato")
    static let disqualified = Text(en: "Disqualified", it: "Squalificato")
    static let map = Text(en: "Map", it: "Mappa")
    static func expected(_ point: String, _ time: String, _ bound: String) -> Text {
        Text(
            en: "\(point) expected at \(time) \(bound)",
            it: "\(point) previsto alle \(time) \(bound)")
    }
    /// Behind an expected time that has gone by.
    static let late = Text(en: "late", it: "in ritardo")
    static func bib(_ number: Int) -> Text {
        Text(en: "Bib \(number)", it: "Pettorale \(number)")
    }
    static let splits = Text(en: "Splits", it: "Intertempi")
    static let point = Text(en: "Point", it: "Punto")
    static let sureTo = Text(en: "Error", it: "Errore")
    static let clock = Text(en: "Time of day", it: "Ora")
    static let how = Text(en: "Timed by", it: "Rilevato da")
    static func method(_ other: String) -> Text {
        switch other {
        case "ble-peak": Text(en: "box", it: "centralina")
        case "gps-line": Text(en: "position", it: "posizione")
        case "manual": Text(en: "hand", it: "a mano")
        case let other: Text(en: other, it: other)
        }
    }
    static let readings = Text(en: "Readings", it: "Misure")
    static func reading(_ title: String, _ figure: String, seconds: Int) -> Text {
        Text(
            en: "\(title): \(figure), \(seconds) s ago",
            it: "\(title): \(figure), \(seconds) s fa")
    }
    static let strike = Text(en: "Strike this passing", it: "Annulla questo passaggio")
    static let mark = Text(en: "Mark", it: "Segna")
    static let undo = Text(en: "Undo this correction", it: "Revoca questa correzione")
    static let name = Text(en: "Name", it: "Nome")
}
