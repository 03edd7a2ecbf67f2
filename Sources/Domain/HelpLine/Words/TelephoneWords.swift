public import GatewayModel
public import SOSLocal

/// Spoken texts of telephone calls. Short sentences, the most important first: a call is often broken off.
extension CallWords {
    /// - Parameters:
    ///   - time: of the event, as the house's clock shows it: `9:30`.
    ///   - takesKeys: whether a pressed key accepts the call.
    public func telephoneCall(
        _ order: DispatchOrder, of profile: PersonProfile, at time: String, takesKeys: Bool
    ) -> String {
        let need =
            switch (order.stage, order.priority) {
            case (.confirmed, .high) where order.certainty == .possible:
                say(en: "Help may be needed", it: "Potrebbe servire aiuto")
            case (.pending, _): say(en: "Help may be needed", it: "Potrebbe servire aiuto")
            case (.confirmed, .high) where order.round > 1:
                say(en: "Help is still needed", it: "Serve ancora aiuto")
            case (.confirmed, .high): say(en: "Help is needed", it: "Serve aiuto")
            case (.confirmed, _):
                say(en: "Please check on \(profile.name)", it: "Controllare come sta \(profile.name)")
            }
        var sentences = [house(of: profile)]
        if order.isDrill {
            sentences = [drill] + sentences
        } else {
            sentences.append(
                say(
                    en: "\(need): \(event(order.cause)), at \(time).",
                    it: "\(need): \(event(order.cause)), alle \(time)."))
        }
        if order.certainty == .possible { sentences.append(doubt) }
        sentences.append(say(en: "Where: ", it: "Dove: ") + spokenPlace(order.location) + ".")
        switch order.stage {
        case .pending:
            sentences.append(
                say(en: "Please stay on the line until it is clear.", it: "Resti in linea finché non è chiaro.")
            )
        case .confirmed where takesKeys:
            sentences.append(
                say(
                    en: "Press 1 if you are going. Press 2 to hear it again.",
                    it: "Prema 1 se ci va. Prema 2 per riascoltare."))
        case .confirmed: break
        }
        return sentences.joined(separator: " ")
    }

    /// Answer to the key that accepts the call.
    public func telephoneThanks(isDrill: Bool) -> String {
        (isDrill ? drill + " " : "")
            + say(
                en: "Thank you. You have said that you are going. The house and the others are told. Goodbye.",
                it: "Grazie. Ha detto che ci va. La casa e gli altri vengono avvisati. Arrivederci.")
    }

    /// For a person with an answered call that holds no longer.
    public func telephoneOver(_ retraction: Retraction, of profile: PersonProfile) -> String {
        let over =
            switch retraction.ending {
            case .aborted, .lapsed: say(en: "The call for help is over.", it: "La richiesta di aiuto è finita.")
            case .accepted: say(en: "Someone else is going.", it: "Ci va qualcun altro.")
            case .resolved: say(en: "The person has been looked after.", it: "La persona è stata assistita.")
            }
        return [retraction.isDrill ? drill : "", house(of: profile), over, ending(retraction.ending)]
            .filter { !$0.isEmpty }.joined(separator: " ")
    }

    private var drill: String {
        say(
            en: "This is a drill. Nobody is in danger.", it: "Questa è un'esercitazione. Nessuno è in pericolo."
        )
    }

    private func house(of profile: PersonProfile) -> String {
        say(en: "This is the house of \(profile.name).", it: "Questa è la casa di \(profile.name).")
    }

    /// With the coordinates of a fix: a map link is of no use in a call.
    private func spokenPlace(_ location: AlarmLocation) -> String {
        switch location {
        case .fix(let fix, _, _), .lastKnown(let fix, _, _):
            let (latitude, longitude) = (fix.coordinates.latitude, fix.coordinates.longitude)
            guard let latitude = latitude.plain, let longitude = longitude.plain else { return place(location) }
            return place(location)
                + say(
                    en: ", latitude \(latitude), longitude \(longitude)",
                    it: ", latitudine \(latitude), longitudine \(longitude)")
        case .installed: return place(location)
        }
    }
}
