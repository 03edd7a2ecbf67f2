/// A lasting condition of the gateway itself: declared once here, shown alike by the command line,
/// the log, systemd's status line and the broker.
public enum HealthCode: String, CaseIterable, Hashable, Sendable {
    case bluetoothUnavailable = "bluetooth-unavailable"
    case bluetoothHung = "bluetooth-hung"
    case advertsLessSure = "adverts-less-sure"
    case advertsRefused = "adverts-refused"
    case batteryUnconfirmed = "battery-unconfirmed"
    case radioDeaf = "radio-deaf"
    case wearableNeverHeard = "wearable-never-heard"
    case sosButtonUntested = "sos-button-untested"
    case wearableAway = "wearable-away"
    case wearableUnsupported = "wearable-unsupported"
    case wearableSilent = "wearable-silent"
    case readingsUnproven = "readings-unproven"
    case batteryLow = "battery-low"
    case sensorContactLost = "sensor-contact-lost"
    case undecodableReadings = "undecodable-readings"
    case wearableUserUnnamed = "wearable-user-unnamed"
    case positionUnavailable = "position-unavailable"
    case brokerUnreachable = "broker-unreachable"
    case brokerRefused = "broker-refused"
    case brokerSessionTaken = "broker-session-taken"
    case brokerMisbehaves = "broker-misbehaves"
    case acceptancesRefused = "acceptances-refused"
    case deskUnattended = "desk-unattended"
    case nothingAccepted = "nothing-accepted"
    case consentDamaged = "consent-damaged"
    case dashboardUnreachable = "dashboard-unreachable"
    case outboxFull = "outbox-full"
    case storageUnavailable = "storage-unavailable"
    case storageDamaged = "storage-damaged"
    case devicesDamaged = "devices-damaged"
    case identityRenewed = "identity-renewed"
    case clockNotSet = "clock-not-set"
    case certificateEnding = "certificate-ending"
    case historyOff = "history-off"
    case runFilesWrong = "run-files-wrong"
    case runsDoubtful = "runs-doubtful"
    case alarmsForgotten = "alarms-forgotten"
    case alarmNotCancellable = "alarm-not-cancellable"
    case houseUnalarmed = "house-unalarmed"
    case houseSilent = "house-silent"
    case houseVoiceless = "house-voiceless"
    case houseLampDark = "house-lamp-dark"
    case houseButtonDead = "house-button-dead"
    case realtimeUnavailable = "realtime-unavailable"
    case channelFailing = "channel-failing"
    case helpUnreachable = "help-unreachable"
    case drillFailed = "drill-failed"
    case mainsLost = "mains-lost"
    case houseBatteryLow = "house-battery-low"
    case raceClockUnset = "race-clock-unset"
    case raceClockDisputed = "race-clock-disputed"
    case passingLogUnavailable = "passing-log-unavailable"
    case raceDeaf = "race-deaf"
    case raceSilent = "race-silent"
    case raceRadioDeaf = "race-radio-deaf"
    case settingsRefused = "settings-refused"
    case settingsEntrySetAside = "settings-entry-set-aside"
    case settingIgnored = "setting-ignored"
    case nobodyToCall = "nobody-to-call"
    case settingsFileWrong = "settings-file-wrong"
    case settingsNotApplied = "settings-not-applied"
    case inputSetAside = "input-set-aside"
    case sourceUnavailable = "source-unavailable"
    case sourceRefused = "source-refused"
    case consoleUnavailable = "console-unavailable"

    /// Whether the pages of the family and of the carers show it, beside the pauses of the supervision and the ways to help:
    /// they can have it mended.
    public var isShownToFamily: Bool {
        switch self {
        case .houseButtonDead, .houseSilent, .houseUnalarmed, .alarmNotCancellable, .storageDamaged,
            .clockNotSet,
            .certificateEnding, .mainsLost, .houseBatteryLow:
            true
        default: false
        }
    }

    public enum Severity: String, CaseIterable, Sendable, Comparable {
        /// Supervision of a person is impaired: rules may not see what happens.
        case supervision
        /// Something does not work; emergencies are still judged.
        case degraded
        /// For the installer to know.
        case notice

        private var rank: Int {
            switch self {
            case .notice: 0
            case .degraded: 1
            case .supervision: 2
            }
        }

        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
    }
}

/// One condition that holds now: the code, and which thing it is about (a device, a person), if any.
public struct HealthCondition: Hashable, Sendable {
    public let code: HealthCode
    public let subject: String?

    public init(_ code: HealthCode, subject: String? = nil) {
        self.code = code
        self.subject = subject
    }
}
