import ControlContract
import GatewayModel
import HTML

extension PageAct {
    /// Fields: `address`, `device`, `person`, `key`, and the names of `SignalEvent` with their meanings.
    static let addBroadcaster = PageAct(
        "/act/add-broadcaster", then: Pages.Route.pairWearable
    ) { (form) throws(ControlError) in
        let meanings = SignalEvent.allCases.compactMap { event in
            form[event.rawValue].flatMap { $0.isEmpty ? nil : (event: event.rawValue, meaning: $0) }
        }
        return try Verb.AddBroadcaster(
            id: try form.device, address: try form.address, person: try form.person,
            key: form["key"]?.filter { !$0.isWhitespace }, meanings: meanings, by: form.caller)
    }
}

/// Parts of the installer's pages for devices that only advertise. They have no pairing: an installer gives their events a
/// meaning, and types the key of one that encrypts.
extension Pages {

    /// Facts about the adverts of a device of the scan.
    func facts(of broadcast: DeviceSetupDocument.Broadcast) -> [String] {
        let age = words.age(broadcast.heardAgeMs)
        let event = broadcast.event.flatMap(SignalEvent.init)
        return [
            words.say(.broadcaster), words.say(broadcast.isEncrypted ? .encrypted : .inClear),
            event.map { words.say(.lastEvent($0)) + ", " + age } ?? words.say(.lastHeard) + ": " + age,
        ]
    }

    /// Form for a device that only advertises.
    func broadcasterForm(
        _ device: DeviceSetupDocument.Found, _ broadcast: DeviceSetupDocument.Broadcast, id: HTML, person: HTML
    ) -> HTML {
        // A stranger at the screen must not read it. It is in no page, and no field is ever filled with it.
        let key = HTML(
            .label, content: HTML(words.say(.key)),
            HTML(
                void: .input, .set(.type, "password"), .set(.name, "key"), .set(.maxlength, 64),
                .set(.autocomplete, "off"), .flag(.required)))
        let secret =
            broadcast.isEncrypted
            ? key + HTML(.p, .set(.class, "hint"), text: words.say(.keyHelp))
            : HTML(.p, .set(.class, "warn"), text: words.say(.inClearWarning))
        return HTML(facts(of: broadcast).map { HTML(.p, text: $0) })
            + form(.addBroadcaster).button(
                words.say(.addIt), kind: "main", fields: [("address", device.address)],
                inputs: HTML(
                    [id, HTML(.p, .set(.class, "hint"), text: words.say(.idHelp)), person, secret]
                        + [HTML(.p, text: words.say(.meaningHelp))] + SignalEvent.allCases.map(meaning)))
    }

    /// Nothing is chosen beforehand: a button on a door is none that calls for help.
    private func meaning(of event: SignalEvent) -> HTML {
        let choices = event.meanings.map {
            HTML(.option, .set(.value, $0.rawValue), text: words.say(.meaning($0)))
        }
        return HTML(
            .label, content: HTML(words.say(.event(event))),
            HTML(
                .select, .set(.name, event.rawValue),
                content: HTML([HTML(.option, .set(.value, ""), text: words.say(.noMeaning))] + choices)))
    }
}

extension Text {
    static let broadcaster = Text(
        en: "BTHome button or sensor, without a connection",
        it: "Pulsante o sensore BTHome, senza connessione")
    static let encrypted = Text(en: "Encrypted: its key is needed", it: "Cifrato: serve la sua chiave")
    static let inClear = Text(en: "Not encrypted", it: "Non cifrato")
    static let inClearWarning = Text(
        en:
            "It does not encrypt: anyone in range can send the same. Better switch on encryption in its app, and look again.",
        it:
            "Non cifra: chiunque sia vicino può inviare lo stesso. È meglio attivare la cifratura nella sua app e cercare ancora."
    )
    static let keyHelp = Text(
        en:
            "The bind key, as the app of the wearable shows it. It is stored at the box, and never shown again.",
        it: "La bind key, come la mostra l'app del sensore. Resta nella centralina e non viene più mostrata.")
    static let addIt = Text(en: "Add it", it: "Aggiungilo")
    static let meaningHelp = Text(
        en: "What do its events mean? An event without a meaning does nothing.",
        it: "Che cosa significano i suoi eventi? Un evento senza significato non fa niente.")
    static let noMeaning = Text(en: "Nothing", it: "Niente")
    static func lastEvent(_ event: SignalEvent) -> Text {
        Text(
            en: "Last event: " + Text.event(event).en.lowercased(),
            it: "Ultimo evento: " + Text.event(event).it.lowercased())
    }
    static func meaning(_ meaning: ButtonMeaning) -> Text {
        switch meaning {
        case .sosButton: Text(en: "Call for help", it: "Chiama aiuto")
        case .fall: Text(en: "Fall", it: "Caduta")
        case .shaking: Text(en: "Shaking, as in a seizure", it: "Scosse, come in una crisi")
        case .cancel: Text(en: "I am fine: cancel the alarm", it: "Sto bene: annulla l'allarme")
        case .exercise:
            Text(
                en: "I am about to move: the limits of exercise for 45 minutes",
                it: "Sto per muovermi: i limiti per l'esercizio per 45 minuti")
        }
    }
}
