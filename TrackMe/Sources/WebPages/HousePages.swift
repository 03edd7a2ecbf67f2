import Accounts
import Charts
import GatewayModel
import HTML
import Houses
import PageSecurity
import Store

/// House of a linked person: its state, the person's devices, its news, and the intervals of samples.
struct HousePages: Sendable {
    private struct Entry {
        var kind: QuantityKind?
        var seconds = ""
        var error: Text?
        var isSent = false
    }

    private static let mostNotices = 20
    private static let mostCommands = 20

    let parts: SiteParts

    var routes: [Route] {
        [
            Route(.get, "/data/{link}/house", access: .signedIn) { context in
                try await page(context, Entry(isSent: context.query["sent"] != nil))
            },
            Route(.post, "/data/{link}/interval", access: .signedIn, answer: setInterval),
            Route(.post, "/data/{link}/limits", access: .signedIn, answer: askForLimits),
            Route(.post, "/data/{link}/limits/end", access: .signedIn, answer: endLimits),
        ]
    }

    private func page(_ context: RouteContext, _ entry: Entry) async throws -> WebAnswer {
        let link = try await parts.openLink(context)
        try await parts.recordLook(.page, context, of: link)
        let layout = Layout(context)
        let words = Words(context.language)
        let times = PageTimes(parts.calendar(of: context), layout.words)
        let state = try await parts.stores.records.state(of: link.subject.gateway)
        let devices = try await parts.stores.records.devices(of: link.subject)
        let main =
            house(state, of: link, devices, words, times)
            + (try await automatedSOS(of: link, words, times))
            + self.devices(devices, state, words, times)
            + (try await limits(of: link, layout, words, times))
            + (try await notices(of: link, words, times))
            + (try await intervals(of: link, devices, entry, layout, words, times))
        return .page(
            layout.page(title: "\(words.say(.house)): \(link.subject.gateway)", main: main),
            status: entry.error == nil ? 200 : 422)
    }

    private func house(
        _ state: HouseState?, of link: Link, _ devices: [SeenDevice], _ words: Words, _ times: PageTimes
    ) -> HTML {
        guard let state else { return HTML(.p, text: words.say(.neverSeen)) }
        let isPresent = state.isPresent(at: parts.clock())
        var lines: [HTML] = [
            HTML(
                .p, isPresent ? nil : .set(.class, "warn"), text: words.say(isPresent ? .present : .away)),
            HTML(.p, text: state.lastSeen.map { words.say(.seen(times.text($0))) } ?? words.say(.neverSeen)),
        ]
        if !state.version.isEmpty { lines.append(HTML(.p, text: words.say(.version(state.version)))) }
        if state.hasMains == false {
            lines.append(HTML(.p, .set(.class, "warn"), text: words.say(.onBattery(state.batteryPercent))))
        }
        if state.unsent > 0 { lines.append(HTML(.p, text: words.say(.unsent(state.unsent)))) }
        // Wearables and persons of the rest of the house are nothing of this account.
        let own = Set(devices.map(\.device.text)).union([link.subject.person.text])
        let conditions = state.conditions.filter { $0.subject.map(own.contains) ?? true }
        if !conditions.isEmpty {
            lines.append(HTML(.h3, text: words.say(.conditions)))
            lines.append(
                HTML(
                    .ul,
                    content: HTML(
                        conditions.map { condition in
                            let isGrave = condition.severity == HealthCode.Severity.supervision.rawValue
                            let code = HealthCode(rawValue: condition.code)
                            return HTML(
                                .li, isGrave ? .set(.class, "warn") : nil,
                                text: words.say(.condition(code, condition.subject)))
                        })))
        }
        return HTML(lines)
    }

    /// The decision is the house's alone: nothing at a distance switches the calls for help on or off.
    private func automatedSOS(
        of link: Link, _ words: Words, _ times: PageTimes
    ) async throws -> HTML {
        let decision = try await parts.stores.records.decision(on: "automated-sos", of: link.subject)
        let isOn = decision?.isAccepted == true
        return HTML(.h2, text: words.say(.automatedSOS))
            + HTML(
                .p, isOn ? nil : .set(.class, "warn"),
                text: words.say(isOn ? .automatedSOSOn : .automatedSOSOff)
                    + (decision.map { ", " + times.text($0.at) } ?? ""))
            + HTML(.p, .set(.class, "hint"), text: words.say(.automatedSOSHint))
    }

