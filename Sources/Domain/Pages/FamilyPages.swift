import Consent
import ControlContract
import GatewayModel
package import HTML
import HelpState
import Phrases

extension PageModule {
    private static let live = HousePage.Live("today") { $0.todayContent() }

    static let today = PageModule([
        HousePage("/", for: [.person, .family, .carer], live: live) { .page($0.pages.today()) },
        HousePage(
            Pages.Route.today,
            entry: .init([.room, .person, .family, .carer]) { $0.words.say(.todayTitle) }, live: live
        ) { .page($0.pages.today()) },
    ])

    static let sharing = PageModule(
        [
            HousePage(
                Pages.Route.sharing, entry: .init([.room, .person, .family]) { $0.words.say(.sharingTitle) }
            ) { .page($0.pages.sharing()) },
            HousePage(Pages.Route.withdrawal) { visit in
                .page(visit.query["request"].flatMap { visit.pages.withdrawal(of: $0) })
            },
        ], acts: [.withdraw])
}

extension Pages.Route {
    static let today: HTML.Place = "/today"
    static let sharing: HTML.Place = "/sharing"
    /// Field: `request`.
    static let withdrawal: HTML.Place = "/sharing/withdraw"
}

extension PageAct {
    static let withdraw = PageAct("/act/withdraw", then: Pages.Route.sharing) { (form) throws(ControlError) in
        Verb.Withdraw(try form.decision)
    }
}

/// Pages on the phone of the person, the family and the carers.
extension Pages {
    /// Today: the alarm or the one thing that is not well, the last readings, the batteries.
    package func today() -> Page { family(words.say(.todayTitle), todayContent(), showsAlarms: true) }

    package func todayContent() -> HTML {
        let people = visible
        let trouble = trouble
        let isWell = trouble == nil && !people.isEmpty
        return HTML(
            .div, .set(.dataPage, "today"),
            content: HTML(
                .h1, .set(.class, isWell ? "well" : openAlarms.isEmpty ? "warn" : "grave"),
                text: isWell ? words.say(.allWell) : trouble ?? words.say(.notAllWell)),
            HTML(openAlarms.map(banner)), HTML(taken.map(takenBanner)), newDevicesLink,
            HTML(people.map { state($0, beside: trouble) }),
            callHelpLink)
    }

    /// The gravest thing that is not well; nil where each person is watched, help can be called, and no alarm waits for
    /// its end.
    private var trouble: String? {
        let people = visible
        if let alarm = openAlarms.first { return words.say(.needsHelp(name(alarm.person))) }
        if let alarm = taken.first { return takenBy(alarm) }
        if let warning = people.compactMap(ownWarning).first { return warning }
        if let paused = people.first(where: { $0.supervision?.isPaused ?? true }) {
            return words.say(.cannotSee(paused.name))
        }
        return house.unnamedMeasurements?.isEmpty == false ? words.say(.unnamedMeasurement) : nil
    }

    /// Why help cannot be called for a person; nil where it can.
    func readinessWarning(_ person: HouseSnapshot.Person) -> String? {
        guard let readiness = person.help?.readiness else { return words.say(.helpUnknown) }
        return readiness.statement(of: person.name).map { words.say($0) }
    }

    private func takenBy(_ alarm: HouseSnapshot.Alarm) -> String {
        guard case .taken(let by, let time) = alarm.help?.helpState else { return words.say(.notAllWell) }
        return words.say(.takenBy(by, clock(of: time.millisecondsSince1970)))
    }

    /// Link to the question whether help is to be called; the act has a second page.
    private var callHelpLink: HTML {
        viewer.role.isPersonal && !visible.isEmpty
            ? HTML(.a, .href(Route.callHelp), .set(.class, "help"), text: words.say(.callHelp)) : .none
    }

    private func resolveForm(_ alarm: HouseSnapshot.Alarm) -> HTML {
        let reason = HTML(
            .label, content: HTML(words.say(.reason)),
            HTML(
                void: .input, .set(.type, "text"), .set(.name, "reason"), .set(.maxlength, 120),
                .flag(.required)))
        return form(.resolve).button(
            words.say(.itIsOver), kind: "plain", fields: [("alarm", alarm.id)], inputs: reason, isGuarded: true)
    }

    private func takenBanner(_ alarm: HouseSnapshot.Alarm) -> HTML {
        HTML(
            .section, .set(.class, "alarm held"), .set(.role, "status"),
            content: HTML(.h2, text: takenBy(alarm)),
            mayReadCause(alarm) ? cause(of: alarm) : .none, steps(of: alarm), resolveForm(alarm))
    }

    /// The room is asked while help waits for the answer.
    private func doubt(about alarm: HouseSnapshot.Alarm) -> HTML {
        guard alarm.doubt != nil else { return .none }
        let text: Text =
            if case .willBeCalled = alarm.help?.helpState { .valueInDoubtAsked } else { .valueInDoubt }
        return HTML(.p, .set(.class, "warn"), text: words.say(text))
    }

