package import ControlContract
package import GatewayModel
package import HTML

extension PageModule {
    static let doctor = PageModule(
        [
            HousePage(
                Pages.Route.doctor, for: [.installer], entry: .init([.installer]) { $0.words.say(.doctor) },
                live: .init("doctor", Verb.CheckReport()) { $1.map($0.doctorContent) }
            ) { visit in
                guard let report = try visit.gateway.look(Verb.CheckReport()).document else { return .away }
                return .page(visit.pages.doctor(report))
            }
        ], acts: [.check])

    static let log = PageModule([
        HousePage(Pages.Route.log, for: [.installer], entry: .init([.installer]) { $0.words.say(.log) }) {
            visit in
            guard let events = try visit.gateway.ask(Verb.RecentEvents()).document else { return .away }
            return .page(visit.pages.log(events, in: visit.calendar))
        }
    ])

    static let settings = PageModule([
        HousePage(
            Pages.Route.settings, for: [.installer], entry: .init([.installer]) { $0.words.say(.settings) }
        ) { visit in
            guard let listing = try visit.gateway.ask(Verb.Settings()).document else { return .away }
            return .page(visit.pages.settings(listing))
        }
    ])

    static let walk = PageModule(
        [
            HousePage(
                Pages.Route.walk, for: [.installer], entry: .init([.installer]) { $0.words.say(.walk) },
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

    /// A browser without script asks again after this time while something runs.
    private static let refreshSeconds = 5

    private func page(_ title: String, _ main: HTML, isRunning: Bool) -> Page {
        family(title, main, refreshSeconds: isRunning ? Self.refreshSeconds : nil)
    }

    // MARK: The doctor

    package func doctor(_ report: CheckReport) -> Page {
        page(words.say(.doctor), doctorContent(report), isRunning: report.isRunning)
    }

    package func doctorContent(_ report: CheckReport) -> HTML {
        guard viewer.role == .installer else { return .none }
        let state: HTML
        if report.isRunning {
            let part = report.current.map { HTML(.span, .set(.lang, "en"), text: " " + $0) } ?? .none
            state = HTML(
                .p, .set(.class, "big"), .set(.role, "status"),
                content: HTML(words.say(.checking(report.done, report.total))), part)
        } else {
            let ended = report.finished.map { words.age(house.time - $0) }
            state =
                HTML(
                    .p, .set(.class, report.problems == 0 && ended != nil ? "well" : "warn"),
                    .set(.role, "status"),
                    text: ended.map { words.say(.checked(report.problems, $0)) } ?? words.say(.neverChecked))
                + form(.check).button(words.say(.checkNow), kind: "main")
        }
        let groups: [(CheckReport.Severity, Text)] = [
            (.problem, .problems), (.advice, .advice), (.ok, .works),
        ]
        let sections = groups.map { severity, title in
            let findings = report.findings.filter { $0.severity == severity }
            guard !findings.isEmpty else { return HTML.none }
            return HTML(
                .section, content: HTML(.h2, text: words.say(title)),
                HTML(.ul, .set(.class, "steps"), content: HTML(findings.prefix(60).map(finding))))
        }
        return HTML(
            .div, .set(.dataPage, "doctor"),
            content: HTML(.h1, text: words.say(.doctor)), HTML(.p, text: words.say(.doctorHelp)), state,
            HTML(sections), HTML(.p, content: HTML(.a, .href(Route.log), text: words.say(.log))))
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
                HTML(.td, text: words.event(event.event)),
                HTML(.td, .set(.lang, "en"), text: (event.title ?? event.code) + subject))
        }
        return family(
            words.say(.log),
            HTML(.h1, text: words.say(.log)) + HTML(.p, text: words.say(.logHelp))
                + (rows.isEmpty
                    ? HTML(.p, text: words.say(.noEvents))
                    : HTML(.table, content: HTML(.tbody, content: HTML(rows))))
                + HTML(.p, content: HTML(.a, .href(Route.doctor), text: words.say(.doctor))))
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
                        ? .none : HTML(.span, .set(.class, "hint"), text: " (" + words.say(.standard) + ")"))
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
                .section, content: HTML(.h2, .set(.class, "warn"), text: words.say(.setAside)),
                HTML(.ul, .set(.lang, "en"), content: HTML(setAside.map { HTML(.li, text: $0) })))
        return family(
            words.say(.settings),
            HTML(.h1, text: words.say(.settings)) + HTML(.p, text: words.say(.settingsHelp(listing.file)))
                + mistakes + HTML(parts))
    }

    // MARK: The walk

    package func walk(_ walk: WalkDocument?) -> Page {
        // A page with a field is not asked again: that would take the typed name away.
        page(words.say(.walk), walkContent(walk), isRunning: false)
    }

    package func walkContent(_ walk: WalkDocument?) -> HTML {
        guard viewer.role == .installer else { return .none }
        let results = (house.walks ?? []).filter { $0.device != walk?.device }
        let running = walk.flatMap { $0.isRunning ? $0 : nil }
        return HTML(
            .div, .set(.dataPage, "walk"),
            content: HTML(.h1, text: words.say(.walk)), HTML(.p, text: words.say(.walkHelp)),
            running.map(acts) ?? starts, walk.map(result) ?? .none, HTML(results.map(result)),
            HTML(.p, text: words.say(.walkKept)))
    }

    private var starts: HTML {
        HTML(
            house.devices.map { device in
                form(.startWalk).button(
                    words.say(.walkWith(device.id)), kind: "plain", fields: [("device", device.id)])
            })
    }

    private func acts(_ walk: WalkDocument) -> HTML {
        let known = walk.rooms.map(\.name)
        let rooms = (words.rooms + known.filter { !words.rooms.contains($0) }).prefix(24).map { room in
            form(.walkRoom).button(
                room == walk.room ? words.say(.here(room)) : room, kind: room == walk.room ? "fine" : "plain",
                fields: [("room", room)])
        }
        let other = HTML(
            .label, content: HTML(words.say(.otherRoom)),
            HTML(
                void: .input, .set(.type, "text"), .set(.name, "room"), .set(.maxlength, 40),
                .set(.autocomplete, "off"), .flag(.required)))
        return HTML(
            .p, .set(.class, "big"), .set(.role, "status"),
            text: walk.room.map { words.say(.walkingIn($0)) } ?? words.say(.walkingBegins(walk.device)))
            + HTML(.div, .set(.class, "tiles"), content: HTML(Array(rooms)))
            + form(.walkRoom).button(words.say(.goOn), kind: "plain", inputs: other)
            + form(.stopWalk).button(words.say(.endWalk), kind: "plain")
    }

    private func result(_ walk: WalkDocument) -> HTML {
        guard !walk.rooms.isEmpty else { return .none }
        let rows = walk.rooms.map { room in
            let signal =
                room.medianDbm.map { median in
                    words.say(.median(median, room.worstDbm ?? median))
                } ?? words.say(.noSignal)
            return HTML(
                .tr,
                content: HTML(.th, .set(.scope, "row"), text: room.name),
                HTML(
                    .td, .set(.class, room.verdict == .good ? "well" : room.verdict == .open ? "hint" : "warn"),
                    text: words.say(.verdict(room.verdict))),
                HTML(.td, text: signal), HTML(.td, text: words.say(.gap(room.heard, room.longestGapMs / 1_000)))
            )
        }
        return HTML(
            .section,
            content: HTML(
                .table, content: HTML(.caption, text: words.say(.resultOf(walk.device))),
                HTML(.tbody, content: HTML(rows))))
    }
}

