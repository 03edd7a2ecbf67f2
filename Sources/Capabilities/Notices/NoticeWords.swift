import GatewayModel

/// Texts of the notices about one matter of one person. Pure.
struct NoticeWords {
    /// As people call the person.
    let name: String
    /// Device or channel.
    let subject: String

    func beginning(_ rule: NoticeRule) -> Text {
        let head = head(rule.concern)
        return Text(
            en: Self.sentence(head.en, rule.cause?.en, rule.remedy?.en),
            it: Self.sentence(head.it, rule.cause?.it, rule.remedy?.it))
    }

    private static func sentence(_ head: String, _ cause: String?, _ remedy: String?) -> String {
        head + (cause.map { ": " + $0 } ?? "") + "." + (remedy.map { " " + $0 } ?? "")
    }

    private func head(_ concern: Concern) -> Text {
        switch concern {
        case .unwatched:
            Text(
                en: "Nobody is watching over \(name) at the moment",
                it: "In questo momento nessuno sorveglia \(name)")
        case .device:
            Text(
                en: "It is not certain that the \(subject) of \(name) would call for help",
                it: "Non è certo che il dispositivo \(subject) di \(name) chiami aiuto")
        case .batteryLow:
            Text(
                en: "The battery of the \(subject) of \(name) is nearly empty",
                it: "La batteria del dispositivo \(subject) di \(name) è quasi scarica")
        case .mains:
            Text(
                en: "The box in the house of \(name) runs on its battery: the mains are gone",
                it: "La centralina in casa di \(name) va a batteria: manca la corrente")
        case .boxBattery:
            Text(
                en: "The box in the house of \(name) will stop watching: its battery is nearly empty",
                it: "La centralina in casa di \(name) smetterà di sorvegliare: la sua batteria è quasi scarica")
        case .help:
            Text(
                en: "No help can be called for \(name)",
                it: "Non si può chiamare aiuto per \(name)")
        case .channel:
            Text(
                en: "A way to call help for \(name) does not work: \(subject)",
                it: "Un modo di chiamare aiuto per \(name) non funziona: \(subject)")
        case .desk:
            Text(
                en: "Nobody is at the emergency desk for \(name), or the desk cannot be heard",
                it: "Alla centrale di emergenza per \(name) non c'è nessuno, o non si riesce a sentirla")
        case .drill:
            Text(
                en: "Nobody answered the last drill for \(name)",
                it: "Nessuno ha risposto all'ultima esercitazione per \(name)")
        case .settings:
            Text(
                en: "A part of the settings of the box of \(name) is wrong and is not used",
                it: "Una parte delle impostazioni della centralina di \(name) è sbagliata e non viene usata")
        case .restart:
            Text(
                en:
                    "The box of \(name) was restarted, and an alarm before it may have been lost. Ask how \(name) is",
                it:
                    "La centralina di \(name) è stata riavviata, e un allarme precedente può essere andato perso. Chiedere come "
                    + "sta \(name)")
        case .house:
            Text(
                en: "An alarm of \(name) would not be noticed in the house",
                it: "Un allarme di \(name) non si noterebbe in casa")
        case .sound:
            Text(
                en: "An alarm of \(name) could not be heard in the house",
                it: "In casa non si sentirebbe un allarme di \(name)")
        case .boxButton:
            Text(
                en: "The button of the box in the house of \(name) does not work: it calls nobody",
                it: "Il pulsante della centralina in casa di \(name) non funziona: non chiama nessuno")
        case .cancel:
            Text(
                en: "A false alarm of \(name) cannot be cancelled in the house",
                it: "In casa non si può annullare un falso allarme di \(name)")
        case .storage:
            Text(
                en: "The memory of the box in the house of \(name) was damaged, and a part of it was lost",
                it:
                    "La memoria della centralina in casa di \(name) si è danneggiata, e una parte è andata persa"
            )
        case .certificate:
            Text(
                en: "A certificate of the box in the house of \(name) must be renewed",
                it: "Un certificato della centralina in casa di \(name) va rinnovato")
        case .clock:
            Text(
                en: "The box in the house of \(name) does not know the time, so times that it shows are wrong",
                it: "La centralina in casa di \(name) non conosce l'ora: gli orari che mostra sono sbagliati")
        }
    }

    /// Nil where there is nothing to say: a restart has no end.
    func ending(_ concern: Concern) -> Text? {
        switch concern {
        case .unwatched:
            Text(en: "\(name) is watched over again.", it: "\(name) è di nuovo sotto sorveglianza.")
        case .device:
            Text(
                en: "The \(subject) of \(name) works.",
                it: "Il dispositivo \(subject) di \(name) funziona.")
        case .batteryLow:
            Text(
                en: "The battery of the \(subject) of \(name) is charged again.",
                it: "La batteria del dispositivo \(subject) di \(name) è di nuovo carica.")
        case .mains:
            Text(
                en: "The box in the house of \(name) has mains power again.",
                it: "La centralina in casa di \(name) ha di nuovo corrente.")
        case .boxBattery:
            Text(
                en: "The battery of the box in the house of \(name) is no longer low.",
                it: "La batteria della centralina in casa di \(name) non è più scarica.")
        case .help:
            Text(
                en: "Help can be called for \(name) again.",
                it: "Si può di nuovo chiamare aiuto per \(name).")
        case .channel:
            Text(
                en: "The way to call help for \(name) works again: \(subject).",
                it: "Il modo di chiamare aiuto per \(name) funziona di nuovo: \(subject).")
        case .desk:
            Text(
                en: "Somebody is at the emergency desk for \(name) again.",
                it: "Alla centrale di emergenza per \(name) c'è di nuovo qualcuno.")
        case .drill:
            Text(
                en: "A drill for \(name) was answered.",
                it: "A un'esercitazione per \(name) è stato risposto.")
        case .settings:
            Text(
                en: "The settings of the box of \(name) are right again.",
                it: "Le impostazioni della centralina di \(name) sono di nuovo giuste.")
        case .restart: nil
        case .house:
            Text(
                en: "An alarm of \(name) is noticed in the house again.",
                it: "Un allarme di \(name) si nota di nuovo in casa.")
        case .sound:
            Text(
                en: "An alarm of \(name) can be heard in the house again.",
                it: "In casa si sente di nuovo un allarme di \(name).")
        case .boxButton:
            Text(
                en: "The button of the box in the house of \(name) works again.",
                it: "Il pulsante della centralina in casa di \(name) funziona di nuovo.")
        case .cancel:
            Text(
                en: "A false alarm of \(name) can be cancelled in the house.",
                it: "In casa si può annullare un falso allarme di \(name).")
        case .storage:
            Text(
                en: "The memory of the box in the house of \(name) works.",
                it: "La memoria della centralina in casa di \(name) funziona.")
        case .certificate:
            Text(
                en: "The certificates of the box in the house of \(name) were renewed.",
                it: "I certificati della centralina in casa di \(name) sono stati rinnovati.")
        case .clock:
            Text(
                en: "The box in the house of \(name) knows the time again.",
                it: "La centralina in casa di \(name) conosce di nuovo l'ora.")
        }
    }
}
