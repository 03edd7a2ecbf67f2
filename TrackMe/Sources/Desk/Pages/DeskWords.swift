import ContractReading
import GatewayModel
import HelpLine

extension Words {
    /// Sentence about the doubts of a call that is possible only.
    func doubt(_ doubts: Doubts) -> String { CallWords(language).doubt(because: doubts) }

    func rule(_ rule: String) -> String { CauseWords(language).title(ofRule: rule) }

    func figure(_ value: Double, _ unit: String?, kind: String? = nil) -> String {
        CauseWords(language).figure(value, unit, kind: kind)
    }

    func title(ofKind kind: String) -> String {
        QuantityKind(rawValue: kind)?.words(in: language).title ?? kind
    }
}

extension Text {
    static let desk = Text(en: "Emergency desk", it: "Centrale di emergenza")
    static let open = Text(en: "Open calls", it: "Chiamate aperte")
    static func present(_ count: Int) -> Text {
        Text(
            en: count == 1 ? "1 dispatcher is at the desk" : "\(count) dispatchers are at the desk",
            it: count == 1 ? "1 operatore in centrale" : "\(count) operatori in centrale")
    }
    static let age = Text(en: "Age", it: "Da")
    static let person = Text(en: "Person", it: "Persona")
    static let house = Text(en: "House", it: "Casa")
    static let take = Text(en: "TAKE THIS CALL", it: "PRENDI LA CHIAMATA")
    static let release = Text(en: "Give it back", it: "Restituisci")
    static let close = Text(en: "Close the call", it: "Chiudi la chiamata")
    static let note = Text(en: "Note", it: "Nota")
    static let outcome = Text(en: "Outcome", it: "Esito")
    static func outcomes(_ outcome: EmergencyCall.Outcome) -> Text {
        switch outcome {
        case .helpSent: Text(en: "help was sent", it: "aiuto inviato")
        case .spokenTo: Text(en: "spoken to, no help needed", it: "sentita, nessun aiuto necessario")
        case .falseAlarm: Text(en: "false alarm", it: "falso allarme")
        case .handedOver: Text(en: "handed over to another service", it: "passata a un altro servizio")
        case .rehearsed: Text(en: "rehearsal answered", it: "esercitazione con risposta")
        case .other: Text(en: "other, see the note", it: "altro, vedi la nota")
        }
    }
    static let log = Text(en: "Log", it: "Registro")
    static let place = Text(en: "Place", it: "Luogo")
    static let map = Text(en: "Map of the place, north is up", it: "Mappa del luogo, il nord è in alto")
    static let value = Text(en: "Value", it: "Valore")
    static func takingTimes(_ times: TakingTimes) -> Text {
        Text(
            en: times.calls == 0
                ? "No call of the last \(TakingTimes.days) days has been measured."
                : "Of \(times.calls) calls of the last \(TakingTimes.days) days, \(TakingTimes.percent(times.withinMinute, of: times.calls)) % were taken within \(TakingTimes.soon) s and \(TakingTimes.percent(times.withinThree, of: times.calls)) % within \(TakingTimes.late) s.",
            it: times.calls == 0
                ? "Nessuna chiamata misurata negli ultimi \(TakingTimes.days) giorni."
                : "Di \(times.calls) chiamate degli ultimi \(TakingTimes.days) giorni, il \(TakingTimes.percent(times.withinMinute, of: times.calls)) % è stato preso entro \(TakingTimes.soon) s e il \(TakingTimes.percent(times.withinThree, of: times.calls)) % entro \(TakingTimes.late) s."
        )
    }
    static let takeOver = Text(en: "Take the call over", it: "Subentra nella chiamata")
    static let keepOn = Text(en: "I am still on it", it: "Ci sto ancora lavorando")
    static func obstacle(_ obstacle: CallArrival.Obstacle) -> Text {
        switch obstacle {
        case .broker:
            Text(
                en: "CALLS CANNOT ARRIVE: the broker does not answer this server.",
                it: "LE CHIAMATE NON ARRIVANO: il broker non risponde a questo server.")
        case .database:
            Text(
                en: "CALLS CANNOT ARRIVE: the database does not answer this server.",
                it: "LE CHIAMATE NON ARRIVANO: il database non risponde a questo server.")
        }
    }
    static let canArrive = Text(en: "Calls can arrive.", it: "Le chiamate possono arrivare.")
    static let mayArrive = Text(
        en: "This server has just started: whether calls can arrive is not known yet.",
        it: "Questo server si è appena avviato: non è ancora noto se le chiamate possono arrivare.")
    /// Seconds since the newest sign of life of a house.
    static func newestMessage(_ seconds: Int64) -> Text {
        Text(
            en: "The newest sign of life of a house is \(period(seconds)) old.",
            it: "L'ultimo segno di vita di una casa è di \(period(seconds)) fa.")
    }
    static func silent(_ seconds: Int64) -> Text {
        Text(
            en:
                "CALLS MAY NOT ARRIVE: no house has given a sign of life for \(period(seconds)). Check the broker and its network.",
            it:
                "LE CHIAMATE POTREBBERO NON ARRIVARE: nessuna casa dà segno di vita da \(period(seconds)). Controllare il broker e la sua rete."
        )
    }
    static func minutes(_ count: Int) -> Text {
        Text(
            en: count == 1 ? "1 minute" : "\(count) minutes",
            it: count == 1 ? "1 minuto" : "\(count) minuti")
    }

