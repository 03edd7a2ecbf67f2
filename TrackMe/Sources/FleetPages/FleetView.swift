import Accounts
import GatewayModel
import HTML
import Store
import WebPages

/// HTML of a fleet for one installer, from values alone.
struct FleetView {
    static let root: HTML.Place = "/fleet"
    static let list: HTML.Place = "/fleet/list"
    static let live: HTML.Place = "/fleet/live"
    static let add: HTML.Place = "/fleet/add"

    static func place(of gateway: GatewayID) -> HTML.Place {
        ("/fleet/boxes" as HTML.Place).appending(gateway.text)
    }

    private let layout: Layout
    private let words: FleetWords
    private let now: WallTime
    private let calendar: LocalCalendar

    init(context: RouteContext, now: WallTime, calendar: LocalCalendar) {
        (layout, words) = (Layout(context), FleetWords(context.language))
        (self.now, self.calendar) = (now, calendar)
    }

    /// Facts of a box on a page. Ages are not among them: they grow by themselves.
    struct Shown: Hashable, Sendable {
        private let gateway: GatewayID
        private let presence: Presence
        private let version: String?
        private let conditions: [HouseStatus.Condition]
        private let openAlarms, unsent, waitingCommands: Int
        private let interval: Duration?
        private let hasMains: Bool?

        init(_ box: FleetBox, at now: WallTime) {
            (gateway, presence, openAlarms) = (box.gateway, Presence(box, at: now), box.openAlarms)
            (version, conditions) = (box.state?.version, box.state?.conditions ?? [])
            (unsent, hasMains) = (box.state?.unsent ?? 0, box.state?.hasMains)
            (interval, waitingCommands) = (box.state?.interval, box.waitingCommands)
        }
    }

    /// Order of the list: the first come first.
    enum Presence: Int, Hashable, Sendable {
        case away, neverSeen, present

        init(_ box: FleetBox, at now: WallTime) {
            guard let state = box.state, state.lastSeen != nil else {
                self = .neverSeen
                return
            }
            self = state.isPresent(at: now) ? .present : .away
        }
    }

    // MARK: List

    func listPage(of fleet: FleetName, _ boxes: [FleetBox]) -> Page {
        layout.page(
            title: words.say(.boxesOf(fleet.text)), live: Self.live, part: list(boxes), at: Self.list,
            lost: words.say(.lost),
            rest: HTML(.p, content: HTML(.a, .href(Self.add), text: words.say(.add))))
    }

    func list(_ boxes: [FleetBox]) -> HTML {
        guard !boxes.isEmpty else { return HTML(.p, text: words.say(.noBoxes)) }
        let sorted = boxes.sorted { rank($0) < rank($1) }
        let away = boxes.count { Presence($0, at: now) == .away }
        let alarms = boxes.reduce(0) { $0 + $1.openAlarms }
        let head = [FleetWords.Text.box, .state, .lastSeen, .alarms, .worst, .version].map {
            HTML(.th, .set(.scope, "col"), text: words.say($0))
        }
        return HTML(.p, text: words.say(.summary(boxes.count, away: away, alarms: alarms)))
            + HTML(
                .div, .set(.class, "scroll"), .set(.tabindex, 0), .set(.role, "region"),
                .set(.ariaLabel, words.say(.boxes)),
                content: HTML(
                    .table, content: HTML(.thead, content: HTML(.tr, content: HTML(head))),
                    HTML(.tbody, content: HTML(sorted.map(row)))))
    }

    private func rank(_ box: FleetBox) -> (Int, Int, Int, String) {
        let worst = conditions(of: box).first.map { -$0.rank } ?? 1
        return (Presence(box, at: now).rawValue, -box.openAlarms, worst, box.gateway.text)
    }

    private func row(_ box: FleetBox) -> HTML {
        let conditions = conditions(of: box)
        let worst = conditions.first.map {
            $0.title + (conditions.count > 1 ? " " + words.say(.andMore(conditions.count - 1)) : "")
        }
        return HTML(
            .tr,
            content: HTML(
                .th, .set(.scope, "row"),
                content: HTML(.a, .href(Self.place(of: box.gateway)), text: box.gateway.text)),
            HTML(.td, content: presence(of: box)), HTML(.td, text: lastSeen(box)),
            HTML(
                .td, box.openAlarms > 0 ? .set(.class, "warn") : nil,
                text: box.openAlarms > 0 ? "\(box.openAlarms)" : ""),
            HTML(.td, text: worst ?? ""), HTML(.td, text: box.state?.version ?? ""))
    }

    private func presence(of box: FleetBox) -> HTML {
        switch Presence(box, at: now) {
        case .present: HTML(.span, text: words.say(.present))
        case .away: HTML(.span, .set(.class, "badge warn"), text: words.say(.away))
        case .neverSeen: HTML(.span, .set(.class, "badge"), text: words.say(.neverSeen))
        }
    }

    private func lastSeen(_ box: FleetBox) -> String { box.state?.lastSeen.map(age) ?? "" }

    private func age(_ time: WallTime) -> String {
        words.say(.age(max(0, now.millisecondsSince1970 - time.millisecondsSince1970) / 1_000))
    }

    // MARK: Conditions

    private struct Condition {
        let title, remedy: String
        let rank: Int
        let subject: String?
    }

