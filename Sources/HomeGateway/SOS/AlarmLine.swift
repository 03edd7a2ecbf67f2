import GatewayModel
import RealTime
import SOSLocal

/// What the house is told, in one line. It names the person: it is for those in the room, not a log.
struct AlarmLine {
    let names: [PersonID: String]
    let mayCall: @Sendable (PersonID) -> Bool

    func text(for word: Annunciator.Word) -> String {
        switch word {
        case .alarm(let notice):
            "\(mark(notice.priority)) \(name(notice.person)): \(cause(notice.cause)). \(callState(notice))"
        case .ended(let notice, let ending):
            "*** alarm over *** \(name(notice.person)): \(ending.word) by \(ending.act.by)"
        case .nobodyCalled(let person, let reason):
            "*** NOBODY WAS CALLED *** \(name(person)): \(reason). Call for help yourself"
        case .unreached(let person, let channel, let reason):
            "*** CALL FAILED *** \(name(person)): help was not reached through \(channel): \(reason). It is "
                + "tried again; call for help yourself"
        case .notRetracted(let person, let channel, let reason):
            "*** STILL CALLED *** \(name(person)): those called through \(channel) do not know that it is over: "
                + reason
        case .whoseIsMeant(let persons):
            "*** NOT CANCELLED *** Alarms of \(persons.map(name).joined(separator: " and of ")) are open, and the "
                + "button cannot tell which is meant: homegateway abort --person ID"
        case .supervisionPaused(let condition):
            "Supervision is paused: \(condition.code.declaration.title.lowercasedFirst)"
                + "\(condition.subject.map { " (\($0))" } ?? ""). \(condition.code.declaration.remedy)"
        case .supervisionBack: "Supervision is back"
        }
    }

    private func name(_ person: PersonID) -> String { names[person] ?? person.text }

    /// Stars by priority, as monitors at the bedside print them.
    private func mark(_ priority: AlarmPriority) -> String {
        switch priority {
        case .high: "*** ALARM ***"
        case .medium: "** WARNING **"
        case .low: "* NOTE *"
        }
    }

    private func cause(_ cause: AlarmCause) -> String {
        switch cause {
        case .signal(let signal):
            switch signal.kind {
            case .sosButton: return "the SOS button was pressed"
            case .fall: return "a fall was detected"
            case .shaking: return "repeated shaking was detected"
            }
        case .earlyWarning(let warning) where warning.points < warning.limit:
            return "one vital sign alone gives 3 points of early warning"
        case .earlyWarning(let warning):
            return "the vital signs together give \(warning.points) points of early warning "
                + "(limit \(warning.limit))"
        case .silence(let silence):
            return
                "nothing was heard of \(silence.last.device) for \(silence.limit.components.seconds / 60) minutes"
        case .drill: return "this is a DRILL"
        case .crossing(let crossing):
            let quantity = crossing.reading.quantity
            let coding = quantity.kind.coding
            let side = crossing.rule.side == .low ? "low" : "high"
            return "\(coding.title.lowercased()) too \(side), \(plain(quantity.value)) \(coding.displayUnit) "
                + "(limit \(plain(crossing.rule.limit)))"
        }
    }

    /// Tenths where there are any: 36.6, but 152.
    private func plain(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
    }

    /// What a person in the room may rely on, and no more.
    private func callState(_ notice: AlarmNotice) -> String {
        guard mayCall(notice.person) else {
            return "NOBODY is called: the AutomatedSOS terms are not accepted. Call for help yourself"
        }
        switch notice.call {
        case .none: return "Nobody is called for this"
        case .notYet:
            let end = notice.windowEnd ?? Clock.boot()
            let tenths = Double(Clock.boot().duration(to: end).wholeMilliseconds / 100) / 10
            return "Help is called in \(max(tenths, 0)) s unless cancelled: homegateway abort"
        case .trying:
            return "Help could NOT be reached yet, and is tried on and on. Call for help yourself"
        case .handedOver:
            return "Help was called; nobody has answered yet"
        }
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
