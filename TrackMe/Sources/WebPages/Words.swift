import Accounts
import GatewayModel

extension Words {
    func title(_ kind: QuantityKind) -> String { kind.words(in: language).title }

    func unit(_ kind: QuantityKind) -> String { kind.words(in: language).displayUnit }

    func figure(_ value: Double) -> String { Figure(value, in: language).text }

    func figure(_ value: Double, _ kind: QuantityKind) -> String { figure(value) + " " + unit(kind) }
}

extension Text {
    static let product = Text(en: "TrackMe", it: "TrackMe")
    static let myData = Text(en: "My data", it: "I miei dati")
    static let links = Text(en: "Links", it: "Collegamenti")
    static let sessions = Text(en: "Sessions", it: "Sessioni")
    static let account = Text(en: "Account", it: "Account")
    static let signIn = Text(en: "Sign in", it: "Accedi")
    static let signOut = Text(en: "Sign out", it: "Esci")
    static let register = Text(en: "Register", it: "Registrati")
    static let agreement = Text(en: "Agreement", it: "Accordo")
    static let sharing = Text(en: "Who sees my data", it: "Chi vede i miei dati")
    static let userName = Text(en: "User name", it: "Nome utente")
    static let fullName = Text(en: "First and last name", it: "Nome e cognome")
    static let password = Text(en: "Password", it: "Password")
    static let passwordAgain = Text(en: "Password again", it: "Ripeti la password")
    static let language = Text(en: "Language", it: "Lingua")
    static let passwordHint = Text(
        en: "At least 12 characters. Some words that belong together only for you are a good choice.",
        it: "Almeno 12 caratteri. Vanno bene alcune parole che stanno insieme solo per te.")
    static let badName = Text(
        en: "Write your name, with 100 characters at most.",
        it: "Scrivi il tuo nome, al massimo 100 caratteri.")
    static let passwordsDiffer = Text(
        en: "The two passwords differ. Write the same one twice.",
        it: "Le due password sono diverse. Scrivi due volte la stessa.")
    static let signInFailed = Text(
        en: "The user name and the password do not belong together.",
        it: "Il nome utente e la password non corrispondono.")
    static let tooManyAttempts = Text(
        en: "Too many attempts. Wait some minutes, and try again.",
        it: "Troppi tentativi. Aspetta qualche minuto e riprova.")
    static let house = Text(en: "House", it: "Casa")
    static let person = Text(en: "Person", it: "Persona")
    static let ask = Text(en: "Ask the person", it: "Chiedi alla persona")
    static func role(_ linkRole: LinkRole) -> Text {
        switch linkRole {
        case .looks: Text(en: "looks", it: "guarda")
        case .acts: Text(en: "acts for the person", it: "agisce per la persona")
        }
    }
    static func state(_ state: Link.State) -> Text {
        switch state {
        case .asked: Text(en: "waits for the answer", it: "in attesa della risposta")
        case .linked: Text(en: "linked", it: "collegato")
        case .refused: Text(en: "refused by the person", it: "rifiutato dalla persona")
        case .expired: Text(en: "expired without an answer", it: "scaduto senza risposta")
        case .ended: Text(en: "ended", it: "terminato")
        case .failed: Text(en: "failed", it: "non riuscito")
        }
    }
    static func reason(_ code: String) -> Text {
        switch code {
        case "no-answer": Text(en: "The house did not answer in time.", it: "La casa non ha risposto in tempo.")
        case "house-removed":
            Text(
                en: "The operator has removed the house from this server.",
                it: "Il gestore ha tolto la casa da questo server.")
        case "link-code-wrong":
            Text(
                en:
                    "The house shows no such code for this person. Compare all three lines with the screen of the house.",
                it:
                    "La casa non mostra questo codice per questa persona. Confronta le tre righe con lo schermo della casa."
            )
        case "link-code-over":
            Text(
                en: "The code is used, too old, or void after wrong ones. Make another one at home.",
                it:
                    "Il codice è già usato, troppo vecchio, o annullato da codici sbagliati. Fanne un altro in casa."
            )
        case "link-code-missing":
            Text(
                en: "The house asks for a code now. Make one at home, and ask again.",
                it: "Ora la casa chiede un codice. Fanne uno in casa, e chiedi di nuovo.")
        case "unknown-member":
            Text(
                en: "The software of this house is too old for this. Have it updated first.",
                it: "Il software di questa casa è troppo vecchio per questo. Prima va aggiornato.")
        case "data-policy-first":
            Text(
                en: "The person has to accept the data policy at home first.",
                it: "Prima la persona deve accettare in casa l'informativa sui dati.")
        default: Text(en: "The house said: \(code)", it: "La casa ha risposto: \(code)")
        }
    }
    static func since(_ date: String) -> Text {
        Text(en: "since \(date)", it: "dal \(date)")
    }
    static func at(_ time: String) -> Text {
        Text(en: "at \(time)", it: "alle \(time)")
    }
    static let kind = Text(en: "Kind", it: "Tipo")
    static let time = Text(en: "Time", it: "Ora")
    static let day = Text(en: "Day", it: "Giorno")
    static let week = Text(en: "Week", it: "Settimana")
    static let span = Text(en: "Time span", it: "Periodo")
    static let earlier = Text(en: "Earlier", it: "Prima")
    static let later = Text(en: "Later", it: "Dopo")
    static func summary(count: Int, min: String, mean: String, max: String) -> Text {
        Text(
            en: "\(count) readings: from \(min) to \(max), \(mean) on average.",
            it: "\(count) misure: da \(min) a \(max), in media \(mean).")
    }
    static let mean = Text(en: "Mean", it: "Media")
    static let count = Text(en: "Readings", it: "Misure")
}