    /// The worst first. A newer box may have codes that this program does not know.
    private func conditions(of box: FleetBox) -> [Condition] {
        (box.state?.conditions ?? []).map { condition in
            let code = HealthCode(rawValue: condition.code)
            return Condition(
                title: code?.title(in: words.language) ?? words.say(.unknownCondition(condition.code)),
                remedy: code?.declaration.remedy ?? words.say(.updateServer),
                rank: ["notice", "degraded", "supervision"].firstIndex(of: condition.severity) ?? 2,
                subject: condition.subject)
        }.sorted { $0.rank > $1.rank }
    }

    // MARK: One box

    func boxPage(_ box: FleetBox, part: HTML, refusal: FleetWords.Text?) -> Page {
        let place = Self.place(of: box.gateway)
        let form = layout.form(
            place.adding("/heartbeat"),
            content: layout.field(
                "seconds", words.say(.heartbeat), type: "number", complete: "off",
                hint: words.say(.heartbeatHint), error: refusal.map(words.say), most: 5)
                + layout.button(words.say(.send)))
        let rest =
            HTML(.h2, text: words.say(.setHeartbeat)) + form
            + HTML(.p, content: HTML(.a, .href(place.adding("/remove")), text: words.say(.remove)))
            + HTML(.p, content: HTML(.a, .href(Self.root), text: words.say(.back)))
        return layout.page(
            title: box.gateway.text, live: Self.live, part: part, at: place.adding("/part"),
            lost: words.say(.lost), rest: rest, hasForm: true)
    }

    func box(_ box: FleetBox, commands: [HeartbeatCommand]) -> HTML {
        state(of: box) + conditionList(of: box) + devices(of: box) + list(commands)
    }

    private func state(of box: FleetBox) -> HTML {
        guard let state = box.state else { return HTML(.p, text: words.say(.toldNothing)) }
        let lines: [String?] = [
            state.lastSeen.map { words.say(.seen(age($0))) },
            state.version.isEmpty ? nil : words.say(.versionIs(state.version)),
            words.say(.interval(Int(state.interval.components.seconds))),
            state.unsent > 0 ? words.say(.unsent(state.unsent)) : nil,
            state.hasMains == false ? words.say(.onBattery(state.batteryPercent)) : nil,
        ]
        let alarms =
            box.openAlarms == 0
            ? HTML.none : HTML(.p, .set(.class, "warn"), text: words.say(.openAlarms(box.openAlarms)))
        return HTML(.p, content: presence(of: box)) + alarms
            + HTML(lines.compactMap { $0.map { HTML(.p, text: $0) } })
    }

    private func conditionList(of box: FleetBox) -> HTML {
        let rows = conditions(of: box).map { condition in
            HTML(
                .li,
                content: HTML(
                    .p, condition.rank == 2 ? .set(.class, "warn") : nil,
                    text: condition.title + (condition.subject.map { " (\($0))" } ?? "")),
                HTML(.p, .set(.class, "hint"), text: condition.remedy))
        }
        return HTML(.h2, text: words.say(.conditions))
            + (rows.isEmpty
                ? HTML(.p, text: words.say(.noConditions))
                : HTML(.ul, .set(.class, "entries"), content: HTML(rows)))
    }

    private func devices(of box: FleetBox) -> HTML {
        let rows = box.devices.map { device in
            HTML(
                .li, text: device.device.text + ": " + (device.lastReading.map(age) ?? ""))
        }
        return HTML(.h2, text: words.say(.wearables))
            + (rows.isEmpty
                ? HTML(.p, text: words.say(.noWearables)) : HTML(.ul, content: HTML(rows)))
    }

    private func list(_ commands: [HeartbeatCommand]) -> HTML {
        let rows = commands.map { command in
            HTML(
                .li,
                content: HTML(.p, text: words.say(.command(command.seconds, by: command.by.text))),
                HTML(
                    .p,
                    .set(.class, command.state == .done || command.state == .sent ? "hint" : "warn"),
                    text: words.say(.commandState(command.state, command.reason)) + ", "
                        + time(command.answered ?? command.asked)))
        }
        return HTML(.h2, text: words.say(.commands))
            + (rows.isEmpty
                ? HTML(.p, text: words.say(.noCommands))
                : HTML(.ul, .set(.class, "entries"), content: HTML(rows)))
    }

    private func time(_ time: WallTime) -> String {
        let at = time.millisecondsSince1970
        return layout.date(calendar.date(of: at)) + ", " + calendar.clock(of: at)
    }

    // MARK: Add and remove

    func addPage(refusal: FleetWords.Text?) -> Page {
        let form = layout.form(
            Self.add,
            content: layout.field(
                "code", words.say(.code), complete: "off", hint: words.say(.codeHint),
                error: refusal.map(words.say), most: 2_000)
                + layout.button(words.say(.addIt)))
        let command = HTML(
            .p, content: HTML(.span, .set(.class, "badge"), text: "homegateway contract claim"))
        return layout.page(
            title: words.say(.add),
            main: HTML(.p, text: words.say(.addIntro)) + command + form
                + HTML(.p, content: HTML(.a, .href(Self.root), text: words.say(.back))))
    }

    func removal(of box: FleetBox) -> Page {
        let place = Self.place(of: box.gateway)
        return layout.page(
            title: words.say(.removeQuestion(box.gateway.text)),
            main: HTML(.p, text: words.say(.removeExplained))
                + layout.form(place.adding("/remove"), content: layout.button(words.say(.yesRemove)))
                + HTML(.p, content: HTML(.a, .href(place), text: words.say(.keep))))
    }
}
