package import Vault

/// What the command line asks of the running gateway: one JSON object, one line, one answer.
package struct ControlRequest: Codable, Sendable {
    package enum Verb: String, Codable, Sendable {
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
    }

    /// `kind` of `runs`: with their names.
    package static let runners = "runners"

    package var verb: Verb
    /// Who asks, as they name themselves; of `runner_vitals`, a `PartyID`.
    package var by: String?
    package var person: String?
    package var alarm: String?
    /// A `ConsentSubject`, a `RequestID`, a `RunID`, a `TagName` or a `DeviceID`.
    package var subject: String?
    /// Of `exercise`, from now; nil ends it.
    package var minutes: Int?
    /// A `QuantityKind`.
    package var kind: String?
    /// Milliseconds since 1970; the second is not included. Of `my_data`, where the page begins.
    package var from, to: Int64?
    /// A `HistoryResolution`.
    package var resolution: String?
    /// Of `runner_vitals`.
    package var bib: Int?

    package init(
        _ verb: Verb, by: String? = nil, person: String? = nil, alarm: String? = nil, subject: String? = nil,
        minutes: Int? = nil, kind: String? = nil, from: Int64? = nil, to: Int64? = nil,
        resolution: String? = nil, bib: Int? = nil
    ) {
        self.verb = verb
        self.by = by
        self.person = person
        self.alarm = alarm
        self.subject = subject
        self.minutes = minutes
        self.kind = kind
        (self.from, self.to, self.resolution, self.bib) = (from, to, resolution, bib)
    }
}

/// The answer: lines for a person, and whether it was done.
package struct ControlReply: Codable, Sendable {
    package var isDone: Bool
    package var lines: [String]
    package var history: HistoryPage?
    package var myData: MyDataPage?
    package var positions: [PositionRow]?
    package var vitals: RunnerVitals?

    package static func done(_ lines: String...) -> ControlReply { ControlReply(isDone: true, lines: lines) }
    package static func refused(_ reason: String) -> ControlReply {
        ControlReply(isDone: false, lines: [reason])
    }

    package init(
        isDone: Bool, lines: [String], history: HistoryPage? = nil, myData: MyDataPage? = nil,
        positions: [PositionRow]? = nil, vitals: RunnerVitals? = nil
    ) {
        self.isDone = isDone
        self.lines = lines
        self.history = history
        self.myData = myData
        self.positions = positions
        self.vitals = vitals
    }
}
