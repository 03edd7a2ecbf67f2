package import ControlContract
import GatewayModel
package import HTML

extension PageModule {
    static let wearables = PageModule(
        [
            HousePage(
                Pages.Route.wearables, for: [.installer],
                entry: .init([.installer]) { $0.words.say(.wearables) },
                live: .init("devices") { $0.wearablesContent() }
            ) { .page($0.pages.wearablesPage()) },
            HousePage(Pages.Route.forgetWearable, for: [.installer]) { visit in
                .page(visit.query["device"].flatMap { visit.pages.forgetting($0) })
            },
            HousePage(
                Pages.Route.pairWearable, for: [.installer],
                live: .init("pair", Verb.DeviceSetup()) { $1.map($0.pairingContent) },
                pairing),
        ],
        acts: [.scan, .addWearable, .addBroadcaster, .answerPairing, .stopSetup, .track, .forget, .buzz])

    private static func pairing(_ visit: PageVisit) throws -> PageAnswer {
        guard let state = try visit.gateway.look(Verb.DeviceSetup()).document else { return .away }
        guard let address = visit.query["address"] else { return .page(visit.pages.pairing(state)) }
        // The scan may have lost it meanwhile.
        return visit.pages.addition(of: address, in: state).map { .page($0, status: 200) }
            ?? .redirect(Pages.Route.pairWearable)
    }
}

extension Pages.Route {
    static let wearables: HTML.Place = "/wearables"
    /// Field: `address`, of a device of the scan.
    static let pairWearable: HTML.Place = "/wearables/pair"
    /// Field: `device`.
    static let forgetWearable: HTML.Place = "/wearables/forget"
}

extension PageAct {
    static let scan = PageAct("/act/scan", then: Pages.Route.pairWearable) { (form) throws(ControlError) in
        try Verb.ScanDevices(by: form.caller)
    }

    static let addWearable = PageAct(
        "/act/add-wearable", then: Pages.Route.pairWearable
    ) { (form) throws(ControlError) in
        Verb.PairDevice(
            id: try form.device, address: try form.address, person: try form.person,
            isBonded: form["bond"] != "no", by: form.caller)
    }

    /// `yes`, `no`, or the digits that the device shows.
    static let answerPairing = PageAct(
        "/act/answer", then: Pages.Route.pairWearable
    ) { (form) throws(ControlError) in
        try Verb.AnswerPairing((form["answer"] ?? "").filter { !$0.isWhitespace }, by: form.caller)
    }

    static let stopSetup = PageAct("/act/stop-setup", then: Pages.Route.pairWearable) { form in
        Verb.StopSetup(by: form.caller)
    }

    static let track = PageAct("/act/track", then: Pages.Route.wearables) { (form) throws(ControlError) in
        let kind = try ControlField(
            "kind", expected: "a kind of reading", remedy: "go back to the wearables"
        ).value(form["kind"]) { QuantityKind(rawValue: $0) }
        return Verb.TrackDevice(
            device: try form.device, kind: kind, isOn: form["on"] == "yes",
            isSOSSource: form["sos"].map { $0 == "yes" }, by: form.caller)
    }

    static let forget = PageAct("/act/forget", then: Pages.Route.pairWearable) { (form) throws(ControlError) in
        Verb.ForgetDevice(try form.device, by: form.caller)
    }

    static let buzz = PageAct("/act/buzz", then: list) { (form) throws(ControlError) in
        Verb.Buzz(try form.device, by: form.caller)
    }

    private static func list(of role: ControlSession.Role) -> HTML.Place {
        role == .installer ? Pages.Route.wearables : Pages.Route.today
    }
}

/// Pages of the installer for the wearables: the list, a scan with a pairing, and the question before a removal.
///
/// Names of devices come from the air. They are text only, and no page trusts them.
extension Pages {

    // MARK: The list

    package func wearablesPage() -> Page { family(words.say(.wearables), wearablesContent()) }

    package func wearablesContent() -> HTML {
        let devices = viewer.role == .installer ? house.devices : []
        return HTML(
            .div, .set(.dataPage, "devices"),
            content: HTML(.h1, text: words.say(.wearables)),
            HTML(.a, .href(Route.pairWearable), .set(.class, "ask"), text: words.say(.pairWearable)),
            devices.isEmpty ? HTML(.p, text: words.say(.noWearables)) : HTML(devices.map(tile)))
    }

