package import ControlContract
package import GatewayModel
package import HTML
import Phrases
import SOSLocal

extension PageModule {
    static let alarms = PageModule([
        HousePage(
            Pages.Route.alarms, entry: .init([.person, .family, .carer]) { $0.words.say(.alarms) }, show)
    ])

    /// Milliseconds by which a clock that was set back may have dated an alarm ahead: a day.
    private static let clockMargin: Int64 = 86_400_000

    /// All alarms that the gateway keeps, a page at a time. The field `after` names the last one of the page before.
    private static func show(_ visit: PageVisit) throws -> PageAnswer {
        guard let reader = HistoryReader(visit) else { return .missing }
        let after = visit.query["after"].map { AlarmID($0) }
        if case .some(nil) = after { return .missing }
        let future = WallTime(millisecondsSince1970: visit.now.millisecondsSince1970 + clockMargin)
        switch try reader.alarms(
            from: WallTime(millisecondsSince1970: 0), to: future, after: after ?? nil, answers: 1)
        {
        case .refused(let refusal): return .refused(visit.pages.historyRefused(refusal))
        case .shown(let found):
            return .page(visit.pages.alarms(found, isFirst: after == nil, in: reader.calendar))
        }
    }
}

extension Pages.Route {
    static let alarms: HTML.Place = "/alarms"
}

/// Alarms of a period as the gateway gave them.
package struct PastAlarms: Sendable {
    /// The newest first.
    let entries: [AlarmHistory.Entry]
    /// Alarm after which older ones of the period begin; nil where all are here.
    let next: String?

    package init(_ entries: [AlarmHistory.Entry], next: String?) {
        (self.entries, self.next) = (entries, next)
    }
}

/// Cause of an alarm without its values.
enum AlarmTitle: Hashable, Sendable {
    case signal(WearableSignal.Kind)
    case helpAskedFor
    case limit(QuantityKind, LimitRule.Side, isWarning: Bool)
    case score, silence, drill
    /// Rule of another version, by its name.
    case other(String)

    /// - Parameters:
    ///   - rule: an `AlarmCause.name`.
    ///   - device: origin of the alarm.
    init(_ rule: String, from device: String?) {
        if let signal = WearableSignal.Kind(rawValue: rule) {
            let isAskedFor = device.flatMap { DeviceID($0) }?.isHouseInterface == true
            self = isAskedFor ? .helpAskedFor : .signal(signal)
        } else {
            self = Self.named(rule)
        }
    }

    private static func named(_ rule: String) -> AlarmTitle {
        switch rule {
        case AlarmCause.earlyWarningName: return .score
        case "sensor-silent": return .silence
        case "drill": return .drill
        default:
            for kind in QuantityKind.allCases {
                for side in [LimitRule.Side.low, .high] {
                    let name = "\(kind.rawValue)-\(side.rawValue)"
                    if rule == name { return .limit(kind, side, isWarning: false) }
                    if rule == name + "-warning" { return .limit(kind, side, isWarning: true) }
                }
            }
            return .other(rule)
        }
    }
}

/// The list of a person's alarms, on a page of its own, beside charts and in the report.
extension Pages {
    /// Alarms beside a chart, and on the sheet of the report.
    private static let mostBeside = 12

    /// All alarms that are kept, a page at a time. Nil for a session without a person.
    ///
    /// - Parameter isFirst: whether the page begins with the newest alarm.
    package func alarms(_ alarms: PastAlarms, isFirst: Bool, in calendar: LocalCalendar) -> Page? {
        guard let person = subject else { return nil }
        let title = words.say(.alarmsOf(person.name))
        return family(
            title,
            HTML(.h1, text: title) + table(of: alarms.entries, in: calendar)
                + HTML(
                    .nav, .set(.class, "row"), .set(.ariaLabel, words.say(.period)),
                    content: isFirst ? .none : link(to: Route.alarms, .newestAlarms),
                    alarms.next.map { link(to: Route.alarms.with("after", $0), .earlier) } ?? .none))
    }

    private func link(to place: HTML.Place, _ text: Text) -> HTML {
        HTML(.a, .href(place), .set(.class, "ask"), text: words.say(text))
    }

    /// The newest alarms of a period, or the reason why the gateway does not list them.
    func alarmList(_ alarms: Answer<PastAlarms>, in calendar: LocalCalendar) -> HTML {
        let content: HTML =
            switch alarms {
            case .refused: HTML(.p, .set(.class, "warn"), text: words.say(.alarmsNotRead))
            case .shown(let alarms):
                table(of: Array(alarms.entries.prefix(Self.mostBeside)), in: calendar)
                    + (alarms.next != nil || alarms.entries.count > Self.mostBeside
                        ? HTML(.p, text: words.say(.moreAlarms)) : .none)
            }
        return HTML(.section, content: HTML(.h2, text: words.say(.alarms)), content)
    }

