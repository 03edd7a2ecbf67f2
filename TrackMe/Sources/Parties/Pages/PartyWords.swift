import ContractReading
import GatewayModel

extension Text {
    static let vat = Text(en: "VAT number", it: "Partita IVA")
    static let id = Text(en: "Short name", it: "Nome breve")
    static let key = Text(en: "Public key", it: "Chiave pubblica")
    static let applied = Text(
        en: "Your application has been received. The operator examines it and writes to your mail address.",
        it: "La domanda è arrivata. Il gestore la esamina e scrive al vostro indirizzo e-mail.")
    static func state(_ state: PartyRequest.State, _ date: String) -> Text {
        switch state {
        case .sent:
            Text(
                en: "Asked on \(date). Answer at home.",
                it: "Chiesto il \(date). Rispondete a casa.")
        case .accepted: Text(en: "Accepted on \(date)", it: "Accettato il \(date)")
        case .refused: Text(en: "Refused on \(date)", it: "Rifiutato il \(date)")
        case .withdrawn: Text(en: "Ended on \(date)", it: "Terminato il \(date)")
        case .expired: Text(en: "Expired on \(date)", it: "Scaduto il \(date)")
        }
    }
    static func until(_ date: String) -> Text {
        Text(en: "Until \(date)", it: "Fino al \(date)")
    }
    static func read(_ count: Int, _ date: String) -> Text {
        Text(
            en: "The company has read \(count) messages, most recently on \(date).",
            it: "L'azienda ha letto \(count) messaggi, l'ultima volta il \(date).")
    }
}
