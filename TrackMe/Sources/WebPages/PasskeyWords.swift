import GatewayModel
import Passkeys

/// Sentences about passkeys in one language.
struct PasskeyWords: Hashable, Sendable {
    enum Text: Hashable, Sendable {
        case title, intro, stays, none, add, name, nameHint, badName, password, remove, back
        case addedOn(String)
        case usedOn(String)
        case neverUsed, added, removed, tooMany, exists
        case changes, changesHint
        case change(PasskeyChange)
        case createIntro(String)
        case create, unable, notMade, deviceHasOne, late, notVerified, unknownAlgorithm, refused
        case signIn, notUsed
        case refusal(PasskeySignIn.Refusal)
        case link
    }

    let language: PersonProfile.Language

    init(_ language: PersonProfile.Language) { self.language = language }

    func say(_ text: Text) -> String {
        switch language {
        case .english: english(text)
        case .italian: italian(text)
        }
    }

    private func english(_ text: Text) -> String {
        switch text {
        case .title: "Passkeys"
        case .intro:
            "A passkey is a key in your phone, your computer or a security key. It signs you in after your fingerprint, your "
                + "face or your PIN, without a user name and a password, also while strangers try passwords for your name."
        case .stays:
            "A new password removes no passkey. Remove the passkey of a device that you have lost or given away."
        case .none: "You have no passkey."
        case .add: "Add a passkey"
        case .name: "Name"
        case .nameHint: "For example: my phone, or: key at the desk."
        case .badName: "Write a name, with \(PasskeyName.length) characters at most."
        case .password: "Present password"
        case .remove: "Remove"
        case .back: "Back to the passkeys"
        case .addedOn(let time): "Added on \(time)."
        case .usedOn(let time): "Last sign-in on \(time)."
        case .neverUsed: "No sign-in yet."
        case .added: "The passkey is added. You can sign in with it from now on."
        case .removed: "The passkey is removed, and signs nobody in any more. Delete it on the device as well."
        case .tooMany: "You have \(Passkey.mostOfAccount) passkeys, which is the most. Remove one first."
        case .exists: "This passkey is known already. It was not added."
        case .changes: "Changes"
        case .changesHint:
            "Is there one that you did not make? Remove the passkey, change your password, and tell the operator."
        case .change(.added): "a passkey was added"
        case .change(.removed): "a passkey was removed"
        case .change(.reset): "the operator gave the account another password, and removed a passkey"
        case .change(.copied): "a sign-in was refused, because there may be a copy of a passkey"
        case .createIntro(let name):
            "Your browser now makes the passkey \u{201C}\(name)\u{201D}, and asks where to keep it."
        case .create: "Make the passkey"
        case .unable:
            "This browser makes no passkeys here: it has none, or it does not run the script of this page."
        case .notMade: "No passkey was made. Try again."
        case .deviceHasOne: "This device has a passkey for your account already."
        case .late: "No passkey was added: it took more than five minutes. Try again."
        case .notVerified:
            "No passkey was added: the device did not check your fingerprint, your face or a PIN. Set one up on it first."
        case .unknownAlgorithm:
            "No passkey was added: the device can make none that this server knows. Use another one."
        case .refused: "No passkey was added: the answer of the browser is not sound. Try again."
        case .signIn: "Sign in with a passkey"
        case .notUsed: "You are not signed in. Try again, or use your password."
        case .refusal(.refused):
            "This passkey does not sign in here. If you have removed it, delete it on the device as well. Try again, or use "
                + "your password."
        case .refusal(.late): "You are not signed in: it took more than five minutes. Try again."
        case .refusal(.copied):
            "You are not signed in: there may be a copy of this passkey. Use your password, remove the passkey, and tell the "
                + "operator."
        case .refusal(.disabled): Words(language).say(.accountDisabled)
        case .refusal(.busy): Words(language).say(.tooManyAttempts)
        case .link: "Your passkeys. A new password does not remove them."
        }
    }

