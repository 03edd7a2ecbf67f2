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
    private var own: InstallerWords { InstallerWords(viewer.language) }

    /// Facts about the adverts of a device of the scan.
    func facts(of broadcast: DeviceSetupDocument.Broadcast) -> [String] {
        let age = words.age(broadcast.heardAgeMs)
        let event = broadcast.event.flatMap(SignalEvent.init)
        return [
            own.say(.broadcaster), own.say(broadcast.isEncrypted ? .encrypted : .inClear),
            event.map { own.say(.lastEvent($0)) + ", " + age } ?? own.say(.lastHeard) + ": " + age,
        ]
    }

    /// Form for a device that only advertises.
    func broadcasterForm(
        _ device: DeviceSetupDocument.Found, _ broadcast: DeviceSetupDocument.Broadcast, id: HTML, person: HTML
    ) -> HTML {
        // A stranger at the screen must not read it. It is in no page, and no field is ever filled with it.
        let key = HTML(
            .label, content: HTML(own.say(.key)),
            HTML(
                void: .input, .set(.type, "password"), .set(.name, "key"), .set(.maxlength, 64),
                .set(.autocomplete, "off"), .flag(.required)))
        let secret =
            broadcast.isEncrypted
            ? key + HTML(.p, .set(.class, "hint"), text: own.say(.keyHelp))
            : HTML(.p, .set(.class, "warn"), text: own.say(.inClearWarning))
        return HTML(facts(of: broadcast).map { HTML(.p, text: $0) })
            + form(.addBroadcaster).button(
                own.say(.addIt), kind: "main", fields: [("address", device.address)],
                inputs: HTML(
                    [id, HTML(.p, .set(.class, "hint"), text: own.say(.idHelp)), person, secret]
                        + [HTML(.p, text: own.say(.meaningHelp))] + SignalEvent.allCases.map(meaning)))
    }

    /// Nothing is chosen beforehand: a button on a door is none that calls for help.
    private func meaning(of event: SignalEvent) -> HTML {
        let choices = event.meanings.map {
            HTML(.option, .set(.value, $0.rawValue), text: own.say(.meaning($0)))
        }
        return HTML(
            .label, content: HTML(own.say(.event(event))),
            HTML(
                .select, .set(.name, event.rawValue),
                content: HTML([HTML(.option, .set(.value, ""), text: own.say(.noMeaning))] + choices)))
    }
}
