package import ControlContract
import GatewayModel
package import HTML

extension PageModule {
    static let install = PageModule(
        [
            HousePage(
                "/", for: [.installer], entry: .init([.installer]) { $0.words.say(.installTitle) },
                live: .init("install") { $0.installContent() }
            ) { .page($0.pages.install()) }
        ], acts: [.drill])

    static let health = PageModule([
        HousePage(
            Pages.Route.health, for: [.installer], entry: .init([.installer]) { $0.words.say(.health) }
        ) { .page($0.pages.healthPage()) }
    ])

    static let screens = PageModule(
        [
            HousePage(
                Pages.Route.screens, for: [.installer], entry: .init([.installer]) { $0.words.say(.screens) }
            ) { .page($0.pages.screens()) }
        ], acts: [.newCode, .revoke])
}

extension Pages.Route {
    static let health: HTML.Place = "/health"
    package static let screens: HTML.Place = "/screens"
}

extension PageAct {
    static let drill = PageAct("/act/drill") { (form) throws(ControlError) in Verb.Drill(try form.onPerson) }
    /// Fields: `role`, `person`, `name`.
    static let newCode = PageAct("/act/new-code", .newCode, for: [.installer])
    /// Field: `session`.
    static let revoke = PageAct("/act/revoke", .revoke, for: [.installer])
}

/// Paired device, as the lists of the installer and the person show it.
package struct PairedDevice: Hashable, Sendable {
    /// First digits of the session's id.
    package let id: String
    package let role: ControlSession.Role
    package let person: String?
    package let name: String
    /// Time since its pairing, and since its last request.
    package let pairedAgeMs, seenAgeMs: Int64

    /// It was paired within the last day.
    package var isNew: Bool { pairedAgeMs < 86_400_000 }

    package init(
        id: String, role: ControlSession.Role, person: String?, name: String, pairedAgeMs: Int64,
        seenAgeMs: Int64
    ) {
        (self.id, self.role, self.person, self.name) = (id, role, person, name)
        (self.pairedAgeMs, self.seenAgeMs) = (pairedAgeMs, seenAgeMs)
    }
}

/// Code for one more device.
package struct PairingOffer: Hashable, Sendable {
    /// As a person types it.
    package let code: String
    /// Address that the QR code leads to.
    package let address: String
    /// Modules of the QR code row by row, true for a dark one; nil where none can be made.
    package let square: [[Bool]]?

    package init(code: String, address: String, square: [[Bool]]?) {
        (self.code, self.address, self.square) = (code, address, square)
    }
}

/// Pages of the installer: a list of steps that turns green by itself, conditions with remedies, screens and telephones.
/// They show no reading.
extension Pages {
    private struct Step {
        let title: String
        /// Nothing is left to do.
        let isDone: Bool
        let details: [HTML]
    }

    package func install() -> Page { family(words.say(.installTitle), installContent()) }

    package func installContent() -> HTML {
        let steps = viewer.role == .installer ? steps : []
        let left = steps.count { !$0.isDone }
        let heading =
            left == 0
            ? HTML(.h1, .set(.class, "well"), text: words.say(.complete))
            : HTML(.h1, text: words.say(.left(left)))
        let drills = house.alarms.filter(\.isDrill).map {
            HTML(.p, .set(.class, "warn"), text: words.say(.drillRuns(name($0.person))))
        }
        let items = steps.map { step in
            HTML(
                .li, .set(.class, step.isDone ? "done" : "open"),
                content: HTML(
                    .span, .set(.class, "mark"), text: words.say(step.isDone ? .done : .open)),
                HTML(.h2, text: step.title), HTML(step.details))
        }
        return HTML(
            .div, .set(.dataPage, "install"),
            content: heading, HTML(drills), HTML(.ol, .set(.class, "steps"), content: HTML(items)))
    }

    private var steps: [Step] {
        [people, radio] + [wearables] + (house.buttons.isEmpty ? [] : [buttons]) + [
            ways, pairings, reception, health, check,
        ]
    }

    private func line(_ text: String, isWrong: Bool = false) -> HTML {
        HTML(.p, isWrong ? .set(.class, "warn") : nil, text: text)
    }