    static func refused(_ refusal: DeskRefusal) -> Text {
        switch refusal {
        case .unknownCall: Text(en: "There is no such call.", it: "Questa chiamata non esiste.")
        case .taken(let by, _): Text(en: "\(by.name) has this call.", it: "La chiamata è di \(by.name).")
        case .notTaken: Text(en: "Take the call first.", it: "Prima prendi la chiamata.")
        case .holderPresent(let by, _):
            Text(
                en: "\(by.name) has this call, is at the desk, and has worked on it in the last 5 minutes.",
                it: "La chiamata è di \(by.name), che è in centrale e ci ha lavorato negli ultimi 5 minuti.")
        case .closed(let by, _):
            Text(
                en: "\(by.name) has closed this call.",
                it: "\(by.name) ha chiuso questa chiamata.")
        case .over(let state, let by):
            Text(
                en: Text.overBy(state, by).en + ". There is nothing to take.",
                it: Text.overBy(state, by).it + ". Non c'è niente da prendere.")
        case .emptyNote: Text(en: "The text is empty.", it: "Il testo è vuoto.")
        case .noteTooLong(let limit):
            Text(
                en: "The text is longer than \(limit) characters.",
                it: "Il testo supera \(limit) caratteri.")
        case .tooManyNotes:
            Text(
                en: "The call has as many notes as it can hold.",
                it: "La chiamata non può avere altre note.")
        }
    }

    /// - Parameter minutes: since the first failure.
    static func forwarding(_ standing: CallForwarding.Standing, minutes: Int) -> Text {
        switch standing {
        case .none: Text(en: "", it: "")
        case .waitsForDispatcher:
            Text(
                en: "Handed on to the outside service in a moment, unless somebody takes it",
                it: "Tra poco inoltrata al servizio esterno, se nessuno la prende")
        case .unanswered:
            Text(
                en: "Being handed on: the outside service has not answered yet",
                it: "Inoltro in corso: il servizio esterno non ha ancora risposto")
        case .failing(let failure):
            Text(
                en:
                    "NOT HANDED ON for \(Text.minutes(minutes).en): \(failure.reason). Call the service by telephone.",
                it: "NON INOLTRATA da \(Text.minutes(minutes).it): \(failure.reason). Telefonare al servizio.")
        case .handedOver:
            Text(
                en: "The outside service has the call; no person there has confirmed it",
                it: "Il servizio esterno ha la chiamata; nessuno lì l'ha confermata")
        case .accepted(let acceptance):
            Text(
                en: "Taken at the outside service by \(acceptance.by)",
                it: "Presa dal servizio esterno: \(acceptance.by)")
        case .withdrawn:
            Text(
                en: "The outside service knows that the call is over",
                it: "Il servizio esterno sa che la chiamata è chiusa")
        }
    }

    static func entry(_ entry: EmergencyCall.Entry) -> Text {
        switch entry {
        case .message(let state, let round, _):
            Text(
                en: "The house: \(state.rawValue)" + (round.map { ", round \($0)" } ?? ""),
                it: "La casa: \(state.rawValue)" + (round.map { ", ripetizione \($0)" } ?? ""))
        case .taken(let dispatcher):
            Text(
                en: "\(dispatcher.name) took the call",
                it: "\(dispatcher.name) ha preso la chiamata")
        case .released(let dispatcher):
            Text(
                en: "\(dispatcher.name) gave the call back",
                it: "\(dispatcher.name) ha restituito la chiamata")
        case .takenOver(let dispatcher, let holder, let reason):
            Text(
                en: "\(dispatcher.name) took the call over from \(holder.name): \(reason)",
                it: "\(dispatcher.name) è subentrato a \(holder.name): \(reason)")
        case .keptOn(let dispatcher):
            Text(
                en: "\(dispatcher.name) is still on it",
                it: "\(dispatcher.name) ci sta ancora lavorando")
        case .noted(let dispatcher, let text):
            Text(en: "\(dispatcher.name): \(text)", it: "\(dispatcher.name): \(text)")
        case .closed(let dispatcher, let outcome, let note):
            Text(
                en: "\(dispatcher.name) closed the call: \(Text.outcomes(outcome).en)"
                    + (note.isEmpty ? "" : ". \(note)"),
                it: "\(dispatcher.name) ha chiuso la chiamata: \(Text.outcomes(outcome).it)"
                    + (note.isEmpty ? "" : ". \(note)"))
        case .reopened:
            Text(
                en: "The house went on calling: the call is open again",
                it: "La casa ha continuato a chiamare: la chiamata è di nuovo aperta")
        case .acceptanceDelivered(let dispatcher):
            Text(
                en: "The broker has the acceptance by \(dispatcher.name)",
                it: "Il broker ha l'accettazione di \(dispatcher.name)")
        case .acceptanceRefused(let reason):
            Text(
                en: "The broker refuses the acceptance: \(reason)",
                it: "Il broker rifiuta l'accettazione: \(reason)")
        case .forwarded(let kind, let number):
            Text(
                en: "The outside service has message \(number): \(kind.rawValue)",
                it: "Il servizio esterno ha il messaggio \(number): \(kind.rawValue)")
        case .forwardingFailed(let reason): Text(en: "Not handed on: \(reason)", it: "Non inoltrata: \(reason)")
        case .forwardingGivenUp(let reason):
            Text(en: "Given up, not handed on: \(reason)", it: "Inoltro abbandonato: \(reason)")
        case .acceptedOutside(let name):
            Text(
                en: "Taken at the outside service by \(name)",
                it: "Presa dal servizio esterno: \(name)")
        }
    }

    private static func period(_ seconds: Int64) -> String {
        seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min"
    }
}
