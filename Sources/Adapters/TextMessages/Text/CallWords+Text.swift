import HelpLine
import SOSLocal

/// What a text says besides. The marker comes first: it is what a locked phone shows.
extension CallWords {
    func marker(_ order: DispatchOrder) -> String {
        switch (order.isDrill, order.stage, order.priority) {
        case (true, _, _): say("DRILL, no emergency", "ESERCITAZIONE, nessuna emergenza")
        case (_, .pending, _): say("HELP MAY BE NEEDED", "POTREBBE SERVIRE AIUTO")
        case (_, .confirmed, .high) where order.round > 1: say("HELP STILL NEEDED", "SERVE ANCORA AIUTO")
        case (_, .confirmed, .high): say("HELP NEEDED", "SERVE AIUTO")
        case (_, .confirmed, _): say("PLEASE CHECK", "DA CONTROLLARE")
        }
    }

    func marker(_ retraction: Retraction) -> String {
        let word =
            switch retraction.ending {
            case .aborted: say("CANCELLED", "ANNULLATO")
            case .accepted: say("TAKEN CARE OF", "PRESO IN CARICO")
            case .resolved: say("RESOLVED", "RISOLTO")
            case .lapsed: say("OVER", "FINITA")
            }
        return retraction.isDrill ? say("DRILL, ", "ESERCITAZIONE, ") + word : word
    }

    func advice(_ order: DispatchOrder) -> String {
        if order.isDrill { return say("Nobody is in danger.", "Nessuno è in pericolo.") }
        switch order.stage {
        case .pending:
            return say(
                "Be ready: a confirmation or a cancellation follows.",
                "Tenersi pronti: seguirà conferma o annullamento.")
        case .confirmed where order.priority == .high:
            return say(
                "Call or go there at once; if in doubt, call the emergency number.",
                "Chiamare o andare subito; nel dubbio chiamare il numero di emergenza.")
        case .confirmed: return say("Call or look in.", "Chiamare o passare.")
        }
    }
}
