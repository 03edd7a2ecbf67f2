import ContractReading
import GatewayModel
import Store

enum LimitSide: Hashable, Sendable { case low, high, warningLow, warningHigh }

/// Readings that a house dropped.
struct GapWords: Hashable, Sendable {
    let dropped: Int
    let reason: SampleGap.Reason?
}

extension Text {
    static let month = Text(en: "30 days", it: "30 giorni")
    static let quarter = Text(en: "90 days", it: "90 giorni")
    static func alarm(_ time: String, _ state: EmergencyMessage.State, isDrill: Bool) -> Text {
        let end = end(state)
        return Text(
            en: (isDrill ? "Rehearsal of an alarm" : "Alarm") + " on \(time): " + end.en,
            it: (isDrill ? "Prova di un allarme" : "Allarme") + " del \(time): " + end.it)
    }
    private static func end(_ state: EmergencyMessage.State) -> Text {
        switch state {
        case .pending, .confirmed: Text(en: "not over", it: "non ancora finito")
        case .cancelled: Text(en: "cancelled", it: "annullato")
        case .resolved: Text(en: "resolved", it: "risolto")
        case .accepted: Text(en: "help has accepted it", it: "qualcuno lo ha accettato")
        case .lapsed: Text(en: "nobody answered", it: "nessuno ha risposto")
        }
    }
    static func version(_ version: String) -> Text {
        Text(en: "Version \(version).", it: "Versione \(version).")
    }
    static func unsent(_ count: Int) -> Text {
        Text(
            en: "Messages that wait there to be sent: \(count).",
            it: "Messaggi che aspettano di partire: \(count).")
    }
    static let conditions = Text(
        en: "Conditions that the house tells of", it: "Condizioni segnalate dalla casa")
    static let devices = Text(en: "Devices", it: "Dispositivi")
    static func lastReading(_ time: String) -> Text {
        Text(en: "Last reading on \(time).", it: "Ultima misura: \(time).")
    }
    static let batteryLow = Text(en: "Its battery is nearly empty.", it: "La batteria è quasi scarica.")
    static let limits = Text(en: "Alarm limits", it: "Soglie degli allarmi")
    static let notices = Text(en: "News of the house", it: "Notizie dalla casa")
    static let seconds = Text(en: "Seconds between two readings", it: "Secondi fra due misure")
    static let send = Text(en: "Send to the house", it: "Manda alla casa")
    static let tooMany = Text(
        en: "That is enough for today. Try again tomorrow.",
        it: "Per oggi basta. Riprova domani.")
    static let commands = Text(en: "Commands and the answers of the house", it: "Comandi e risposte della casa")
    static let looks = Text(en: "Accounts that looked", it: "Account che hanno guardato")
    static let zone = Text(en: "Time zone", it: "Fuso orario")
    static let wrongPassword = Text(en: "This is not your password.", it: "Questa non è la tua password.")
    static let export = Text(en: "Take everything with you", it: "Porta tutto con te")

    static func cause(_ reason: SampleGap.Reason?) -> Text {
        switch reason {
        case .quota: Text(en: "the disk of the house was full", it: "il disco della casa era pieno")
        case .age:
            Text(
                en: "the house was away for too long",
                it: "la casa è stata lontana troppo a lungo")
        case .storage: Text(en: "the disk of the house failed", it: "il disco della casa non ha funzionato")
        case .refused: Text(en: "the broker did not take them", it: "il broker non le ha accettate")
        case nil:
            Text(
                en: "of a reason that this server does not know",
                it: "di un motivo che questo server non conosce")
        }
    }
}
