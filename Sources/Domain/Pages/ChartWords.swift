import GatewayModel
import Phrases
import SOSLocal

/// Words of charts and of the report in one language.
struct ChartWords: Sendable {
    /// One text. Each language must have words for all of them.
    enum Text: Hashable, Sendable {
        case charts
        case chartsOf(String)
        case kind, period, lastDay, show, earlier, later, noReadings
        case span(HistoryChoice.Span)
        case by(HistoryChoice.Grouping)
        case fromTo(String, String)
        case weekFrom(String)
        case summary(count: Int, min: String, mean: String, max: String)
        case usual(String, String)
        case doubtful(Int)
        case lowLimit(String)
        case highLimit(String)
        case lowWarning(String)
        case highWarning(String)
        case time, least, mean, greatest, number, value, rows
        case alarms, noAlarms, moreAlarms, alarmsNotRead, newestAlarms
        case alarmsOf(String)
        case cancelledAlarms, cancelledHow
        case cancelledTimes(Int)
        case causeOfAlarm, helpAfter, calledOnly, endOfAlarm
        case cause(AlarmTitle)
        case download, daysOfUTC
        case unreadable(Int)
        case notShown
        case notAgreed(String)

        case report
        case reportOf(String)
        case born(String)
        case made(String, zone: String)
        case notDevice, cells, medianHow, values
        case partOfDay(WeekReport.Part)
        case pressure, allDays, withoutFirst, pressureHow
        case pressureReadings(Int, days: Int)
        case irregularPulse(days: Int)
        case glucoseRange
        case inRange(percent: String, count: Int)
        case belowRange(String)
        case aboveRange(String)
        case rangeHow, lowestOxygen
        case wearing, wearingHow, noGaps
        case worn(Int, of: Int)
        case wearables, longAgo, print
        case stillOpen
    }

    let language: PersonProfile.Language

    func say(_ text: Text) -> String {
        switch language {
        case .english: english(text)
        case .italian: italian(text)
        }
    }

    /// Month in three letters and a year.
    func month(_ date: CivilDate) -> String {
        "\(language.month(date.month)) \(date.year)"
    }

    /// Day and month, without the year.
    func day(_ date: CivilDate) -> String {
        "\(date.day) \(language.month(date.month))"
    }

