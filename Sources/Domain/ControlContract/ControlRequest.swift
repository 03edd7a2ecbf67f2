package import Consent
package import GatewayModel
package import RunBeacon
package import SOSLocal

/// Request of the command line to the running gateway. Each case has the payload of its verb.
///
/// On the wire it is a `ControlRecord`: one JSON object on one line.
package enum ControlRequest: Hashable, Sendable {
    /// Names of the requests on the wire. A released name never changes: an older command line is still understood.
    package enum Verb: String, CaseIterable, Codable, Sendable {
        case status, abort, resolve, accept, withdraw, consents, reload, watch, exercise, drill
        case history
        case refuse
        case consentRequest = "consent_request"
        case consentHistory = "consent_history"
        case rotateHistoryKey = "rotate_history_key"
        case myData = "my_data"
        case eraseMyData = "erase_my_data"
        case raceSelfTest = "race_self_test"
        case runs
        case positions
        case reloadRuns = "reload_runs"
        case runnerVitals = "runner_vitals"
        case reloadSettings = "reload_settings"
        case confirmBattery = "confirm_battery"
        case follow
        case profile, limits, channels
        case changeProfile = "change_profile"
        case changeLimits = "change_limits"
        case changeChannel = "change_channel"
        case limitQuestions = "limit_questions"
        case acceptLimits = "accept_limits"
        case refuseLimits = "refuse_limits"
        case acceptAlarm = "accept_alarm"
        case callHelp = "call_help"
        case alarms
        case race
        case correctRace = "correct_race"
        case deviceSetup = "device_setup"
        case scanDevices = "scan_devices"
        case pairDevice = "pair_device"
        case answerPairing = "answer_pairing"
        case stopSetup = "stop_setup"
        case trackDevice = "track_device"
        case forgetDevice = "forget_device"
        case startCheck = "start_check"
        case checkReport = "check_report"
        case recentEvents = "recent_events"
        case startWalk = "start_walk"
        case walkRoom = "walk_room"
        case stopWalk = "stop_walk"
        case walk
        case settings
    }

    case status
    /// Asks for the stream of events instead of one answer.
    case watch
    /// Asks for the stream of states: one at once, one after each change, and one a second.
    case follow
    case abort(AlarmEnd)
    case resolve(AlarmEnd)
    /// A person takes the call: "I have it".
    case acceptAlarm(AlarmEnd)
    /// A person asks for help now.
    case callHelp(HelpCall)
    /// Alarms of a person in a period.
    case alarms(Alarms)
    case exercise(Exercise)
    case drill(Drill)
    case accept(Decision)
    case refuse(Decision)
    case withdraw(Decision)
    case consents
    case consentRequest(RequestID)
    /// Decisions of one person; nil for the decisions of all.
    case consentHistory(PersonID?)
    case history(History)
    case rotateHistoryKey
    case myData(MyData)
    case eraseMyData(Erasure)
    /// Reads the devices again.
    case reload
    case reloadSettings
    case confirmBattery(BatteryChange)
    case raceSelfTest(TagName)
    case runs(Runs)
    /// Positions in one run; nil for all runs.
    case positions(RunID?)
    case reloadRuns
    case runnerVitals(Vitals)
    /// State of a run for its pages.
    case race(Race)
    case correctRace(RaceEdit)
    /// Shows the profile of a person, the limits, the channels.
    case profile(PersonID)
    case limits(PersonID)
    case channels(PersonID)
    case changeProfile(ProfileEdit)
    case changeLimits(LimitEdit)
    case changeChannel(ChannelEdit)
    /// Limits that were set by command, and those that wait for an answer.
    case limitQuestions
    case acceptLimits(LimitDecision)
    case refuseLimits(LimitDecision)
    /// Acts of an installer on wearables and checks; one verb each.
    case install(InstallerAct)

    package var verb: Verb {
        switch self {
        case .status: .status
        case .watch: .watch
        case .follow: .follow
        case .abort: .abort
        case .resolve: .resolve
        case .exercise: .exercise
        case .drill: .drill
        case .accept: .accept
        case .refuse: .refuse
        case .withdraw: .withdraw
        case .consents: .consents
        case .consentRequest: .consentRequest
        case .consentHistory: .consentHistory
        case .history: .history
        case .rotateHistoryKey: .rotateHistoryKey
        case .myData: .myData
        case .eraseMyData: .eraseMyData
        case .reload: .reload
        case .reloadSettings: .reloadSettings
        case .confirmBattery: .confirmBattery
        case .raceSelfTest: .raceSelfTest
        case .runs: .runs
        case .positions: .positions
        case .reloadRuns: .reloadRuns
        case .runnerVitals: .runnerVitals
        case .profile: .profile
        case .limits: .limits
        case .channels: .channels
        case .changeProfile: .changeProfile
        case .changeLimits: .changeLimits
        case .changeChannel: .changeChannel
        case .limitQuestions: .limitQuestions
        case .acceptLimits: .acceptLimits
        case .refuseLimits: .refuseLimits
        case .acceptAlarm: .acceptAlarm
        case .callHelp: .callHelp
        case .alarms: .alarms
        case .race: .race
        case .correctRace: .correctRace
        case .install(let act): act.verb
        }
    }
}

