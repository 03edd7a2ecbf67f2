import Consent
package import ControlContract
import GatewayModel
package import HTML

/// Pages of the house. Pure: a state of the gateway, a viewer and a time become a document.
///
/// Each page shows only the persons that `visible` leaves. The server checks the rights of an act again.
package struct Pages: Sendable {
    /// Places that the pages link to and post to. The server has a route for each.
    package enum Route {
        package static let room: HTML.Place = "/"
        package static let callHelp: HTML.Place = "/help"
        /// Field: `alarm`.
        package static let mistake: HTML.Place = "/mistake"
        package static let question: HTML.Place = "/question"
        package static let today: HTML.Place = "/today"
        package static let alarms: HTML.Place = "/alarms"
        package static let charts: HTML.Place = "/charts"
        package static let table: HTML.Place = "/charts.csv"
        package static let report: HTML.Place = "/report"
        package static let profile: HTML.Place = "/profile"
        package static let sharing: HTML.Place = "/sharing"
        package static let withdrawal: HTML.Place = "/sharing/withdraw"
        package static let pair: HTML.Place = "/pair"
        /// Acts, by POST. Fields: `alarm`, `person`, `request`, `pin`, `reason`, `token`.
        package static let abort: HTML.Place = "/act/abort"
        package static let help: HTML.Place = "/act/help"
        package static let accept: HTML.Place = "/act/accept-alarm"
        package static let resolve: HTML.Place = "/act/resolve"
        package static let allow: HTML.Place = "/act/allow"
        package static let refuse: HTML.Place = "/act/refuse"
        package static let later: HTML.Place = "/act/later"
        package static let withdraw: HTML.Place = "/act/withdraw"
        package static let allowLimits: HTML.Place = "/act/allow-limits"
        package static let refuseLimits: HTML.Place = "/act/refuse-limits"
        /// Fields of `ProfileEntry`.
        package static let changeProfile: HTML.Place = "/act/profile"
        /// For installers. Fields of a new code: `role`, `person`, `name`; of a revocation: `session`.
        package static let health: HTML.Place = "/health"
        package static let screens: HTML.Place = "/screens"
        package static let drill: HTML.Place = "/act/drill"
        package static let testButton: HTML.Place = "/act/test-button"
        /// Fields: `person`, `minutes`; without minutes the exercise ends.
        package static let exercise: HTML.Place = "/act/exercise"
        /// Fields: `measurement`, `person`; without a person it is nobody's of the house.
        package static let nameMeasurer: HTML.Place = "/act/name-measurer"
        /// Code for an account of TrackMe. Field of the act: `person`.
        package static let linkCode: HTML.Place = "/link-code"
        package static let makeLinkCode: HTML.Place = "/act/link-code"
        package static let newCode: HTML.Place = "/act/new-code"
        package static let revoke: HTML.Place = "/act/revoke"
        /// For the person and the room. Field of the acts: `session`.
        package static let devices: HTML.Place = "/devices"
        package static let endDevice: HTML.Place = "/act/end-device"
        package static let knowDevice: HTML.Place = "/act/know-device"
        /// Pages of a race. Fields: those of `RaceChoice`.
        package static let races: HTML.Place = "/races"
        package static let run: HTML.Place = "/race"
        package static let runner: HTML.Place = "/race/runner"
        package static let board: HTML.Place = "/race/board"
        package static let boxes: HTML.Place = "/race/boxes"
        package static let results: HTML.Place = "/race/results"
        package static let resultsTable: HTML.Place = "/race/results.csv"
        package static let corrections: HTML.Place = "/race/corrections"
        package static let raceStream: HTML.Place = "/race/stream"
        /// Fields: those of `RaceEntry`.
        package static let correctRace: HTML.Place = "/act/correct-race"
        /// Wearables, for installers. Fields: `address`, `device`, `person`, `bond`, `answer`, `kind`, `on`, `sos`.
        package static let wearables: HTML.Place = "/wearables"
        package static let pairWearable: HTML.Place = "/wearables/pair"
        package static let forgetWearable: HTML.Place = "/wearables/forget"
        package static let scan: HTML.Place = "/act/scan"
        package static let addWearable: HTML.Place = "/act/add-wearable"
        /// Fields: `address`, `device`, `person`, `key`, and the names of `SignalEvent`.
        package static let addBroadcaster: HTML.Place = "/act/add-broadcaster"
        package static let answer: HTML.Place = "/act/answer"
        package static let stopSetup: HTML.Place = "/act/stop-setup"
        package static let track: HTML.Place = "/act/track"
        package static let forget: HTML.Place = "/act/forget"
        package static let buzz: HTML.Place = "/act/buzz"
        /// Checks and walks, for installers. Fields: `device`, `room`.
        package static let doctor: HTML.Place = "/doctor"
        package static let log: HTML.Place = "/log"
        package static let settings: HTML.Place = "/settings"
        package static let walk: HTML.Place = "/walk"
        package static let check: HTML.Place = "/act/check"
        package static let startWalk: HTML.Place = "/act/start-walk"
        package static let walkRoom: HTML.Place = "/act/walk-room"
        package static let stopWalk: HTML.Place = "/act/stop-walk"
    }

    package let house: HouseSnapshot
    package let viewer: Viewer
    package let now: LocalTime
    /// Questions that were put off at this screen: ids of requests, of questions about limits, and of new devices.
    package let putOff: Set<String>
    let paired: [PairedDevice]
    let words: PageWords

    /// - Parameter paired: paired devices of the house.
    package init(
        _ house: HouseSnapshot, for viewer: Viewer, at now: LocalTime, putOff: Set<String> = [],
        paired: [PairedDevice] = []
    ) {
        (self.house, self.viewer, self.now, self.putOff) = (house, viewer, now, putOff)
        self.paired = paired
        words = PageWords(viewer.language)
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

    var setup: SetupWords { SetupWords(viewer.language) }
    var checks: CheckWords { CheckWords(viewer.language) }

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

    func form(_ action: HTML.Place) -> PageForm { PageForm(action: action, token: viewer.token) }

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
            style: PageFiles.stylePlace,
            script: PageFiles.scriptPlace, header: lostBand + (showsAlarms ? .none : alarmBand),
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
            style: PageFiles.stylePlace, script: PageFiles.scriptPlace,
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
            content: HTML(places.map { HTML(.a, .href($0), text: $1) }))
    }

    private var places: [(HTML.Place, String)] {
        let today = (Route.today, words.say(.todayTitle))
        let sharing = (Route.sharing, words.say(.sharingTitle))
        let history: [(HTML.Place, String)] = [
            (Route.alarms, chartWords.say(.alarms)), (Route.charts, chartWords.say(.charts)),
            (Route.report, chartWords.say(.report)),
            (Route.profile, ProfileWords(language: viewer.language).say(.profile)),
        ]
        return switch viewer.role {
        case .room: [today, sharing]
        case .person, .family: [today] + history + [sharing]
        // A carer has no right to the profile.
        case .carer: [today] + history.dropLast()
        case .installer:
            [
                (Route.room, setup.say(.title)), (Route.wearables, setup.say(.wearables)),
                (Route.screens, setup.say(.screens)), (Route.walk, checks.say(.walk)),
                (Route.health, setup.say(.health)), (Route.doctor, checks.say(.doctor)),
                (Route.settings, checks.say(.settings)), (Route.log, checks.say(.log)),
            ]
        case .organiser, .anyone: []
        }
    }
}