    private func english(_ text: Text) -> String {
        switch text {
        case .charts: "Charts"
        case .chartsOf(let name): "Charts of \(name)"
        case .kind: "Measurement"
        case .period: "Period"
        case .lastDay: "Last day"
        case .show: "Show"
        case .earlier: "Earlier"
        case .later: "Later"
        case .noReadings: "Nothing was measured in this time."
        case .span(.day): "Day"
        case .span(.week): "Week"
        case .span(.month): "Month"
        case .span(.year): "Year"
        case .by(.reading): "Each reading"
        case .by(.hour): "By hour"
        case .by(.day): "By day"
        case .by(.week): "By week"
        case .by(.month): "By month"
        case .fromTo(let from, let to): from == to ? from : "\(from) to \(to)"
        case .weekFrom(let day): "Week of \(day)"
        case .summary(let count, let min, let mean, let max):
            "Readings: \(count). Lowest \(min), mean \(mean), highest \(max)."
        case .usual(let low, let high): "Usual: \(low) to \(high)"
        case .lowLimit(let value): "Alarm below \(value)"
        case .highLimit(let value): "Alarm above \(value)"
        case .lowWarning(let value): "Warning below \(value)"
        case .highWarning(let value): "Warning above \(value)"
        case .time: "Time"
        case .least: "Low"
        case .mean: "Mean"
        case .greatest: "High"
        case .number: "No."
        case .value: "Value"
        case .rows: "Rows of the table"
        case .alarms: "Alarms"
        case .cancelledAlarms: "Cancelled alarms by month"
        case .cancelledHow:
            "An alarm that was cancelled is most often a false one. Many by one cause or sensor ask for a look."
        case .cancelledTimes(let count): count == 1 ? "once" : "\(count) times"
        case .alarmsOf(let name): "Alarms of \(name)"
        case .moreAlarms: "The page Alarms has all of them."
        case .alarmsNotRead: "The box could not read its list of alarms."
        case .newestAlarms: "Newest"
        case .causeOfAlarm: "Reason"
        case .helpAfter: "Help told after"
        case .calledOnly: "not reached"
        case .endOfAlarm: "End"
        case .cause(.signal(let signal)): language.wording.words(for: .signal(signal), .shown)
        case .cause(.helpAskedFor): language.wording.words(for: .helpAskedFor, .shown)
        case .cause(.limit(let kind, let side, let isWarning)):
            kind.words(in: language).title + (side == .low ? " below the " : " above the ")
                + (isWarning ? "warning limit" : "alarm limit")
        case .cause(.score): "Several values together"
        case .cause(.silence): "The sensor was silent"
        case .cause(.drill): "Drill"
        case .cause(.other(let rule)): rule
        case .noAlarms: "None."
        case .download: "Download as a table (CSV)"
        case .daysOfUTC: "A day of this chart begins at midnight UTC."
        case .unreadable(let count): "Damaged parts of the history that are left out: \(count)."
        case .notShown: "The readings are not shown"
        case .notAgreed(let name): "\(name) has not agreed to show readings to family and carers."

        case .report: "Report"
        case .reportOf(let name): "Report for the doctor: \(name)"
        case .born(let date): "Born \(date)"
        case .made(let time, let zone): "Made \(time). Times are local, UTC\(zone)."
        case .notDevice:
            "These values come from consumer sensors. This box is not a medical device, and this report is no diagnosis."
        case .cells: "Lowest / median / highest"
        case .medianHow:
            "Where a sensor measures all the time, the median is that of the hourly means."
        case .values: "Values of 7 days"
        case .partOfDay(.night): "Night 0 to 6"
        case .partOfDay(.morning): "Morning 6 to 12"
        case .partOfDay(.afternoon): "Afternoon 12 to 18"
        case .partOfDay(.evening): "Evening 18 to 24"
        case .pressure: "Blood pressure at home"
        case .allDays: "Mean of all days"
        case .withoutFirst: "Mean without day 1"
        case .pressureHow:
            "A diary has two readings each morning and each evening for 7 days. Day 1 is the first day with a reading."
        case .pressureReadings(let count, let days): "Readings: \(count), on days: \(days)."
        case .irregularPulse(let days): "Days on which the cuff found an irregular pulse: \(days)."
        case .doubtful(let count): "Values that are doubtful, drawn as crosses: \(count)."
        case .glucoseRange: "Glucose"
        case .inRange(let percent, let count): "In range (70 to 180 mg/dL): \(percent) % of \(count) readings"
        case .belowRange(let percent): "Below 70 mg/dL: \(percent) %"
        case .aboveRange(let percent): "Above 180 mg/dL: \(percent) %"
        case .rangeHow: "Shares are of readings, not of time."
        case .lowestOxygen: "Lowest oxygen saturation"
        case .wearing: "Hours without a reading"
        case .wearingHow: "Gaps of 2 hours and more in heart rate, oxygen and respiration."
        case .noGaps: "No gap of 2 hours or more."
        case .worn(let hours, let all): "Hours with a reading: \(hours) of \(all)."
        case .wearables: "Sensors"
        case .longAgo: "not heard since the start of the box"
        case .print: "Print this page with your browser: it fits A4."
        case .stillOpen: "The alarm is open."
        }
    }

