package import ControlContract
package import GatewayModel
package import HTML

extension PageModule {
    static let doctor = PageModule(
        [
            HousePage(
                Pages.Route.doctor, for: [.installer], entry: .init([.installer]) { $0.checks.say(.doctor) },
                live: .init("doctor", Verb.CheckReport()) { $1.map($0.doctorContent) }
            ) { visit in
                guard let report = try visit.gateway.look(Verb.CheckReport()).document else { return .away }
                return .page(visit.pages.doctor(report))
            }
        ], acts: [.check])

    static let log = PageModule([
        HousePage(Pages.Route.log, for: [.installer], entry: .init([.installer]) { $0.checks.say(.log) }) {
            visit in
            guard let events = try visit.gateway.ask(Verb.RecentEvents()).document else { return .away }
            return .page(visit.pages.log(events, in: visit.calendar))
        }
    ])

    static let settings = PageModule([
        HousePage(
            Pages.Route.settings, for: [.installer], entry: .init([.installer]) { $0.checks.say(.settings) }
        ) { visit in
            guard let listing = try visit.gateway.ask(Verb.Settings()).document else { return .away }
            return .page(visit.pages.settings(listing))
        }
    ])

    static let walk = PageModule(
        [
            HousePage(
                Pages.Route.walk, for: [.installer], entry: .init([.installer]) { $0.checks.say(.walk) },
                live: .init("walk", Verb.Walk()) { $0.walkContent($1) }
            ) { visit in
                // Nil before the first walk.
                .page(visit.pages.walk(try visit.gateway.look(Verb.Walk()).document))
            }
        ], acts: [.startWalk, .walkRoom, .stopWalk])
}

extension Pages.Route {
    static let doctor: HTML.Place = "/doctor"
    static let log: HTML.Place = "/log"
    static let settings: HTML.Place = "/settings"
    static let walk: HTML.Place = "/walk"
}

extension PageAct {
    static let check = PageAct("/act/check", then: Pages.Route.doctor) { form in
        Verb.StartCheck(by: form.caller)
    }

    static let startWalk = PageAct("/act/start-walk", then: Pages.Route.walk) { (form) throws(ControlError) in
        Verb.StartWalk(try form.device, by: form.caller)
    }

    static let walkRoom = PageAct("/act/walk-room", then: Pages.Route.walk) { (form) throws(ControlError) in
        try Verb.WalkRoom(Shown.text(form["room"] ?? "", most: Verb.WalkRoom.length), by: form.caller)
    }

    static let stopWalk = PageAct("/act/stop-walk", then: Pages.Route.walk) { form in
        Verb.StopWalk(by: form.caller)
    }
}

/// The doctor, the log and the walk of the installer. They show findings and settings' places, and no secret: `check` reads
/// none into its report.
extension Pages {
    private var own: CheckWords { CheckWords(viewer.language) }

    /// A browser without script asks again after this time while something runs.
    private static let refreshSeconds = 5

    private func page(_ title: String, _ main: HTML, isRunning: Bool) -> Page {
        family(title, main, refreshSeconds: isRunning ? Self.refreshSeconds : nil)
    }

    // MARK: The doctor

    package func doctor(_ report: CheckReport) -> Page {
        page(own.say(.doctor), doctorContent(report), isRunning: report.isRunning)
    }

    package func doctorContent(_ report: CheckReport) -> HTML {
        guard viewer.role == .installer else { return .none }
        let state: HTML
        if report.isRunning {
            let part = report.current.map { HTML(.span, .set(.lang, "en"), text: " " + $0) } ?? .none
            state = HTML(
                .p, .set(.class, "big"), .set(.role, "status"),
                content: HTML(own.say(.checking(report.done, report.total))), part)
        } else {
            let ended = report.finished.map { words.age(house.time - $0) }
            state =
                HTML(
                    .p, .set(.class, report.problems == 0 && ended != nil ? "well" : "warn"),
                    .set(.role, "status"),
                    text: ended.map { own.say(.checked(report.problems, $0)) } ?? own.say(.neverChecked))
                + form(.check).button(own.say(.checkNow), kind: "main")
        }
        let groups: [(CheckReport.Severity, CheckWords.Text)] = [
            (.problem, .problems), (.advice, .advice), (.ok, .works),
        ]
        let sections = groups.map { severity, title in
            let findings = report.findings.filter { $0.severity == severity }
            guard !findings.isEmpty else { return HTML.none }
            return HTML(
                .section, content: HTML(.h2, text: own.say(title)),
                HTML(.ul, .set(.class, "steps"), content: HTML(findings.prefix(60).map(finding))))
        }
        return HTML(
            .div, .set(.dataPage, "doctor"),
            content: HTML(.h1, text: own.say(.doctor)), HTML(.p, text: own.say(.doctorHelp)), state,
            HTML(sections), HTML(.p, content: HTML(.a, .href(Route.log), text: own.say(.log))))
    }

    private func finding(_ finding: CheckReport.Finding) -> HTML {
        let place = finding.file.map { file in file + (finding.line.map { ":\($0)" } ?? "") }
        let lines = [place, finding.key].compactMap { $0 }.joined(separator: " · ")
        return HTML(
            .li, .set(.class, finding.severity == .ok ? "done" : "open"), .set(.lang, "en"),
            content: HTML(.h3, text: finding.part), lines.isEmpty ? .none : HTML(.p, text: lines),
            HTML(.p, text: finding.seen),
            finding.expected.map { HTML(.p, text: "Expected: " + $0) } ?? .none,
            finding.remedy.map { HTML(.p, .set(.class, "warn"), text: $0) } ?? .none)
    }