    private func tile(_ device: HouseSnapshot.Device) -> HTML {
        let age = (device.lastHeardAgeMs ?? device.lastReadingAgeMs).map(words.age) ?? words.say(.neverHeard)
        let way = words.say(device.heardBy == "advertising" ? .byAdvertising : .byConnection)
        let facts = [
            device.battery.map { words.say(.batteryOfOne) + ": \($0) %" },
            words.say(.lastHeard) + ": \(age), \(way)",
        ].compactMap { $0 }
        let isOurs = device.isAddedHere == true
        return HTML(
            .article, .set(.class, "tile"),
            content: HTML(.h2, text: "\(device.id) · " + (name(device.person) ?? device.person)),
            HTML(facts.map { HTML(.p, text: $0) }),
            buzzer(device), uses(of: device, isOurs: isOurs),
            isOurs
                ? HTML(
                    .a, .href(Route.forgetWearable.with("device", device.id)), .set(.class, "ask"),
                    .set(.ariaLabel, words.say(.forget) + ": " + device.id), text: words.say(.forget))
                : HTML(.p, text: words.say(.inSettingsFile)))
    }

    /// Lets a wearable buzz, so that somebody finds it; nothing for one that only advertises.
    func buzzer(_ device: HouseSnapshot.Device) -> HTML {
        guard device.heardBy == "connection" else { return .none }
        return form(.buzz).button(
            words.say(.buzz), kind: "plain", fields: [("device", device.id)],
            label: words.say(.buzz) + ": " + device.id)
    }

    private func uses(of device: HouseSnapshot.Device, isOurs: Bool) -> HTML {
        guard device.heardBy == "connection" else { return .none }
        guard let uses = device.uses, !uses.isEmpty else {
            return HTML(.p, text: words.say(.kinds) + ": " + words.say(.notKnownYet))
        }
        return HTML(.h3, text: words.say(.kinds))
            + HTML(
                .ul,
                content: HTML(
                    uses.map { use in
                        HTML(
                            .li,
                            content: HTML(
                                .p, text: words.title(use.kind) + ": " + words.say(.use(use.use, use.source))),
                            isOurs ? choices(use, of: device) : .none)
                    }))
    }

    private func choices(_ use: KindUse, of device: HouseSnapshot.Device) -> HTML {
        let title = words.title(use.kind)
        func choice(_ text: Text, on: Bool, sos: Bool?) -> HTML {
            let fields =
                [("device", device.id), ("kind", use.kind), ("on", on ? "yes" : "no")]
                + (sos.map { [("sos", $0 ? "yes" : "no")] } ?? [])
            return form(.track).button(
                words.say(text), kind: "plain", fields: fields, label: words.say(text) + ": " + device.id)
        }
        return switch use.use {
        case .off: choice(.switchOn(title), on: true, sos: nil)
        case .kept: choice(.switchOff(title), on: false, sos: nil)
        case .raisesAlarms:
            choice(.switchOff(title), on: false, sos: nil) + choice(.onlySource(title), on: true, sos: true)
        case .onlySource: choice(.anySource(title), on: true, sos: false)
        case .otherSource: choice(.switchOff(title), on: false, sos: nil)
        }
    }

    /// Question before a removal; nil where no wearable of the id was added by command or by a page.
    package func forgetting(_ id: String) -> Page? {
        guard viewer.role == .installer,
            let device = house.devices.first(where: { $0.id == id && $0.isAddedHere == true })
        else { return nil }
        let help = words.say(device.heardBy == "advertising" ? .forgetBroadcasterHelp : .forgetHelp)
        return family(
            words.say(.forgetQuestion(id)),
            HTML(.h1, text: words.say(.forgetQuestion(id))) + HTML(.p, text: help)
                + form(.forget).button(words.say(.yesForget), kind: "main", fields: [("device", id)])
                + HTML(.p, content: HTML(.a, .href(Route.wearables), text: words.say(.keepWearable))))
    }

    // MARK: Scan and pairing

