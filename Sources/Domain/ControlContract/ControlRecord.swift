import Consent
import GatewayModel
import RunBeacon
import SOSLocal

/// Request as one line of JSON. A flat record with the fields that its `verb` has. The names of the fields are public:
/// command lines of other versions and other programs use them.
struct ControlRecord: Codable, Hashable, Sendable {
    var verb: ControlRequest.Verb
    /// Name of the caller; for `runner_vitals`, a `PartyID`.
    var by: String?
    var person: String?
    /// For `alarms`, the last alarm of the page before.
    var alarm: String?
    /// A `ConsentSubject`, a `RequestID`, a `RunID`, a `TagName` or a `DeviceID`.
    var subject: String?
    /// For `exercise`.
    var minutes: Int?
    /// A `QuantityKind`; for `runs`, `runners` asks for their names.
    var kind: String?
    /// Milliseconds since 1970; `to` is not included. For `my_data` and `race`, `from` is the number of the first entry.
    var from, to: Int64?
    /// A `HistoryResolution`.
    var resolution: String?
    /// For `runner_vitals` and `correct_race`.
    var bib: Int?
    /// For `correct_race`.
    var correction: CorrectionRecord?
    /// For `change_profile`.
    var profile: ProfileRecord?
    /// For `change_limits`, by the name of the limit; empty or missing to go back to the settings.
    var limits: [String: Double]?
    /// For `resolve`.
    var reason: String?
    /// Digits of a decision at the room's screen.
    var pin: String?
    /// At the console's socket.
    var session: SessionRecord?
    /// For `change_channel`; both missing go back to the settings.
    var emergency, warnings: Bool?
    /// For `scan_devices`.
    var seconds: Int?
    /// For `pair_device`; `bond` is false for a device that is added without a pairing.
    var address: String?
    var bond: Bool?
    /// For `add_broadcaster`: digits of the bind key, and events with their meanings such as `button=sos-button`.
    var key: String?
    var signals: [String]?
    /// For `answer_pairing`: `yes`, `no` or digits.
    var answer: String?
    /// For `track_device`: whether readings of the kind count, and whether they are the only source for SOS.
    var on, sos: Bool?
    /// For `walk_room`.
    var room: String?

    private static let runners = "runners"