    private var people: Step {
        let missing = house.persons.filter {
            !$0.agreements.contains("data-policy") || !$0.agreements.contains("automated-sos")
        }
        let lines = house.persons.map { person in
            line(
                "\(person.name): "
                    + words.say(missing.contains(person) ? .termsNotAccepted : .termsAccepted),
                isWrong: missing.contains(person))
        }
        let coverage = house.persons.flatMap(\.coverage).map { HTML(.p, .set(.lang, "en"), text: $0) }
        return Step(
            title: words.say(.people), isDone: missing.isEmpty && !house.persons.isEmpty,
            details: lines + coverage)
    }

    private var radio: Step {
        let faults = house.conditions.filter {
            ["bluetooth-unavailable", "bluetooth-hung", "radio-deaf"].contains($0.code)
        }
        return Step(
            title: words.say(.radio), isDone: faults.isEmpty,
            details: faults.isEmpty ? [line(words.say(.radioHears))] : faults.map(condition))
    }

    private static let freshMs: Int64 = 60_000

    private var wearables: Step {
        let heard = { (device: HouseSnapshot.Device) in
            (device.lastReadingAgeMs ?? device.lastHeardAgeMs).map { $0 < Self.freshMs } ?? false
        }
        let lines = house.devices.map { device in
            let owner = name(device.person) ?? device.person
            let battery = device.battery.map { ", \($0) %" } ?? ""
            let age =
                (device.lastReadingAgeMs ?? device.lastHeardAgeMs).map(words.age) ?? words.say(.neverHeard)
            return line(
                "\(device.id) (\(owner)): \(age)\(battery)"
                    + (heard(device) ? "" : ". " + words.say(.wearIt)), isWrong: !heard(device))
        }
        let isDone = !house.devices.isEmpty && house.devices.allSatisfy(heard)
        return Step(
            title: words.say(.wearables), isDone: isDone,
            details: lines + (house.devices.isEmpty ? [line(words.say(.noWearables), isWrong: true)] : [])
                + [HTML(.a, .href(Route.pairWearable), .set(.class, "ask"), text: words.say(.pairWearable))])
    }

    private var buttons: Step {
        let isWrong = { (button: SOSButtonRow) in
            button.callsHelp && (button.lastPressed == nil || button.isTestMissed)
        }
        let lines = house.buttons.map { button in
            line(
                "\(button.device) (\(name(button.person) ?? button.person)): "
                    + words.say(isWrong(button) ? .pressIt : .pressed), isWrong: isWrong(button))
        }
        let wearers = house.persons.filter { person in
            house.buttons.contains { $0.callsHelp && $0.person == person.id }
        }
        let tests = wearers.map { person in
            form(.testButton).button(
                words.say(.testButtonOf(person.name)), kind: "plain", fields: [("person", person.id)])
        }
        return Step(
            title: words.say(.buttons), isDone: !house.buttons.contains(where: isWrong),
            details: lines + tests)
    }

    /// Each way to help is green once it has worked. A drill tries all of them.
    private var ways: Step {
        let lines = house.channels.map { channel in
            let isRight = channel.lastWorked != nil && channel.fault == nil
            let state = channel.fault ?? words.say(isRight ? .worked : .notTried)
            return line("\(channel.id): \(state)", isWrong: !isRight)
        }
        let drills = house.persons.map { person in
            form(.drill).button(
                words.say(.drillFor(person.name)), kind: "plain", fields: [("person", person.id)])
        }
        let isDone =
            !house.channels.isEmpty && house.channels.allSatisfy { $0.lastWorked != nil && $0.fault == nil }
        return Step(title: words.say(.ways), isDone: isDone, details: lines + drills)
    }

    private var pairings: Step {
        let others = paired.filter { $0.role != .installer }
        return Step(
            title: words.say(.screens), isDone: !others.isEmpty,
            details: [
                line(words.say(.paired(others.count)), isWrong: others.isEmpty),
                HTML(.a, .href(Route.screens), .set(.class, "ask"), text: words.say(.pairOne)),
            ])
    }

    /// Green after a walk in which no room lost its readings.
    private var reception: Step {
        let rooms = (house.walks ?? []).flatMap(\.rooms)
        let isDone = rooms.contains { $0.verdict == .good } && !rooms.contains { $0.verdict == .bad }
        let lines = rooms.map {
            line("\($0.name): \(words.say(.verdict($0.verdict)))", isWrong: $0.verdict == .bad)
        }
        return Step(
            title: words.say(.walk), isDone: isDone,
            details: (rooms.isEmpty ? [line(words.say(.notWalked), isWrong: true)] : lines)
                + [HTML(.a, .href(Route.walk), .set(.class, "ask"), text: words.say(.walk))])
    }