// MARK: Payloads

extension ControlRequest {
    /// Name of the caller for the record, without control characters.
    package struct Caller: Hashable, Sendable {
        package let name: String
        /// Interface of the act, for the record.
        package let means: PersonAct.Means
        /// Paired device of the caller; nil for a caller without a session.
        package let session: String?
        /// Name that is compared with the deciders of the settings.
        package internal(set) var decider: String

        /// Means of a decision about data.
        package var consentMeans: ConsentMeans { means == .commandLine ? .commandLine : .console }

        package init(_ session: ControlSession) {
            (name, means) = (session.name, session.isScreen ? .screen : .page)
            self.session = session.id
            // The person decides by their own session, whatever its name is.
            decider = session.role == .person ? session.person?.text ?? session.name : session.name
        }

        /// - Parameter given: the name that the caller gave, if any.
        package init(_ given: String?) {
            let plain = (given ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }
            let name = String(String.UnicodeScalarView(plain).prefix(200))
            self.name = name.isEmpty ? "someone in the house" : name
            (means, decider, session) = (.commandLine, self.name, nil)
        }
    }

    /// End of an alarm, by `abort`, `resolve` or `accept_alarm`.
    package struct AlarmEnd: Hashable, Sendable {
        /// Maximum number of characters of a reason.
        private static let reasonLength = 120

        /// The alarm, the person with the alarm, or nil of both for the only open alarm.
        package let alarm: AlarmID?
        package internal(set) var person: PersonID?
        /// Words on how the alarm was dealt with; nil where none were given.
        package let reason: String?
        package internal(set) var caller: Caller

        package init(
            alarm: String?, person: String?, reason: String? = nil, by caller: String?
        ) throws(ControlError) {
            self.alarm = try ControlRequest.alarmID(alarm)
            let reason = reason.map { Shown.text($0, most: Self.reasonLength) } ?? ""
            self.reason = reason.isEmpty ? nil : reason
            self.person = try ControlField.person.optionalID(person)
            self.caller = Caller(caller)
        }

        package var target: AlarmTarget {
            alarm.map { .alarm($0) } ?? person.map { .person($0) } ?? .theOpenOne
        }
    }

    /// Call for help by a person, for themselves or for the person of their session.
    package struct HelpCall: Hashable, Sendable {
        /// Nil where `alarm` names the person.
        package internal(set) var person: PersonID?
        /// Alarm that was cancelled, and for which help is called after all.
        package let alarm: AlarmID?
        package internal(set) var caller: Caller

        package init(person: String?, alarm: String?, by caller: String?) throws(ControlError) {
            self.person = try ControlField.person.optionalID(person)
            self.alarm = try ControlRequest.alarmID(alarm)
            self.caller = Caller(caller)
        }
    }