    private func devices(
        _ devices: [SeenDevice], _ state: HouseState?, _ words: Words, _ times: PageTimes
    ) -> HTML {
        let low = Set(
            (state?.conditions ?? []).filter { $0.code == HealthCode.batteryLow.rawValue }.compactMap(\.subject)
        )
        let rows = devices.map { device in
            HTML(
                .li, content: HTML(.p, text: device.device.text),
                HTML(.p, .set(.class, "hint"), text: device.kinds.map(words.title).joined(separator: ", ")),
                HTML(
                    .p,
                    text: device.lastReading.map { words.say(.lastReading(times.text($0))) }
                        ?? words.say(.noReading)),
                low.contains(device.device.text)
                    ? HTML(.p, .set(.class, "warn"), text: words.say(.batteryLow)) : .none)
        }
        return HTML(.h2, text: words.say(.devices))
            + (rows.isEmpty
                ? HTML(.p, text: words.say(.noDevices))
                : HTML(.ul, .set(.class, "entries"), content: HTML(rows))
                    + HTML(.p, .set(.class, "hint"), text: words.say(.batteryNotTold)))
    }

    private func notices(
        of link: Link, _ words: Words, _ times: PageTimes
    ) async throws -> HTML {
        let notices = try await parts.stores.records.notices(
            of: link.subject, before: nil, most: Self.mostNotices)
        let rows = notices.map { notice in
            let phase = notice.phase == .ended ? words.say(.ended) + ": " : ""
            return HTML(
                .li, content: HTML(.p, text: phase + words.say(notice.text)),
                HTML(.p, .set(.class, "hint"), text: times.text(notice.time)))
        }
        return HTML(.h2, text: words.say(.notices))
            + (rows.isEmpty
                ? HTML(.p, text: words.say(.noNotices))
                : HTML(.ul, .set(.class, "entries"), content: HTML(rows)))
    }

    // MARK: Limits

    private func limits(
        of link: Link, _ layout: Layout, _ words: Words, _ times: PageTimes
    ) async throws -> HTML {
        let sharing = try await parts.stores.facts.sharing(.limits, of: link.subject)
        let place = Places.data.appending(link.id.description).adding("/limits")
        var lines = [HTML(.h2, text: words.say(.limits)), HTML(.p, text: words.say(.limitsIntro))]
        if let sharing {
            lines.append(
                HTML(
                    .p, .set(.role, "status"),
                    text: words.say(.limitState(sharing.state)) + ", "
                        + times.text(sharing.decided ?? sharing.asked)))
            if let reason = sharing.reason {
                lines.append(HTML(.p, text: words.say(.givenReason(reason))))
            }
            let rows = sharing.limits.flatMap { limits in
                LimitLines(limits, words).all.map {
                    HTML(.li, text: "\(layout.words.title(limits.kind)): \($0.label)")
                }
            }
            if !rows.isEmpty { lines.append(HTML(.ul, content: HTML(rows))) }
        }
        let isOpen = sharing?.state.isOpen == true
        guard link.mayAct else { return HTML(lines) }
        lines.append(
            layout.form(
                isOpen ? place.adding("/end") : place,
                content: layout.button(
                    words.say(isOpen ? .limitsEnd : .limitsAsk), kind: isOpen ? "plain" : "main")))
        return HTML(lines)
    }

    private func askForLimits(_ context: RouteContext) async throws -> WebAnswer {
        try await parts.act(context) { link in
            try await parts.ask(for: .limits, of: link, context)
            return .redirect(to: Places.data.appending(link.id.description).adding("/house"))
        }
    }

    private func endLimits(_ context: RouteContext) async throws -> WebAnswer {
        try await parts.act(context) { link in
            try await parts.end(.limits, of: link, context)
            return .redirect(to: Places.data.appending(link.id.description).adding("/house"))
        }
    }

    // MARK: Intervals

    private func intervals(
        of link: Link, _ devices: [SeenDevice], _ entry: Entry, _ layout: Layout, _ words: Words,
        _ times: PageTimes
    ) async throws -> HTML {
        let seen = Set(devices.flatMap(\.kinds))
        let options = QuantityKind.allCases.filter { seen.contains($0) || $0 == entry.kind }.map { kind in
            HTML(
                .option, .set(.value, kind.rawValue), kind == entry.kind ? .flag(.selected) : nil,
                text: layout.words.title(kind))
        }
        let commands = try await parts.stores.intervals.intervals(
            of: link.subject, most: Self.mostCommands)
        let rows = commands.map { command in
            let kind = layout.words.title(command.kind)
            let title =
                command.seconds == 0
                ? words.say(.asSettings(kind)) : words.say(.everySeconds(kind, command.seconds))
            return HTML(
                .li, content: HTML(.p, text: title),
                HTML(
                    .p, .set(.class, command.state == .done || command.state == .sent ? "hint" : "warn"),
                    text: words.say(.commandState(command.state)) + ", "
                        + times.text(command.answered ?? command.asked)),
                command.reason.map { HTML(.p, text: words.say(.givenReason($0))) } ?? .none)
        }
        let form =
            options.isEmpty || !link.mayAct
            ? HTML.none
            : layout.form(
                Places.data.appending(link.id.description).adding("/interval"),
                content: HTML(.label, .set(.for, "kind"), text: layout.words.say(.kind))
                    + HTML(.select, .set(.id, "kind"), .set(.name, "kind"), content: HTML(options))
                    + layout.field(
                        "seconds", words.say(.seconds), value: entry.seconds, complete: "off",
                        hint: words.say(.secondsHint), error: entry.error.map(words.say), most: 4)
                    + layout.button(words.say(.send)))
        return HTML(.h2, text: words.say(.interval))
            + (entry.isSent ? HTML(.p, .set(.role, "status"), text: words.say(.sent)) : .none)
            + HTML(.p, text: words.say(.intervalIntro)) + form + HTML(.h3, text: words.say(.commands))
            + (rows.isEmpty
                ? HTML(.p, text: words.say(.noCommands))
                : HTML(.ul, .set(.class, "entries"), content: HTML(rows)))
    }

