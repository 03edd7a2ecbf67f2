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
    private let words: Words
    private let now: WallTime
    private let calendar: LocalCalendar

    init(context: RouteContext, now: WallTime, calendar: LocalCalendar) {
        (layout, words) = (Layout(context), Words(context.language))
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
        let head = [Text.box, .state, .lastSeen, .alarms, .worst, .version].map {
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
                title: code?.declaration.title.in(words.language)
                    ?? words.say(.unknownCondition(condition.code)),
                remedy: code?.declaration.remedy ?? words.say(.updateServer),
                rank: ["notice", "degraded", "supervision"].firstIndex(of: condition.severity) ?? 2,
                subject: condition.subject)
        }.sorted { $0.rank > $1.rank }
    }

    // MARK: One box

    func boxPage(_ box: FleetBox, part: HTML, refusal: Text?) -> Page {
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
                    text: words.say(.boxCommand(command.state, command.reason)) + ", "
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

    func addPage(refusal: Text?) -> Page {
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

extension Text {
    static func boxesOf(_ fleet: String) -> Text {
        Text(en: "Boxes of \(fleet)", it: "Centraline di \(fleet)")
    }
    static let noBoxes = Text(en: "The fleet has no box yet.", it: "La flotta non ha ancora centraline.")
    static let lost = Text(
        en: "This page has lost the server: its content may be old. Reload it.",
        it: "Questa pagina ha perso il server: ciò che mostra può essere vecchio. Ricaricala.")
    static func summary(_ count: Int, away: Int, alarms: Int) -> Text {
        Text(
            en:
                "\(count) \(count == 1 ? "box" : "boxes"), \(away) away, \(alarms) open \(alarms == 1 ? "alarm" : "alarms")",
            it:
                "\(count) \(count == 1 ? "centralina" : "centraline"), \(away) \(away == 1 ? "assente" : "assenti"), \(alarms) \(alarms == 1 ? "allarme aperto" : "allarmi aperti")"
        )
    }
    static let state = Text(en: "State", it: "Stato")
    static let lastSeen = Text(en: "Last seen", it: "Ultimo segnale")
    static let alarms = Text(en: "Open alarms", it: "Allarmi aperti")
    static let worst = Text(en: "To be done", it: "Da fare")
    static let version = Text(en: "Version", it: "Versione")
    static func andMore(_ count: Int) -> Text {
        Text(
            en: "and \(count) more",
            it: count == 1 ? "e un'altra cosa" : "e altre \(count) cose")
    }
    static let present = Text(en: "there", it: "presente")
    static let away = Text(en: "AWAY", it: "ASSENTE")
    static let neverSeen = Text(en: "never seen", it: "mai vista")
    static let toldNothing = Text(
        en: "The box has told nothing yet. Check that it runs, and that its broker is that of this server.",
        it:
            "La centralina non ha ancora detto nulla. Controlla che funzioni e che il suo broker sia quello di questo server."
    )
    /// Seconds.
    static func age(_ seconds: Int64) -> Text {
        Text(
            en: seconds < 120
                ? "\(seconds) s ago"
                : seconds < 7_200
                    ? "\(seconds / 60) min ago"
                    : seconds < 172_800 ? "\(seconds / 3_600) h ago" : "\(seconds / 86_400) days ago",
            it: seconds < 120
                ? "\(seconds) s fa"
                : seconds < 7_200
                    ? "\(seconds / 60) min fa"
                    : seconds < 172_800 ? "\(seconds / 3_600) ore fa" : "\(seconds / 86_400) giorni fa")
    }
    static func unknownCondition(_ code: String) -> Text {
        Text(en: "The box reports \(code)", it: "La centralina segnala \(code)")
    }
    static let updateServer = Text(
        en: "This server does not know the condition yet: update it, or see the box itself.",
        it: "Questo server non conosce ancora la condizione: aggiornalo, o guarda sulla centralina stessa.")
    static let conditions = Text(en: "Conditions", it: "Condizioni")
    static let noConditions = Text(en: "None.", it: "Nessuna.")
    static let wearables = Text(en: "Wearables, with their last readings", it: "Sensori, con le ultime letture")
    static let noWearables = Text(en: "None was heard yet.", it: "Nessuno è stato ancora sentito.")
    static func seen(_ age: String) -> Text {
        Text(en: "Last sign of life: \(age)", it: "Ultimo segnale: \(age)")
    }
    static func versionIs(_ version: String) -> Text {
        Text(en: "Version \(version)", it: "Versione \(version)")
    }
    static func interval(_ seconds: Int) -> Text {
        Text(en: "A sign of life each \(seconds) s", it: "Un segnale ogni \(seconds) s")
    }
    static func unsent(_ count: Int) -> Text {
        Text(
            en: "\(count) messages wait in the box",
            it: "\(count) messaggi aspettano nella centralina")
    }
    static func onBattery(_ percent: Int?) -> Text {
        Text(
            en: "On its battery" + (percent.map { ", \($0) %" } ?? ""),
            it: "A batteria" + (percent.map { ", \($0) %" } ?? ""))
    }
    static func openAlarms(_ count: Int) -> Text {
        Text(
            en: count == 1 ? "An alarm is open" : "\(count) alarms are open",
            it: count == 1 ? "Un allarme è aperto" : "\(count) allarmi sono aperti")
    }
    static let heartbeat = Text(en: "Seconds between two signs of life", it: "Secondi tra due segnali")
    static let heartbeatHint = Text(
        en: "10 to 86400. An absent box is shown after three of them and 10 s.",
        it: "Da 10 a 86400. Una centralina assente si vede dopo tre di questi e 10 s.")
    static let send = Text(en: "Send the command", it: "Invia il comando")
    static let commands = Text(en: "Commands", it: "Comandi")
    static let noCommands = Text(en: "None yet.", it: "Ancora nessuno.")
    static func command(_ seconds: Int, by: String) -> Text {
        Text(
            en: "A sign of life each \(seconds) s, sent by \(by)",
            it: "Un segnale ogni \(seconds) s, inviato da \(by)")
    }
    static let addIntro = Text(
        en: "On the box run this command, and paste its output here within an hour:",
        it: "Sulla centralina esegui questo comando, e incolla qui entro un'ora ciò che stampa:")
    static let code = Text(en: "Code of the box", it: "Codice della centralina")
    static let codeHint = Text(
        en: "It starts with ey, and has about 300 characters.",
        it: "Comincia con ey e ha circa 300 caratteri.")
    static let addIt = Text(en: "Add the box", it: "Aggiungi la centralina")
    static func removeQuestion(_ box: String) -> Text {
        Text(en: "Take \(box) out of the fleet?", it: "Togliere \(box) dalla flotta?")
    }
    static let removeExplained = Text(
        en:
            "The box goes on as before. This fleet does not see it any more. It can be added again by a new code.",
        it:
            "La centralina continua come prima. Questa flotta non la vede più. Si può aggiungere di nuovo con un nuovo codice."
    )
    static let yesRemove = Text(en: "Yes, take it out", it: "Sì, togli")
    static let keep = Text(en: "No, keep it", it: "No, tienila")
    static let back = Text(en: "All boxes", it: "Tutte le centraline")
}
