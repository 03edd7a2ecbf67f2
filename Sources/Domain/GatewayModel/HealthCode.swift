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

    public struct Declaration: Sendable {
        public let title: String
        public let severity: Severity
        public let remedy: String
    }

    public var declaration: Declaration {
        switch self {
        case .bluetoothUnavailable:
            Declaration(
                title: "Bluetooth cannot be reached", severity: .supervision,
                remedy: "Check that bluetoothd runs: systemctl status bluetooth")
        case .bluetoothHung:
            Declaration(
                title: "Bluetooth seems to hang: supervision is paused", severity: .supervision,
                remedy: "The log names each try; if it lasts, unplug the adapter or restart the box")
        case .advertsLessSure:
            Declaration(
                title: "Adverts are heard through bluetoothd, less surely: a press of a button may be missed",
                severity: .degraded,
                remedy: "See: homegateway check. The systemd unit grants the right to listen, CAP_NET_RAW")
        case .advertsRefused:
            Declaration(
                title: "A wearable's adverts are not believed: its button would call nobody",
                severity: .supervision,
                remedy:
                    "The log says why. Check key_file against the device's app; or forget it and add it again"
            )
        case .batteryUnconfirmed:
            Declaration(
                title: "A wearable counts its adverts anew: it calls for help, and cannot cancel",
                severity: .supervision,
                remedy:
                    "If its battery was changed, press its button, then: homegateway devices battery ID. Otherwise "
                    + "somebody may be replaying recorded adverts"
            )
        case .radioDeaf:
            Declaration(
                title: "The radio hears no advert of any device: a press of a button would not be heard",
                severity: .supervision,
                remedy: "Move the adapter away from Wi-Fi and metal; plug it in again, or restart the box. "
                    + "See: dmesg")
        case .wearableNeverHeard:
            Declaration(
                title: "A wearable that advertises was never heard since it was added", severity: .supervision,
                remedy: "Press its button once near the box; begin a test before if it calls for help: "
                    + "homegateway test-button --person ID. If this stays, its address or its battery is wrong: "
                    + "compare homegateway devices list with homegateway devices scan")
        case .sosButtonUntested:
            Declaration(
                title: "An SOS button was not pressed in its test: it is not known whether it works",
                severity: .degraded,
                remedy:
                    "Begin a test (homegateway test-button, or the page Set up) and have it pressed once, within two "
                    + "minutes. If nothing is said, change its battery, and compare its address: homegateway devices list"
            )
        case .wearableAway:
            Declaration(
                title: "A wearable is out of reach", severity: .supervision,
                remedy: "Check that it is worn, charged and in the house")
        case .wearableUnsupported:
            Declaration(
                title: "A wearable gives nothing that this gateway understands", severity: .supervision,
                remedy:
                    "It is in reach, and shows no measurement of a standard form. Give its wearer a device of "
                    + "docs/installer/wearables.md, and take this one out: homegateway devices forget ID")
        case .wearableSilent:
            Declaration(
                title: "A wearable is connected but sends nothing", severity: .supervision,
                remedy: "Check that it is worn as its maker says; take it off and put it on again")
        case .readingsUnproven:
            Declaration(
                title: "A wearable's measurement has stopped although it is connected", severity: .supervision,
                remedy: "Check that it is worn and switched on; it is being connected anew")
        case .batteryLow:
            Declaration(
                title: "A wearable's battery is nearly empty", severity: .degraded,
                remedy: "Charge it, or change its battery")
        case .sensorContactLost:
            Declaration(
                title: "A wearable does not touch the skin", severity: .supervision,
                remedy: "Put it on again; moisten the electrodes of a chest strap")
        case .undecodableReadings:
            Declaration(
                title: "A wearable sends bytes that cannot be decoded", severity: .degraded,
                remedy: "See the log for the bytes; update or replace the wearable")
        case .wearableUserUnnamed:
            Declaration(
                title:
                    "Somebody has measured with a shared device whom nobody has named: the value is nobody's",
                severity: .degraded,
                remedy:
                    "Ask who measured. Name the users of the device: users = { 1 = \"maria\" } of its [[wearable]]"
            )
        case .positionUnavailable:
            Declaration(
                title: "No position from gpsd", severity: .degraded,
                remedy: "Check that gpsd runs and its receiver sees the sky: gpspipe -w")
        case .brokerUnreachable:
            Declaration(
                title: "The broker cannot be reached", severity: .degraded,
                remedy: "Check the network and [broker] host and port in the settings")
        case .brokerRefused:
            Declaration(
                title: "The broker refuses this gateway", severity: .degraded,
                remedy: "Check the gateway's rights at the broker; the log has its reason code")
        case .brokerSessionTaken:
            Declaration(
                title: "Another client uses this gateway's id at the broker, and takes its connection",
                severity: .degraded,
                remedy: "Give every gateway its own id: [gateway] id in the settings of each box")
        case .brokerMisbehaves:
            Declaration(
                title: "The broker keeps sending packets that it must not send", severity: .notice,
                remedy: "Show the operator of the broker the log: it names the packets. None of them is used")
        case .acceptancesRefused:
            Declaration(
                title: "Acceptances of calls for help are refused: the calling goes on", severity: .degraded,
                remedy: "The log says why. The service must sign them with a key of [[commands.issuers]]: "
                    + "see docs/integrator/commands.md")
        case .deskUnattended:
            Declaration(
                title: "Nobody is at the emergency desk, or the desk is not heard: help is called all the same",
                severity: .degraded,
                remedy: "Ask the operator of the desk to have somebody sign in. If somebody is there, see "
                    + "docs/trackme/desk.md#tell-the-houses-that-nobody-is-there")
        case .nothingAccepted:
            Declaration(
                title: "No data policy is accepted: nothing is sent", severity: .notice,
                remedy: "Ask the person, then: homegateway consent accept --person NAME data-policy")
        case .consentDamaged:
            Declaration(
                title: "The consent ledger was damaged: readings stay in the house until somebody accepts anew",
                severity: .supervision,
                remedy: "Look: homegateway consent list; then accept for each person, as they wish. "
                    + "The log names the file set aside")
        case .dashboardUnreachable:
            Declaration(
                title: "The home's own dashboard is not reached: it shows nothing new", severity: .notice,
                remedy: "The log says why. Check that its broker runs, and [home_assistant] in the settings")
        case .outboxFull:
            Declaration(
                title: "Unsent readings were given up to make room", severity: .degraded,
                remedy: "Restore the connection to the broker; a gap record names the missing readings")
        case .storageDamaged:
            Declaration(
                title: "A file of the state directory was damaged; its readable part was saved",
                severity: .degraded,
                remedy:
                    "Change the SD card soon; the log names the file set aside. It clears with the next start")
        case .devicesDamaged:
            Declaration(
                title: "The file of wearables that were added by command was damaged: some may not be watched",
                severity: .supervision,
                remedy:
                    "Compare: homegateway devices list; find the missing ones: homegateway devices scan. Pair them again. "
                    + "It clears with the next start")
        case .identityRenewed:
            Declaration(
                title: "The gateway's own key was damaged, and another was made: nobody can check its receipts",
                severity: .degraded,
                remedy:
                    "Have the issuer of commands pin the new key: homegateway contract keys; or put identity.key "
                    + "back from a backup, and restart. It clears with the next start")
        case .clockNotSet:
            Declaration(
                title:
                    "The box's clock is not set: times are wrong, and the ends of certificates are not judged",
                severity: .degraded,
                remedy: "Give the box a network with a time server, or set the clock: timedatectl. "
                    + "Alarms are judged all the same")
        case .certificateEnding:
            Declaration(
                title: "A certificate ends within 30 days, or has ended: then help is not called by its way",
                severity: .degraded,
                remedy: "The reason names the file and the day. Put a new one in its place, then: "
                    + "sudo systemctl restart homegateway")
        case .runFilesWrong:
            Declaration(
                title: "A run file is wrong and is not taken: its run is not timed as it says",
                severity: .degraded,
                remedy: "See: homegateway runs check; correct it, then: homegateway runs reload")
        case .runsDoubtful:
            Declaration(
                title: "The runs of this box contradict each other or the commands", severity: .notice,
                remedy: "See: homegateway runs list")
        case .historyOff:
            Declaration(
                title: "Readings are not kept in the house: the past that is shown has a gap",
                severity: .degraded,
                remedy: "The log says why: the disk, or the key of [history]. It is tried again by itself")
        case .storageUnavailable:
            Declaration(
                title: "The state directory cannot be written: unsent messages are lost at a stop",
                severity: .degraded, remedy: "Check the disk, and [gateway] state_directory in the settings")
        case .alarmsForgotten:
            Declaration(
                title: "The state before the restart cannot be read: an alarm may have been lost",
                severity: .supervision,
                remedy: "Ask how everyone is; the log names the file. It clears with the next start")
        case .alarmNotCancellable:
            Declaration(
                title: "Nobody in the house can cancel a false alarm", severity: .degraded,
                remedy: "Add a button that cancels, or declare cannot_cancel in the settings: homegateway check"
            )
        case .houseUnalarmed:
            Declaration(
                title: "Nobody in the house can be told of an alarm: no console, sound or lamp",
                severity: .supervision,
                remedy: "Check where the gateway's standard output goes, and [house] in the settings")
        case .houseSilent:
            Declaration(
                title: "An alarm cannot be heard in the house", severity: .degraded,
                remedy: "The log says why. Check the sound card: aplay -l; without one: [house] sound = false")
        case .houseVoiceless:
            Declaration(
                title: "An alarm sounds without words", severity: .degraded,
                remedy: "The log says why. Install espeak-ng; without a voice: [house] voice = false")
        case .houseLampDark:
            Declaration(
                title: "The lamp of the house cannot be switched", severity: .degraded,
                remedy: "The log says why. Check [house.lamp] in the settings: gpioinfo")
        case .houseButtonDead:
            Declaration(
                title: "The button of the box does not work: it neither cancels nor calls", severity: .degraded,
                remedy: "The log says why. Check [house.button] in the settings, and its wires: gpioinfo")
        case .realtimeUnavailable:
            Declaration(
                title: "No real-time priority for the SOS thread", severity: .notice,
                remedy: "Start through systemd (LimitRTPRIO=), or as root")
        case .channelFailing:
            Declaration(
                title: "A way to call for help does not work", severity: .degraded,
                remedy: "The log has the observation. It clears with the next test that works, or the next call"
            )
        case .helpUnreachable:
            Declaration(
                title: "No way to call help works for a person: an alarm would reach nobody outside",
                severity: .supervision,
                remedy:
                    "Be with the person, or within call. See: homegateway status; check the network, the router "
                    + "and the modem"
            )
        case .drillFailed:
            Declaration(
                title: "The last drill was answered by nobody", severity: .degraded,
                remedy:
                    "Ask those who take the calls; then try again. It clears with the next drill that is answered"
            )
        case .mainsLost:
            Declaration(
                title: "The box runs on its battery: the mains are gone", severity: .degraded,
                remedy: "Check the plug, the fuse and the power cut")
        case .houseBatteryLow:
            Declaration(
                title: "The box's own battery is nearly empty: it will stop watching", severity: .supervision,
                remedy: "Bring the mains back before it is empty; else stay with the person")
        case .raceClockUnset:
            Declaration(
                title: "The box does not know the time: its times are marked, and dated when it does",
                severity: .degraded,
                remedy:
                    "Give the receiver a view of the sky (gpspipe -w), or the box a network with a time server")
        case .raceClockDisputed:
            Declaration(
                title: "A source of the time contradicts the clock of the race, and is not believed",
                severity: .degraded,
                remedy: "See: homegateway status. Check the receiver's view of the sky, and the time server")
        case .raceDeaf:
            Declaration(
                title: "A run is underway, and the box cannot hear tags: nobody is timed", severity: .degraded,
                remedy: "See: homegateway check. Bluetooth has to be on; the systemd unit grants CAP_NET_RAW")
        case .raceSilent:
            Declaration(
                title: "A run is underway, and no tag was heard for long", severity: .degraded,
                remedy: "Hold a tag beside the box: homegateway race self-test TAG. Look at the antenna")
        case .raceRadioDeaf:
            Declaration(
                title: "A run is underway, and one of the radios hears no tag while another does",
                severity: .degraded,
                remedy: "See: homegateway status. Plug it in again, look at its antenna")
        case .settingsRefused:
            Declaration(
                title: "The settings cannot be used: the last ones that worked are in force",
                severity: .supervision,
                remedy: "See: homegateway check; correct the line, then: homegateway reload")
        case .settingsEntrySetAside:
            Declaration(
                title: "A part of the settings is wrong and is set aside: somebody is watched or called less",
                severity: .supervision,
                remedy: "See: homegateway check; correct the line, then: homegateway reload")
        case .settingIgnored:
            Declaration(
                title: "A part of the settings is wrong and is left out", severity: .degraded,
                remedy: "See: homegateway check; correct the line, then: homegateway reload")
        case .nobodyToCall:
            Declaration(
                title: "No way to call help is left for a person: each of their channels is set aside",
                severity: .supervision,
                remedy: "Stay with the person. Mend a channel: homegateway check; then: homegateway reload")
        case .settingsFileWrong:
            Declaration(
                title: "The settings on the disk are wrong: the gateway goes on with those it has",
                severity: .degraded,
                remedy: "See: homegateway check; correct the line before the next restart")
        case .settingsNotApplied:
            Declaration(
                title: "The settings on the disk are not those that run", severity: .notice,
                remedy: "To apply them: homegateway reload")
        case .passingLogUnavailable:
            Declaration(
                title: "The log of passings cannot be written: they are timed and sent, and lost at a stop",
                severity: .degraded,
                remedy:
                    "The log says why: a full or worn disk. Free or change it; the waiting passings are written then"
            )
        case .inputSetAside:
            Declaration(
                title:
                    "The gateway ended while it handled an input; that input is set aside and not handled again",
                severity: .degraded,
                remedy:
                    "Ask its sender to send it in another form. Update homegateway, and report the log's line. "
                    + "It clears with the next start")
        case .sourceUnavailable:
            Declaration(
                title: "The inbox or the socket of a program cannot be used: nothing is taken from it",
                severity: .degraded,
                remedy: "Check that the directory exists and belongs to the gateway's user; see "
                    + "docs/integrator/sources.md")
        case .sourceRefused:
            Declaration(
                title: "A program hands over values that are refused", severity: .notice,
                remedy:
                    "The text beside the file in refused/ says why, as does homegateway status. It clears with "
                    + "the next values that are right")
        case .consoleUnavailable:
            Declaration(
                title:
                    "The socket of the pages cannot be made: screens and telephones of the house see nothing",
                severity: .degraded,
                remedy:
                    "Check that the folder of console_socket exists and that the gateway may write there, then: "
                    + "systemctl restart homegateway")
        }
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
