import ControlContract
import GatewayModel
package import HTML
import HelpState
import Phrases
import SOSLocal

extension PageModule {
    static let alarm = PageModule(
        [
            HousePage(Pages.Route.mistake) { visit in
                .page(visit.query["alarm"].flatMap { visit.pages.mistake(of: $0) })
            }
        ], acts: [.abort, .acceptAlarm, .resolve])
}

extension Pages.Route {
    /// Field: `alarm`.
    static let mistake: HTML.Place = "/mistake"
}

extension PageAct {
    /// "I am fine".
    static let abort = PageAct("/act/abort", isLimited: false) { (form) throws(ControlError) in
        Verb.Abort(try form.alarmEnd)
    }

    /// "I have it".
    static let acceptAlarm = PageAct("/act/accept-alarm") { (form) throws(ControlError) in
        Verb.AcceptAlarm(try form.alarmEnd)
    }

    /// "It is over".
    static let resolve = PageAct("/act/resolve") { (form) throws(ControlError) in
        Verb.Resolve(try form.alarmEnd)
    }
}

/// An alarm on a screen: the cause as the house says it, the time that is left, and the acts.
extension Pages {
    func alarmContent() -> HTML {
        HTML(
            .div, .set(.class, "alarms"), .set(.dataPage, "alarm"), .set(.role, "alertdialog"),
            .set(.ariaLabel, words.say(.alarmTitle)),
            content: HTML(openAlarms.enumerated().map { alarm($1, isFirst: $0 == 0) }))
    }

    private func alarm(_ alarm: HouseSnapshot.Alarm, isFirst: Bool) -> HTML {
        let title = words.say(.alarmOf(name(alarm.person)))
        let drill = alarm.isDrill ? HTML(.p, .set(.class, "warn"), text: words.say(.drill)) : HTML.none
        let isCounting = isCancelWindow(alarm)
        // Once help is called, the largest words are on the help.
        let head =
            isCounting
            ? HTML(.h1, .set(.class, "big"), text: question(about: alarm) ?? title) + cause(of: alarm)
                + countdown(Int(clamping: alarm.windowLeftMs ?? 0)) + state(of: alarm)
            : headline(of: alarm, orElse: title) + orDial(alarm) + steps(of: alarm) + HTML(.p, text: title)
                + cause(of: alarm)
        return HTML(
            .section, .set(.class, "alarm"),
            content: drill, head, acts(on: alarm, isFirst: isFirst, isWindow: isCounting))
    }

    /// Sentence of the state of the help, as the voice says it; nil where nothing is to be said.
    func sentence(of alarm: HouseSnapshot.Alarm) -> String? {
        guard let state = alarm.help?.helpState, let priority = AlarmPriority(rawValue: alarm.priority) else {
            return nil
        }
        return state.statement(for: priority, isDrill: alarm.isDrill).map { words.say($0) }
    }

    func state(of alarm: HouseSnapshot.Alarm) -> HTML {
        sentence(of: alarm).map { HTML(.p, .set(.class, "state"), text: $0) } ?? .none
    }

    /// The state of the help beside which no window is counted.
    func wholeState(of alarm: HouseSnapshot.Alarm) -> HTML {
        guard let help = alarm.help?.helpState, let priority = AlarmPriority(rawValue: alarm.priority) else {
            return .none
        }
        let sentences = help.statements(for: priority, isDrill: alarm.isDrill).map { words.say($0) }
        return sentences.isEmpty
            ? .none : HTML(.p, .set(.class, "state"), text: sentences.joined(separator: " "))
    }

    /// The sentence of an emergency in two sizes: its first part is the largest thing on the page.
    private func headline(of alarm: HouseSnapshot.Alarm, orElse title: String) -> HTML {
        let sentence = sentence(of: alarm) ?? title
        let end = alarm.priority == "high" ? sentence.firstRange(of: ". ") : nil
        let first = end.map { String(sentence[..<$0.lowerBound]) + "." } ?? sentence
        let rest = end.map { String(sentence[$0.upperBound...]) } ?? ""
        return HTML(.h1, .set(.class, "big"), text: first)
            + (rest.isEmpty ? .none : HTML(.p, .set(.class, "state"), text: rest))
    }

    private func orDial(_ alarm: HouseSnapshot.Alarm) -> HTML {
        switch alarm.help?.helpState {
        case .beingCalled, .reached:
            alarm.priority == "high" && !alarm.isDrill ? HTML(.p, text: words.say(.orDial)) : .none
        default: .none
        }
    }

    /// The call in steps, with the time of each: called, reached, answered.
    func steps(of alarm: HouseSnapshot.Alarm) -> HTML {
        guard let help = alarm.help, let called = help.called else { return .none }
        var steps: [(isDone: Bool, text: String)] = [
            help.because == nil || help.reached != nil
                ? (true, words.say(.stepCalled(clock(of: called))))
                : (false, words.say(.stepTried(clock(of: called))))
        ]
        if let reached = help.reached {
            steps.append((true, words.say(.stepReached(clock(of: reached)))))
            let answer = help.answered.map { words.say(.stepAnswered(clock(of: $0))) }
            steps.append((answer != nil, answer ?? words.say(.stepNoAnswer)))
        } else {
            steps.append((false, words.say(.stepNotReached)))
        }
        return HTML(
            .ol, .set(.class, "steps"),
            content: HTML(steps.map { HTML(.li, .set(.class, $0.isDone ? "done" : "open"), text: $0.text) }))
    }