    /// Page of the alarms of a person, the newest first.
    package struct Alarms: Hashable, Sendable {
        package let person: PersonID
        package let from: WallTime
        /// Not included.
        package let to: WallTime
        /// Last alarm of the page before; nil for the first page.
        package let after: AlarmID?

        package init(person: PersonID, from: WallTime, to: WallTime, after: AlarmID? = nil) {
            (self.person, self.from, self.to, self.after) = (person, from, to, after)
        }

        package init(person: String?, from: WallTime, to: WallTime, after: String?) throws(ControlError) {
            self.init(
                person: try ControlField.person.id(person), from: from, to: to,
                after: try ControlRequest.alarmID(after))
        }
    }

    fileprivate static func alarmID(_ text: String?) throws(ControlError) -> AlarmID? {
        guard let text else { return nil }
        guard let alarm = AlarmID(text) else {
            throw ControlError(
                "alarm: '\(Shown.text(text))' is no alarm id; it looks like 0190c3a2-…, see: homegateway status"
            )
        }
        return alarm
    }

    package struct Exercise: Hashable, Sendable {
        package let person: PersonID
        /// Minutes from now; nil ends the exercise.
        package let minutes: Int?
        package internal(set) var caller: Caller

        package init(person: String?, minutes: Int?, by caller: String?) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            (self.minutes, self.caller) = (minutes, Caller(caller))
        }
    }

    package struct Drill: Hashable, Sendable {
        package let person: PersonID
        package internal(set) var caller: Caller

        package init(person: String?, by caller: String?) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            self.caller = Caller(caller)
        }
    }

    /// Decision about a policy or about a request of a third party.
    package struct Decision: Hashable, Sendable {
        package enum Subject: Hashable, Sendable {
            case policy(ConsentSubject, of: PersonID)
            /// The request names its person itself; a person that is given has to be that one.
            case request(RequestID, of: PersonID?)
        }

        package internal(set) var subject: Subject
        package internal(set) var caller: Caller
        /// Digits of a decision at the room's screen. They are not kept.
        let pin: String?

        package init(
            subject: String?, person: String?, by caller: String?, pin: String? = nil
        ) throws(ControlError) {
            let known = ConsentSubject.allCases.map(\.rawValue).joined(separator: ", ")
            let field = ControlField(
                "subject", expected: "\(known) or the id of a request", remedy: "see: homegateway consent list")
            let text = try field.text(subject)
            if let policy = ConsentSubject(rawValue: text) {
                self.subject = .policy(policy, of: try ControlField.person.id(person))
            } else {
                let request: RequestID = try field.value(text) { RequestID($0) }
                self.subject = .request(request, of: try ControlField.person.optionalID(person))
            }
            self.caller = Caller(caller)
            self.pin = pin
        }
    }

    /// Decision about limits that a command wants to widen.
    package struct LimitDecision: Hashable, Sendable {
        package let person: PersonID
        package let kind: QuantityKind
        package internal(set) var caller: Caller
        /// As in `Decision`.
        let pin: String?

        package init(
            person: String?, kind: String?, by caller: String?, pin: String? = nil
        ) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            self.kind = try ControlField.kind.value(kind) { QuantityKind(rawValue: $0) }
            self.caller = Caller(caller)
            self.pin = pin
        }
    }

    /// Page of a person's stored readings of one kind, or of the person's positions.
    package struct History: Hashable, Sendable {
        package let person: PersonID
        package let kind: DataKind
        package let from: WallTime
        /// Not included.
        package let to: WallTime
        /// Nil for the resolution that fits the span.
        package let resolution: HistoryResolution?

        package init(
            person: PersonID, kind: DataKind, from: WallTime, to: WallTime, resolution: HistoryResolution?
        ) {
            (self.person, self.kind, self.from, self.to) = (person, kind, from, to)
            self.resolution = resolution
        }

        package init(
            person: String?, kind: String?, from: WallTime, to: WallTime, resolution: HistoryResolution?
        ) throws(ControlError) {
            self.init(
                person: try ControlField.person.id(person),
                kind: try ControlField.storedKind.value(kind) { DataKind(rawValue: $0) }, from: from, to: to,
                resolution: resolution)
        }
    }

    /// Page of all data about a person.
    package struct MyData: Hashable, Sendable {
        package let person: PersonID
        /// Number of the first entry.
        package let start: Int64

        package init(person: PersonID, from start: Int64) {
            (self.person, self.start) = (person, start)
        }
    }

    package struct Erasure: Hashable, Sendable {
        package let person: PersonID
        package internal(set) var caller: Caller

        package init(person: String?, by caller: String?) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            self.caller = Caller(caller)
        }
    }

    /// Confirmation that the battery of a broadcaster was changed.
    package struct BatteryChange: Hashable, Sendable {
        package let device: DeviceID
        package internal(set) var caller: Caller

        package init(of device: DeviceID, by caller: String?) {
            (self.device, self.caller) = (device, Caller(caller))
        }
    }

    package struct Runs: Hashable, Sendable {
        /// Nil for all runs.
        package let run: RunID?
        /// Whether the answer names the runners.
        package let listsRunners: Bool

        package init(run: RunID?, listsRunners: Bool = false) {
            (self.run, self.listsRunners) = (run, listsRunners)
        }
    }

    /// Vital signs of a runner, as far as a third party may see them.
    package struct Vitals: Hashable, Sendable {
        package let run: RunID
        package let bib: Bib
        package let party: PartyID

        package init(run: RunID, bib: Bib, for party: PartyID) {
            (self.run, self.bib, self.party) = (run, bib, party)
        }
    }
}