    /// Seconds after which a browser without script asks again. A question with a field is not asked again: that would take
    /// the typed digits away.
    private static let refreshSeconds = 5

    package func pairing(_ state: DeviceSetupDocument) -> Page {
        let isTyping = state.question.map { $0.kind != .compare } ?? false
        return family(
            words.say(.pairWearable), pairingContent(state),
            refreshSeconds: state.phase == .idle && state.outcome == nil || isTyping
                ? nil : Self.refreshSeconds)
    }

    package func pairingContent(_ state: DeviceSetupDocument) -> HTML {
        guard viewer.role == .installer else { return .none }
        return HTML(
            .div, .set(.dataPage, "pair"), content: HTML(.h1, text: words.say(.pairWearable)), body(state))
    }

    private func body(_ state: DeviceSetupDocument) -> HTML {
        guard state.isOwn || state.phase == .idle else {
            return HTML(.p, .set(.class, "warn"), .set(.role, "status"), text: words.say(.busyElsewhere))
        }
        let stop = form(.stopSetup).button(words.say(.stop), kind: "plain")
        switch state.phase {
        case .idle:
            let begin = form(.scan).button(
                words.say(state.outcome == nil && state.found.isEmpty ? .look : .lookAgain), kind: "main")
            return (state.outcome.map(end) ?? HTML(.p, text: words.say(.pairWearableHelp))) + begin
                + found(state.found)
                + back
        case .scanning:
            // By tens: the page changes with the devices, and not each second.
            let left = (max(state.leftMs ?? 0, 0) + 9_999) / 10_000 * 10
            return HTML(.p, text: words.say(.pairWearableHelp))
                + HTML(
                    .p, .set(.role, "status"),
                    text: words.say(.looking) + ". " + words.say(.aboutLeft(Int(clamping: left))))
                + (state.found.isEmpty ? HTML(.p, text: words.say(.nothingHeard)) : found(state.found)) + stop
        case .pairing:
            return HTML(.p, .set(.class, "big"), .set(.role, "status"), text: words.say(.pairing(state.device)))
                + HTML(.p, text: words.say(.keepNear)) + (state.question.map(question) ?? .none)
                + (state.passkey.map {
                    HTML(.p, .set(.class, "code"), .set(.role, "status"), text: words.say(.typeAtDevice($0)))
                } ?? .none) + stop
        case .adding:
            return HTML(.p, .set(.role, "status"), text: words.say(.adding(state.device)))
        case .forgetting:
            return HTML(.p, .set(.role, "status"), text: words.say(.forgetting(state.device)))
        }
    }

    private var back: HTML {
        HTML(.p, content: HTML(.a, .href(Route.wearables), text: words.say(.backToWearables)))
    }

    private func title(of device: DeviceSetupDocument.Found) -> String { device.name ?? words.say(.unnamed) }

    private func found(_ devices: [DeviceSetupDocument.Found]) -> HTML {
        guard !devices.isEmpty else { return .none }
        return HTML(.ul, .set(.class, "steps"), content: HTML(devices.map(row)))
    }

    private func row(_ device: DeviceSetupDocument.Found) -> HTML {
        let isNew = device.knownAs == nil && device.isOfUse
        let services = device.services.isEmpty ? nil : device.services.joined(separator: ", ")
        let facts =
            (device.broadcast.map { self.facts(of: $0) } ?? [])
            + [
                device.isConnected ? words.say(.connected) : nil,
                device.knownAs.map { words.say(.knownAs($0)) }, device.isOfUse ? nil : words.say(.notOfUse),
            ].compactMap { $0 }
        let choice = HTML(
            .a, .href(Route.pairWearable.with("address", device.address)), .set(.class, "ask"),
            .set(.ariaLabel, words.say(.choose) + ": " + title(of: device) + ", " + device.address),
            text: words.say(.choose))
        return HTML(
            .li, .set(.class, isNew ? "done" : "calm"),
            content: bars(device), HTML(.h2, text: title(of: device)),
            HTML(.p, text: device.address),
            device.broadcast == nil ? services.map { HTML(.p, .set(.lang, "en"), text: $0) } ?? .none : .none,
            HTML(facts.map { HTML(.p, text: $0) }), isNew ? choice : .none)
    }