    // MARK: The log

    package func log(_ events: [EventRow], in calendar: LocalCalendar) -> Page {
        let shown = viewer.role == .installer ? events : []
        let rows = shown.prefix(200).map { event in
            let (hour, minute) = (calendar.hour(of: event.time), calendar.minute(of: event.time))
            let clock = (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
            let subject = event.subject.map { " (\($0))" } ?? ""
            return HTML(
                .tr,
                content: HTML(
                    .th, .set(.scope, "row"), text: CivilDate(event.time).text(viewer.language) + ", " + clock),
                HTML(.td, text: own.event(event.event)),
                HTML(.td, .set(.lang, "en"), text: (event.title ?? event.code) + subject))
        }
        return family(
            own.say(.log),
            HTML(.h1, text: own.say(.log)) + HTML(.p, text: own.say(.logHelp))
                + (rows.isEmpty
                    ? HTML(.p, text: own.say(.noEvents))
                    : HTML(.table, content: HTML(.tbody, content: HTML(rows))))
                + HTML(.p, content: HTML(.a, .href(Route.doctor), text: own.say(.doctor))))
    }

    // MARK: The settings

    package func settings(_ listing: SettingsListing) -> Page {
        let isShown = viewer.role == .installer
        let parts = (isShown ? listing.parts : []).map { part in
            let lines = part.entries.map { entry in
                HTML(
                    .li,
                    content: HTML(
                        .span, .set(.lang, "en"),
                        content: HTML(.span, .set(.class, "mark"), text: entry.key), HTML(" = " + entry.value)),
                    entry.isWritten
                        ? .none : HTML(.span, .set(.class, "hint"), text: " (" + own.say(.standard) + ")"))
            }
            return HTML(
                .section, content: HTML(.h2, .set(.lang, "en"), text: part.title),
                HTML(.ul, content: HTML(lines)))
        }
        let setAside = isShown ? listing.setAside : []
        let mistakes =
            setAside.isEmpty
            ? HTML.none
            : HTML(
                .section, content: HTML(.h2, .set(.class, "warn"), text: own.say(.setAside)),
                HTML(.ul, .set(.lang, "en"), content: HTML(setAside.map { HTML(.li, text: $0) })))
        return family(
            own.say(.settings),
            HTML(.h1, text: own.say(.settings)) + HTML(.p, text: own.say(.settingsHelp(listing.file)))
                + mistakes + HTML(parts))
    }

    // MARK: The walk

    package func walk(_ walk: WalkDocument?) -> Page {
        // A page with a field is not asked again: that would take the typed name away.
        page(own.say(.walk), walkContent(walk), isRunning: false)
    }

    package func walkContent(_ walk: WalkDocument?) -> HTML {
        guard viewer.role == .installer else { return .none }
        let results = (house.walks ?? []).filter { $0.device != walk?.device }
        let running = walk.flatMap { $0.isRunning ? $0 : nil }
        return HTML(
            .div, .set(.dataPage, "walk"),
            content: HTML(.h1, text: own.say(.walk)), HTML(.p, text: own.say(.walkHelp)),
            running.map(acts) ?? starts, walk.map(result) ?? .none, HTML(results.map(result)),
            HTML(.p, text: own.say(.walkKept)))
    }

    private var starts: HTML {
        HTML(
            house.devices.map { device in
                form(.startWalk).button(
                    own.say(.walkWith(device.id)), kind: "plain", fields: [("device", device.id)])
            })
    }

    private func acts(_ walk: WalkDocument) -> HTML {
        let known = walk.rooms.map(\.name)
        let rooms = (own.rooms + known.filter { !own.rooms.contains($0) }).prefix(24).map { room in
            form(.walkRoom).button(
                room == walk.room ? own.say(.here(room)) : room, kind: room == walk.room ? "fine" : "plain",
                fields: [("room", room)])
        }
        let other = HTML(
            .label, content: HTML(own.say(.otherRoom)),
            HTML(
                void: .input, .set(.type, "text"), .set(.name, "room"), .set(.maxlength, 40),
                .set(.autocomplete, "off"), .flag(.required)))
        return HTML(
            .p, .set(.class, "big"), .set(.role, "status"),
            text: walk.room.map { own.say(.walkingIn($0)) } ?? own.say(.walkingBegins(walk.device)))
            + HTML(.div, .set(.class, "tiles"), content: HTML(Array(rooms)))
            + form(.walkRoom).button(own.say(.goOn), kind: "plain", inputs: other)
            + form(.stopWalk).button(own.say(.endWalk), kind: "plain")
    }

    private func result(_ walk: WalkDocument) -> HTML {
        guard !walk.rooms.isEmpty else { return .none }
        let rows = walk.rooms.map { room in
            let signal =
                room.medianDbm.map { median in
                    own.say(.median(median, room.worstDbm ?? median))
                } ?? own.say(.noSignal)
            return HTML(
                .tr,
                content: HTML(.th, .set(.scope, "row"), text: room.name),
                HTML(
                    .td, .set(.class, room.verdict == .good ? "well" : room.verdict == .open ? "hint" : "warn"),
                    text: own.say(.verdict(room.verdict))),
                HTML(.td, text: signal), HTML(.td, text: own.say(.gap(room.heard, room.longestGapMs / 1_000))))
        }
        return HTML(
            .section,
            content: HTML(
                .table, content: HTML(.caption, text: own.say(.resultOf(walk.device))),
                HTML(.tbody, content: HTML(rows))))
    }
}