extension Text {
    static let doctorHelp = Text(
        en:
            "It reads the settings and tries every part that the gateway needs. It changes nothing, calls nobody, and "
            + "stops when an alarm opens.",
        it:
            "Legge le impostazioni e prova ogni parte che serve alla centralina. Non cambia niente, non chiama nessuno, "
            + "e si ferma se c'è un allarme.")
    static let checkNow = Text(en: "Check now", it: "Controlla adesso")
    static let advice = Text(en: "Advice", it: "Consigli")
    static let works = Text(en: "Works", it: "Funziona")
    static let logHelp = Text(
        en:
            "The last 200 events since the gateway has started, the newest first. Alarms of people are not here.",
        it:
            "Gli ultimi 200 eventi dall'avvio della centralina, dal più recente. Gli allarmi delle persone non ci sono."
    )
    static let noEvents = Text(en: "Nothing has happened yet.", it: "Non è ancora successo niente.")
    static let standard = Text(en: "default", it: "predefinito")
    static let setAside = Text(
        en: "Set aside: these parts have no effect",
        it: "Escluse: queste parti non hanno effetto")
    static func settingsHelp(_ file: String) -> Text {
        Text(
            en: "The gateway runs with these values. To change one, edit \(file), then: homegateway reload.",
            it: "La centralina usa questi valori. Per cambiarne uno, modifica \(file), poi: homegateway reload."
        )
    }
    static let walkHelp = Text(
        en:
            "Wear a wearable, start the walk, and tap the name of each room when you enter it. Stay 15 s at least.",
        it: "Indossa un sensore, avvia la prova e tocca il nome di ogni stanza quando entri. Resta almeno 15 s."
    )
    static let walkKept = Text(
        en: "The results stay until the gateway is started again.",
        it: "I risultati restano fino al prossimo avvio della centralina.")
    static let otherRoom = Text(en: "Another room", it: "Un'altra stanza")
    static let goOn = Text(en: "I am in this room", it: "Sono in questa stanza")
    static let endWalk = Text(en: "End the walk", it: "Termina la prova")
    static let noSignal = Text(en: "no signal strength: it is connected", it: "intensità non nota: è connesso")
    static func walkWith(_ id: String) -> Text {
        Text(en: "Start a walk with \(id)", it: "Avvia la prova con \(id)")
    }
    static func here(_ room: String) -> Text {
        Text(en: "You are here: \(room)", it: "Sei qui: \(room)")
    }
    static func walkingIn(_ room: String) -> Text {
        Text(en: "You are in: \(room)", it: "Sei in: \(room)")
    }
    static func walkingBegins(_ id: String) -> Text {
        Text(
            en: "Walk with \(id): tap the room that you are in.",
            it: "Prova con \(id): tocca la stanza in cui sei.")
    }
    static func resultOf(_ id: String) -> Text {
        Text(en: "Reception of \(id)", it: "Ricezione di \(id)")
    }
    static func gap(_ heard: Int, _ seconds: Int64) -> Text {
        Text(
            en: "\(heard) heard, longest gap \(seconds) s",
            it: "\(heard) sentiti, pausa più lunga \(seconds) s")
    }
}

extension Words {
    /// Rooms that most homes have.
    var rooms: [String] {
        [
            Text(en: "Kitchen", it: "Cucina"), Text(en: "Bathroom", it: "Bagno"),
            Text(en: "Bedroom", it: "Camera"),
            Text(en: "Living room", it: "Soggiorno"), Text(en: "Hall", it: "Ingresso"),
            Text(en: "Garden", it: "Giardino"),
        ].map(say)
    }

    /// Name of an event of `EventRow`.
    func event(_ event: String) -> String {
        switch event {
        case "condition-raised": say(Text(en: "Began", it: "Inizio"))
        case "condition-cleared": say(Text(en: "Ended", it: "Fine"))
        case "drill-call": say(Text(en: "Drill: called", it: "Prova: chiamata"))
        case "drill-call-cancelled": say(Text(en: "Drill: call taken back", it: "Prova: chiamata ritirata"))
        default: event
        }
    }
}