    private func banner(_ alarm: HouseSnapshot.Alarm) -> HTML {
        let mayAccept = viewer.role == .family || viewer.role == .carer
        return HTML(
            .section, .set(.class, "alarm"), .set(.role, "alert"),
            content: HTML(.h2, text: words.say(.alarmOf(name(alarm.person)))),
            alarm.isDrill ? HTML(.p, .set(.class, "warn"), text: words.say(.drill)) : .none,
            mayReadCause(alarm) ? cause(of: alarm) : .none,
            doubt(about: alarm),
            wholeState(of: alarm), steps(of: alarm),
            mayAccept
                ? form(.acceptAlarm).button(
                    words.say(.haveIt), kind: "plain", fields: [("alarm", alarm.id)], isGuarded: true) : .none,
            acts(on: alarm, isFirst: true, isWindow: isCancelWindow(alarm)), resolveForm(alarm))
    }

    /// Conditions that the family can have mended, each once, in words.
    private func troubles(of person: HouseSnapshot.Person) -> [HTML] {
        var seen: Set<HealthCode> = []
        return house.conditions.compactMap { condition in
            guard let code = HealthCode(rawValue: condition.code), code.isShownToFamily,
                code != .alarmNotCancellable || condition.subject == person.id, seen.insert(code).inserted
            else { return nil }
            return HTML(.p, .set(.class, "trouble"), text: code.declaration.title.in(viewer.language) + ".")
        }
    }

    /// - Parameter headline: said above already.
    private func state(_ person: HouseSnapshot.Person, beside headline: String?) -> HTML {
        let isPaused = person.supervision?.isPaused ?? true
        let warnings =
            (isPaused ? [words.say(.cannotSee(person.name))] : [])
            + [ownWarning(person)].compactMap(\.self)
        let devices = house.devices.filter { $0.person == person.id }.map { device in
            HTML(
                .tr, content: HTML(.th, .set(.scope, "row"), text: device.id),
                HTML(.td, text: device.battery.map { "\($0) %" } ?? words.say(.batteryUnknown)),
                viewer.role.isPersonal ? HTML(.td, content: buzzer(device)) : .none)
        }
        return HTML(
            .section,
            content: HTML(.h2, text: person.name),
            HTML(warnings.filter { $0 != headline }.map { HTML(.p, .set(.class, "warn"), text: $0) }),
            viewer.role == .person ? measurers + daily(person) : .none,
            HTML(troubles(of: person)),
            HTML(.h3, text: words.say(.lastReadings)),
            HTML(
                .div, .set(.class, "tiles"),
                content: HTML(readings(of: person).map(tile))),
            devices.isEmpty
                ? .none
                : HTML(
                    .table, content: HTML(.caption, text: words.say(.battery)),
                    HTML(.tbody, content: HTML(devices))))
    }

    /// Recipients of a person's data by the agreements of the household.
    private func agreed(_ person: HouseSnapshot.Person) -> HTML {
        let seers: [(ConsentSubject, Text)] = [
            (.dataPolicy, .cloudSees), (.automatedSOS, .helpersSee), (.homeDashboard, .homeSees),
        ]
        let seen = seers.filter { person.agreements.contains($0.0.rawValue) }.map(\.1)
        return HTML(
            .section,
            content: HTML(.h2, text: words.say(.byAgreement(person.name))),
            HTML((seen.isEmpty ? [.nobodySees] : seen).map { HTML(.p, text: words.say($0)) }))
    }

    /// Recipients of data: by the agreements of the household, and third parties with their requests, waiting, allowed and
    /// ended.
    package func sharing() -> Page {
        let requests = requests
        let groups: [(Text, [HouseSnapshot.Request])] = [
            (.asked, requests.filter { $0.state == "pending" }),
            (.allowed, requests.filter { $0.state == "granted" }),
            (.ended, requests.filter { $0.state != "pending" && $0.state != "granted" }),
        ]
        let sections = groups.map { title, requests in
            HTML(
                .section,
                content: HTML(.h2, text: words.say(title)),
                requests.isEmpty ? HTML(.p, text: words.say(.nobodyYet)) : HTML(requests.prefix(20).map(row)))
        }
        return family(
            words.say(.sharingTitle),
            HTML(.h1, text: words.say(.sharingTitle)) + HTML(visible.map(agreed)) + devicesLink + HTML(sections)
        )
    }

    private func row(_ request: HouseSnapshot.Request) -> HTML {
        let kinds =
            request.party == PartyID.accounts.text
            ? words.say(.linkedAccount(words.role(of: request)))
            : request.kinds.map(words.title).joined(separator: ", ")
        let state: HTML =
            switch request.state {
            case "pending": HTML(.a, .href(Route.question), .set(.class, "ask"), text: words.say(.question))
            case "granted":
                HTML(
                    .a, .href(Route.withdrawal.with("request", request.id)), .set(.class, "ask"),
                    text: words.say(.withdraw))
            case "refused": HTML(.p, text: words.say(.stateRefused))
            case "withdrawn": HTML(.p, text: words.say(.stateWithdrawn))
            default: HTML(.p, text: words.say(.stateExpired))
            }
        return HTML(
            .article, .set(.class, "tile"),
            content: HTML(.h3, text: request.partyName), HTML(.p, text: kinds),
            HTML(.p, text: words.say(.purpose) + ": " + request.purpose), state)
    }