    init(_ request: ControlRequest) {
        verb = request.verb
        switch request {
        case .status, .watch, .follow, .consents, .rotateHistoryKey, .reload, .reloadSettings, .reloadRuns,
            .limitQuestions:
            break
        case .abort(let end), .resolve(let end), .acceptAlarm(let end):
            (alarm, person, by) = (end.alarm?.description, end.person?.text, end.caller.name)
            reason = end.reason
        case .alarms(let page):
            (person, alarm) = (page.person.text, page.after?.description)
            (from, to) = (page.from.millisecondsSince1970, page.to.millisecondsSince1970)
        case .callHelp(let call):
            (alarm, person, by) = (call.alarm?.description, call.person?.text, call.caller.name)
        case .exercise(let exercise):
            (person, minutes, by) = (exercise.person.text, exercise.minutes, exercise.caller.name)
        case .nameMeasurer(let answer):
            (subject, person, by) = (answer.measurement.description, answer.person?.text, answer.caller.name)
        case .drill(let drill), .testButton(let drill), .linkCode(let drill), .devicePaired(let drill):
            (person, by) = (drill.person.text, drill.caller.name)
        case .accept(let decision), .refuse(let decision), .withdraw(let decision):
            (by, pin) = (decision.caller.name, decision.pin)
            switch decision.subject {
            case .policy(let policy, let person): (subject, self.person) = (policy.rawValue, person.text)
            case .request(let id, let person): (subject, self.person) = (id.text, person?.text)
            }
        case .consentRequest(let id): subject = id.text
        case .consentHistory(let person): self.person = person?.text
        case .history(let history):
            (person, kind) = (history.person.text, history.kind.rawValue)
            (from, to) = (history.from.millisecondsSince1970, history.to.millisecondsSince1970)
            resolution = history.resolution?.rawValue
        case .myData(let page): (person, from) = (page.person.text, page.start)
        case .eraseMyData(let erasure): (person, by) = (erasure.person.text, erasure.caller.name)
        case .confirmBattery(let change): (subject, by) = (change.device.text, change.caller.name)
        case .acceptLimits(let decision), .refuseLimits(let decision):
            (person, kind, by) = (decision.person.text, decision.kind.rawValue, decision.caller.name)
            pin = decision.pin
        case .raceSelfTest(let tag): subject = tag.description
        case .runs(let runs):
            (subject, kind) = (runs.run?.text, runs.listsRunners ? Self.runners : nil)
        case .positions(let run): subject = run?.text
        case .runnerVitals(let vitals):
            (subject, bib, by) = (vitals.run.text, vitals.bib.number, vitals.party.text)
        case .race(let race): (subject, from) = (race.run.text, race.first == 0 ? nil : Int64(race.first))
        case .correctRace(let edit):
            (subject, bib, by, reason) = (edit.run.text, edit.bib.number, edit.caller.name, edit.reason)
            correction = CorrectionRecord(edit.act)
        case .profile(let person), .limits(let person), .channels(let person): self.person = person.text
        case .changeProfile(let edit):
            (person, by) = (edit.person.text, edit.caller.name)
            profile = ProfileRecord(edit.change)
        case .changeLimits(let edit):
            (person, kind, by) = (edit.person.text, edit.kind.rawValue, edit.caller.name)
            limits = edit.limits.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value }
        case .changeChannel(let edit):
            (person, subject, by) = (edit.person.text, edit.channel.text, edit.caller.name)
            (emergency, warnings) = (edit.emergency, edit.warnings)
        case .install(let act): act.write(to: &self)
        }
    }

    /// The typed request. Throws an error that names the field that is missing or wrong.
    var request: ControlRequest {
        get throws(ControlError) {
            if let act = try InstallerAct(self) { return .install(act) }
            return switch verb {
            case .status: .status
            case .watch: .watch
            case .follow: .follow
            case .consents: .consents
            case .rotateHistoryKey: .rotateHistoryKey
            case .reload: .reload
            case .reloadSettings: .reloadSettings
            case .reloadRuns: .reloadRuns
            case .abort: .abort(try alarmEnd)
            case .resolve: .resolve(try alarmEnd)
            case .acceptAlarm: .acceptAlarm(try alarmEnd)
            case .callHelp: .callHelp(try ControlRequest.HelpCall(person: person, alarm: alarm, by: by))
            case .alarms:
                .alarms(
                    try ControlRequest.Alarms(
                        person: person, from: try time("from", from), to: try time("to", to), after: alarm))
            case .exercise:
                .exercise(try ControlRequest.Exercise(person: person, minutes: minutes, by: by))
            case .drill: .drill(try ControlRequest.Drill(person: person, by: by))
            case .nameMeasurer:
                .nameMeasurer(try ControlRequest.Measurer(measurement: subject, person: person, by: by))
            case .testButton: .testButton(try ControlRequest.Drill(person: person, by: by))
            case .linkCode: .linkCode(try ControlRequest.Drill(person: person, by: by))
            case .devicePaired: .devicePaired(try ControlRequest.Drill(person: person, by: by))
            case .accept: .accept(try decision)
            case .refuse: .refuse(try decision)
            case .withdraw: .withdraw(try decision)
            case .consentRequest: .consentRequest(try Self.consentRequest.id(subject))
            case .consentHistory: .consentHistory(try ControlField.person.optionalID(person))
            case .history: .history(try history)
            case .myData:
                .myData(
                    ControlRequest.MyData(
                        person: try ControlField.person.id(person),
                        from: try ControlField.entry.number(from ?? 0, in: ControlField.entries)))
            case .eraseMyData: .eraseMyData(try ControlRequest.Erasure(person: person, by: by))
            case .confirmBattery:
                .confirmBattery(ControlRequest.BatteryChange(of: try Self.device.id(subject), by: by))
            case .limitQuestions: .limitQuestions
            case .acceptLimits: .acceptLimits(try limitDecision)
            case .refuseLimits: .refuseLimits(try limitDecision)
            case .raceSelfTest: .raceSelfTest(try tag)
            case .runs:
                .runs(
                    ControlRequest.Runs(
                        run: try Self.run.optionalID(subject), listsRunners: kind == Self.runners))
            case .positions: .positions(try Self.run.optionalID(subject))
            case .runnerVitals: .runnerVitals(try vitals)
            case .race:
                .race(
                    ControlRequest.Race(
                        try Self.run.id(subject),
                        from: Int(try ControlField.entry.number(from ?? 0, in: ControlField.entries))))
            case .correctRace: .correctRace(try raceEdit)
            case .profile: .profile(try ControlField.person.id(person))
            case .limits: .limits(try ControlField.person.id(person))
            case .channels: .channels(try ControlField.person.id(person))
            case .changeProfile:
                .changeProfile(
                    try ControlRequest.ProfileEdit(
                        person: person, try (profile ?? ProfileRecord()).change, by: by))
            case .changeLimits:
                .changeLimits(
                    try ControlRequest.LimitEdit(person: person, kind: kind, limits: limits ?? [:], by: by))
            case .changeChannel:
                .changeChannel(
                    try ControlRequest.ChannelEdit(
                        person: person, channel: subject, emergency: emergency, warnings: warnings, by: by))
            case .deviceSetup, .scanDevices, .pairDevice, .addBroadcaster, .answerPairing, .stopSetup,
                .trackDevice,
                .forgetDevice, .buzz, .startCheck, .checkReport, .recentEvents, .startWalk, .walkRoom,
                .stopWalk, .walk, .settings:
                throw ControlError("\(verb.rawValue): no act of an installer, expected one of their verbs")
            }
        }
    }

    // MARK: Fields

    private static let consentRequest = ControlField(
        "subject", expected: "the id of a request", remedy: "see: homegateway consent list")
    private static let device = ControlField(
        "subject", expected: "the id of a wearable", remedy: "see: homegateway devices list")
    private static let run = ControlField(
        "subject", expected: "the id of a run", remedy: "see: homegateway runs list")
    private static let tag = ControlField(
        "subject", expected: "the tag of a runner", remedy: "name it as the start list does")
    private static let resolution = ControlField(
        "resolution", expected: "one of " + HistoryResolution.allCases.map(\.rawValue).joined(separator: ", "),
        remedy: "name it with --resolution")
    private static let bib = ControlField(
        "bib", expected: "\(Bib.range.lowerBound) to \(Bib.range.upperBound)",
        remedy: "name the runner with --bib NUMBER")

    /// Bounds a time, so that no later calculation overflows.
    private func time(_ name: String, _ given: Int64?) throws(ControlError) -> WallTime {
        let field = ControlField(
            name, expected: "milliseconds since 1970", remedy: "give a time with --\(name)")
        let (time, bounds) = (try field.text(given), ControlField.times)
        return WallTime(millisecondsSince1970: min(max(time, bounds.lowerBound), bounds.upperBound))
    }

    private var alarmEnd: ControlRequest.AlarmEnd {
        get throws(ControlError) {
            try ControlRequest.AlarmEnd(alarm: alarm, person: person, reason: reason, by: by)
        }
    }

    private var decision: ControlRequest.Decision {
        get throws(ControlError) {
            try ControlRequest.Decision(subject: subject, person: person, by: by, pin: pin)
        }
    }

    private var limitDecision: ControlRequest.LimitDecision {
        get throws(ControlError) {
            try ControlRequest.LimitDecision(person: person, kind: kind, by: by, pin: pin)
        }
    }

    private var history: ControlRequest.History {
        get throws(ControlError) {
            var resolution: HistoryResolution?
            if let text = self.resolution {
                resolution = try Self.resolution.value(text) { HistoryResolution(rawValue: $0) }
            }
            return try ControlRequest.History(
                person: person, kind: kind,
                from: try time("from", from), to: try time("to", to), resolution: resolution)
        }
    }

    private var tag: TagName {
        get throws(ControlError) {
            let text = try Self.tag.text(subject)
            do throws(TagIdentity.Flaw) {
                return try TagName(text)
            } catch {
                throw ControlError("the tag cannot be used: \(error)")
            }
        }
    }

    private var runner: Bib {
        get throws(ControlError) {
            let number = try Self.bib.text(bib)
            guard let bib = Bib(number) else { throw Self.bib.wrong(number) }
            return bib
        }
    }

    private var vitals: ControlRequest.Vitals {
        get throws(ControlError) {
            ControlRequest.Vitals(
                run: try Self.run.id(subject), bib: try runner, for: try ControlField.party.id(by))
        }
    }

    private var raceEdit: ControlRequest.RaceEdit {
        get throws(ControlError) {
            try ControlRequest.RaceEdit(
                try Self.correction.text(correction).correction, of: try runner, in: try Self.run.id(subject),
                reason: reason, by: by)
        }
    }

    private static let correction = ControlField(
        "correction", expected: "an object with the act", remedy: "see: docs/integrator/control.md")
}

extension ControlRequest: Codable {
    /// Errors: `ControlError` for a field that is missing or wrong, `DecodingError` for another form.
    package init(from decoder: any Decoder) throws {
        self = try ControlRecord(from: decoder).request
    }

    package func encode(to encoder: any Encoder) throws {
        try ControlRecord(self).encode(to: encoder)
    }
}