    private func italian(_ text: Text) -> String {
        switch text {
        case .title: "Passkey"
        case .intro:
            "Una passkey è una chiave nel telefono, nel computer o in una chiavetta di sicurezza. Ti fa accedere con "
                + "l’impronta, il volto o il PIN, senza nome utente e senza password, anche mentre degli sconosciuti provano "
                + "password per il tuo nome."
        case .stays:
            "Una nuova password non toglie nessuna passkey. Togli la passkey di un dispositivo perso o ceduto."
        case .none: "Non hai passkey."
        case .add: "Aggiungi una passkey"
        case .name: "Nome"
        case .nameHint: "Per esempio: il mio telefono, oppure: chiavetta della centrale."
        case .badName: "Scrivi un nome di \(PasskeyName.length) caratteri al massimo."
        case .password: "Password attuale"
        case .remove: "Togli"
        case .back: "Torna alle passkey"
        case .addedOn(let time): "Aggiunta il \(time)."
        case .usedOn(let time): "Ultimo accesso il \(time)."
        case .neverUsed: "Ancora nessun accesso."
        case .added: "La passkey è stata aggiunta. Da ora puoi usarla per accedere."
        case .removed:
            "La passkey è stata tolta e non fa più accedere nessuno. Cancellala anche dal dispositivo."
        case .tooMany: "Hai \(Passkey.mostOfAccount) passkey, il massimo. Prima togline una."
        case .exists: "Questa passkey è già nota. Non è stata aggiunta."
        case .changes: "Modifiche"
        case .changesHint:
            "Ce n’è una che non hai fatto tu? Togli la passkey, cambia la password e avvisa il gestore."
        case .change(.added): "è stata aggiunta una passkey"
        case .change(.removed): "è stata tolta una passkey"
        case .change(.reset): "il gestore ha dato all’account un’altra password e ha tolto una passkey"
        case .change(.copied): "un accesso è stato rifiutato, perché forse esiste una copia di una passkey"
        case .createIntro(let name): "Ora il browser crea la passkey «\(name)» e chiede dove conservarla."
        case .create: "Crea la passkey"
        case .unable:
            "Questo browser qui non crea passkey: non le conosce, oppure non esegue lo script di questa pagina."
        case .notMade: "Nessuna passkey è stata creata. Riprova."
        case .deviceHasOne: "Questo dispositivo ha già una passkey per il tuo account."
        case .late: "Nessuna passkey è stata aggiunta: sono passati più di cinque minuti. Riprova."
        case .notVerified:
            "Nessuna passkey è stata aggiunta: il dispositivo non ha verificato l’impronta, il volto o un PIN. Prima "
                + "impostane uno."
        case .unknownAlgorithm:
            "Nessuna passkey è stata aggiunta: il dispositivo non ne crea di un tipo noto a questo server. Usane un altro."
        case .refused: "Nessuna passkey è stata aggiunta: la risposta del browser non è valida. Riprova."
        case .signIn: "Accedi con una passkey"
        case .notUsed: "L’accesso non è riuscito. Riprova, oppure usa la password."
        case .refusal(.refused):
            "Questa passkey qui non fa accedere. Se l’hai tolta, cancellala anche dal dispositivo. Riprova, oppure usa la "
                + "password."
        case .refusal(.late): "L’accesso non è riuscito: sono passati più di cinque minuti. Riprova."
        case .refusal(.copied):
            "L’accesso non è riuscito: forse esiste una copia di questa passkey. Usa la password, togli la passkey e avvisa "
                + "il gestore."
        case .refusal(.disabled): Words(language).say(.accountDisabled)
        case .refusal(.busy): Words(language).say(.tooManyAttempts)
        case .link: "Le tue passkey. Una nuova password non le toglie."
        }
    }
}

extension PasskeyWords.Text {
    init(_ fault: PasskeyFault) {
        self =
            switch fault {
            case .tooLate: .late
            case .userNotVerified: .notVerified
            case .unknownAlgorithm: .unknownAlgorithm
            default: .refused
            }
    }

    /// Sentence for the query of a page after a change. Nil for none, and for an unknown one.
    init?(change: String?) {
        switch change {
        case "added": self = .added
        case "removed": self = .removed
        default: return nil
        }
    }
}
