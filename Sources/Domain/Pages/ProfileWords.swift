import GatewayModel
import SOSLocal

/// Words of the profile's page in one language.
struct ProfileWords: Sendable {
    /// One text. Each language must have words for all of them.
    enum Text: Hashable, Sendable {
        case profile
        case profileOf(String)
        case items, save, remove, add, notTold, settings, backToSettings
        case writtenBy(String, String)
        case help(ProfileItem)
        case gender(PersonProfile.Gender)
        case notSaved
        case notes, noNotes, newNote, contacts, noContacts, newContact
        case contactName, contactPhone, contactRelation, contactNotices, getsNotices
        case nameHelp, phoneHelp, relationHelp
        case removedBySelf(Int)
        case limits, limit, limitHelp, noLimits, notShown, weight
        case slot(LimitSlot)
        case removeOf(String)
    }

    let language: PersonProfile.Language

    func say(_ text: Text) -> String {
        switch language {
        case .english: english(text)
        case .italian: italian(text)
        }
    }

    private func english(_ text: Text) -> String {
        switch text {
        case .profile: "Profile"
        case .profileOf(let name): "Profile of \(name)"
        case .items: "About the person"
        case .save: "Save"
        case .remove: "Remove"
        case .removeOf(let name): "Remove \(name)"
        case .add: "Add"
        case .notTold: "not told"
        case .settings: "from the settings of the box"
        case .backToSettings: "Back to the settings of the box"
        case .writtenBy(let name, let date): "written by \(name), \(date)"
        case .help(.name): "1 to 100 characters."
        case .help(.birthDate): "Year, month and day: 1940-05-31. Leave it empty to tell nothing."
        case .help(.gender): "Choose one, or the empty line to tell nothing."
        case .help(.height): "Whole centimetres, 30 to 250, without a unit. Leave it empty to tell nothing."
        case .help(.telephone): "With + and the country code: +390212345678. Leave it empty to tell nothing."
        case .help(.fiscalCode): "As on the health card: 16 characters. Leave it empty to tell nothing."
        case .help(.nationalID): "1 to 40 characters. Leave it empty to tell nothing."
        case .help(.notes): "1 to 200 characters, for those who come to help."
        case .help(.contacts): "A name and a phone number."
        case .gender(.female): "female"
        case .gender(.male): "male"
        case .gender(.other): "other"
        case .notSaved: "This was not saved."
        case .notes: "Notes for helpers"
        case .noNotes: "No note."
        case .newNote: "New note"
        case .contacts: "Contacts"
        case .noContacts: "No contact."
        case .newContact: "New contact"
        case .contactName: "Name"
        case .contactPhone: "Phone"
        case .contactRelation: "Relation"
        case .contactNotices: "Send texts about batteries and other news"
        case .getsNotices: "gets texts about batteries and other news"
        case .nameHelp: "1 to 100 characters."
        case .phoneHelp: "With + and the country code: +390212345678."
        case .relationHelp: "Daughter, neighbour with a key. It may be empty."
        case .removedBySelf(let count): "Removed from those in the settings: \(count)."
        case .limits: "Limits of the alarms"
        case .limit: "Limit"
        case .limitHelp: "At rest. An alarm or a warning begins beyond these values."
        case .noLimits: "No limit is in force."
        case .notShown: "The box does not show this here."
        case .weight: "Weight"
        case .slot(let slot): slot.isWarning ? english(slot.side) + ", warning" : english(slot.side)
        }
    }

    private func english(_ side: LimitRule.Side) -> String { side == .low ? "Lower limit" : "Upper limit" }

    private func italian(_ text: Text) -> String {
        switch text {
        case .profile: "Profilo"
        case .profileOf(let name): "Profilo di \(name)"
        case .items: "La persona"
        case .save: "Salva"
        case .remove: "Togli"
        case .removeOf(let name): "Togli \(name)"
        case .add: "Aggiungi"
        case .notTold: "non indicato"
        case .settings: "dalle impostazioni della centralina"
        case .backToSettings: "Torna alle impostazioni della centralina"
        case .writtenBy(let name, let date): "scritto da \(name), \(date)"
        case .help(.name): "Da 1 a 100 caratteri."
        case .help(.birthDate): "Anno, mese e giorno: 1940-05-31. Lascia vuoto per non indicarla."
        case .help(.gender): "Scegli una voce, o la riga vuota per non indicarlo."
        case .help(.height): "Centimetri interi, da 30 a 250, senza unità. Lascia vuoto per non indicarla."
        case .help(.telephone): "Con + e il prefisso del paese: +390212345678. Lascia vuoto per non indicarlo."
        case .help(.fiscalCode): "Come sulla tessera sanitaria: 16 caratteri. Lascia vuoto per non indicarlo."
        case .help(.nationalID): "Da 1 a 40 caratteri. Lascia vuoto per non indicarlo."
        case .help(.notes): "Da 1 a 200 caratteri, per chi viene ad aiutare."
        case .help(.contacts): "Un nome e un numero di telefono."
        case .gender(.female): "femmina"
        case .gender(.male): "maschio"
        case .gender(.other): "altro"
        case .notSaved: "Non è stato salvato."
        case .notes: "Note per chi aiuta"
        case .noNotes: "Nessuna nota."
        case .newNote: "Nuova nota"
        case .contacts: "Contatti"
        case .noContacts: "Nessun contatto."
        case .newContact: "Nuovo contatto"
        case .contactName: "Nome"
        case .contactPhone: "Telefono"
        case .contactRelation: "Relazione"
        case .contactNotices: "Manda messaggi sulle batterie e altre novità"
        case .getsNotices: "riceve messaggi sulle batterie e altre novità"
        case .nameHelp: "Da 1 a 100 caratteri."
        case .phoneHelp: "Con + e il prefisso del paese: +390212345678."
        case .relationHelp: "Figlia, vicino con la chiave. Può essere vuoto."
        case .removedBySelf(let count): "Tolti da quelli delle impostazioni: \(count)."
        case .limits: "Limiti degli allarmi"
        case .limit: "Limite"
        case .limitHelp: "A riposo. Oltre questi valori comincia un allarme o un avviso."
        case .noLimits: "Nessun limite è in vigore."
        case .notShown: "La centralina non lo mostra qui."
        case .weight: "Peso"
        case .slot(let slot): italian(slot.side) + (slot.isWarning ? ", avviso" : "")
        }
    }

    private func italian(_ side: LimitRule.Side) -> String {
        side == .low ? "Limite inferiore" : "Limite superiore"
    }
}