// MARK: Races

extension ControlRequest {
    /// Part of a `RaceDocument`.
    package struct Race: Hashable, Sendable {
        package let run: RunID
        /// Number of the first row.
        package let first: Int

        package init(_ run: RunID, from first: Int = 0) { (self.run, self.first) = (run, first) }
    }

    /// Correction of the results of a run.
    package struct RaceEdit: Hashable, Sendable {
        package let run: RunID
        package let bib: Bib
        package let act: RaceCorrection.Act
        package let reason: String
        package internal(set) var caller: Caller

        /// Errors: a reason that is missing.
        package init(
            _ act: RaceCorrection.Act, of bib: Bib, in run: RunID, reason: String?, by caller: String?
        ) throws(ControlError) {
            let reason = Shown.text(reason ?? "", most: RaceCorrection.reasonLength.upperBound)
            guard reason.contains(where: { !$0.isWhitespace }) else {
                throw ControlError(
                    "reason: missing, expected a word on how this is known; write one and send it again")
            }
            (self.act, self.bib, self.run, self.reason) = (act, bib, run, reason)
            self.caller = Caller(caller)
        }
    }
}

// MARK: Values that belong to a person

extension ControlRequest {
    /// Change of a person's profile.
    package struct ProfileEdit: Hashable, Sendable {
        package let person: PersonID
        package let change: ProfileChange
        package internal(set) var caller: Caller

        package init(person: String?, _ change: ProfileChange, by caller: String?) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            (self.change, self.caller) = (change, Caller(caller))
        }
    }

    /// Change of a person's limits on one kind of reading.
    package struct LimitEdit: Hashable, Sendable {
        package let person: PersonID
        package let kind: QuantityKind
        /// Nil goes back to the settings.
        package let limits: [LimitSlot: Double?]
        package internal(set) var caller: Caller

        /// - Parameter limits: by the names of the slots; empty to go back to the settings with all of them.
        package init(
            person: String?, kind: String?, limits: [String: Double], by caller: String?
        ) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            self.kind = try ControlField.kind.value(kind) { QuantityKind(rawValue: $0) }
            var slots: [LimitSlot: Double?] = [:]
            for (name, limit) in limits {
                slots[try Self.slot.value(name) { LimitSlot(rawValue: $0) }] = .some(limit)
            }
            if limits.isEmpty { for slot in LimitSlot.allCases { slots[slot] = .some(nil) } }
            (self.limits, self.caller) = (slots, Caller(caller))
        }

        /// Whether it goes back to the settings.
        package var isReset: Bool { limits.values.allSatisfy { $0 == nil } }

        private static let slot = ControlField(
            "limits", expected: "one of " + LimitSlot.allCases.map(\.rawValue).joined(separator: ", "),
            remedy: "name it with --low, --high, --warning-low or --warning-high")
    }

    /// Choice about one channel of a person.
    package struct ChannelEdit: Hashable, Sendable {
        package let person: PersonID
        package let channel: ChannelID
        /// Nil leaves it as it is.
        package let emergency: Bool?
        package let warnings: Bool?
        package internal(set) var caller: Caller

        /// - Parameters:
        ///   - emergency: whether it is called in an emergency.
        ///   - warnings: whether it is told of warnings. Both nil go back to the settings.
        package init(
            person: String?, channel: String?, emergency: Bool?, warnings: Bool?, by caller: String?
        ) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            self.channel = try Self.field.id(channel)
            (self.emergency, self.warnings, self.caller) = (emergency, warnings, Caller(caller))
        }

        package var isReset: Bool { emergency == nil && warnings == nil }

        private static let field = ControlField(
            "subject", expected: "the id of a channel", remedy: "see: homegateway channels show")
    }
}

