import Accounts
import Charts
import GatewayModel
import HTML
import Linking
import PageSecurity
import Store

/// House of a linked person: its state, the person's devices, its news, and the intervals of samples.
struct HousePages: Sendable {
    private struct Entry {
        var kind: QuantityKind?
        var seconds = ""
        var error: MyDataWords.Text?
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
        let words = MyDataWords(context.language)
        let times = PageTimes(parts.calendar(of: context), layout.words)
        let state = try await parts.stores.records.state(of: link.subject.gateway)
        let devices = try await parts.stores.records.devices(of: link.subject)
        let main =
            house(state, of: link, devices, words, times)
            + (try await automatedSOS(of: link, words, times))
            + self.devices(devices, state, layout.words, words, times)
            + (try await limits(of: link, layout, words, times))
            + (try await notices(of: link, words, times))
            + (try await intervals(of: link, devices, entry, layout, words, times))
        return .page(
            layout.page(title: "\(words.say(.house)): \(link.subject.gateway)", main: main),
            status: entry.error == nil ? 200 : 422)
    }

    private func house(
        _ state: HouseState?, of link: Link, _ devices: [SeenDevice], _ words: MyDataWords, _ times: PageTimes
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
        of link: Link, _ words: MyDataWords, _ times: PageTimes
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
        _ devices: [SeenDevice], _ state: HouseState?, _ titles: Words, _ words: MyDataWords, _ times: PageTimes
    ) -> HTML {
        let low = Set(
            (state?.conditions ?? []).filter { $0.code == HealthCode.batteryLow.rawValue }.compactMap(\.subject)
        )
        let rows = devices.map { device in
            HTML(
                .li, content: HTML(.p, text: device.device.text),
                HTML(.p, .set(.class, "hint"), text: device.kinds.map(titles.title).joined(separator: ", ")),
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
        of link: Link, _ words: MyDataWords, _ times: PageTimes
    ) async throws -> HTML {
        let notices = try await parts.stores.records.notices(
            of: link.subject, before: nil, most: Self.mostNotices)
        let rows = notices.map { notice in
            let text =
                switch words.language {
                case .english: notice.english
                case .italian: notice.italian
                }
            let phase = notice.phase == .ended ? words.say(.ended) + ": " : ""
            return HTML(
                .li, content: HTML(.p, text: phase + text),
                HTML(.p, .set(.class, "hint"), text: times.text(notice.time)))
        }
        return HTML(.h2, text: words.say(.notices))
            + (rows.isEmpty
                ? HTML(.p, text: words.say(.noNotices))
                : HTML(.ul, .set(.class, "entries"), content: HTML(rows)))
    }

    // MARK: Limits

    private func limits(
        of link: Link, _ layout: Layout, _ words: MyDataWords, _ times: PageTimes
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
            if let reason = sharing.reason { lines.append(HTML(.p, text: words.say(.reason(reason)))) }
            let rows = sharing.limits.flatMap { limits in
                LimitLines(limits, layout.words, words).all.map {
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
        of link: Link, _ devices: [SeenDevice], _ entry: Entry, _ layout: Layout, _ words: MyDataWords,
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
                    text: words.say(.state(command.state)) + ", "
                        + times.text(command.answered ?? command.asked)),
                command.reason.map { HTML(.p, text: words.say(.reason($0))) } ?? .none)
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

    init(_ limits: AlarmLimits, _ words: Words, _ own: MyDataWords) {
        let sides: [(Double?, MyDataWords.LimitSide, Bool)] = [
            (limits.low, .low, false), (limits.high, .high, false),
            (limits.warningLow, .warningLow, true), (limits.warningHigh, .warningHigh, true),
        ]
        all = sides.compactMap { value, side, isWarning in
            value.map {
                Chart.Limit($0, label: own.say(.limit(side, words.figure($0))), isWarning: isWarning)
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
