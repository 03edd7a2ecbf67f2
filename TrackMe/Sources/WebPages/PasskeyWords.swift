import Accounts
import GatewayModel

extension Text {
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

extension Text {
    static let title = Text(en: "Passkeys", it: "Passkey")
    static let noPasskeys = Text(en: "You have no passkey.", it: "Non hai passkey.")
    static let add = Text(en: "Add a passkey", it: "Aggiungi una passkey")
    static let name = Text(en: "Name", it: "Nome")
    static let remove = Text(en: "Remove", it: "Togli")
    static let removed = Text(
        en: "The passkey is removed, and signs nobody in any more. Delete it on the device as well.",
        it: "La passkey è stata tolta e non fa più accedere nessuno. Cancellala anche dal dispositivo.")
    static let late = Text(
        en: "No passkey was added: it took more than five minutes. Try again.",
        it: "Nessuna passkey è stata aggiunta: sono passati più di cinque minuti. Riprova.")
    static let refused = Text(
        en: "No passkey was added: the answer of the browser is not sound. Try again.",
        it: "Nessuna passkey è stata aggiunta: la risposta del browser non è valida. Riprova.")
    static let notVerified = Text(
        en:
            "No passkey was added: the device did not check your fingerprint, your face or a PIN. Set one up on it first.",
        it:
            "Nessuna passkey è stata aggiunta: il dispositivo non ha verificato l’impronta, il volto o un PIN. Prima "
            + "impostane uno.")
    static let unknownAlgorithm = Text(
        en: "No passkey was added: the device can make none that this server knows. Use another one.",
        it:
            "Nessuna passkey è stata aggiunta: il dispositivo non ne crea di un tipo noto a questo server. Usane un altro."
    )
    static let link = Text(
        en: "Your passkeys. A new password does not remove them.",
        it: "Le tue passkey. Una nuova password non le toglie.")
}