    /// Green after a check without a problem.
    private var check: Step {
        let state = house.check
        let ended = state?.finished.map { words.age(house.time - $0) }
        let isDone = ended != nil && state?.problems == 0
        let text =
            ended.map { words.say(.checked(state?.problems ?? 0, $0)) }
            ?? (state == nil ? words.say(.neverChecked) : words.say(.checking(0, 0)))
        return Step(
            title: words.say(.doctor), isDone: isDone,
            details: [
                line(text, isWrong: !isDone),
                HTML(.a, .href(Route.doctor), .set(.class, "ask"), text: words.say(.doctor)),
            ])
    }

    private var health: Step {
        Step(
            title: words.say(.health), isDone: house.conditions.isEmpty,
            details: [line(words.say(.conditions(house.conditions.count)), isWrong: !house.conditions.isEmpty)]
                + (house.conditions.isEmpty
                    ? [] : [HTML(.a, .href(Route.health), .set(.class, "ask"), text: words.say(.remedies))]))
    }

    // MARK: Conditions

    /// Every condition with its remedy. The texts are those of `status`, in English.
    package func healthPage() -> Page {
        let conditions = viewer.role == .installer ? house.conditions : []
        return family(
            words.say(.health),
            HTML(.h1, text: words.say(.conditions(conditions.count))) + HTML(conditions.map(condition))
                + (viewer.role == .installer
                    ? cancelledAlarms(of: house.persons.map(\.id), names: true) : .none))
    }

    private func condition(_ condition: HouseSnapshot.Condition) -> HTML {
        let subject = condition.subject.map { " (\($0))" } ?? ""
        return HTML(
            .article, .set(.class, "tile"), .set(.lang, "en"),
            content: HTML(.h2, text: condition.title + subject),
            condition.reason.map { HTML(.p, text: $0) } ?? .none, HTML(.p, text: condition.remedy),
            condition.since.map {
                HTML(
                    .p, .set(.lang, words.language.rawValue),
                    text: words.say(.since(words.age(house.time - $0))))
            } ?? .none)
    }

    // MARK: Screens and telephones

    /// - Parameters:
    ///   - offer: code that was made a moment ago.
    ///   - flaw: reason, in English, why none was made.
    package func screens(offer: PairingOffer? = nil, flaw: String? = nil) -> Page {
        let shown = viewer.role == .installer ? paired : []
        let list = shown.map { device in
            let person = device.person.map { " · " + (name($0) ?? $0) } ?? ""
            return HTML(
                .article, .set(.class, "tile"),
                content: HTML(.h2, text: device.name),
                HTML(
                    .p, text: words.say(.deviceUse(device.role)) + person + " · " + words.age(device.seenAgeMs)),
                form(.revoke).button(
                    words.say(.revoke), kind: "plain", fields: [("session", device.id)],
                    label: words.say(.revoke) + ": " + device.name))
        }
        return family(
            words.say(.screens),
            HTML(.h1, text: words.say(.screens)) + (offer.map(code) ?? .none)
                + (flaw.map { HTML(.p, .set(.class, "warn"), .set(.lang, "en"), text: $0) } ?? .none)
                + newCode + HTML(.p, text: words.say(.paired(shown.count))) + HTML(list))
    }

    private func code(_ offer: PairingOffer) -> HTML {
        let square = offer.square.map { square in
            HTML(
                .svg, .set(.class, "qr"), .set(.role, "img"), .set(.ariaLabel, offer.address),
                .set(.viewBox, "-4 -4 \(square.count + 8) \(square.count + 8)"),
                content: HTML(.path, .d(Self.outline(of: square)), content: .none))
        }
        return HTML(
            .section, .set(.class, "tile"),
            content: HTML(.h2, text: words.say(.newCode)), HTML(.p, .set(.class, "code"), text: offer.code),
            square ?? .none, HTML(.p, text: words.say(.useCode(offer.address))))
    }

    /// Each run of dark modules in a row is a rectangle.
    private static func outline(of square: [[Bool]]) -> HTML.PathData {
        var path = HTML.PathData()
        for (y, row) in square.enumerated() {
            for (x, isDark) in row.enumerated() where isDark && (x == 0 || !row[x - 1]) {
                let end = row[x...].firstIndex(of: false) ?? row.count
                path.move(to: x, y)
                path.horizontal(to: end)
                path.vertical(to: y + 1)
                path.horizontal(to: x)
                path.vertical(to: y)
            }
        }
        return path
    }

