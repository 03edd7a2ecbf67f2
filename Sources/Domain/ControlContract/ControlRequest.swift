package import GatewayModel
package import RunBeacon

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
        case testButton = "test_button"
        case linkCode = "link_code"
        case devicePaired = "device_paired"
        case nameMeasurer = "name_measurer"
        case alarms
        case race
        case correctRace = "correct_race"
        case deviceSetup = "device_setup"
        case scanDevices = "scan_devices"
        case pairDevice = "pair_device"
        case addBroadcaster = "add_broadcaster"
        case answerPairing = "answer_pairing"
        case stopSetup = "stop_setup"
        case trackDevice = "track_device"
        case forgetDevice = "forget_device"
        case buzz
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
    /// Lets the next press of a person's help button be a test.
    case testButton(Drill)
    /// Makes the code with which an account of TrackMe may ask to be linked to the person.
    case linkCode(Drill)
    /// A device was paired for the person: the house says so.
    case devicePaired(Drill)
    /// Says whose the measurement of a shared cuff or scale is.
    case nameMeasurer(Measurer)
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
        case .testButton: .testButton
        case .linkCode: .linkCode
        case .devicePaired: .devicePaired
        case .nameMeasurer: .nameMeasurer
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

// MARK: Payload of one case

extension ControlRequest {
    package var abort: AlarmEnd? { if case .abort(let payload) = self { payload } else { nil } }
    package var resolve: AlarmEnd? { if case .resolve(let payload) = self { payload } else { nil } }
    package var acceptAlarm: AlarmEnd? { if case .acceptAlarm(let payload) = self { payload } else { nil } }
    package var callHelp: HelpCall? { if case .callHelp(let payload) = self { payload } else { nil } }
    package var alarms: Alarms? { if case .alarms(let payload) = self { payload } else { nil } }
    package var exercise: Exercise? { if case .exercise(let payload) = self { payload } else { nil } }
    package var drill: Drill? { if case .drill(let payload) = self { payload } else { nil } }
    package var testButton: Drill? { if case .testButton(let payload) = self { payload } else { nil } }
    package var linkCode: Drill? { if case .linkCode(let payload) = self { payload } else { nil } }
    package var devicePaired: Drill? { if case .devicePaired(let payload) = self { payload } else { nil } }
    package var nameMeasurer: Measurer? {
        if case .nameMeasurer(let payload) = self { payload } else { nil }
    }
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