    /// Question before a withdrawal; nil where the viewer has no such permission to withdraw.
    package func withdrawal(of id: String) -> Page? {
        guard let request = house.requests.first(where: { $0.id == id && $0.state == "granted" }),
            requests.contains(request)
        else { return nil }
        return family(
            words.say(.withdraw),
            HTML(.h1, text: words.say(.withdrawQuestion(request.partyName)))
                + form(.withdraw).button(words.say(.yesWithdraw), kind: "plain", fields: [("request", id)])
                + HTML(.a, .href(Route.sharing), .set(.class, "ask"), text: words.say(.keep)))
    }
}

extension Text {
    static let valueInDoubt = Text(en: "The value may be wrong.", it: "Il valore può essere sbagliato.")
    static let valueInDoubtAsked = Text(
        en: "The value may be wrong. The house is asking in the room.",
        it: "Il valore può essere sbagliato. La casa lo chiede nella stanza.")
    static func needsHelp(_ name: String?) -> Text {
        Text(
            en: name.map { "\($0) needs help" } ?? "Somebody needs help",
            it: "\(name ?? "Qualcuno") ha bisogno di aiuto")
    }
    static func takenBy(_ name: String, _ clock: String) -> Text {
        Text(en: "Taken by \(name), \(clock)", it: "Se ne occupa \(name), dalle \(clock)")
    }
    static let helpUnknown = Text(
        en: "It is not known whether help can be called.",
        it: "Non si sa se l'aiuto è raggiungibile.")
    static let todayTitle = Text(en: "Today", it: "Oggi")
    static let allWell = Text(en: "All well", it: "Tutto bene")
    static let notAllWell = Text(en: "One thing is not as it should be", it: "Una cosa non va come dovrebbe")
    static let unnamedMeasurement = Text(
        en: "There is a measurement, and nobody has said whose it is.",
        it: "C'è una misura, e nessuno ha detto di chi è.")
    static let haveIt = Text(en: "I have it", it: "Me ne occupo io")
    static let itIsOver = Text(en: "It is over", it: "È finito")
    static let lastReadings = Text(en: "Last readings", it: "Ultime misure")
    static let sharingTitle = Text(en: "Who may see", it: "Chi può vedere")
    static let allowed = Text(en: "Allowed", it: "Permessi")
    static let ended = Text(en: "Ended", it: "Finiti")
    static let nobodyYet = Text(en: "Nobody else", it: "Nessun altro")
    static let withdraw = Text(en: "Withdraw", it: "Revoca")
    /// Those who see something of a person by the agreements of the household, by name.
    static func byAgreement(_ name: String) -> Text {
        Text(en: "By what \(name) has agreed to", it: "Secondo i consensi di \(name)")
    }
    static let cloudSees = Text(
        en: "The cloud service gets the readings.",
        it: "Il servizio cloud riceve le misure.")
    static let helpersSee = Text(
        en:
            "In an emergency those who are called get the cause, the place, the name, the contacts and the notes for helpers.",
        it:
            "In un'emergenza chi viene chiamato riceve la causa, il luogo, il nome, i contatti e le note per i soccorritori."
    )
    static let homeSees = Text(
        en: "Family and carers with a paired device see the readings, and so does the home's own dashboard.",
        it: "Familiari e assistenti con un dispositivo associato vedono le misure, come il pannello della casa."
    )
    static let nobodySees = Text(
        en: "Nothing leaves the house, and no other device shows readings.",
        it: "Nulla esce di casa, e nessun altro dispositivo mostra le misure.")
    static func withdrawQuestion(_ party: String) -> Text {
        Text(
            en: "Withdraw the permission of \(party)?",
            it: "Revocare il permesso di \(party)?")
    }
    static let yesWithdraw = Text(en: "Yes, withdraw", it: "Sì, revoca")
    static let keep = Text(en: "No, keep it", it: "No, lascia")
    static let stateRefused = Text(en: "refused", it: "rifiutato")
    static let stateWithdrawn = Text(en: "withdrawn", it: "revocato")
    static let stateExpired = Text(en: "expired", it: "scaduto")
    static func linkedAccount(_ linkRole: LinkRole) -> Text {
        switch linkRole {
        case .looks:
            Text(
                en: "An account at TrackMe sees the data as they are shown here",
                it: "Un account presso TrackMe vede i dati come sono mostrati qui")
        case .acts:
            Text(
                en:
                    "An account at TrackMe sees the data as they are shown here, and acts for the person at TrackMe",
                it:
                    "Un account presso TrackMe vede i dati come sono mostrati qui, e agisce per la persona presso TrackMe"
            )
        }
    }
}
