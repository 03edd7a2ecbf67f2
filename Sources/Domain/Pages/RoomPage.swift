import ControlContract
import GatewayModel
package import HTML
import HelpState
import Phrases

extension PageModule {
    static let room = PageModule(
        [
            HousePage("/", for: [.room], live: .init("room") { $0.roomContent() }) { .page($0.pages.room()) },
            HousePage(Pages.Route.callHelp) { .page($0.pages.callHelp()) },
        ], acts: [.callHelp, .exercise, .testButton, .nameMeasurer])
}

extension Pages.Route {
    static let callHelp: HTML.Place = "/help"
}

extension PageAct {
    static let callHelp = PageAct("/act/help") { (form) throws(ControlError) in
        try Verb.CallHelp(person: form["person"], alarm: form["alarm"], by: form.caller)
    }

    /// Begins exercise for its minutes; without minutes it ends.
    static let exercise = PageAct("/act/exercise") { (form) throws(ControlError) in
        try Verb.Exercise(
            person: form["person"], minutes: form["minutes"].flatMap { Int($0) }, by: form.caller)
    }

    static let testButton = PageAct("/act/test-button") { (form) throws(ControlError) in
        Verb.TestButton(try form.onPerson)
    }

    /// Names the person of a measurement; without a name it is nobody's of the house.
    static let nameMeasurer = PageAct("/act/name-measurer") { (form) throws(ControlError) in
        try Verb.NameMeasurer(measurement: form["measurement"], person: form["person"], by: form.caller)
    }
}

/// The screen of the room at rest, and the second screen of a call for help.
extension Pages {
    func atRest() -> HTML {
        let over = lastEnded
        if let taken = taken.first(where: { ($0.ending?.ageMs ?? .max) < 600_000 }) {
            return afterAnswer(taken, besides: over)
        }
        if let over { return afterEnd(over) }
        let person = visible.first
        let isPaused = person?.supervision?.isPaused ?? true
        let helpless = visible.filter {
            if case .cannotBeCalled = $0.help?.readiness { true } else { false }
        }
        let sentence = isPaused ? words.say(.cannotSee(person?.name)) : words.say(.watching)
        let greeting = words.say(.greeting(hour: now.hour, visible.count == 1 ? person?.name : nil))
        let others = visible.dropFirst().filter { $0.supervision?.isPaused ?? true }.map {
            HTML(.p, .set(.class, "warn"), text: words.say(.cannotSee($0.name)))
        }
        let isUncalled = visible.contains {
            if case .nobodyIsCalled = $0.help?.readiness { true } else { false }
        }
        let uncalled: HTML =
            isUncalled ? HTML(.p, .set(.class, "warn"), text: words.say(.callsNobodyYet)) : .none
        return HTML(
            .div, .set(.class, isNight && !isPaused && helpless.isEmpty ? "rest night" : "rest"),
            .set(.dataPage, "room"),
            content: HTML(
                .h1, .set(.class, isPaused || !helpless.isEmpty ? "big warn" : "big"),
                text: !helpless.isEmpty
                    ? words.say(isPaused ? .cannotCall : .watchingCannotCall)
                    : isPaused ? sentence : greeting + " " + sentence),
            isPaused && !helpless.isEmpty ? HTML(.p, .set(.class, "warn"), text: sentence) : .none,
            isPaused ? HTML(.p, .set(.class, "warn"), text: pauseAdvice(person)) : .none, HTML(others),
            uncalled,
            measurers,
            HTML(
                .p, .set(.class, "clock"), content: HTML(now.clock),
                HTML(.small, text: " " + words.say(.date(now)))), tiles(person?.id), HTML(visible.map(daily)),
            questionLink, newDevicesLink,
            HTML(.a, .href(Route.callHelp), .set(.class, "help"), text: words.say(.callHelp)))
    }

    /// Somebody has taken the call: their name stands above everything else, until the alarm is ended or ten minutes have
    /// passed.
    ///
    /// - Parameter over: another alarm that has just ended.
    private func afterAnswer(_ alarm: HouseSnapshot.Alarm, besides over: HouseSnapshot.Alarm?) -> HTML {
        HTML(
            .div, .set(.class, "rest"), .set(.dataPage, "taken"),
            content: HTML(.h1, .set(.class, "big taken"), text: sentence(of: alarm) ?? words.say(.isOver)),
            over.map { HTML(.p, text: words.say(.anotherIsOver)) + state(of: $0) } ?? .none, steps(of: alarm),
            HTML(.p, content: HTML(.a, .href(mistakePlace(alarm.id)), text: words.say(.fineAfterAll))),
            form(.callHelp).button(
                words.say(.callAgain), kind: "help", fields: [("person", alarm.person)], isGuarded: true))
    }