    /// Local time of the house, `18:05`, of a time near the state's.
    func clock(of time: Int64) -> String {
        let minutes = Int(clamping: house.time / 60_000 - time / 60_000)
        let minute = ((now.hour * 60 + now.minute - minutes) % 1_440 + 1_440) % 1_440
        let (hours, rest) = minute.quotientAndRemainder(dividingBy: 60)
        return "\(hours):" + (rest < 10 ? "0" : "") + "\(rest)"
    }

    /// Whether help is called at the end of a window that runs. An early notice does not end it: help knows that it may be
    /// needed, and waits.
    func isCancelWindow(_ alarm: HouseSnapshot.Alarm) -> Bool {
        guard (alarm.windowLeftMs ?? 0) > 0 else { return false }
        switch alarm.help?.helpState {
        case .willBeCalled, nil: return true
        default: return false
        }
    }

    /// The cause in the sentence of the voice. A score and a silent sensor have none here: the state lacks their numbers.
    func cause(of alarm: HouseSnapshot.Alarm) -> HTML {
        if let signal = WearableSignal.Kind(rawValue: alarm.rule) {
            let isAskedFor = alarm.device.flatMap { DeviceID($0) }?.isHouseInterface == true
            return HTML(
                .p, .set(.class, "cause"),
                text: words.say(isAskedFor ? Statement.helpAskedFor : .signal(signal)))
        }
        let kind = QuantityKind.allCases.first { alarm.rule.hasPrefix($0.rawValue + "-") }
        guard let kind, let value = alarm.value, let limit = alarm.limit else { return .none }
        let side = Self.side(of: alarm.rule, kind)
        return HTML(
            .p, .set(.class, "cause"), text: words.say(Statement.limit(kind, side, value: value, limit: limit)))
    }

    private static func side(of rule: String, _ kind: QuantityKind) -> LimitRule.Side {
        rule.dropFirst(kind.rawValue.count).hasPrefix("-low") ? .low : .high
    }

    /// The question of the voice about doubtful values; nil for an alarm that nothing doubts.
    private func question(about alarm: HouseSnapshot.Alarm) -> String? {
        guard let doubt = alarm.doubt,
            let kind = QuantityKind.allCases.first(where: { alarm.rule.hasPrefix($0.rawValue + "-") })
        else { return nil }
        return words.say(
            Statement.doubtfulValue(
                kind, Self.side(of: alarm.rule, kind), of: name(alarm.person),
                measuresAgain: doubt == "measures-again"))
    }

    /// The script shortens the bar by the milliseconds that are left and its own monotonic clock.
    private func countdown(_ left: Int) -> HTML {
        HTML(
            .p, .set(.class, "left"), .set(.role, "timer"), .set(.dataLeft, left),
            content: HTML(.span, .set(.class, "words"), text: words.say(.helpIn((left + 999) / 1_000))),
            HTML(
                .svg, .set(.class, "bar"), .set(.viewBox, "0 0 100 4"), .set(.preserveAspectRatio, "none"),
                .set(.ariaHidden, "true"),
                content: HTML(
                    .rect, .set(.class, "run"), .set(.x, 0), .set(.y, 0), .set(.width, 100), .set(.height, 4),
                    content: .none)))
    }

    func acts(on alarm: HouseSnapshot.Alarm, isFirst: Bool, isWindow: Bool) -> HTML {
        guard viewer.role == .room || viewer.role == .person else { return .none }
        let helpNow =
            (alarm.windowLeftMs ?? 0) > 0 && isCallable(alarm)
            ? form(.callHelp).button(
                words.say(.helpNow), kind: "help", fields: [("person", alarm.person)], isGuarded: true) : .none
        guard alarm.mayEnd.contains(viewer.role == .room ? "screen" : "page") else {
            return HTML(.p, .set(.class, "warn"), text: words.say(.nowCancelElsewhere)) + helpNow
        }
        if isCalled(alarm) {
            return HTML(.p, content: HTML(.a, .href(mistakePlace(alarm.id)), text: words.say(.mistake)))
        }
        return form(.abort).button(
            words.say(.iAmFine), kind: "fine", fields: [("alarm", alarm.id)], isFirst: isFirst, isGuarded: true)
            + helpNow
    }

    private func isCallable(_ alarm: HouseSnapshot.Alarm) -> Bool {
        if case .nobodyIsCalled = alarm.help?.helpState { false } else { true }
    }

    /// Whether people outside may be on their way: the way back is small then, and takes two steps.
    private func isCalled(_ alarm: HouseSnapshot.Alarm) -> Bool {
        switch alarm.help?.helpState {
        case .beingCalled, .reached, .taken: true
        default: false
        }
    }

