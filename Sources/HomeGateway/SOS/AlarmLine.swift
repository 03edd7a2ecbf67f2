import GatewayModel
import RealTime
import SOSLocal

/// What the house is told, in one line. It names the person: it is for those in the room, not a log.
struct AlarmLine {
    let names: [PersonID: String]

    func text(for word: Annunciator.Word) -> String {
        switch word {
        case .alarm(let notice):
            "*** ALARM *** \(name(notice.person)): \(cause(notice.cause)). \(callState(notice))"
        case .ended(let notice, let ending):
            "*** alarm over *** \(name(notice.person)): \(ending.word) by \(ending.act.by)"
        case .nobodyCalled(let person, let reason):
            "*** NOBODY WAS CALLED *** \(name(person)): \(reason)"
        }
    }

    private func name(_ person: PersonID) -> String { names[person] ?? person.text }

    private func cause(_ cause: AlarmCause) -> String {
        switch cause {
        case .signal(let signal):
            switch signal.kind {
            case .sosButton: return "the SOS button was pressed"
            case .fall: return "a fall was detected"
            case .shaking: return "repeated shaking was detected"
            }
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

    private func callState(_ notice: AlarmNotice) -> String {
        guard let end = notice.windowEnd else { return "Help was called; nobody has answered yet." }
        let seconds = Double(Clock.boot().duration(to: end).wholeMilliseconds) / 1_000
        let tenths = max((seconds * 10).rounded() / 10, 0)
        return "Help is called in \(tenths) s unless cancelled: homegateway abort"
    }
}