    private func setInterval(_ context: RouteContext) async throws -> WebAnswer {
        guard let kind = QuantityKind(rawValue: context.form["kind"] ?? "") else {
            throw Problem(.badRequest, "kind is unknown")
        }
        var entry = Entry(kind: kind, seconds: context.form["seconds"] ?? "")
        guard let seconds = Int(entry.seconds), LinkService.intervals.contains(seconds) else {
            entry.error = .badSeconds
            return try await page(context, entry)
        }
        do {
            return try await parts.act(context) { link in
                try await parts.links.setInterval(
                    seconds, for: kind, of: link.subject, by: try context.signedIn(),
                    in: parts.stores.intervals)
                return .redirect(
                    to: Places.data.appending(link.id.description).adding("/house").with("sent", "1"))
            }
        } catch StoreFault.tooManyIntervals {
            entry.error = .tooMany
            return try await page(context, entry)
        }
    }
}

/// Limits of one kind in words, for a chart and for a list.
struct LimitLines {
    let all: [Chart.Limit]

    init(_ limits: AlarmLimits, _ words: Words) {
        let sides: [(Double?, LimitSide, Bool)] = [
            (limits.low, .low, false), (limits.high, .high, false),
            (limits.warningLow, .warningLow, true), (limits.warningHigh, .warningHigh, true),
        ]
        all = sides.compactMap { value, side, isWarning in
            value.map {
                Chart.Limit($0, label: words.say(.limit(side, words.figure($0))), isWarning: isWarning)
            }
        }
    }
}

/// Times of a page in words.
struct PageTimes: Sendable {
    let calendar: LocalCalendar
    private let words: Words

    init(_ calendar: LocalCalendar, _ words: Words) { (self.calendar, self.words) = (calendar, words) }

    /// `24 Nov 2026, 19:20`
    func text(_ time: WallTime) -> String {
        let at = time.millisecondsSince1970
        return calendar.date(of: at).text(words.language) + ", " + calendar.clock(of: at)
    }
}

