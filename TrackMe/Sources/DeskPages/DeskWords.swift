import ContractReading
import Desk
import GatewayModel

/// Sentences of the desk in one language.
struct DeskWords: Hashable, Sendable {
    enum Text: Hashable, Sendable {
        case desk, open, show, ended, noCalls, signOut, lost, soundOn
        case present(Int)
        case drill, partial
        case age, cause, person, house, state, work
        case round(Int)
        case pending, confirmed, waiting
        case overBy(EmergencyMessage.State, String?)
        case takenBy(String)
        case yours
        case closedBy(String, EmergencyCall.Outcome)
        case mustClose
        case take, release, close, note, addNote, outcome
        case outcomes(EmergencyCall.Outcome)
        case name, address, phone
        case born(Int)
        case notes, contacts, unknown, trend, log, identityMissing
        case place
        case placeOf(source: String, of: String?)
        case accuracy(Int)
        case ageOfPlace(Int)
        case coordinates, map
        case metres(Int)
        case noPlace, limit, value, newest, time
        case acceptanceSent, acceptanceWaits
        case acceptanceRefused(String)
        case refused(DeskRefusal)
        case entry(EmergencyCall.Entry)
        case back
    }

    let language: PersonProfile.Language

    init(_ language: PersonProfile.Language) { self.language = language }

    func say(_ text: Text) -> String {
        switch language {
        case .english: english(text)
        case .italian: italian(text)
        }
    }

    /// Title of a rule of the contract. A newer house may have rules that this program does not know.
    func rule(_ rule: String) -> String {
        let words: [String: (String, String)] = [
            "sos-button": ("SOS button", "Pulsante SOS"), "fall": ("Fall", "Caduta"),
            "shaking": ("Shaking", "Tremore"), "sensor-silent": ("Sensor silent", "Sensore muto"),
            "drill": ("Rehearsal", "Esercitazione"),
            "early-warning-score": ("Early warning score", "Punteggio di allerta"),
        ]
        if let known = words[rule] { return language == .english ? known.0 : known.1 }
        for (ending, english, italian) in [("-high", "high", "alto"), ("-low", "low", "basso")] {
            let plain = rule.hasSuffix("-warning") ? String(rule.dropLast(8)) : rule
            if plain.hasSuffix(ending), let kind = QuantityKind(rawValue: String(plain.dropLast(ending.count)))
            {
                return "\(kind.words(in: language).title): \(language == .english ? english : italian)"
            }
        }
        return rule
    }

    func figure(_ value: Double, _ unit: String?, kind: String? = nil) -> String {
        let bounded = min(max(value, -1_000_000), 1_000_000)
        let tenths = Int((bounded * 10).rounded())
        let number = tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
        let shown = kind.flatMap { QuantityKind(rawValue: $0)?.words(in: language).displayUnit } ?? unit ?? ""
        return shown.isEmpty ? number : "\(number) \(shown)"
    }

    func title(ofKind kind: String) -> String {
        QuantityKind(rawValue: kind)?.words(in: language).title ?? kind
    }
}