    private func pauseAdvice(_ person: HouseSnapshot.Person?) -> String {
        person?.supervision?.reasons.first == "no-wearable" ? words.say(.notWorn) : words.say(.putOn)
    }

    /// Outside the waking hours of the house.
    var isNight: Bool {
        guard let begin = Self.minutes(house.house?.wakingBegin), let end = Self.minutes(house.house?.wakingEnd)
        else {
            return false
        }
        let minute = now.hour * 60 + now.minute
        return begin <= end ? !(begin..<end).contains(minute) : (end..<begin).contains(minute)
    }

    private static func minutes(_ time: String?) -> Int? {
        let parts = (time ?? "").split(separator: ":").compactMap { Int($0) }
        guard parts.count == 2, (0..<24).contains(parts[0]), (0..<60).contains(parts[1]) else { return nil }
        return parts[0] * 60 + parts[1]
    }

    var questionLink: HTML {
        !isQuestionWaiting
            ? .none : HTML(.a, .href(Route.question), .set(.class, "ask"), text: words.say(.question))
    }

    /// "Who has measured?", for each measurement that the gateway knows no person of. Its values are shown to nobody before.
    var measurers: HTML {
        HTML(
            (house.unnamedMeasurements ?? []).map { measurement in
                let answers =
                    visible.map { (words.say(.measuredBy($0.name)), [("person", $0.id)]) }
                    // A personal telephone answers for its owner alone.
                    + (viewer.role == .room ? [(words.say(.measuredByOther), [])] : [])
                return HTML(
                    .section, .set(.class, "ask"), .set(.dataPage, "measurer"),
                    content: HTML(
                        .h2,
                        text: words.say(.whoMeasured(measurement.device, words.age(measurement.ageMs)))),
                    HTML(
                        answers.map { text, person in
                            form(.nameMeasurer).button(
                                text, kind: "plain", fields: [("measurement", measurement.id)] + person)
                        }))
            })
    }

    /// What a person does by themselves on a usual day: to move, and to test the help button.
    func daily(_ person: HouseSnapshot.Person) -> HTML {
        let fields = [("person", person.id)]
        let name = visible.count == 1 ? nil : person.name
        let moving = form(.exercise).button(
            words.say(
                person.exerciseLeftMs.map { .exerciseOver(name, minutes: Int(($0 + 59_999) / 60_000)) }
                    ?? .exercise(name)),
            kind: "plain",
            fields: fields + (person.exerciseLeftMs == nil ? [("minutes", "\(Self.exerciseMinutes)")] : []))
        let hasButton = house.buttons.contains { $0.callsHelp && $0.person == person.id }
        return moving
            + (hasButton
                ? form(.testButton).button(words.say(.testButton(name)), kind: "plain", fields: fields)
                : .none)
            + linkCodeButton(person)
    }

    /// As long as a button that means exercise.
    private static let exerciseMinutes = 45

    private func tiles(_ person: String?) -> HTML {
        let shown = ["heart-rate", "oxygen-saturation"].compactMap { kind in
            house.readings.first { $0.person == person && $0.kind == kind }
        }
        return HTML(.div, .set(.class, "tiles"), content: HTML(shown.map(tile)))
    }

    func tile(_ reading: HouseSnapshot.LatestReading) -> HTML {
        HTML(
            .section, .set(.class, "tile"),
            content: HTML(.h2, text: words.title(reading.kind)),
            HTML(
                .p, .set(.class, "figure"),
                content: HTML(words.figure(reading.value) + " "), HTML(.small, text: words.unit(reading.kind))),
            HTML(
                .p,
                text: [usual(reading), words.age(reading.ageMs)].compactMap(\.self).joined(separator: " · ")))
    }

    /// The reading beside the usual values of the person; nil without a band to judge it by.
    private func usual(_ reading: HouseSnapshot.LatestReading) -> String? {
        let band = house.usual.first { $0.person == reading.person && $0.kind == reading.kind }
        guard let band else { return nil }
        if reading.value > band.high { return words.say(.higher) }
        return words.say(reading.value < band.low ? .lower : .asUsual)
    }

