package import ControlContract
import GatewayModel
package import HTML

extension PageModule {
    static let wearables = PageModule(
        [
            HousePage(
                Pages.Route.wearables, for: [.installer],
                entry: .init([.installer]) { $0.setup.say(.wearables) },
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
    private var own: InstallerWords { InstallerWords(viewer.language) }

    // MARK: The list

    package func wearablesPage() -> Page { family(own.say(.wearables), wearablesContent()) }

    package func wearablesContent() -> HTML {
        let devices = viewer.role == .installer ? house.devices : []
        return HTML(
            .div, .set(.dataPage, "devices"),
            content: HTML(.h1, text: own.say(.wearables)),
            HTML(.a, .href(Route.pairWearable), .set(.class, "ask"), text: own.say(.pairTitle)),
            devices.isEmpty ? HTML(.p, text: own.say(.noWearables)) : HTML(devices.map(tile)))
    }

    private func tile(_ device: HouseSnapshot.Device) -> HTML {
        let age = (device.lastHeardAgeMs ?? device.lastReadingAgeMs).map(words.age) ?? setup.say(.neverHeard)
        let way = own.say(device.heardBy == "advertising" ? .byAdvertising : .byConnection)
        let facts = [
            device.battery.map { own.say(.battery) + ": \($0) %" }, own.say(.lastHeard) + ": \(age), \(way)",
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
                    .set(.ariaLabel, own.say(.forget) + ": " + device.id), text: own.say(.forget))
                : HTML(.p, text: own.say(.inSettingsFile)))
    }

    /// Lets a wearable buzz, so that somebody finds it; nothing for one that only advertises.
    func buzzer(_ device: HouseSnapshot.Device) -> HTML {
        guard device.heardBy == "connection" else { return .none }
        return form(.buzz).button(
            own.say(.buzz), kind: "plain", fields: [("device", device.id)],
            label: own.say(.buzz) + ": " + device.id)
    }

    private func uses(of device: HouseSnapshot.Device, isOurs: Bool) -> HTML {
        guard device.heardBy == "connection" else { return .none }
        guard let uses = device.uses, !uses.isEmpty else {
            return HTML(.p, text: own.say(.kinds) + ": " + own.say(.notKnownYet))
        }
        return HTML(.h3, text: own.say(.kinds))
            + HTML(
                .ul,
                content: HTML(
                    uses.map { use in
                        HTML(
                            .li,
                            content: HTML(
                                .p, text: words.title(use.kind) + ": " + own.say(.use(use.use, use.source))),
                            isOurs ? choices(use, of: device) : .none)
                    }))
    }

    private func choices(_ use: KindUse, of device: HouseSnapshot.Device) -> HTML {
        let title = words.title(use.kind)
        func choice(_ text: InstallerWords.Text, on: Bool, sos: Bool?) -> HTML {
            let fields =
                [("device", device.id), ("kind", use.kind), ("on", on ? "yes" : "no")]
                + (sos.map { [("sos", $0 ? "yes" : "no")] } ?? [])
            return form(.track).button(
                own.say(text), kind: "plain", fields: fields, label: own.say(text) + ": " + device.id)
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
        let help = own.say(device.heardBy == "advertising" ? .forgetBroadcasterHelp : .forgetHelp)
        return family(
            own.say(.forgetQuestion(id)),
            HTML(.h1, text: own.say(.forgetQuestion(id))) + HTML(.p, text: help)
                + form(.forget).button(own.say(.yesForget), kind: "main", fields: [("device", id)])
                + HTML(.p, content: HTML(.a, .href(Route.wearables), text: own.say(.keep))))
    }

    // MARK: Scan and pairing

    /// Seconds after which a browser without script asks again. A question with a field is not asked again: that would take
    /// the typed digits away.
    private static let refreshSeconds = 5

    package func pairing(_ state: DeviceSetupDocument) -> Page {
        let isTyping = state.question.map { $0.kind != .compare } ?? false
        return family(
            own.say(.pairTitle), pairingContent(state),
            refreshSeconds: state.phase == .idle && state.outcome == nil || isTyping
                ? nil : Self.refreshSeconds)
    }

    package func pairingContent(_ state: DeviceSetupDocument) -> HTML {
        guard viewer.role == .installer else { return .none }
        return HTML(.div, .set(.dataPage, "pair"), content: HTML(.h1, text: own.say(.pairTitle)), body(state))
    }

    private func body(_ state: DeviceSetupDocument) -> HTML {
        guard state.isOwn || state.phase == .idle else {
            return HTML(.p, .set(.class, "warn"), .set(.role, "status"), text: own.say(.busyElsewhere))
        }
        let stop = form(.stopSetup).button(own.say(.stop), kind: "plain")
        switch state.phase {
        case .idle:
            let begin = form(.scan).button(
                own.say(state.outcome == nil && state.found.isEmpty ? .look : .lookAgain), kind: "main")
            return (state.outcome.map(end) ?? HTML(.p, text: own.say(.pairHelp))) + begin + found(state.found)
                + back
        case .scanning:
            // By tens: the page changes with the devices, and not each second.
            let left = (max(state.leftMs ?? 0, 0) + 9_999) / 10_000 * 10
            return HTML(.p, text: own.say(.pairHelp))
                + HTML(
                    .p, .set(.role, "status"),
                    text: own.say(.looking) + ". " + own.say(.aboutLeft(Int(clamping: left))))
                + (state.found.isEmpty ? HTML(.p, text: own.say(.nothingHeard)) : found(state.found)) + stop
        case .pairing:
            return HTML(.p, .set(.class, "big"), .set(.role, "status"), text: own.say(.pairing(state.device)))
                + HTML(.p, text: own.say(.keepNear)) + (state.question.map(question) ?? .none)
                + (state.passkey.map {
                    HTML(.p, .set(.class, "code"), .set(.role, "status"), text: own.say(.typeAtDevice($0)))
                } ?? .none) + stop
        case .adding:
            return HTML(.p, .set(.role, "status"), text: own.say(.adding(state.device)))
        case .forgetting:
            return HTML(.p, .set(.role, "status"), text: own.say(.forgetting(state.device)))
        }
    }

    private var back: HTML {
        HTML(.p, content: HTML(.a, .href(Route.wearables), text: own.say(.back)))
    }

    private func title(of device: DeviceSetupDocument.Found) -> String { device.name ?? own.say(.unnamed) }

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
                device.isConnected ? own.say(.connected) : nil,
                device.knownAs.map { own.say(.knownAs($0)) }, device.isOfUse ? nil : own.say(.notOfUse),
            ].compactMap { $0 }
        let choice = HTML(
            .a, .href(Route.pairWearable.with("address", device.address)), .set(.class, "ask"),
            .set(.ariaLabel, own.say(.choose) + ": " + title(of: device) + ", " + device.address),
            text: own.say(.choose))
        return HTML(
            .li, .set(.class, isNew ? "done" : "calm"),
            content: bars(device), HTML(.h2, text: title(of: device)),
            HTML(.p, text: device.address),
            device.broadcast == nil ? services.map { HTML(.p, .set(.lang, "en"), text: $0) } ?? .none : .none,
            HTML(facts.map { HTML(.p, text: $0) }), isNew ? choice : .none)
    }

    private func bars(_ device: DeviceSetupDocument.Found) -> HTML {
        let label = device.signalDbm == nil ? own.say(.noSignal) : own.say(.signal(device.bars))
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
                text: own.say(.compareQuestion(question.shown ?? "")))
                + form(.answerPairing).button(own.say(.same), kind: "main", fields: [("answer", "yes")])
                + form(.answerPairing).button(own.say(.different), kind: "plain", fields: [("answer", "no")])
        case .passkey, .pin:
            let isPasskey = question.kind == .passkey
            let input = HTML(
                .label, content: HTML(own.say(isPasskey ? .passkeyLabel : .pinLabel)),
                HTML(
                    void: .input, .set(.type, "text"), .set(.name, "answer"), .set(.inputmode, "numeric"),
                    .set(.autocomplete, "off"), .set(.class, "code"), .set(.maxlength, isPasskey ? 6 : 16),
                    .flag(.required), .flag(.autofocus)))
            return HTML(.p, .set(.role, "status"), text: own.say(.passkeyQuestion))
                + form(.answerPairing).button(own.say(.send), kind: "main", inputs: input)
        }
    }

    /// End of the last work. After a pairing, the first reading of the wearable is awaited here.
    private func end(_ outcome: DeviceSetupDocument.Outcome) -> HTML {
        let lines = HTML(outcome.lines.prefix(20).map { HTML(.p, .set(.lang, "en"), text: $0) })
        let heading = HTML(
            .h2, .set(.class, outcome.isDone ? "well" : "warn"),
            text: own.say(outcome.isDone ? .done : .failed))
        guard let id = outcome.device, let device = house.devices.first(where: { $0.id == id }) else {
            return HTML(.section, .set(.class, "tile"), .set(.role, "status"), content: heading, lines)
        }
        let coverage = house.persons.first { $0.id == device.person }?.coverage ?? []
        let isAdvertising = device.heardBy == "advertising"
        let age = isAdvertising ? device.lastHeardAgeMs : device.lastReadingAgeMs
        let sign = age.map { own.say(isAdvertising ? .isHeard(words.age($0)) : .heard(words.age($0))) }
        let next = own.say(isAdvertising ? .useIt(id) : .wearIt(id))
        return HTML(
            .section, .set(.class, "tile"), .set(.role, "status"), content: heading,
            HTML(.p, .set(.class, sign == nil ? "warn" : "well"), text: sign ?? next),
            isAdvertising ? HTML(.p, .set(.class, "warn"), text: own.say(.countsNow)) : .none, lines,
            HTML(.h3, text: own.say(.countsFor)),
            HTML(coverage.map { HTML(.p, .set(.lang, "en"), text: $0) }))
    }

    /// Form for a device of the scan; nil where the scan did not hear its address.
    package func addition(of address: String, in state: DeviceSetupDocument) -> Page? {
        guard viewer.role == .installer, state.isOwn,
            let device = state.found.first(where: { $0.address == address && $0.knownAs == nil })
        else { return nil }
        let id = HTML(
            .label, content: HTML(own.say(.id)),
            HTML(
                void: .input, .set(.type, "text"), .set(.name, "device"), .set(.maxlength, 64),
                .set(.autocomplete, "off"), .flag(.required), .flag(.autofocus)))
        let person = HTML(
            .label, content: HTML(own.say(.person)),
            HTML(
                .select, .set(.name, "person"),
                content: HTML(house.persons.map { HTML(.option, .set(.value, $0.id), text: $0.name) })))
        let noBond = HTML(
            .label, .set(.class, "tick"),
            content: HTML(void: .input, .set(.type, "checkbox"), .set(.name, "bond"), .set(.value, "no")),
            HTML(.span, text: own.say(.noBond)))
        let entry =
            device.broadcast.map { broadcasterForm(device, $0, id: id, person: person) }
            ?? HTML(.p, .set(.lang, "en"), text: device.services.joined(separator: ", "))
            + form(.addWearable).button(
                own.say(.pairIt), kind: "main", fields: [("address", device.address)],
                inputs: HTML([id, HTML(.p, .set(.class, "hint"), text: own.say(.idHelp)), person, noBond]))
        return family(
            own.say(.addTitle),
            HTML(.h1, text: own.say(.addTitle))
                + HTML(.p, text: "\(title(of: device)) · \(device.address)") + entry
                + HTML(.p, content: HTML(.a, .href(Route.pairWearable), text: words.say(.back))))
    }
}