    func mistakePlace(_ alarm: String) -> HTML.Place { Route.mistake.with("alarm", alarm) }

    /// Second page of "Called by mistake"; nil where the viewer has no such call to take back.
    package func mistake(of id: String) -> Page? {
        let alarm = (openAlarms + taken).first { $0.id == id }
        guard let alarm, viewer.role == .room || viewer.role == .person else { return nil }
        let main = HTML(
            .div, .set(.class, "rest"), .set(.dataPage, "mistake"),
            content: HTML(.h1, .set(.class, "big"), text: words.say(.mistakeQuestion)),
            HTML(.a, .href(Route.room), .set(.class, "ask"), text: words.say(.noKeepCalling)),
            form(.abort).button(words.say(.yesStop), kind: "plain", fields: [("alarm", alarm.id)]))
        return viewer.role == .room
            ? kiosk(words.say(.mistake), main, leaveSeconds: 20) : family(words.say(.mistake), main)
    }

    /// Calls that somebody has taken, and that nobody has ended, the newest first.
    var taken: [HouseSnapshot.Alarm] {
        house.recentAlarms.filter { isVisible($0.person) && !$0.isDrill && $0.help?.state == "taken" }
    }

    /// For a minute after the end, help can be called all the same.
    func afterEnd(_ alarm: HouseSnapshot.Alarm) -> HTML {
        HTML(
            .div, .set(.class, "rest"), .set(.dataPage, "cancelled"),
            content: HTML(.h1, .set(.class, "big"), text: words.say(.isOver)), state(of: alarm),
            callsHelp(for: alarm.person)
                ? form(.callHelp).button(
                    words.say(.callAfterAll), kind: "help", fields: [("alarm", alarm.id)], isGuarded: true)
                : .none)
    }

    private func callsHelp(for person: String) -> Bool {
        let readiness = visible.first { $0.id == person }?.help?.readiness
        return if case .nobodyIsCalled = readiness { false } else { true }
    }

    /// The alarm that ended last, within a minute; of several that ended at once the one that most people outside know of.
    var lastEnded: HouseSnapshot.Alarm? {
        let ended = house.recentAlarms.compactMap { alarm in
            isVisible(alarm.person) ? sinceEnd(alarm).map { (alarm: alarm, ageMs: $0) } : nil
        }
        guard let newest = ended.map(\.ageMs).min(), newest < 60_000 else { return nil }
        let ranks = HelpState.Called.allCases.map(\.rawValue)
        return ended.filter { $0.ageMs <= newest + 1_000 }.max {
            (ranks.firstIndex(of: $0.alarm.help?.told ?? "") ?? 0, $1.ageMs)
                < (ranks.firstIndex(of: $1.alarm.help?.told ?? "") ?? 0, $0.ageMs)
        }?.alarm
    }

    /// Time since the end of an alarm that is over; nil for others.
    func sinceEnd(_ alarm: HouseSnapshot.Alarm) -> Int64? {
        guard case .over(_, let time, _) = alarm.help?.helpState else { return nil }
        return max(house.time - time.millisecondsSince1970, 0)
    }
}

extension Text {
    static let iAmFine = Text(en: "I AM FINE", it: "STO BENE")
    static let helpNow = Text(en: "HELP NOW", it: "AIUTO SUBITO")
    static let callAfterAll = Text(en: "Call help after all", it: "Chiama aiuto lo stesso")
    static let mistake = Text(en: "Called by mistake", it: "È stato un errore")
    static let mistakeQuestion = Text(en: "Stop the call for help?", it: "Fermo la chiamata di aiuto?")
    static let noKeepCalling = Text(en: "NO, I need help", it: "NO, mi serve aiuto")
    static let yesStop = Text(en: "YES, STOP", it: "SÌ, FERMA")
    static let orDial = Text(en: "Or dial 112.", it: "O chiama il 112.")
    static func helpIn(_ seconds: Int) -> Text {
        Text(en: "Help will be called in \(seconds) s", it: "Chiamo aiuto tra \(seconds) s")
    }
    static func stepCalled(_ clock: String) -> Text {
        Text(en: "Called \(clock)", it: "Chiamato alle \(clock)")
    }
    static func stepTried(_ clock: String) -> Text {
        Text(
            en: "Tried since \(clock), nobody has the call",
            it: "Ci provo dalle \(clock), nessuno ha ricevuto la chiamata")
    }
    static func stepReached(_ clock: String) -> Text {
        Text(en: "Reached \(clock)", it: "Arrivato alle \(clock)")
    }
    static let stepNotReached = Text(en: "Reached: not yet", it: "Arrivato: non ancora")
    static func stepAnswered(_ clock: String) -> Text {
        Text(en: "Answered \(clock)", it: "Risposto alle \(clock)")
    }
    static let stepNoAnswer = Text(en: "Answered: not yet", it: "Risposta: non ancora")
    static let nowCancelElsewhere = Text(
        en: "This screen cannot cancel it.", it: "Questo schermo non può annullarlo.")
}
