import ControlContract
import GatewayModel
package import HTML

extension PageModule {
    static let pairedDevices = PageModule(
        [HousePage(Pages.Route.devices, for: [.person, .room]) { .page($0.pages.devicesPage()) }],
        acts: [.endDevice, .knowDevice])
}

extension Pages.Route {
    package static let devices: HTML.Place = "/devices"
}

/// Field of both: `session`.
extension PageAct {
    static let endDevice = PageAct("/act/end-device", .endDevice, for: [.person, .room])
    static let knowDevice = PageAct("/act/know-device", .knowDevice, for: [.person, .room])
}

/// Devices that are paired for a person. The person's own page lists them all, and the screen of the room the new ones:
/// somebody may have paired one unseen.
extension Pages {
    /// Devices that the viewer may end: those that are paired for a person, the newest first. At the screen of the room
    /// anybody may stand, so it has those of the last day alone.
    package var endableDevices: [PairedDevice] {
        guard viewer.role == .person || viewer.role == .room else { return [] }
        return paired.filter { device in
            device.role.isPersonal && device.person.map(isVisible) ?? false
                && (viewer.role == .person || device.isNew)
        }.sorted { $0.pairedAgeMs < $1.pairedAgeMs }
    }

    private var unansweredDevices: [PairedDevice] {
        endableDevices.filter { $0.isNew && !putOff.contains($0.id) }
    }

    /// Link to the devices that were paired in the last day and that nobody at these screens has said to know.
    var newDevicesLink: HTML {
        let new = unansweredDevices
        return new.isEmpty
            ? .none
            : HTML(
                .a, .href(Route.devices), .set(.class, "ask"),
                text: words.say(.devicesAdded(new.count, new[0].person.flatMap(name))))
    }

    var devicesLink: HTML {
        viewer.role == .person
            ? HTML(.a, .href(Route.devices), .set(.class, "ask"), text: words.say(.devices)) : .none
    }

    package func devicesPage() -> Page {
        let isRoom = viewer.role == .room
        let new = unansweredDevices
        let shown = isRoom ? new : endableDevices
        let title = words.say(isRoom ? .newDevices : .devices)
        let list = shown.map { tile($0, isNew: new.contains($0)) }
        let main =
            HTML(.h1, text: title) + (shown.isEmpty ? HTML(.p, text: words.say(.noDevice)) : HTML(list))
            + HTML(.a, .href(Route.room), .set(.class, "ask"), text: words.say(.back))
        // As a question: an alarm alone takes its place.
        return isRoom
            ? kiosk(
                title, HTML(.div, .set(.class, "rest"), .set(.dataPage, "question"), content: main),
                leaveSeconds: 60)
            : family(title, main)
    }

    private func tile(_ device: PairedDevice, isNew: Bool) -> HTML {
        func button(_ text: Text, _ act: PageAct) -> HTML {
            form(act).button(
                words.say(text), kind: "plain", fields: [("session", device.id)],
                label: words.say(text) + ": " + device.name, isGuarded: true)
        }
        let person = viewer.role == .room ? device.person.flatMap(name) : nil
        let facts = [
            words.say(.deviceUse(device.role)), person,
            words.say(
                .deviceTimes(
                    paired: words.longAge(device.pairedAgeMs), seen: words.longAge(device.seenAgeMs))),
        ]
        return HTML(
            .article, .set(.class, "tile"),
            content: HTML(.h2, text: device.name),
            HTML(.p, text: facts.compactMap(\.self).joined(separator: " · ")),
            isNew ? button(.deviceKnown, .knowDevice) : .none, button(.deviceEnd, .endDevice))
    }
}

extension Text {
    static let newDevices = Text(en: "New devices", it: "Dispositivi nuovi")
    static let noDevice = Text(en: "There is none.", it: "Non ce ne sono.")
    static let deviceKnown = Text(en: "I know this device", it: "Conosco questo dispositivo")
    static let deviceEnd = Text(en: "End this device", it: "Togli questo dispositivo")
    /// Number of new devices, and the person of the newest.
    static func devicesAdded(_ count: Int, _ name: String?) -> Text {
        switch (count, name) {
        case (1, let name):
            Text(
                en: "A device has been added" + (name.map { " for \($0)" } ?? "") + ": look",
                it: "È stato aggiunto un dispositivo" + (name.map { " per \($0)" } ?? "") + ": guarda")
        case (let count, _):
            Text(
                en: "\(count) devices have been added: look",
                it: "Sono stati aggiunti \(count) dispositivi: guarda")
        }
    }
    static func deviceTimes(paired: String, seen: String) -> Text {
        Text(
            en: "added \(paired), last used \(seen)",
            it: "aggiunto \(paired), usato l'ultima volta \(seen)")
    }
}