    private func italian(_ text: Text) -> String {
        switch text {
        case .charts: "Grafici"
        case .chartsOf(let name): "Grafici di \(name)"
        case .kind: "Misura"
        case .period: "Periodo"
        case .lastDay: "Ultimo giorno"
        case .show: "Mostra"
        case .earlier: "Prima"
        case .later: "Dopo"
        case .noReadings: "In questo periodo non c'è nessuna misura."
        case .span(.day): "Giorno"
        case .span(.week): "Settimana"
        case .span(.month): "Mese"
        case .span(.year): "Anno"
        case .by(.reading): "Ogni misura"
        case .by(.hour): "Per ora"
        case .by(.day): "Per giorno"
        case .by(.week): "Per settimana"
        case .by(.month): "Per mese"
        case .fromTo(let from, let to): from == to ? from : "dal \(from) al \(to)"
        case .weekFrom(let day): "Settimana del \(day)"
        case .summary(let count, let min, let mean, let max):
            "Misure: \(count). Minima \(min), media \(mean), massima \(max)."
        case .usual(let low, let high): "Di solito: da \(low) a \(high)"
        case .lowLimit(let value): "Allarme sotto \(value)"
        case .highLimit(let value): "Allarme sopra \(value)"
        case .lowWarning(let value): "Avviso sotto \(value)"
        case .highWarning(let value): "Avviso sopra \(value)"
        case .time: "Ora"
        case .least: "Min."
        case .mean: "Media"
        case .greatest: "Max."
        case .number: "N."
        case .value: "Valore"
        case .rows: "Righe della tabella"
        case .alarms: "Allarmi"
        case .cancelledAlarms: "Allarmi annullati per mese"
        case .cancelledHow:
            "Un allarme annullato è quasi sempre falso. Se sono molti, per una causa o un sensore, è bene controllare."
        case .cancelledTimes(let count): count == 1 ? "una volta" : "\(count) volte"
        case .alarmsOf(let name): "Allarmi di \(name)"
        case .moreAlarms: "La pagina Allarmi li ha tutti."
        case .alarmsNotRead: "La centralina non ha potuto leggere il suo elenco di allarmi."
        case .newestAlarms: "I più recenti"
        case .causeOfAlarm: "Motivo"
        case .helpAfter: "Aiuto avvisato dopo"
        case .calledOnly: "non raggiunto"
        case .endOfAlarm: "Fine"
        case .cause(.signal(let signal)): language.wording.words(for: .signal(signal), .shown)
        case .cause(.helpAskedFor): language.wording.words(for: .helpAskedFor, .shown)
        case .cause(.limit(let kind, let side, let isWarning)):
            kind.words(in: language).title + (side == .low ? " sotto il " : " sopra il ")
                + (isWarning ? "limite di avviso" : "limite di allarme")
        case .cause(.score): "Più valori insieme"
        case .cause(.silence): "Il sensore taceva"
        case .cause(.drill): "Esercitazione"
        case .cause(.other(let rule)): rule
        case .noAlarms: "Nessuno."
        case .download: "Scarica la tabella (CSV)"
        case .daysOfUTC: "Un giorno di questo grafico comincia a mezzanotte UTC."
        case .unreadable(let count): "Parti danneggiate della cronologia, tralasciate: \(count)."
        case .notShown: "Le misure non sono mostrate"
        case .notAgreed(let name):
            "\(name) non ha accettato di mostrare le misure alla famiglia e a chi assiste."

        case .report: "Rapporto"
        case .reportOf(let name): "Rapporto per il medico: \(name)"
        case .born(let date): "Data di nascita: \(date)"
        case .made(let time, let zone): "Creato: \(time). Gli orari sono locali, UTC\(zone)."
        case .notDevice:
            "Questi valori vengono da sensori di consumo. La centralina non è un dispositivo medico e questo rapporto "
                + "non è una diagnosi."
        case .cells: "Minima / mediana / massima"
        case .medianHow:
            "Dove un sensore misura di continuo, la mediana è quella delle medie orarie."
        case .values: "Valori di 7 giorni"
        case .partOfDay(.night): "Notte 0 a 6"
        case .partOfDay(.morning): "Mattina 6 a 12"
        case .partOfDay(.afternoon): "Pomeriggio 12 a 18"
        case .partOfDay(.evening): "Sera 18 a 24"
        case .pressure: "Pressione misurata a casa"
        case .allDays: "Media di tutti i giorni"
        case .withoutFirst: "Media senza il giorno 1"
        case .pressureHow:
            "Un diario ha due misure ogni mattina e ogni sera per 7 giorni. Il giorno 1 è il primo giorno con una misura."
        case .pressureReadings(let count, let days): "Misure: \(count), in giorni: \(days)."
        case .irregularPulse(let days): "Giorni in cui il misuratore ha trovato un battito irregolare: \(days)."
        case .doubtful(let count): "Valori dubbi, disegnati come croci: \(count)."
        case .glucoseRange: "Glicemia"
        case .inRange(let percent, let count):
            "Nell'intervallo (da 70 a 180 mg/dL): \(percent) % di \(count) misure"
        case .belowRange(let percent): "Sotto 70 mg/dL: \(percent) %"
        case .aboveRange(let percent): "Sopra 180 mg/dL: \(percent) %"
        case .rangeHow: "Le quote sono delle misure, non del tempo."
        case .lowestOxygen: "Saturazione di ossigeno minima"
        case .wearing: "Ore senza misure"
        case .wearingHow: "Intervalli di 2 ore e più nella frequenza cardiaca, nell'ossigeno e nel respiro."
        case .noGaps: "Nessun intervallo di 2 ore o più."
        case .worn(let hours, let all): "Ore con una misura: \(hours) di \(all)."
        case .wearables: "Sensori"
        case .longAgo: "nessun messaggio dall'avvio della centralina"
        case .print: "Stampa questa pagina con il browser: sta su un A4."
        case .stillOpen: "L'allarme è aperto."
        }
    }
}