    private var newCode: HTML {
        let roles: [ControlSession.Role] = [.room, .person, .family, .carer, .installer, .organiser]
        let role = HTML(
            .label, content: HTML(words.say(.role)),
            HTML(
                .select, .set(.name, "role"),
                content: HTML(
                    roles.map { HTML(.option, .set(.value, $0.rawValue), text: words.say(.deviceUse($0))) })
            ))
        let person = HTML(
            .label, content: HTML(words.say(.personOf)),
            HTML(
                .select, .set(.name, "person"),
                content: HTML(.option, .set(.value, ""), text: words.say(.nobody)),
                HTML(house.persons.map { HTML(.option, .set(.value, $0.id), text: $0.name) })))
        let name = HTML(
            .label, content: HTML(words.say(.deviceName)),
            HTML(
                void: .input, .set(.type, "text"), .set(.name, "name"),
                .set(.maxlength, ControlSession.nameLength), .flag(.required)))
        return form(.newCode).button(
            words.say(.pairOne), kind: "plain", inputs: HTML([role, person, name]))
    }
}

extension Text {
    static let complete = Text(en: "Everything is set up", it: "Tutto è pronto")
    static func left(_ count: Int) -> Text {
        Text(
            en: count == 1 ? "1 step is left" : "\(count) steps are left",
            it: count == 1 ? "Manca 1 passo" : "Mancano \(count) passi")
    }
    static func drillRuns(_ name: String?) -> Text {
        Text(
            en: "A drill runs" + (name.map { " for \($0)." } ?? "."),
            it: "È in corso una prova" + (name.map { " per \($0)." } ?? "."))
    }
    static let people = Text(en: "People", it: "Persone")
    static let termsAccepted = Text(
        en: "the data policy and AutomatedSOS are accepted",
        it: "l'informativa sui dati e AutomatedSOS sono accettati")
    static let termsNotAccepted = Text(
        en: "nobody is called: the data policy or AutomatedSOS is not accepted",
        it: "nessuno viene chiamato: l'informativa sui dati o AutomatedSOS non è accettata")
    static let radioHears = Text(en: "The radio works.", it: "La radio funziona.")
    static let wearIt = Text(en: "Put it on, and watch this line.", it: "Indossalo e guarda questa riga.")
    static let notWalked = Text(
        en: "No walk through the rooms since the gateway has started.",
        it: "Nessuna prova nelle stanze dall'avvio della centralina.")
    static let pressed = Text(en: "a press was heard", it: "una pressione è stata sentita")
    static let pressIt = Text(
        en: "not heard yet: begin a test, then press it once",
        it: "mai sentito: avvia una prova, poi premilo una volta")
    static func testButtonOf(_ name: String) -> Text {
        Text(
            en: "Test the help button of \(name): for 2 minutes its first press calls no help",
            it: "Prova il pulsante di aiuto di \(name): per 2 minuti la prima pressione non chiama aiuto")
    }
    static let ways = Text(en: "Ways to help", it: "Vie di aiuto")
    static let worked = Text(en: "has worked", it: "ha funzionato")
    static let notTried = Text(en: "not tried yet; a drill tries it", it: "non ancora provata; la prova la usa")
    static func drillFor(_ name: String) -> Text {
        Text(en: "Start a drill for \(name)", it: "Avvia una prova per \(name)")
    }
    static let pairOne = Text(en: "Pair a device", it: "Abbina un dispositivo")
    static let newCode = Text(
        en: "A code for one device, for 5 minutes",
        it: "Un codice per un dispositivo, per 5 minuti")
    static let personOf = Text(en: "Person", it: "Persona")
    static let nobody = Text(en: "nobody in particular", it: "nessuno in particolare")
    static let deviceName = Text(
        en: "Name of the device or of its owner",
        it: "Nome del dispositivo o di chi lo usa")
    static let revoke = Text(en: "End", it: "Termina")
    static func useCode(_ address: String) -> Text {
        Text(
            en: "Scan it with the device, or open \(address) there and type the code.",
            it: "Inquadralo con il dispositivo, o apri \(address) e scrivi il codice.")
    }
    static let remedies = Text(en: "See the remedies", it: "Vedi i rimedi")
    static func since(_ age: String) -> Text {
        Text(en: "Began: \(age)", it: "Inizio: \(age)")
    }
}