    /// Counts of the cancelled alarms of some persons by month and cause; nothing where there are none.
    func cancelledAlarms(of persons: [String], names: Bool = false) -> HTML {
        let shown = (house.cancelledAlarms ?? []).filter { persons.contains($0.person) }
        guard !shown.isEmpty else { return .none }
        let rows = shown.map { one in
            let cause = words.say(.cause(AlarmTitle(one.rule, from: one.device)))
            let owner = names ? ", " + (house.persons.first { $0.id == one.person }?.name ?? one.person) : ""
            return HTML(
                .li,
                text: one.month + owner + ": " + cause + (one.device.map { " (\($0))" } ?? "") + ", "
                    + words.say(.cancelledTimes(one.count)))
        }
        return HTML(
            .section, content: HTML(.h2, text: words.say(.cancelledAlarms)),
            HTML(.p, text: words.say(.cancelledHow)), HTML(.ul, content: HTML(rows)))
    }

    private func table(of alarms: [AlarmHistory.Entry], in calendar: LocalCalendar) -> HTML {
        guard !alarms.isEmpty else { return HTML(.p, text: words.say(.noAlarms)) }
        let rows = alarms.filter { isVisible($0.person) }.map { alarm in
            HTML(
                .tr,
                content: HTML(
                    .th, .set(.scope, "row"),
                    text: calendar.date(of: alarm.crossed).text(viewer.language) + " "
                        + calendar.clock(of: alarm.crossed)),
                HTML(.td, text: cause(of: alarm)), HTML(.td, text: delay(of: alarm)),
                HTML(.td, text: end(of: alarm)))
        }
        return HTML(
            .div, .set(.class, "scroll"), .set(.role, "region"), .set(.tabindex, 0),
            .set(.ariaLabel, words.say(.alarms)),
            content: HTML(
                .table,
                content: HTML(
                    .thead,
                    content: HTML(
                        .tr,
                        content: HTML(
                            [Text.timeOfDay, .causeOfAlarm, .helpAfter, .endOfAlarm].map {
                                HTML(.th, .set(.scope, "col"), text: words.say($0))
                            }))),
                HTML(.tbody, content: HTML(rows))))
    }

    private func cause(of alarm: AlarmHistory.Entry) -> String {
        let title = words.say(.cause(AlarmTitle(alarm.rule, from: alarm.device)))
        return alarm.isDrill && alarm.rule != "drill" ? words.say(.cause(.drill)) + ": " + title : title
    }

    /// Time from the crossing until a machine outside had the call.
    private func delay(of alarm: AlarmHistory.Entry) -> String {
        guard let handedOver = alarm.handedOver else {
            return alarm.called == nil ? "-" : words.say(.calledOnly)
        }
        let tenths = (Double(handedOver) - Double(alarm.crossed)) / 100
        return words.figure(tenths.rounded() / 10) + " s"
    }

    private func end(of alarm: AlarmHistory.Entry) -> String {
        guard let ending = alarm.ending else { return words.say(.stillOpen) }
        return switch ending.how {
        case "aborted": words.say(.cancelled(by: ending.by))
        case "accepted": words.say(.accepted(by: ending.by))
        case "resolved": words.say(.resolved(by: ending.by))
        default: words.say(.lapsed)
        }
    }
}

extension Text {
    static let noAlarms = Text(en: "None.", it: "Nessuno.")
    static let moreAlarms = Text(en: "The page Alarms has all of them.", it: "La pagina Allarmi li ha tutti.")
    static let alarmsNotRead = Text(
        en: "The box could not read its list of alarms.",
        it: "La centralina non ha potuto leggere il suo elenco di allarmi.")
    static let newestAlarms = Text(en: "Newest", it: "I più recenti")
    static func alarmsOf(_ name: String) -> Text {
        Text(en: "Alarms of \(name)", it: "Allarmi di \(name)")
    }
    static let cancelledAlarms = Text(en: "Cancelled alarms by month", it: "Allarmi annullati per mese")
    static let cancelledHow = Text(
        en:
            "An alarm that was cancelled is most often a false one. Many by one cause or sensor ask for a look.",
        it:
            "Un allarme annullato è quasi sempre falso. Se sono molti, per una causa o un sensore, è bene controllare."
    )
    static func cancelledTimes(_ count: Int) -> Text {
        Text(
            en: count == 1 ? "once" : "\(count) times",
            it: count == 1 ? "una volta" : "\(count) volte")
    }
    static let causeOfAlarm = Text(en: "Reason", it: "Motivo")
    static let helpAfter = Text(en: "Help told after", it: "Aiuto avvisato dopo")
    static let calledOnly = Text(en: "not reached", it: "non raggiunto")
    static let endOfAlarm = Text(en: "End", it: "Fine")
    static func cause(_ alarmTitle: AlarmTitle) -> Text {
        switch alarmTitle {
        case .signal(let signal): Statement.signal(signal).text(.shown)
        case .helpAskedFor: Statement.helpAskedFor.text(.shown)
        case .limit(let kind, let side, let isWarning):
            Text(
                en: kind.words(in: .english).title
                    + (side == .low ? " below the " : " above the ")
                    + (isWarning ? "warning limit" : "alarm limit"),
                it: kind.words(in: .italian).title
                    + (side == .low ? " sotto il " : " sopra il ")
                    + (isWarning ? "limite di avviso" : "limite di allarme"))
        case .score: Text(en: "Several values together", it: "Più valori insieme")
        case .silence: Text(en: "The sensor was silent", it: "Il sensore taceva")
        case .drill: Text(en: "Drill", it: "Esercitazione")
        case .other(let rule): Text(en: rule, it: rule)
        }
    }
    static let stillOpen = Text(en: "The alarm is open.", it: "L'allarme è aperto.")
}
