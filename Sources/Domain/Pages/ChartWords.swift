import GatewayModel
import Phrases
import SOSLocal

extension Words {
    /// Month in three letters and a year.
    func month(_ date: CivilDate) -> String {
        "\(language.month(date.month)) \(date.year)"
    }

    /// Day and month, without the year.
    func day(_ date: CivilDate) -> String {
        "\(date.day) \(language.month(date.month))"
    }
}

extension Text {
    static let charts = Text(en: "Charts", it: "Grafici")
    static let kind = Text(en: "Measurement", it: "Misura")
    static let period = Text(en: "Period", it: "Periodo")
    static let show = Text(en: "Show", it: "Mostra")
    static let earlier = Text(en: "Earlier", it: "Prima")
    static let noReadings = Text(
        en: "Nothing was measured in this time.",
        it: "In questo periodo non c'è nessuna misura.")
    static func span(_ span: HistoryChoice.Span) -> Text {
        switch span {
        case .day: Text(en: "Day", it: "Giorno")
        case .week: Text(en: "Week", it: "Settimana")
        case .month: Text(en: "Month", it: "Mese")
        case .year: Text(en: "Year", it: "Anno")
        }
    }
    static func by(_ grouping: HistoryChoice.Grouping) -> Text {
        switch grouping {
        case .reading: Text(en: "Each reading", it: "Ogni misura")
        case .hour: Text(en: "By hour", it: "Per ora")
        case .day: Text(en: "By day", it: "Per giorno")
        case .week: Text(en: "By week", it: "Per settimana")
        case .month: Text(en: "By month", it: "Per mese")
        }
    }
    static func fromTo(_ from: String, _ to: String) -> Text {
        Text(
            en: from == to ? from : "\(from) to \(to)",
            it: from == to ? from : "dal \(from) al \(to)")
    }
    static func usual(_ low: String, _ high: String) -> Text {
        Text(en: "Usual: \(low) to \(high)", it: "Di solito: da \(low) a \(high)")
    }
    static let timeOfDay = Text(en: "Time", it: "Ora")
    static let mean = Text(en: "Mean", it: "Media")
    static let number = Text(en: "No.", it: "N.")
    static let value = Text(en: "Value", it: "Valore")
    static let alarms = Text(en: "Alarms", it: "Allarmi")
    static func unreadable(_ count: Int) -> Text {
        Text(
            en: "Damaged parts of the history that are left out: \(count).",
            it: "Parti danneggiate della cronologia, tralasciate: \(count).")
    }
    static let readingsNotShown = Text(en: "The readings are not shown", it: "Le misure non sono mostrate")
    static let report = Text(en: "Report", it: "Rapporto")
    static let values = Text(en: "Values of 7 days", it: "Valori di 7 giorni")
    static func irregularPulse(days: Int) -> Text {
        Text(
            en: "Days on which the cuff found an irregular pulse: \(days).",
            it: "Giorni in cui il misuratore ha trovato un battito irregolare: \(days).")
    }
    static let glucoseRange = Text(en: "Glucose", it: "Glicemia")
    static func worn(_ hours: Int, of all: Int) -> Text {
        Text(
            en: "Hours with a reading: \(hours) of \(all).",
            it: "Ore con una misura: \(hours) di \(all).")
    }
    static let print = Text(
        en: "Print this page with your browser: it fits A4.",
        it: "Stampa questa pagina con il browser: sta su un A4.")
}