    /// As `readinessWarning`, with advice for a viewer in need of the help.
    func ownWarning(_ person: HouseSnapshot.Person) -> String? {
        if viewer.role == .room || viewer.role == .person, case .cannotBeCalled = person.help?.readiness {
            return words.say(.cannotCall)
        }
        return readinessWarning(person)
    }

    /// Second screen of a call for help: each person has a button of their own.
    package func callHelp() -> Page {
        let people = visible
        let buttons = people.map { person in
            form(.callHelp).button(
                people.count == 1 ? words.say(.yesCall) : words.say(.callNowFor(person.name)), kind: "help",
                fields: [("person", person.id)])
        }
        let warnings = people.compactMap(ownWarning).map {
            HTML(.p, .set(.class, "warn"), text: $0)
        }
        let main = HTML(
            .div, .set(.class, "rest"), .set(.dataPage, "help"),
            content: HTML(.h1, .set(.class, "big"), text: words.say(.callNow)), HTML(warnings), HTML(buttons),
            HTML(.a, .href(Route.room), .set(.class, "fine"), text: words.say(.no)))
        return viewer.role == .room
            ? kiosk(words.say(.callNow), main, leaveSeconds: 10) : family(words.say(.callNow), main)
    }
}

extension Text {
    static func greeting(hour: Int, _ name: String?) -> Text {
        Text(
            en: (hour < 12 ? "Good morning" : hour < 18 ? "Good afternoon" : "Good evening")
                + (name.map { ", \($0)." } ?? "."),
            it: (hour < 13 ? "Buongiorno" : hour < 18 ? "Buon pomeriggio" : "Buonasera")
                + (name.map { ", \($0)." } ?? "."))
    }
    static let watching = Text(en: "I am watching over you.", it: "Veglio su di te.")
    static let watchingCannotCall = Text(
        en: "I watch, but I cannot call anybody at the moment. Dial 112.",
        it: "Veglio su di te, ma adesso non riesco a chiamare nessuno. Chiama il 112.")
    static let cannotCall = Text(
        en: "I cannot call anybody at the moment. Dial 112.",
        it: "Adesso non riesco a chiamare nessuno. Chiama il 112.")
    static let putOn = Text(
        en: "Check that the sensor is on and charged.",
        it: "Controlla che il sensore sia indossato e carico.")
    static let asUsual = Text(en: "as usual", it: "come al solito")
    static let higher = Text(en: "higher than usual for you", it: "più alto del tuo solito")
    static let lower = Text(en: "lower than usual for you", it: "più basso del tuo solito")
    static let callNow = Text(en: "Call help now?", it: "Chiamo aiuto adesso?")
    static let callsNobodyYet = Text(
        en: "CALL HELP calls nobody yet.", it: "CHIAMA AIUTO non chiama ancora nessuno.")
    static func callNowFor(_ name: String) -> Text {
        Text(en: "Call help now for \(name)", it: "Chiama aiuto adesso per \(name)")
    }
    static let yesCall = Text(en: "Yes, call", it: "Sì, chiama")
    /// The name is given where the screen is for several persons.
    static func exercise(_ name: String?) -> Text {
        Text(
            en: "I am about to move, for 45 minutes" + (name.map { " (\($0))" } ?? ""),
            it: "Sto per muovermi, per 45 minuti" + (name.map { " (\($0))" } ?? ""))
    }
    static func exerciseOver(_ name: String?, minutes: Int) -> Text {
        Text(
            en: "I have stopped moving" + (name.map { " (\($0))" } ?? "") + ". \(minutes) min are left",
            it: "Ho finito di muovermi" + (name.map { " (\($0))" } ?? "") + ". Mancano \(minutes) min")
    }
    /// The device by its id, and how long ago.
    static func whoMeasured(_ device: String, _ age: String) -> Text {
        Text(
            en: "Who has measured with \(device), \(age)?",
            it: "Chi ha misurato con \(device), \(age)?")
    }
    static func measuredBy(_ name: String) -> Text {
        Text(en: name, it: name)
    }
    static let measuredByOther = Text(en: "Somebody else", it: "Qualcun altro")
    static let callAgain = Text(en: "CALL AGAIN", it: "RICHIAMA AIUTO")
    static let fineAfterAll = Text(en: "I am fine after all", it: "Sto bene, davvero")
    static let anotherIsOver = Text(en: "Another alarm is over.", it: "Un altro allarme è finito.")
}
