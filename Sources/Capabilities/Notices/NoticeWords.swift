import GatewayModel

/// Texts of the notices about one matter of one person. Pure.
struct NoticeWords {
    struct Texts: Hashable, Sendable {
        let english, italian: String
    }

    /// As people call the person.
    let name: String
    /// Device or channel.
    let subject: String

    func beginning(_ rule: NoticeRule) -> Texts {
        Texts(
            english: Self.sentence(english(rule.concern), rule.english),
            italian: Self.sentence(italian(rule.concern), rule.italian))
    }

    private static func sentence(_ head: String, _ words: NoticeRule.Words) -> String {
        let cause = words.cause.isEmpty ? "" : ": \(words.cause)"
        return "\(head)\(cause)." + (words.remedy.isEmpty ? "" : " \(words.remedy)")
    }

    private func english(_ concern: Concern) -> String {
        switch concern {
        case .unwatched: "Nobody is watching over \(name) at the moment"
        case .device: "It is not certain that the \(subject) of \(name) would call for help"
        case .batteryLow: "The battery of the \(subject) of \(name) is nearly empty"
        case .mains: "The box in the house of \(name) runs on its battery: the mains are gone"
        case .boxBattery: "The box in the house of \(name) will stop watching: its battery is nearly empty"
        case .help: "No help can be called for \(name)"
        case .channel: "A way to call help for \(name) does not work: \(subject)"
        case .desk: "Nobody is at the emergency desk for \(name), or the desk cannot be heard"
        case .drill: "Nobody answered the last drill for \(name)"
        case .settings: "A part of the settings of the box of \(name) is wrong and is not used"
        case .restart:
            "The box of \(name) was restarted, and an alarm before it may have been lost. Ask how \(name) is"
        case .house: "An alarm of \(name) would not be noticed in the house"
        case .sound: "An alarm of \(name) could not be heard in the house"
        case .boxButton: "The button of the box in the house of \(name) does not work: it calls nobody"
        case .cancel: "A false alarm of \(name) cannot be cancelled in the house"
        case .storage: "The memory of the box in the house of \(name) was damaged, and a part of it was lost"
        case .certificate: "A certificate of the box in the house of \(name) must be renewed"
        case .clock: "The box in the house of \(name) does not know the time, so times that it shows are wrong"
        }
    }

    private func italian(_ concern: Concern) -> String {
        switch concern {
        case .unwatched: "In questo momento nessuno sorveglia \(name)"
        case .device: "Non è certo che il dispositivo \(subject) di \(name) chiami aiuto"
        case .batteryLow: "La batteria del dispositivo \(subject) di \(name) è quasi scarica"
        case .mains: "La centralina in casa di \(name) va a batteria: manca la corrente"
        case .boxBattery:
            "La centralina in casa di \(name) smetterà di sorvegliare: la sua batteria è quasi scarica"
        case .help: "Non si può chiamare aiuto per \(name)"
        case .channel: "Un modo di chiamare aiuto per \(name) non funziona: \(subject)"
        case .desk: "Alla centrale di emergenza per \(name) non c'è nessuno, o non si riesce a sentirla"
        case .drill: "Nessuno ha risposto all'ultima esercitazione per \(name)"
        case .settings: "Una parte delle impostazioni della centralina di \(name) è sbagliata e non viene usata"
        case .restart:
            "La centralina di \(name) è stata riavviata, e un allarme precedente può essere andato perso. Chiedere come "
                + "sta \(name)"
        case .house: "Un allarme di \(name) non si noterebbe in casa"
        case .sound: "In casa non si sentirebbe un allarme di \(name)"
        case .boxButton:
            "Il pulsante della centralina in casa di \(name) non funziona: non chiama nessuno"
        case .cancel: "In casa non si può annullare un falso allarme di \(name)"
        case .storage:
            "La memoria della centralina in casa di \(name) si è danneggiata, e una parte è andata persa"
        case .certificate: "Un certificato della centralina in casa di \(name) va rinnovato"
        case .clock:
            "La centralina in casa di \(name) non conosce l'ora: gli orari che mostra sono sbagliati"
        }
    }

    /// Nil where there is nothing to say: a restart has no end.
    func ending(_ concern: Concern) -> Texts? {
        switch concern {
        case .unwatched:
            Texts(english: "\(name) is watched over again.", italian: "\(name) è di nuovo sotto sorveglianza.")
        case .device:
            Texts(
                english: "The \(subject) of \(name) works.",
                italian: "Il dispositivo \(subject) di \(name) funziona.")
        case .batteryLow:
            Texts(
                english: "The battery of the \(subject) of \(name) is charged again.",
                italian: "La batteria del dispositivo \(subject) di \(name) è di nuovo carica.")
        case .mains:
            Texts(
                english: "The box in the house of \(name) has mains power again.",
                italian: "La centralina in casa di \(name) ha di nuovo corrente.")
        case .boxBattery:
            Texts(
                english: "The battery of the box in the house of \(name) is no longer low.",
                italian: "La batteria della centralina in casa di \(name) non è più scarica.")
        case .help:
            Texts(
                english: "Help can be called for \(name) again.",
                italian: "Si può di nuovo chiamare aiuto per \(name).")
        case .channel:
            Texts(
                english: "The way to call help for \(name) works again: \(subject).",
                italian: "Il modo di chiamare aiuto per \(name) funziona di nuovo: \(subject).")
        case .desk:
            Texts(
                english: "Somebody is at the emergency desk for \(name) again.",
                italian: "Alla centrale di emergenza per \(name) c'è di nuovo qualcuno.")
        case .drill:
            Texts(
                english: "A drill for \(name) was answered.",
                italian: "A un'esercitazione per \(name) è stato risposto.")
        case .settings:
            Texts(
                english: "The settings of the box of \(name) are right again.",
                italian: "Le impostazioni della centralina di \(name) sono di nuovo giuste.")
        case .restart: nil
        case .house:
            Texts(
                english: "An alarm of \(name) is noticed in the house again.",
                italian: "Un allarme di \(name) si nota di nuovo in casa.")
        case .sound:
            Texts(
                english: "An alarm of \(name) can be heard in the house again.",
                italian: "In casa si sente di nuovo un allarme di \(name).")
        case .boxButton:
            Texts(
                english: "The button of the box in the house of \(name) works again.",
                italian: "Il pulsante della centralina in casa di \(name) funziona di nuovo.")
        case .cancel:
            Texts(
                english: "A false alarm of \(name) can be cancelled in the house.",
                italian: "In casa si può annullare un falso allarme di \(name).")
        case .storage:
            Texts(
                english: "The memory of the box in the house of \(name) works.",
                italian: "La memoria della centralina in casa di \(name) funziona.")
        case .certificate:
            Texts(
                english: "The certificates of the box in the house of \(name) were renewed.",
                italian: "I certificati della centralina in casa di \(name) sono stati rinnovati.")
        case .clock:
            Texts(
                english: "The box in the house of \(name) knows the time again.",
                italian: "La centralina in casa di \(name) conosce di nuovo l'ora.")
        }
    }
}
