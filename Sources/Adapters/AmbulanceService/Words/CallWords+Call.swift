import GatewayModel
import HelpLine
import SOSLocal

/// Texts for an ambulance service only.
extension CallWords {
    var drillNote: String {
        say(
            "Drill. Nobody is in danger; send nobody.",
            "Esercitazione. Nessuno è in pericolo; non inviare nessuno.")
    }

    /// At most about 160 characters, CAP's advice, with an ordinary name.
    func headline(_ order: DispatchOrder, of profile: PersonProfile) -> String {
        let text = "\(event(order.cause)): \(profile.name)"
        guard !order.isDrill else {
            return say(
                "DRILL, no emergency: \(profile.name)", "ESERCITAZIONE, nessuna emergenza: \(profile.name)")
        }
        return switch (order.stage, order.certainty) {
        case (.pending, _): say("Help may be needed. \(text)", "Potrebbe servire aiuto. \(text)")
        case (.confirmed, .possible):
            say(
                "Help may be needed, the sensor may be wrong. \(text)",
                "Potrebbe servire aiuto, il sensore potrebbe sbagliare. \(text)")
        case (.confirmed, .observed): say("Help is needed. \(text)", "Serve aiuto. \(text)")
        }
    }

    func cancelled(_ cause: AlarmCause, of profile: PersonProfile) -> String {
        let text = say(
            "The call no longer holds. \(event(cause)): \(profile.name)",
            "La chiamata non vale più. \(event(cause)): \(profile.name)")
        return cause.isDrill ? say("DRILL. \(text)", "ESERCITAZIONE. \(text)") : text
    }

    func instruction(_ order: DispatchOrder) -> String {
        if order.isDrill {
            return drillNote + " " + say("Answer as in an emergency.", "Rispondere come in emergenza.")
        }
        guard order.priority == .high else {
            return say("Call the person, then the contacts.", "Chiamare la persona, poi i contatti.")
        }
        switch order.stage {
        case .pending:
            return say(
                "Be ready. The person can still cancel; a confirmation or a cancellation follows.",
                "Tenersi pronti. La persona può ancora annullare; seguirà conferma o annullamento.")
        case .confirmed:
            return say(
                "Send help to the place given and call the contacts. Tell who takes the call.",
                "Inviare aiuto nel luogo indicato e chiamare i contatti. Comunicare chi prende la chiamata.")
        }
    }

    /// The person, the measurement, the place, and the person's notes for helpers.
    func description(_ order: DispatchOrder, of profile: PersonProfile) -> String {
        var lines = [
            profile.name + (profile.birthYear.map { say(", born \($0)", ", anno di nascita \($0)") } ?? "")
        ]
        lines.append(event(order.cause) + (measured(order.cause).map { ": \($0)" } ?? ""))
        if let doubt = doubt(order) { lines.append(doubt) }
        if let newest = order.newest?.quantity, let value = shown(newest) {
            lines.append(say("Newest: \(value)", "Ultimo valore: \(value)"))
        }
        lines.append(say("Where: \(place(order.location))", "Dove: \(place(order.location))"))
        lines.append(say("Home: \(profile.home.address)", "Abitazione: \(profile.home.address)"))
        if !profile.medicalNotes.isEmpty {
            lines.append(say("Notes: ", "Note: ") + profile.medicalNotes.joined(separator: "; "))
        }
        return lines.joined(separator: "\n")
    }
}