// MARK: Payload of one case

extension ControlRequest {
    package var abort: AlarmEnd? { if case .abort(let payload) = self { payload } else { nil } }
    package var resolve: AlarmEnd? { if case .resolve(let payload) = self { payload } else { nil } }
    package var acceptAlarm: AlarmEnd? { if case .acceptAlarm(let payload) = self { payload } else { nil } }
    package var callHelp: HelpCall? { if case .callHelp(let payload) = self { payload } else { nil } }
    package var alarms: Alarms? { if case .alarms(let payload) = self { payload } else { nil } }
    package var exercise: Exercise? { if case .exercise(let payload) = self { payload } else { nil } }
    package var drill: Drill? { if case .drill(let payload) = self { payload } else { nil } }
    package var accept: Decision? { if case .accept(let payload) = self { payload } else { nil } }
    package var refuse: Decision? { if case .refuse(let payload) = self { payload } else { nil } }
    package var withdraw: Decision? { if case .withdraw(let payload) = self { payload } else { nil } }
    package var consentRequest: RequestID? {
        if case .consentRequest(let payload) = self { payload } else { nil }
    }
    package var consentHistory: PersonID?? {
        if case .consentHistory(let payload) = self { .some(payload) } else { nil }
    }
    package var history: History? { if case .history(let payload) = self { payload } else { nil } }
    package var myData: MyData? { if case .myData(let payload) = self { payload } else { nil } }
    package var eraseMyData: Erasure? { if case .eraseMyData(let payload) = self { payload } else { nil } }
    package var confirmBattery: BatteryChange? {
        if case .confirmBattery(let payload) = self { payload } else { nil }
    }
    package var raceSelfTest: TagName? { if case .raceSelfTest(let payload) = self { payload } else { nil } }
    package var runs: Runs? { if case .runs(let payload) = self { payload } else { nil } }
    package var positions: RunID?? { if case .positions(let payload) = self { .some(payload) } else { nil } }
    package var profile: PersonID? { if case .profile(let payload) = self { payload } else { nil } }
    package var limits: PersonID? { if case .limits(let payload) = self { payload } else { nil } }
    package var channels: PersonID? { if case .channels(let payload) = self { payload } else { nil } }
    package var changeProfile: ProfileEdit? {
        if case .changeProfile(let payload) = self { payload } else { nil }
    }
    package var changeLimits: LimitEdit? { if case .changeLimits(let payload) = self { payload } else { nil } }
    package var changeChannel: ChannelEdit? {
        if case .changeChannel(let payload) = self { payload } else { nil }
    }
    package var acceptLimits: LimitDecision? {
        if case .acceptLimits(let payload) = self { payload } else { nil }
    }
    package var refuseLimits: LimitDecision? {
        if case .refuseLimits(let payload) = self { payload } else { nil }
    }
    package var race: Race? { if case .race(let payload) = self { payload } else { nil } }
    package var correctRace: RaceEdit? { if case .correctRace(let payload) = self { payload } else { nil } }
    package var install: InstallerAct? { if case .install(let payload) = self { payload } else { nil } }
    package var runnerVitals: Vitals? { if case .runnerVitals(let payload) = self { payload } else { nil } }
}
