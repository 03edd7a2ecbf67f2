import GatewayModel
import HelpLine
import SOSLocal

/// Texts for an ambulance service only.
extension CallWords {
    var drillNote: String {
        say(
            en: "Drill. Nobody is in danger; send nobody.",
            it: "Esercitazione. Nessuno è in pericolo; non inviare nessuno.")
    }

    /// At most about 160 characters, CAP's advice, with an ordinary name.
    func headline(_ order: DispatchOrder, of profile: PersonProfile) -> String {
        let text = "\(event(order.cause)): \(profile.name)"
        guard !order.isDrill else {
            return say(
                en: "DRILL, no emergency: \(profile.name)",
                it: "ESERCITAZIONE, nessuna emergenza: \(profile.name)")
        }
        return switch (order.stage, order.certainty) {
        case (.pending, _): say(en: "Help may be needed. \(text)", it: "Potrebbe servire aiuto. \(text)")
        case (.confirmed, .possible):
            say(
                en: "Help may be needed, the sensor may be wrong. \(text)",
                it: "Potrebbe servire aiuto, il sensore potrebbe sbagliare. \(text)")
        case (.confirmed, .observed): say(en: "Help is needed. \(text)", it: "Serve aiuto. \(text)")
        }
    }

    func cancelled(_ cause: AlarmCause, of profile: PersonProfile) -> String {
        let text = say(
            en: "The call no longer holds. \(event(cause)): \(profile.name)",
            it: "La chiamata non vale più. \(event(cause)): \(profile.name)")
        return cause.isDrill ? say(en: "DRILL. \(text)", it: "ESERCITAZIONE. \(text)") : text
    }

    func instruction(_ order: DispatchOrder) -> String {
        if order.isDrill {
            return drillNote + " " + say(en: "Answer as in an emergency.", it: "Rispondere come in emergenza.")
        }
        guard order.priority == .high else {
            return say(en: "Call the person, then the contacts.", it: "Chiamare la persona, poi i contatti.")
        }
        switch order.stage {
        case .pending:
            return say(
                en: "Be ready. The person can still cancel; a confirmation or a cancellation follows.",
                it: "Tenersi pronti. La persona può ancora annullare; seguirà conferma o annullamento.")
        case .confirmed:
            return say(
                en: "Send help to the place given and call the contacts. Tell who takes the call.",
                it: "Inviare aiuto nel luogo indicato e chiamare i contatti. Comunicare chi prende la chiamata."
            )
        }
    }

    /// The person, the measurement, the place, and the person's notes for helpers.
    func description(_ order: DispatchOrder, of profile: PersonProfile) -> String {
        var lines = [
            profile.name
                + (profile.birthYear.map { say(en: ", born \($0)", it: ", anno di nascita \($0)") } ?? "")
        ]
        lines.append(event(order.cause) + (measured(order.cause).map { ": \($0)" } ?? ""))
        if let doubt = doubt(order) { lines.append(doubt) }
        if let newest = order.newest?.quantity, let value = shown(newest) {
            lines.append(say(en: "Newest: \(value)", it: "Ultimo valore: \(value)"))
        }
        lines.append(say(en: "Where: \(place(order.location))", it: "Dove: \(place(order.location))"))
        lines.append(say(en: "Home: \(profile.home.address)", it: "Abitazione: \(profile.home.address)"))
        if !profile.medicalNotes.isEmpty {
            lines.append(say(en: "Notes: ", it: "Note: ") + profile.medicalNotes.joined(separator: "; "))
        }
        return lines.joined(separator: "\n")
    }
}
