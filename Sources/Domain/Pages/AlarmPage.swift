import ControlContract
import GatewayModel
import HTML
import Phrases
import SOSLocal

/// An alarm on a screen: the cause as the house says it, the time that is left, and the acts.
extension Pages {
    func alarmContent() -> HTML {
        HTML(
            .div, .set(.class, "alarms"), .set(.dataPage, "alarm"), .set(.role, "alertdialog"),
            .set(.ariaLabel, words.say(.alarmTitle)),
            content: HTML(openAlarms.enumerated().map { alarm($1, isFirst: $0 == 0) }))
    }

    private func alarm(_ alarm: HouseSnapshot.Alarm, isFirst: Bool) -> HTML {
        let left = Int(clamping: alarm.windowLeftMs ?? 0)
        let isWindow = isCancelWindow(alarm)
        return HTML(
            .section, .set(.class, "alarm"),
            content: alarm.isDrill ? HTML(.p, .set(.class, "warn"), text: words.say(.drill)) : .none,
            HTML(.h1, .set(.class, "big"), text: words.say(.alarmOf(name(alarm.person)))),
            cause(of: alarm), isWindow ? countdown(left) + notice(of: alarm) : progress(of: alarm),
            acts(on: alarm, isFirst: isFirst, isWindow: isWindow))
    }

    /// An early notice does not end the window: help knows that it may be needed, and waits.
    func isCancelWindow(_ alarm: HouseSnapshot.Alarm) -> Bool { (alarm.windowLeftMs ?? 0) > 0 }

    /// The cause in the sentence of the voice. A score and a silent sensor have none here: the state lacks their numbers.
    func cause(of alarm: HouseSnapshot.Alarm) -> HTML {
        if let signal = WearableSignal.Kind(rawValue: alarm.rule) {
            return HTML(.p, .set(.class, "cause"), text: words.say(Statement.signal(signal)))
        }
        let kind = QuantityKind.allCases.first { alarm.rule.hasPrefix($0.rawValue + "-") }
        guard let kind, let value = alarm.value, let limit = alarm.limit else { return .none }
        let side: LimitRule.Side = alarm.rule.dropFirst(kind.rawValue.count).hasPrefix("-low") ? .low : .high
        return HTML(
            .p, .set(.class, "cause"), text: words.say(Statement.limit(kind, side, value: value, limit: limit)))
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

    private func notice(of alarm: HouseSnapshot.Alarm) -> HTML {
        guard alarm.isNoticeGiven else { return .none }
        return HTML(
            .p, text: words.say(Statement.noticeGiven(alarm.priority == "high" ? .help : .carers)))
    }

    private func progress(of alarm: HouseSnapshot.Alarm) -> HTML {
        let audience: Statement.Audience = alarm.priority == "high" ? .help : .carers
        let statement: Statement? =
            switch alarm.call {
            case "handed-over": .arrived(audience)
            case "trying", "not-yet": .called(audience)
            case "none": alarm.priority == "low" ? nil : .nobodyTold
            default: nil
            }
        let told = alarm.told.map { told in
            let text: PageWords.Text =
                told.handedOverAfterMs != nil
                ? .told(told.channel) : told.failure != nil ? .notTold(told.channel) : .trying(told.channel)
            return HTML(.li, text: words.say(text))
        }
        return (statement.map { HTML(.p, text: words.say($0)) } ?? .none)
            + (told.isEmpty ? .none : HTML(.ul, content: HTML(told)))
    }

    func acts(on alarm: HouseSnapshot.Alarm, isFirst: Bool, isWindow: Bool) -> HTML {
        let fields = [("alarm", alarm.id)]
        let means = viewer.role == .room ? "screen" : "page"
        let mayAbort = viewer.role == .room || viewer.role == .person
        let fine =
            if !mayAbort {
                HTML.none
            } else if alarm.mayEnd.contains(means) {
                form(Route.abort).button(
                    words.say(isWindow || alarm.told.isEmpty ? .iAmFine : .iAmFineStop), kind: "fine",
                    fields: fields,
                    isFirst: isFirst, isGuarded: true)
            } else {
                HTML(.p, .set(.class, "warn"), text: words.say(.nowCancelElsewhere))
            }
        let help =
            isWindow
            ? form(Route.help).button(
                words.say(.helpNow), kind: "help", fields: [("person", alarm.person)], isGuarded: true) : .none
        return fine + help
    }

    /// For a minute after a cancel, help can be called all the same.
    func afterCancel(_ alarm: HouseSnapshot.Alarm) -> HTML {
        let isUntold = alarm.ending?.isBeforeCall ?? false
        return HTML(
            .div, .set(.class, "rest"), .set(.dataPage, "cancelled"),
            content: HTML(.h1, .set(.class, "big"), text: words.say(.isOver)),
            HTML(
                .p, text: isUntold ? words.say(.nobodyCalled) : words.say(.toldAreInformed)),
            form(Route.help).button(
                words.say(.callAfterAll), kind: "help", fields: [("alarm", alarm.id)], isGuarded: true))
    }
}