    private func bars(_ device: DeviceSetupDocument.Found) -> HTML {
        let label = device.signalDbm == nil ? words.say(.signalUnknown) : words.say(.signal(device.bars))
        let columns = (0..<4).map { column in
            HTML(
                .rect, .set(.class, column < device.bars ? "on" : "off"), .set(.x, column * 8),
                .set(.y, 18 - column * 6), .set(.width, 6), .set(.height, 6 + column * 6), content: .none)
        }
        return HTML(
            .svg, .set(.class, "bars"), .set(.role, "img"), .set(.ariaLabel, label),
            .set(.viewBox, "0 0 30 24"), content: HTML(columns))
    }

    private func question(_ question: DeviceSetupDocument.Question) -> HTML {
        switch question.kind {
        case .compare:
            return HTML(
                .p, .set(.class, "code"), .set(.role, "status"),
                text: words.say(.compareQuestion(question.shown ?? "")))
                + form(.answerPairing).button(words.say(.same), kind: "main", fields: [("answer", "yes")])
                + form(.answerPairing).button(words.say(.different), kind: "plain", fields: [("answer", "no")])
        case .passkey, .pin:
            let isPasskey = question.kind == .passkey
            let input = HTML(
                .label, content: HTML(words.say(isPasskey ? .passkeyLabel : .pinLabel)),
                HTML(
                    void: .input, .set(.type, "text"), .set(.name, "answer"), .set(.inputmode, "numeric"),
                    .set(.autocomplete, "off"), .set(.class, "code"), .set(.maxlength, isPasskey ? 6 : 16),
                    .flag(.required), .flag(.autofocus)))
            return HTML(.p, .set(.role, "status"), text: words.say(.passkeyQuestion))
                + form(.answerPairing).button(words.say(.send), kind: "main", inputs: input)
        }
    }

    /// End of the last work. After a pairing, the first reading of the wearable is awaited here.
    private func end(_ outcome: DeviceSetupDocument.Outcome) -> HTML {
        let lines = HTML(outcome.lines.prefix(20).map { HTML(.p, .set(.lang, "en"), text: $0) })
        let heading = HTML(
            .h2, .set(.class, outcome.isDone ? "well" : "warn"),
            text: words.say(outcome.isDone ? .done : .failed))
        guard let id = outcome.device, let device = house.devices.first(where: { $0.id == id }) else {
            return HTML(.section, .set(.class, "tile"), .set(.role, "status"), content: heading, lines)
        }
        let coverage = house.persons.first { $0.id == device.person }?.coverage ?? []
        let isAdvertising = device.heardBy == "advertising"
        let age = isAdvertising ? device.lastHeardAgeMs : device.lastReadingAgeMs
        let sign = age.map { words.say(isAdvertising ? .isHeard(words.age($0)) : .heard(words.age($0))) }
        let next = words.say(isAdvertising ? .useIt(id) : .wearNow(id))
        return HTML(
            .section, .set(.class, "tile"), .set(.role, "status"), content: heading,
            HTML(.p, .set(.class, sign == nil ? "warn" : "well"), text: sign ?? next),
            isAdvertising ? HTML(.p, .set(.class, "warn"), text: words.say(.countsNow)) : .none, lines,
            HTML(.h3, text: words.say(.countsFor)),
            HTML(coverage.map { HTML(.p, .set(.lang, "en"), text: $0) }))
    }

