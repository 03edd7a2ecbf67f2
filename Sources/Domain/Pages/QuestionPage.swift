import ControlContract
import GatewayModel
package import HTML
import Phrases
import SOSLocal

extension PageModule {
    static let question = PageModule(
        [HousePage(Pages.Route.question) { .page($0.pages.question()) }],
        acts: [.allow, .refuse, .putOff, .allowLimits, .refuseLimits])
}

extension Pages.Route {
    static let question: HTML.Place = "/question"
}

extension PageAct {
    /// Yes to the request of a third party.
    static let allow = PageAct("/act/allow") { (form) throws(ControlError) in Verb.Accept(try form.decision) }

    static let refuse = PageAct("/act/refuse") { (form) throws(ControlError) in
        Verb.Refuse(try form.decision)
    }

    /// A right to decide includes the right to put the decision off.
    static let putOff = PageAct("/act/later", .putOff, for: Verb.Accept.rights.roles)

    static let allowLimits = PageAct("/act/allow-limits") { (form) throws(ControlError) in
        Verb.AcceptLimits(try form.limitDecision)
    }

    static let refuseLimits = PageAct("/act/refuse-limits") { (form) throws(ControlError) in
        Verb.RefuseLimits(try form.limitDecision)
    }
}

/// One question from outside on a page: the request of a third party, or a command that makes an alarm less likely.
extension Pages {
    /// Question that waits for an answer of the viewer, or of those in the room.
    private enum Question {
        case request(HouseSnapshot.Request)
        case limits(HouseSnapshot.LimitQuestion)

        var id: String {
            switch self {
            case .request(let request): request.id
            case .limits(let question): question.id
            }
        }

        var person: String {
            switch self {
            case .request(let request): request.person
            case .limits(let question): question.person
            }
        }
    }

    /// Reason why the last answer did not count, for the sentence beside its field.
    package enum AnswerFlaw: Sendable { case pin }

    private var waiting: Question? {
        let request = requests.filter { $0.state == "pending" && !putOff.contains($0.id) }
            .min { $0.asked < $1.asked }
        if let request { return .request(request) }
        guard viewer.role != .carer else { return nil }
        return house.limitQuestions.first { isVisible($0.person) && !putOff.contains($0.id) }.map {
            .limits($0)
        }
    }

    var isQuestionWaiting: Bool { waiting != nil }

    /// - Parameter flaw: of the answer before.
    package func question(_ flaw: AnswerFlaw? = nil) -> Page {
        kiosk(words.say(.question), questionContent(flaw), leaveSeconds: 120)
    }

    private func questionContent(_ flaw: AnswerFlaw?) -> HTML {
        guard let waiting else {
            return HTML(.h1, text: words.say(.noQuestion))
                + HTML(.a, .href(Route.room), .set(.class, "ask"), text: words.say(.back))
        }
        let (asked, yes, no, fields) =
            switch waiting {
            case .request(let request):
                (self.asked(request), PageAct.allow, PageAct.refuse, [("request", request.id)])
            case .limits(let question):
                (
                    self.asked(question), PageAct.allowLimits, PageAct.refuseLimits,
                    [("person", question.person), ("kind", question.kind)]
                )
            }
        let later = form(.putOff).button(
            words.say(.later), kind: "plain", fields: [("question", waiting.id)])
        return HTML(
            .div, .set(.class, "rest"), .set(.dataPage, "question"),
            content: asked, answers(waiting.person, yes, no, fields, flaw), later)
    }

    /// Yes and no. At the room's screen they take the PIN of the person: anybody may stand there.
    private func answers(
        _ person: String, _ yes: PageAct, _ no: PageAct, _ fields: [(String, String)], _ flaw: AnswerFlaw?
    ) -> HTML {
        var pin = HTML.none
        if viewer.role == .room {
            guard house.persons.first(where: { $0.id == person })?.decidesOnScreen == true else {
                return HTML(.p, .set(.class, "warn"), text: words.say(.answerElsewhere))
            }
            pin = HTML(
                .label, content: HTML(words.say(.pin)),
                flaw == nil ? .none : HTML(.span, .set(.class, "warn"), text: " " + words.say(.wrongPIN)),
                HTML(
                    void: .input, .set(.type, "password"), .set(.name, "pin"), .set(.inputmode, "numeric"),
                    .set(.autocomplete, "off"), .set(.maxlength, 8), .flag(.required)))
        }
        return form(yes).button(
            words.say(.yes), kind: "plain", fields: fields, inputs: pin, other: (words.say(.no), no.place))
            + HTML(.p, text: words.say(.takeBack))
    }

    private func asked(_ request: HouseSnapshot.Request) -> HTML {
        let person = name(request.person)
        let acts =
            words.role(of: request) == .acts
            ? HTML(.p, whole: words.say(Statement.actsOfAccount(of: person))) : .none
        return HTML(.h1, whole: words.asks(request, of: person)) + acts + period(of: request)
            + HTML(.p, .set(.class, "purpose"), whole: words.say(.purpose) + ": " + request.purpose)
    }

    private func asked(_ question: HouseSnapshot.LimitQuestion) -> HTML {
        guard let kind = QuantityKind(rawValue: question.kind) else {
            return HTML(.h1, text: "\(question.issuer): \(question.kind)")
        }
        let moves = question.moves.compactMap { move -> HTML? in
            guard let slot = LimitSlot(rawValue: move.slot) else { return nil }
            return HTML(.p, text: words.say(Statement.limitMove(slot, from: move.from, to: move.to, kind)))
        }
        let asks = Statement.asksForLimits(issuer: question.issuer, of: name(question.person), kind)
        return HTML(.h1, text: words.say(asks)) + HTML(moves)
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

extension Text {
    static let yes = Text(en: "Yes", it: "Sì")
    static let wrongPIN = Text(
        en: "These digits are not right. After 5 wrong tries wait 15 minutes.",
        it: "Queste cifre non sono giuste. Dopo 5 errori aspetta 15 minuti.")
    static let answerElsewhere = Text(
        en:
            "This screen takes no answer. Answer on your own telephone or tablet, or ask those who decide with you.",
        it:
            "Questo schermo non accetta risposte. Rispondi dal tuo telefono o tablet, o chiedi a chi decide con te."
    )
    static let noQuestion = Text(en: "No question is waiting.", it: "Nessuna domanda in attesa.")
    static func forTime(from: String, until: String) -> Text {
        Text(
            en: "For readings from \(from) to \(until).",
            it: "Per le misure dal \(from) al \(until).")
    }
    static let takeBack = Text(
        en: "You can take this back under Who may see.",
        it: "Puoi revocarlo in Chi può vedere.")
}
