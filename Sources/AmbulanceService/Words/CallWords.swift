import GatewayModel
import SOSLocal

/// What a call says to people, in the person's language.
struct CallWords: Sendable {
    private let language: PersonProfile.Language

    init(_ language: PersonProfile.Language) {
        self.language = language
    }

    func say(_ english: String, _ italian: String) -> String {
        switch language {
        case .english: english
        case .italian: italian
        }
    }

    var drillNote: String {
        say(
            "Drill. Nobody is in danger; send nobody.",
            "Esercitazione. Nessuno è in pericolo; non inviare nessuno.")
    }

    /// `Heart rate too high`, `SOS button`.
    func event(_ cause: AlarmCause) -> String {
        switch cause {
        case .crossing(let crossing):
            switch crossing.rule.side {
            case .low: say("\(title(crossing.rule.kind)) too low", "\(title(crossing.rule.kind)): troppo bassa")
            case .high:
                say("\(title(crossing.rule.kind)) too high", "\(title(crossing.rule.kind)): troppo alta")
            }
        case .signal(let signal): event(signal.kind)
        case .earlyWarning: say("Several vital signs out of range", "Più parametri vitali fuori norma")
        case .silence: say("Sensor has fallen silent", "Il sensore non trasmette più")
        case .drill: say("Drill", "Esercitazione")
        }
    }

    private func event(_ kind: WearableSignal.Kind) -> String {
        switch kind {
        case .sosButton: say("SOS button pressed", "Pulsante SOS premuto")
        case .fall: say("Fall", "Caduta")
        case .shaking: say("Repeated shaking, as in a seizure", "Scosse ripetute, come in una crisi convulsiva")
        }
    }

    /// At most about 160 characters, CAP's advice, with an ordinary name.
    func headline(_ cause: AlarmCause, of profile: PersonProfile, isPending: Bool) -> String {
        let text = "\(event(cause)): \(profile.name)"
        guard !cause.isDrill else {
            return say(
                "DRILL, no emergency: \(profile.name)", "ESERCITAZIONE, nessuna emergenza: \(profile.name)")
        }
        return isPending
            ? say("Help may be needed. \(text)", "Potrebbe servire aiuto. \(text)")
            : say("Help is needed. \(text)", "Serve aiuto. \(text)")
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

    /// Who, what was measured, where, and what the person wants helpers to know.
    func description(_ order: DispatchOrder, of profile: PersonProfile) -> String {
        var lines = [
            profile.name + (profile.birthYear.map { say(", born \($0)", ", anno di nascita \($0)") } ?? "")
        ]
        lines.append(event(order.cause) + (measured(order.cause).map { ": \($0)" } ?? ""))
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

    private func measured(_ cause: AlarmCause) -> String? {
        switch cause {
        case .crossing(let crossing):
            guard let value = shown(crossing.reading.quantity),
                let limit = shown(Quantity(crossing.rule.kind, crossing.rule.limit))
            else { return nil }
            return say("\(value), limit \(limit)", "\(value), limite \(limit)")
        case .earlyWarning(let warning):
            return say(
                "NEWS2 score \(warning.points) of \(warning.parameters) parameters, limit \(warning.limit)",
                "punteggio NEWS2 \(warning.points) su \(warning.parameters) parametri, limite \(warning.limit)")
        case .silence(let silence):
            return say(
                "nothing for \(silence.limit.components.seconds) s",
                "niente da \(silence.limit.components.seconds) s")
        case .signal, .drill: return nil
        }
    }

    private func shown(_ quantity: Quantity) -> String? {
        quantity.value.plain.map { "\($0) \(quantity.kind.coding.displayUnit)" }
    }

    /// Which of the three kinds of place it is is always said (T9).
    func place(_ location: AlarmLocation) -> String {
        switch location {
        case .fix: say("measured by satellite now", "posizione satellitare attuale")
        case .lastKnown(_, let age):
            say(
                "last known satellite position, \(age.components.seconds) s old",
                "ultima posizione satellitare nota, di \(age.components.seconds) s fa")
        case .installed(let place):
            say(
                "address where the box is installed: \(place.address)",
                "indirizzo di installazione: \(place.address)")
        }
    }

    func ending(_ ending: AlarmEnding) -> String {
        let by = ending.act.by
        switch ending {
        case .aborted: return say("Cancelled by \(by).", "Annullata da \(by).")
        case .accepted(_, let channel, _):
            return say(
                "Taken by \(by), told by \(channel).", "Presa in carico da \(by), avvisato con \(channel).")
        case .resolved: return say("Dealt with by \(by).", "Risolta da \(by).")
        case .lapsed: return say("The drill is over.", "L'esercitazione è finita.")
        }
    }
}