    /// Form for a device of the scan; nil where the scan did not hear its address.
    package func addition(of address: String, in state: DeviceSetupDocument) -> Page? {
        guard viewer.role == .installer, state.isOwn,
            let device = state.found.first(where: { $0.address == address && $0.knownAs == nil })
        else { return nil }
        let id = HTML(
            .label, content: HTML(words.say(.id)),
            HTML(
                void: .input, .set(.type, "text"), .set(.name, "device"), .set(.maxlength, 64),
                .set(.autocomplete, "off"), .flag(.required), .flag(.autofocus)))
        let person = HTML(
            .label, content: HTML(words.say(.person)),
            HTML(
                .select, .set(.name, "person"),
                content: HTML(house.persons.map { HTML(.option, .set(.value, $0.id), text: $0.name) })))
        let noBond = HTML(
            .label, .set(.class, "tick"),
            content: HTML(void: .input, .set(.type, "checkbox"), .set(.name, "bond"), .set(.value, "no")),
            HTML(.span, text: words.say(.noBond)))
        let entry =
            device.broadcast.map { broadcasterForm(device, $0, id: id, person: person) }
            ?? HTML(.p, .set(.lang, "en"), text: device.services.joined(separator: ", "))
            + form(.addWearable).button(
                words.say(.pairIt), kind: "main", fields: [("address", device.address)],
                inputs: HTML([id, HTML(.p, .set(.class, "hint"), text: words.say(.idHelp)), person, noBond]))
        return family(
            words.say(.addTitle),
            HTML(.h1, text: words.say(.addTitle))
                + HTML(.p, text: "\(title(of: device)) · \(device.address)") + entry
                + HTML(.p, content: HTML(.a, .href(Route.pairWearable), text: words.say(.back))))
    }
}

