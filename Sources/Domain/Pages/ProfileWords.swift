import GatewayModel
import SOSLocal

extension Text {
    static let profile = Text(en: "Profile", it: "Profilo")
    static let items = Text(en: "About the person", it: "La persona")
    static let add = Text(en: "Add", it: "Aggiungi")
    static func help(_ profileItem: ProfileItem) -> Text {
        switch profileItem {
        case .name: Text(en: "1 to 100 characters.", it: "Da 1 a 100 caratteri.")
        case .birthDate:
            Text(
                en: "Year, month and day: 1940-05-31. Leave it empty to tell nothing.",
                it: "Anno, mese e giorno: 1940-05-31. Lascia vuoto per non indicarla.")
        case .gender:
            Text(
                en: "Choose one, or the empty line to tell nothing.",
                it: "Scegli una voce, o la riga vuota per non indicarlo.")
        case .height:
            Text(
                en: "Whole centimetres, 30 to 250, without a unit. Leave it empty to tell nothing.",
                it: "Centimetri interi, da 30 a 250, senza unità. Lascia vuoto per non indicarla.")
        case .telephone:
            Text(
                en: "With + and the country code: +390212345678. Leave it empty to tell nothing.",
                it: "Con + e il prefisso del paese: +390212345678. Lascia vuoto per non indicarlo.")
        case .fiscalCode:
            Text(
                en: "As on the health card: 16 characters. Leave it empty to tell nothing.",
                it: "Come sulla tessera sanitaria: 16 caratteri. Lascia vuoto per non indicarlo.")
        case .nationalID:
            Text(
                en: "1 to 40 characters. Leave it empty to tell nothing.",
                it: "Da 1 a 40 caratteri. Lascia vuoto per non indicarlo.")
        case .notes:
            Text(
                en: "1 to 200 characters, for those who come to help.",
                it: "Da 1 a 200 caratteri, per chi viene ad aiutare.")
        case .contacts: Text(en: "A name and a phone number.", it: "Un nome e un numero di telefono.")
        }
    }
    static let contacts = Text(en: "Contacts", it: "Contatti")
    static let limits = Text(en: "Limits of the alarms", it: "Limiti degli allarmi")
    static let limit = Text(en: "Limit", it: "Limite")
    static func slot(_ slot: LimitSlot) -> Text {
        switch slot.side {
        case .low:
            slot.isWarning
                ? Text(en: "Lower limit, warning", it: "Limite inferiore, avviso")
                : Text(en: "Lower limit", it: "Limite inferiore")
        case .high:
            slot.isWarning
                ? Text(en: "Upper limit, warning", it: "Limite superiore, avviso")
                : Text(en: "Upper limit", it: "Limite superiore")
        }
    }
}
