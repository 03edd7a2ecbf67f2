import Consent
package import ControlContract
import GatewayModel
package import HTML

/// Pages of the house. Pure: a state of the gateway, a viewer and a time become a document.
///
/// Each page shows only the persons that `visible` leaves. The server checks the rights of an act again.
package struct Pages: Sendable {
    /// Places that the pages link to.
    package enum Route {
        package static let room: HTML.Place = "/"
        package static let pair: HTML.Place = "/pair"
    }

    package let house: HouseSnapshot
    package let viewer: Viewer
    package let now: LocalTime
    /// Questions that were put off at this screen: ids of requests, of questions about limits, and of new devices.
    package let putOff: Set<String>
    let paired: [PairedDevice]
    let words: Words

    /// - Parameter paired: paired devices of the house.
    package init(
        _ house: HouseSnapshot, for viewer: Viewer, at now: LocalTime, putOff: Set<String> = [],
        paired: [PairedDevice] = []
    ) {
        (self.house, self.viewer, self.now, self.putOff) = (house, viewer, now, putOff)
        self.paired = paired
        words = Words(viewer.language)
    }

    /// Whether the viewer may learn of this person. An installer and an organiser learn of nobody here.
    func isVisible(_ person: String) -> Bool {
        switch viewer.role {
        case .room: viewer.person == nil || viewer.person == person
        case .person, .family, .carer: viewer.person == person
        case .installer, .organiser, .anyone: false
        }
    }

    /// Persons that the viewer may learn of.
    package var visible: [HouseSnapshot.Person] { house.persons.filter { isVisible($0.id) } }

    /// Open alarms that the viewer may learn of, the gravest first.
    package var openAlarms: [HouseSnapshot.Alarm] {
        let ranks = ["high": 0, "medium": 1]
        return house.alarms.filter { isVisible($0.person) && $0.ending == nil }.sorted {
            (ranks[$0.priority] ?? 2, $0.crossed) < (ranks[$1.priority] ?? 2, $1.crossed)
        }
    }

    /// Requests that the viewer may learn of. A carer decides on none and sees none.
    var requests: [HouseSnapshot.Request] {
        viewer.role == .carer ? [] : house.requests.filter { isVisible($0.person) }
    }

    /// Readings of a person that the viewer may see: those of a family and of carers need the agreement of the person
    /// to pages of the house.
    func readings(of person: HouseSnapshot.Person) -> [HouseSnapshot.LatestReading] {
        guard isVisible(person.id), showsReadings(person) else { return [] }
        return house.readings.filter { $0.person == person.id }
    }

    /// The cause of an alarm may hold a reading.
    func mayReadCause(_ alarm: HouseSnapshot.Alarm) -> Bool {
        alarm.value == nil || (house.persons.first { $0.id == alarm.person }.map(showsReadings) ?? false)
    }

    private func showsReadings(_ person: HouseSnapshot.Person) -> Bool {
        switch viewer.role {
        case .room, .person: true
        case .family, .carer: person.agreements.contains(ConsentSubject.homeDashboard.rawValue)
        case .installer, .organiser, .anyone: false
        }
    }

    func name(_ person: String) -> String? { house.persons.first { $0.id == person }?.name }

    func form(_ act: PageAct) -> PageForm { PageForm(action: act.place, token: viewer.token) }

    /// Page of the room: an alarm takes its place.
    package func room() -> Page {
        kiosk(
            openAlarms.isEmpty ? words.say(.roomTitle) : words.say(.alarmTitle), roomContent(),
            showsAlarms: true)
    }

    /// Content of `<main>` of the page of the room, as the stream sends it.
    package func roomContent() -> HTML {
        if !openAlarms.isEmpty { return alarmContent() }
        return atRest()
    }

    func kiosk(_ title: String, _ main: HTML, leaveSeconds: Int? = nil, showsAlarms: Bool = false) -> Page {
        Page(
            lang: viewer.language.rawValue, title: title, kind: .kiosk,
            refreshSeconds: leaveSeconds == nil ? 5 : nil, leaveSeconds: leaveSeconds,
            style: PageFiles.style.place,
            script: PageFiles.script.place, header: lostBand + (showsAlarms ? .none : alarmBand),
            formToken: viewer.token, main: main)
    }

    /// - Parameters:
    ///   - refreshSeconds: time after which a browser without script asks again; nil for never.
    ///   - showsAlarms: whether `main` shows the open alarms itself.
    func family(
        _ title: String, _ main: HTML, refreshSeconds: Int? = nil, showsAlarms: Bool = false
    ) -> Page {
        Page(
            lang: viewer.language.rawValue, title: title, kind: .family, refreshSeconds: refreshSeconds,
            style: PageFiles.style.place, script: PageFiles.script.place,
            header: lostBand + (showsAlarms ? .none : alarmBand) + navigation,
            formToken: viewer.token, main: main)
    }

    /// Text that the script shows while the console does not answer.
    var lostBand: HTML { AwayPages(visible, for: viewer).lost }

    /// Band with the gravest open alarm, on every page that does not show it itself. It leads to the alarm.
    private var alarmBand: HTML {
        guard !house.alarms.isEmpty else { return .none }
        let text = openAlarms.first.map { alarm in
            [words.say(.alarmOf(name(alarm.person))), sentence(of: alarm)].compactMap(\.self).joined(
                separator: " ")
        }
        // An installer learns that an alarm is open, and not of whom.
        guard text != nil || viewer.role == .installer else { return .none }
        return HTML(
            .div, .set(.class, "band"), .set(.role, "alert"),
            content: HTML(.a, .href(Route.room), text: text ?? words.say(.alarmOf(nil))))
    }

    var navigation: HTML {
        HTML(
            .nav, .set(.ariaLabel, words.say(.pages)),
            content: HTML(PageModule.navigation(self).map { HTML(.a, .href($0), text: $1) }))
    }
}

extension Text {
    static let roomTitle = Text(en: "Room", it: "Stanza")
}