extension Text {
    static let pairWearableHelp = Text(
        en: "Put it on or press its button, near the box. Disconnect it from telephones.",
        it: "Indossalo o premi il suo pulsante, vicino alla centralina. Scollegalo dai telefoni.")
    static let lookAgain = Text(en: "Look again", it: "Cerca ancora")
    static let looking = Text(en: "Looking for wearables", it: "Ricerca dei sensori")
    static func aboutLeft(_ seconds: Int) -> Text {
        Text(
            en: "It ends by itself in about \(seconds) s.",
            it: "Finisce da sola tra circa \(seconds) s.")
    }
    static let nothingHeard = Text(en: "Nothing is heard yet.", it: "Ancora niente.")
    static let choose = Text(en: "Choose", it: "Scegli")
    static let signalUnknown = Text(en: "no signal strength", it: "intensità non nota")
    static let connected = Text(en: "connected", it: "connesso")
    static let notOfUse = Text(
        en: "the gateway can read nothing from it",
        it: "la centralina non può leggerne niente")
    static func knownAs(_ id: String) -> Text {
        Text(en: "known as \(id)", it: "noto come \(id)")
    }
    static let unnamed = Text(en: "without a name", it: "senza nome")
    static let addTitle = Text(en: "Whose wearable is it?", it: "Di chi è il sensore?")
    static let noBond = Text(
        en: "Add it without pairing: a tag, or a strap that needs none",
        it: "Aggiungilo senza abbinarlo: un tag, o una fascia che non lo richiede")
    static let pairIt = Text(en: "Pair it", it: "Abbinalo")
    static let stop = Text(en: "Stop", it: "Ferma")
    static let backToWearables = Text(en: "Back to the wearables", it: "Torna ai sensori")
    static func pairing(_ id: String?) -> Text {
        Text(
            en: "Pairing" + (id.map { " \($0)" } ?? ""),
            it: "Abbinamento" + (id.map { " di \($0)" } ?? ""))
    }
    static func adding(_ id: String?) -> Text {
        Text(
            en: "Adding" + (id.map { " \($0)" } ?? ""),
            it: "Aggiunta" + (id.map { " di \($0)" } ?? ""))
    }
    static func forgetting(_ id: String?) -> Text {
        Text(
            en: "Forgetting" + (id.map { " \($0)" } ?? ""),
            it: "Rimozione" + (id.map { " di \($0)" } ?? ""))
    }
    static let keepNear = Text(
        en: "Keep it near the box and awake. This takes up to two minutes.",
        it: "Tienilo vicino alla centralina e acceso. Servono fino a due minuti.")
    static let passkeyQuestion = Text(
        en: "The wearable shows a passkey, or has it on its label.",
        it: "Il sensore mostra un codice, o lo ha sull'etichetta.")
    static let passkeyLabel = Text(en: "Passkey: 6 digits", it: "Codice: 6 cifre")
    static let pinLabel = Text(
        en: "PIN of the wearable, from its label or manual",
        it: "PIN del sensore, dall'etichetta o dal manuale")
    static let send = Text(en: "Send", it: "Invia")
    static func compareQuestion(_ digits: String) -> Text {
        Text(en: "Does the wearable show \(digits)?", it: "Il sensore mostra \(digits)?")
    }
    static let same = Text(en: "Yes, the same", it: "Sì, lo stesso")
    static let different = Text(en: "No", it: "No")
    static func typeAtDevice(_ digits: String) -> Text {
        Text(en: "Type \(digits) at the wearable.", it: "Scrivi \(digits) sul sensore.")
    }
    static let busyElsewhere = Text(
        en: "Another installer works on the wearables now. Wait until that has ended.",
        it: "Un altro installatore lavora sui sensori. Attendi che finisca.")
    static let failed = Text(en: "It did not work", it: "Non è riuscito")
    static func wearNow(_ id: String) -> Text {
        Text(
            en: "Put \(id) on now. Its first reading turns this line green.",
            it: "Indossa \(id) adesso. La prima misura rende verde questa riga.")
    }
    static let countsFor = Text(
        en: "Alarms that the wearables can raise",
        it: "Allarmi che i sensori possono dare")
    static let batteryOfOne = Text(en: "Battery", it: "Batteria")
    static let notKnownYet = Text(
        en: "not known until it was heard once",
        it: "non noto finché non è stato sentito una volta")
    static func use(_ use: KindUse.Use, _ source: String?) -> Text {
        switch use {
        case .off: Text(en: "off", it: "spenta")
        case .kept: Text(en: "kept, raises no alarm", it: "conservata, non dà allarmi")
        case .raisesAlarms: Text(en: "raises alarms", it: "dà allarmi")
        case .onlySource: Text(en: "the only source for alarms", it: "l'unica fonte per gli allarmi")
        case .otherSource:
            Text(
                en: "kept; alarms come from \(source ?? "another wearable")",
                it: "conservata; gli allarmi vengono da \(source ?? "un altro sensore")")
        }
    }
    static func switchOff(_ kind: String) -> Text {
        Text(en: "Switch \(kind) off", it: "Spegni \(kind)")
    }
    static func switchOn(_ kind: String) -> Text {
        Text(en: "Switch \(kind) on", it: "Accendi \(kind)")
    }
    static func onlySource(_ kind: String) -> Text {
        Text(
            en: "Make it the only source of \(kind) for alarms",
            it: "Rendilo l'unica fonte di \(kind) per gli allarmi")
    }
    static func anySource(_ kind: String) -> Text {
        Text(
            en: "Let others raise alarms of \(kind) too",
            it: "Lascia che anche altri diano allarmi di \(kind)")
    }
    static let inSettingsFile = Text(
        en: "It is written in the settings file. Change it there.",
        it: "È scritto nel file delle impostazioni. Cambialo lì.")
    static let forget = Text(en: "Forget it", it: "Rimuovilo")
    static let buzz = Text(en: "Let it buzz", it: "Fallo vibrare")
    static func forgetQuestion(_ id: String) -> Text {
        Text(en: "Forget \(id)?", it: "Rimuovere \(id)?")
    }
    static let forgetHelp = Text(
        en: "The gateway no longer watches it, and its bond is deleted. To use it again, pair it again.",
        it:
            "La centralina non lo segue più, e l'abbinamento è cancellato. Per usarlo ancora, abbinalo di nuovo."
    )
    static let yesForget = Text(en: "Yes, forget it", it: "Sì, rimuovilo")
    static let keepWearable = Text(en: "No, keep it", it: "No, tienilo")
    static let byConnection = Text(en: "by a connection", it: "con una connessione")
    static let byAdvertising = Text(en: "by its adverts", it: "dai suoi annunci")
    static func isHeard(_ age: String) -> Text {
        Text(en: "It is heard: \(age).", it: "Si sente: \(age).")
    }
    static func useIt(_ id: String) -> Text {
        Text(en: "\(id) is not heard yet.", it: "\(id) non si sente ancora.")
    }
    static let countsNow = Text(
        en: "From now on its events count: a press that means help calls for help.",
        it: "Da adesso i suoi eventi contano: una pressione che significa aiuto chiama aiuto.")
    static let forgetBroadcasterHelp = Text(
        en:
            "The gateway no longer watches it: a press calls nobody. A key that was typed on the page is deleted.",
        it:
            "La centralina non lo segue più: una pressione non chiama nessuno. Una chiave scritta sulla pagina è cancellata."
    )
}
