import ControlContract
package import HTML

/// One question of a third party on a page.
extension Pages {
    var waitingRequest: HouseSnapshot.Request? {
        requests.filter { $0.state == "pending" }.min { $0.asked < $1.asked }
    }

    /// - Parameter asksPIN: whether the person gives a PIN, as at the screen of the room.
    package func question(asksPIN: Bool) -> Page {
        kiosk(words.say(.question), questionContent(asksPIN: asksPIN), leaveSeconds: 120)
    }

    package func questionContent(asksPIN: Bool) -> HTML {
        guard let request = waitingRequest else {
            return HTML(.h1, text: words.say(.noQuestion)) + HTML(.a, .href(Route.room), text: words.say(.back))
        }
        let fields = [("request", request.id)]
        let pin =
            asksPIN
            ? HTML(
                .label, content: HTML(words.say(.pin)),
                HTML(
                    void: .input, .set(.type, "password"), .set(.name, "pin"), .set(.inputmode, "numeric"),
                    .set(.autocomplete, "off"), .set(.maxlength, 12), .flag(.required))) : .none
        return HTML(
            .div, .set(.class, "rest"), .set(.dataPage, "question"),
            content: HTML(.h1, text: askedFor(request)), period(of: request),
            HTML(.p, .set(.class, "purpose"), text: words.say(.purpose) + ": " + request.purpose),
            form(Route.allow).button(words.say(.yes), kind: "plain", fields: fields, inputs: pin),
            form(Route.refuse).button(words.say(.no), kind: "plain", fields: fields, inputs: pin),
            form(Route.later).button(words.say(.later), kind: "plain", fields: fields),
            HTML(.p, text: words.say(.takeBack)))
    }

    /// The party asks for the kinds, in the sentence of the house.
    private func askedFor(_ request: HouseSnapshot.Request) -> String {
        words.asks(request, of: name(request.person))
    }

    private func period(of request: HouseSnapshot.Request) -> HTML {
        guard let from = request.from, let until = request.until else { return .none }
        return HTML(
            .p,
            text: words.say(
                .forTime(
                    from: CivilDate(from).text(words.language), until: CivilDate(until).text(words.language))))
    }
}