extension Text {
    static func seen(_ time: String) -> Text {
        Text(en: "Last seen on \(time).", it: "Ultimo segno di vita: \(time).")
    }
    static let neverSeen = Text(
        en: "The house has told nothing of itself yet.",
        it: "La casa non ha ancora detto nulla di sé.")
    static let present = Text(en: "It is connected.", it: "È collegata.")
    static let away = Text(en: "It is not connected.", it: "Non è collegata.")
    static func onBattery(_ percent: Int?) -> Text {
        Text(
            en: percent.map { "It runs on its battery, which has \($0) %." } ?? "It runs on its battery.",
            it: percent.map { "Funziona a batteria, carica al \($0) %." } ?? "Funziona a batteria.")
    }
    /// Nil for a code that this program does not know; the subject is the wearable, the person or the part.
    static func condition(_ code: HealthCode?, _ subject: String?) -> Text {
        switch (code, subject) {
        case (let code?, let subject):
            Text(
                en: sentence(code.declaration.title.en, subject),
                it: sentence(code.declaration.title.it, subject))
        case (nil, let subject):
            Text(
                en: sentence(
                    "The house tells of something that this server cannot name; the pages at home show it",
                    subject),
                it: sentence(
                    "La casa segnala qualcosa che questo server non sa nominare; lo mostrano le pagine in casa",
                    subject))
        }
    }
    static let noDevices = Text(en: "No device has sent readings.", it: "Nessun dispositivo ha mandato misure.")
    static let noReading = Text(en: "No reading is known.", it: "Nessuna misura conosciuta.")
    static let batteryNotTold = Text(
        en: "The house tells a battery only when it is nearly empty.",
        it: "La casa parla di una batteria solo quando è quasi scarica.")
    static let automatedSOS = Text(en: "Calls for help (AutomatedSOS)", it: "Chiamate di aiuto (AutomatedSOS)")
    static let automatedSOSOn = Text(en: "On: agreed at home", it: "Attive: accettate a casa")
    static let automatedSOSOff = Text(
        en: "Off: nobody has agreed at home. The house calls no help by itself",
        it: "Non attive: a casa nessuno le ha accettate. La casa non chiama aiuto da sola")
    static let automatedSOSHint = Text(
        en:
            "The house judges emergencies by the sensors and calls help. It is switched on and off at home alone, on the page Permissions of the house or with the installer.",
        it:
            "La casa riconosce le emergenze dai sensori e chiama aiuto. Si attivano e disattivano solo a casa, nella pagina Permessi della casa o con l'installatore."
    )
    static let limitsIntro = Text(
        en:
            "The house judges alarms by limits of its own. It shows them here, and in the charts of all linked accounts, if the "
            + "person says yes at home.",
        it:
            "La casa giudica gli allarmi con soglie sue. Le mostra qui, e nei grafici di tutti gli account collegati, se la "
            + "persona dice di sì a casa.")
    static let limitsAsk = Text(en: "Ask the person", it: "Chiedi alla persona")
    static let limitsEnd = Text(en: "Do not show them any more", it: "Non mostrarle più")
    static func limitState(_ state: FactSharing.State) -> Text {
        switch state {
        case .asked: Text(en: "The person has been asked", it: "Chiesto alla persona")
        case .shared: Text(en: "Shown", it: "Mostrate")
        case .refused: Text(en: "The person said no", it: "La persona ha detto di no")
        case .ended: Text(en: "Not shown any more", it: "Non più mostrate")
        case .expired: Text(en: "The person did not answer", it: "La persona non ha risposto")
        case .failed:
            Text(
                en: "The house did not take the question",
                it: "La casa non ha accettato la domanda")
        }
    }
    static func limit(_ side: LimitSide, _ value: String) -> Text {
        switch side {
        case .low: Text(en: "Alarm below \(value)", it: "Allarme sotto \(value)")
        case .high: Text(en: "Alarm above \(value)", it: "Allarme sopra \(value)")
        case .warningLow: Text(en: "Warning below \(value)", it: "Avviso sotto \(value)")
        case .warningHigh: Text(en: "Warning above \(value)", it: "Avviso sopra \(value)")
        }
    }
    static let noNotices = Text(en: "There is no news.", it: "Non ci sono notizie.")
    static let ended = Text(en: "Over", it: "Finito")
    static let interval = Text(en: "How often readings are sent", it: "Ogni quanto partono le misure")
    static let intervalIntro = Text(
        en:
            "In the house every reading is seen: alarms do not change. A longer interval only sends fewer readings to this server "
            + "and to companies. The house may refuse the command.",
        it:
            "In casa si vede ogni misura: gli allarmi non cambiano. Un intervallo più lungo manda solo meno misure a questo server "
            + "e alle aziende. La casa può rifiutare il comando.")
    static let secondsHint = Text(
        en: "From 1 to 3600. 0 goes back to the settings of the house.",
        it: "Da 1 a 3600. Con 0 tornano le impostazioni della casa.")
    static let badSeconds = Text(
        en: "Write a whole number from 0 to 3600.",
        it: "Scrivi un numero intero da 0 a 3600.")
    static let sent = Text(en: "The command is on its way.", it: "Il comando è partito.")
    static let noCommands = Text(en: "No command was sent.", it: "Nessun comando mandato.")
    static func everySeconds(_ kind: String, _ seconds: Int) -> Text {
        Text(en: "\(kind): every \(seconds) s", it: "\(kind): ogni \(seconds) s")
    }
    static func asSettings(_ kind: String) -> Text {
        Text(
            en: "\(kind): as in the settings of the house",
            it: "\(kind): come nelle impostazioni della casa")
    }
    static func commandState(_ state: CommandState) -> Text {
        switch state {
        case .sent: Text(en: "on its way", it: "in viaggio")
        case .done: Text(en: "done by the house", it: "eseguito dalla casa")
        case .refused: Text(en: "refused by the house", it: "rifiutato dalla casa")
        case .noAnswer: Text(en: "the house did not answer in time", it: "la casa non ha risposto in tempo")
        }
    }
    static func givenReason(_ code: String) -> Text {
        Text(en: "Reason: \(code)", it: "Motivo: \(code)")
    }

    /// The title of a condition with its subject.
    private static func sentence(_ title: String, _ subject: String?) -> String {
        title + (subject.map { " (\($0))" } ?? "") + "."
    }
}
