import ControlContract
import GatewayModel
import Phrases

extension Words {
    func say(_ statement: Statement) -> String { say(statement.text(.shown)) }

    func title(_ kind: String) -> String {
        QuantityKind(rawValue: kind)?.words(in: language).title ?? kind
    }

    func unit(_ kind: String) -> String { QuantityKind(rawValue: kind)?.words(in: language).displayUnit ?? "" }

    func figure(_ value: Double) -> String { Figure(value, in: language).text }

    func age(_ milliseconds: Int64) -> String {
        let seconds = Int(clamping: max(milliseconds, 0) / 1_000)
        return switch seconds {
        case ..<10: say(.now)
        case ..<60: say(.secondsAgo(seconds))
        case ..<7_200: say(.minutesAgo(max(seconds / 60, 1)))
        default: say(.hoursAgo(seconds / 3_600))
        }
    }

    /// As `age`, in days from the second day on.
    func longAge(_ milliseconds: Int64) -> String {
        milliseconds < 2 * 86_400_000
            ? age(milliseconds) : say(.daysAgo(Int(clamping: milliseconds / 86_400_000)))
    }

    /// Role of the account of a request. An unknown role counts as the greater one: nothing that is asked for stays unsaid.
    func role(of request: HouseSnapshot.Request) -> LinkRole {
        request.role.map { LinkRole(rawValue: $0) ?? .acts } ?? .looks
    }

    /// A kind without words is shown by its name on the wire: nothing that is asked for stays unsaid.
    func asks(_ request: HouseSnapshot.Request, of person: String?) -> String {
        let known = request.kinds.compactMap { DataKind(rawValue: $0) }
        guard known.count == request.kinds.count else {
            return "\(request.partyName): \(request.kinds.joined(separator: ", "))"
        }
        if request.party == PartyID.accounts.text {
            return say(Statement.asksForAccount(account: request.partyName, role(of: request), of: person))
        }
        let precision = request.precision.flatMap { LocationPrecision(rawValue: $0) } ?? .coarse
        return say(Statement.asksForData(party: request.partyName, of: person, known, precision, purpose: nil))
    }
}

extension Text {
    static let pages = Text(en: "Pages", it: "Pagine")
    static func cannotSee(_ name: String?) -> Text {
        Text(
            en: "I cannot see how \(name ?? "you") \(name == nil ? "are" : "is").",
            it: name.map { "Non vedo come sta \($0)." } ?? "Non vedo come stai.")
    }
    static let notWorn = Text(en: "No sensor is set up.", it: "Nessun sensore è impostato.")
    static let now = Text(en: "now", it: "ora")
    static func secondsAgo(_ count: Int) -> Text {
        Text(en: "\(count) seconds ago", it: "\(count) secondi fa")
    }
    static func minutesAgo(_ count: Int) -> Text {
        Text(
            en: count == 1 ? "1 minute ago" : "\(count) minutes ago",
            it: count == 1 ? "1 minuto fa" : "\(count) minuti fa")
    }
    static func hoursAgo(_ count: Int) -> Text {
        Text(en: "\(count) hours ago", it: "\(count) ore fa")
    }
    static func daysAgo(_ count: Int) -> Text {
        Text(en: "\(count) days ago", it: "\(count) giorni fa")
    }
    static let callHelp = Text(en: "CALL HELP", it: "CHIAMA AIUTO")
    static let no = Text(en: "No", it: "No")
    static func testButton(_ name: String?) -> Text {
        Text(
            en: "Test my help button" + (name.map { " (\($0))" } ?? ""),
            it: "Prova il mio pulsante di aiuto" + (name.map { " (\($0))" } ?? ""))
    }
    static func linkCode(_ name: String?) -> Text {
        Text(
            en: "Code for a relative at TrackMe" + (name.map { " (\($0))" } ?? ""),
            it: "Codice per un familiare su TrackMe" + (name.map { " (\($0))" } ?? ""))
    }
    static let alarmTitle = Text(en: "Alarm", it: "Allarme")
    static func alarmOf(_ name: String?) -> Text {
        Text(
            en: name.map { "Alarm for \($0)." } ?? "An alarm is open.",
            it: name.map { "Allarme per \($0)." } ?? "Un allarme è aperto.")
    }
    static let isOver = Text(en: "The alarm is over.", it: "L'allarme è finito.")
    static let question = Text(en: "A question", it: "Una domanda")
    static let later = Text(en: "Ask me later", it: "Chiedimelo più tardi")
    static let pin = Text(en: "Your PIN", it: "Il tuo PIN")
    static func date(_ time: LocalTime) -> Text {
        func words(_ language: PersonProfile.Language, comma: String = "") -> String {
            "\(language.weekdays[time.weekday])\(comma) \(time.date.day) \(language.months[time.date.month - 1])"
        }
        return Text(en: words(.english, comma: ","), it: words(.italian))
    }
    static let reason = Text(en: "What happened?", it: "Che cosa è successo?")
    static let battery = Text(en: "Batteries", it: "Batterie")
    static let batteryUnknown = Text(en: "not known", it: "non nota")
    static let asked = Text(en: "Asked", it: "In attesa")
    static let purpose = Text(en: "Purpose", it: "Scopo")
    static let devices = Text(en: "Devices that are paired for you", it: "Dispositivi abbinati per te")
    static let back = Text(en: "Back", it: "Indietro")
    static let boxAway = Text(
        en: "The box did not answer. If you changed something, look whether it was done.",
        it: "La centralina non ha risposto. Se hai cambiato qualcosa, controlla se è stato fatto.")
    static let expired = Text(
        en: "The page was too old. Open it again.",
        it: "La pagina era troppo vecchia. Aprila di nuovo.")
}
