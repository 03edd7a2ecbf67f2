import CAP
import FoundationEssentials
import GatewayModel
import HelpLine
import SOSLocal

extension CAPMessage {
    /// The call for help. The first message of an alarm is its `Alert`; all others update that one.
    init(_ order: DispatchOrder, of profile: PersonProfile, place: CallHistory.Place, caller: Caller) {
        let words = CallWords(profile.language)
        let first = Reference(order, caller: caller)
        let isFirst = place == .first
        self.init(
            identifier: isFirst ? first.identifier : MessageIdentity(order).text, sender: caller.sender,
            sent: isFirst ? first.sent : CAPTime.text(order.orderedWall),
            status: order.isDrill ? .exercise : .actual, type: isFirst ? .alert : .update,
            addresses: caller.addresses, note: order.isDrill ? words.drillNote : nil,
            reference: isFirst ? nil : first, incident: order.alarm.description,
            info: CAPInfo(order, of: profile, words, caller: caller))
    }

    /// The word that the call no longer holds.
    init(_ retraction: Retraction, of profile: PersonProfile, caller: Caller) {
        let words = CallWords(profile.language)
        self.init(
            identifier: MessageIdentity(retraction).text, sender: caller.sender,
            sent: CAPTime.text(retraction.orderedWall), status: retraction.isDrill ? .exercise : .actual,
            type: .cancel, addresses: caller.addresses, note: words.ending(retraction.ending),
            reference: Reference(
                sender: caller.sender, identifier: retraction.alarm.description,
                sent: CAPTime.text(retraction.firstOrderedWall)),
            incident: retraction.alarm.description,
            info: CAPInfo(retraction, of: profile, words, caller: caller))
    }

    /// News that is no emergency. What began is an `Alert`, and its end updates it.
    init(_ message: NoticeMessage, caller: Caller) {
        let notice = message.notice
        self.init(
            identifier: notice.id.description, sender: caller.sender, sent: CAPTime.text(notice.time),
            status: .system, type: notice.ends == nil ? .alert : .update, addresses: caller.addresses,
            note: CallWords(message.profile.language).say(en: "No emergency.", it: "Nessuna emergenza."),
            // The ID of a notice begins with its time.
            reference: notice.ends.map {
                Reference(
                    sender: caller.sender, identifier: $0.description, sent: CAPTime.text($0.wall))
            }, info: CAPInfo(message, caller: caller))
    }

    /// A test of the way: no person, nothing to do.
    init(testing id: MessageID, at time: WallTime, caller: Caller) {
        self.init(
            identifier: id.description, sender: caller.sender, sent: CAPTime.text(time), status: .test,
            type: .alert, addresses: caller.addresses, note: "Test of the way by the gateway; disregard.")
    }
}

extension CAPMessage.Reference {
    /// The first message of the alarm, as every later one names it.
    init(_ order: DispatchOrder, caller: Caller) {
        self.init(
            sender: caller.sender, identifier: order.alarm.description,
            sent: CAPTime.text(order.firstOrderedWall))
    }
}

extension CAPInfo {
    init(_ order: DispatchOrder, of profile: PersonProfile, _ words: CallWords, caller: Caller) {
        self.init(
            language: profile.language.rawValue, category: Category(order.cause),
            event: words.event(order.cause), response: Response(order), urgency: .immediate,
            severity: Severity(order.priority), certainty: Certainty(order),
            onset: CAPTime.text(order.cause.arrival.wall), senderName: "HomeGateway \(caller.sender)",
            headline: words.headline(order, of: profile),
            description: words.description(order, of: profile), instruction: words.instruction(order),
            contact: profile.contacts.isEmpty
                ? nil : profile.contacts.map(\.line).joined(separator: "; "),
            parameters: Self.parameters(order, of: profile), area: Area(order.location, words))
    }

    init(_ retraction: Retraction, of profile: PersonProfile, _ words: CallWords, caller: Caller) {
        let isFalseAlarm = if case .aborted = retraction.ending { true } else { false }
        self.init(
            language: profile.language.rawValue, category: Category(retraction.cause),
            event: words.event(retraction.cause), response: .allClear, urgency: .past, severity: .unknown,
            certainty: isFalseAlarm ? .unlikely : .observed,
            onset: CAPTime.text(retraction.cause.arrival.wall), senderName: "HomeGateway \(caller.sender)",
            headline: words.cancelled(retraction.cause, of: profile),
            description: words.ending(retraction.ending), parameters: Self.parameters(retraction))
    }
}

extension CAPInfo {
    init(_ message: NoticeMessage, caller: Caller) {
        let notice = message.notice
        let isOver = notice.phase == .ended
        let words = CallWords(message.profile.language)
        self.init(
            language: message.profile.language.rawValue, category: .infrastructure,
            event: words.say(en: "Notice, no emergency", it: "Avviso, nessuna emergenza"),
            response: isOver ? .allClear : .monitor, urgency: isOver ? .past : .future, severity: .minor,
            certainty: .observed, onset: CAPTime.text(notice.time), senderName: "HomeGateway \(caller.sender)",
            headline: message.text, description: message.text, parameters: Self.parameters(message))
    }
}

extension CAPInfo.Category {
    /// A fall may in any case need someone lifted.
    init(_ cause: AlarmCause) {
        self = cause.family == .fall ? .rescue : .health
    }
}

extension CAPInfo.Response {
    init(_ order: DispatchOrder) {
        guard order.priority == .high else {
            self = .assess
            return
        }
        self = order.stage == .pending ? .prepare : .execute
    }
}

extension CAPInfo.Severity {
    init(_ priority: AlarmPriority) {
        switch priority {
        case .high: self = .extreme
        case .medium: self = .moderate
        case .low: self = .minor
        }
    }
}

extension CAPInfo.Certainty {
    /// Before the window has ended, a press of the button is more often meant than a single value. A call by values
    /// that their sensor doubts stays possible.
    init(_ order: DispatchOrder) {
        switch order.stage {
        case .confirmed: self = order.certainty == .possible ? .possible : .observed
        case .pending: self = order.cause.family == .button ? .likely : .possible
        }
    }
}

extension CAPInfo.Area {
    init(_ location: AlarmLocation, _ words: CallWords) {
        self.init(
            words.place(location), at: location.coordinates,
            errorMetres: location.fix?.horizontalError)
    }
}

/// Wall time as RFC 3339 writes it, with milliseconds and in UTC: the JSON's form.
extension WallTime {
    var internetTime: String {
        Date(timeIntervalSince1970: Double(millisecondsSince1970) / 1_000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
