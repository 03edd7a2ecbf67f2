package import GatewayModel

/// A matter of the supervision that is told outside: once when it begins, once when it is over.
///
/// Several conditions may be one matter: a strap that is out of reach, comes back and is not worn yet is one interruption
/// of the watch.
enum Concern: String, CaseIterable, Hashable, Sendable {
    case unwatched
    /// A device that calls for help may not work.
    case device
    case batteryLow = "battery-low"
    case mains
    case boxBattery = "box-battery"
    /// Nobody can be called.
    case help
    /// One way to call help among several.
    case channel
    /// Nobody is at the desk that takes the calls.
    case desk
    case drill
    case settings
    case restart
    case house
    /// An alarm is seen in the house, and not heard.
    case sound
    case boxButton = "box-button"
    /// Nobody in the house can cancel an alarm.
    case cancel
    case storage
    case clock
    case certificate

    var topic: PersonNotice.Topic {
        switch self {
        case .unwatched, .device, .restart, .house, .sound, .boxButton: .supervision
        case .batteryLow, .boxBattery: .battery
        case .mains: .mains
        case .help, .channel, .desk: .help
        case .drill: .drill
        case .settings, .cancel: .settings
        case .storage, .clock, .certificate: .other
        }
    }
}

/// Rule for one condition: the matter that it belongs to, its urgency, and its words.
struct NoticeRule: Sendable {
    /// Time for which the condition must hold without a break.
    enum Patience: Hashable, Sendable {
        /// That of the settings: the condition may pass by itself.
        case usual
        case exactly(Duration)
    }

    /// Persons that a condition concerns.
    enum Scope: Hashable, Sendable {
        case wearer
        /// The person that is the subject of the condition.
        case person
        /// Persons with the channel that is the subject among theirs.
        case callers
        case everyone
    }

    let concern: Concern
    let scope: Scope
    let isUrgent: Bool
    let patience: Patience
    /// Part of a sentence, after a colon.
    let cause: Text?
    /// Whole sentences.
    let remedy: Text?

    init(
        _ concern: Concern, of scope: Scope, isUrgent: Bool = false, after patience: Patience = .usual,
        because cause: Text? = nil, do remedy: Text? = nil
    ) {
        (self.concern, self.scope, self.isUrgent, self.patience) = (concern, scope, isUrgent, patience)
        (self.cause, self.remedy) = (cause, remedy)
    }
}

extension NoticeRule {
    /// Mains and battery are read every 5 s: three readings in a row are no flicker.
    static let powerPatience = Patience.exactly(.seconds(15))
    /// The way was dead for a minute before: with that they are told within two minutes.
    static let helpPatience = Patience.exactly(.seconds(15))
    /// One of several ways: a router that restarts, or a tunnel of a phone company, is no news.
    static let channelPatience = Patience.exactly(.seconds(900))

    /// A box that starts without a network gets the time within minutes.
    static let clockPatience = Patience.exactly(.seconds(900))

    /// Bluetooth of the box, or its list of devices: everyone of the house is unwatched.
    fileprivate static func box(_ cause: Text) -> NoticeRule {
        NoticeRule(
            .unwatched, of: .everyone, isUrgent: true, because: cause,
            do: Text(
                en: "Have the box restarted, or call the installer.",
                it: "Far riavviare la centralina, o chiamare l'installatore."))
    }

    fileprivate static func wearable(because cause: Text, do remedy: Text) -> NoticeRule {
        NoticeRule(.unwatched, of: .wearer, isUrgent: true, because: cause, do: remedy)
    }

    fileprivate static let settings = NoticeRule(
        .settings, of: .everyone,
        do: Text(
            en: "Ask the installer to look.",
            it: "Chiedere all'installatore di controllare."))
}

extension HealthCode {
    /// Whether people outside are told of it.
    package var isToldToPeople: Bool { noticeRule(of: "") != nil }

    /// Rule for the notices about this condition; nil where it concerns the installer, the organiser or the people in the
    /// house alone.
    ///
    /// - Parameter device: name of the wearable that is the subject.
    func noticeRule(of device: String) -> NoticeRule? {
        switch self {
        case .wearableAway:
            NoticeRule.wearable(
                because: Text(
                    en: "the \(device) is out of reach", it: "il dispositivo \(device) è fuori portata"),
                do: Text(
                    en: "Check that it is worn, charged and in the house.",
                    it: "Controllare che sia indossato, carico e in casa."))
        case .wearableUnsupported:
            NoticeRule.wearable(
                because: Text(
                    en: "the box does not understand the \(device)",
                    it: "la centralina non capisce il dispositivo \(device)"),
                do: Text(
                    en: "Call the installer.",
                    it: "Chiamare l'installatore."))
        case .wearableSilent:
            NoticeRule.wearable(
                because: Text(
                    en: "the \(device) is connected and sends nothing",
                    it: "il dispositivo \(device) è collegato ma non trasmette"),
                do: Text(
                    en: "Have it taken off and put on again.",
                    it: "Farlo togliere e rimettere."))
        case .readingsUnproven:
            NoticeRule.wearable(
                because: Text(
                    en: "the measurement of the \(device) has stopped",
                    it: "la misura del dispositivo \(device) si è fermata"),
                do: Text(
                    en: "Check that it is worn and switched on.",
                    it: "Controllare che sia indossato e acceso."))
        case .sensorContactLost:
            NoticeRule.wearable(
                because: Text(
                    en: "the \(device) does not touch the skin",
                    it: "il dispositivo \(device) non tocca la pelle"),
                do: Text(
                    en: "Have it put on again.",
                    it: "Farlo rimettere."))
        case .bluetoothUnavailable, .bluetoothHung:
            NoticeRule.box(
                Text(
                    en: "the box cannot use its Bluetooth",
                    it: "la centralina non riesce a usare il Bluetooth"))
        case .radioDeaf:
            NoticeRule.box(
                Text(
                    en: "the radio of the box hears no device",
                    it: "la radio della centralina non sente alcun dispositivo"))
        case .devicesDamaged:
            NoticeRule.box(
                Text(
                    en: "the box has lost a part of its list of devices",
                    it: "la centralina ha perso una parte dell'elenco dei dispositivi"))
        case .advertsRefused:
            NoticeRule(
                .device, of: .wearer, isUrgent: true,
                because: Text(
                    en: "the box does not believe its radio messages",
                    it: "la centralina non accetta i suoi messaggi radio"),
                do: Text(
                    en: "Call the installer.",
                    it: "Chiamare l'installatore."))
        case .batteryUnconfirmed:
            NoticeRule(
                .device, of: .wearer,
                because: Text(
                    en: "its battery was changed, or its radio messages are repeated by somebody",
                    it: "la sua batteria è stata cambiata, o qualcuno ripete i suoi messaggi radio"),
                do: Text(
                    en: "Call the installer.",
                    it: "Chiamare l'installatore."))
        case .wearableNeverHeard:
            NoticeRule(
                .device, of: .wearer,
                because: Text(
                    en: "it was never heard since it was added",
                    it: "non si è mai sentito da quando è stato aggiunto"),
                do: Text(
                    en: "Have its button pressed near the box.",
                    it: "Far premere il suo pulsante vicino alla centralina."))
        case .sosButtonUntested:
            NoticeRule(
                .device, of: .wearer,
                because: Text(en: "it was not pressed in its test", it: "non è stato premuto nella prova"),
                do: Text(
                    en: "Begin a test of the button at the screen of the house, and have it pressed once.",
                    it: "Avviare una prova del pulsante dallo schermo di casa, e farlo premere una volta."))
        case .wearableUserUnnamed:
            NoticeRule(
                .device, of: .wearer,
                because: Text(
                    en: "somebody has measured with it whom nobody has named",
                    it: "ha misurato qualcuno che nessuno ha indicato"),
                do: Text(
                    en:
                        "Ask who measured. The value counts for nobody. Call the installer if it was its wearer.",
                    it:
                        "Chiedere chi ha misurato. Il valore non vale per nessuno. Se era chi lo usa, chiamare l'installatore."
                ))
        case .batteryLow:
            NoticeRule(
                .batteryLow, of: .wearer,
                do: Text(
                    en: "Have it charged, or its battery changed.",
                    it: "Farlo caricare, o far cambiare la batteria."))
        case .mainsLost:
            NoticeRule(
                .mains, of: .everyone, isUrgent: true, after: NoticeRule.powerPatience,
                do: Text(
                    en: "Check the plug, the fuse and the power cut.",
                    it: "Controllare la spina, il salvavita e la rete elettrica."))
        case .houseBatteryLow:
            NoticeRule(
                .boxBattery, of: .everyone, isUrgent: true, after: NoticeRule.powerPatience,
                do: Text(
                    en: "Bring the mains back before it is empty; else stay with them.",
                    it: "Ridare corrente prima che sia vuota; altrimenti restare lì."))
        case .nobodyToCall:
            NoticeRule(
                .help, of: .person, isUrgent: true,
                because: Text(
                    en: "none of the ways to call help can be used",
                    it: "nessun modo di chiamare aiuto è utilizzabile"),
                do: Text(
                    en: "Stay with them, and call the installer.",
                    it: "Restare lì, e chiamare l'installatore."))
        case .helpUnreachable:
            NoticeRule(
                .help, of: .person, isUrgent: true, after: NoticeRule.helpPatience,
                because: Text(
                    en: "none of the ways to call help works", it: "nessuno dei modi di chiamare aiuto funziona"
                ),
                do: Text(
                    en: "Stay with them, and have the box checked.",
                    it: "Restare lì, e far controllare la centralina."))
        case .channelFailing:
            NoticeRule(
                .channel, of: .callers, after: NoticeRule.channelPatience,
                do: Text(
                    en: "The others are used. Ask the installer to look.",
                    it: "Si usano gli altri. Chiedere all'installatore di controllare."))
        case .deskUnattended:
            NoticeRule(
                .desk, of: .everyone, after: NoticeRule.channelPatience,
                do: Text(
                    en:
                        "In an emergency the box calls by every way all the same. Ask the operator of the desk.",
                    it:
                        "In un'emergenza la centralina chiama comunque, in ogni modo. Chiedere al gestore della centrale."
                ))
        case .drillFailed:
            NoticeRule(
                .drill, of: .person, after: .exactly(.zero),
                do: Text(
                    en: "Ask those who take the calls, then try again.",
                    it: "Chiedere a chi riceve le chiamate, poi riprovare."))
        case .settingsRefused, .settingsEntrySetAside, .settingIgnored: NoticeRule.settings
        case .alarmsForgotten:
            NoticeRule(.restart, of: .everyone, isUrgent: true, after: .exactly(.zero))
        case .houseUnalarmed:
            NoticeRule(
                .house, of: .everyone,
                because: Text(
                    en: "no console, sound or lamp of the box works",
                    it: "non funziona né schermo, né suono, né lampada"),
                do: Text(
                    en: "Have the box checked.",
                    it: "Far controllare la centralina."))
        case .houseSilent:
            NoticeRule(
                .sound, of: .everyone,
                because: Text(
                    en: "the loudspeaker of the box does not work",
                    it: "l'altoparlante della centralina non funziona"),
                do: Text(
                    en: "Have the box checked.",
                    it: "Far controllare la centralina."))
        case .houseButtonDead:
            NoticeRule(
                .boxButton, of: .everyone, isUrgent: true,
                do: Text(
                    en: "Have another button worn, and call the installer.",
                    it: "Far indossare un altro pulsante, e chiamare l'installatore."))
        case .alarmNotCancellable:
            NoticeRule(
                .cancel, of: .person,
                do: Text(
                    en: "Ask the installer to add a button that cancels.",
                    it: "Chiedere all'installatore di aggiungere un pulsante che annulla."))
        case .storageDamaged:
            NoticeRule(
                .storage, of: .everyone, after: .exactly(.zero),
                do: Text(
                    en: "Ask the installer to change its memory card soon.",
                    it: "Chiedere all'installatore di cambiare presto la sua scheda di memoria."))
        case .certificateEnding:
            NoticeRule(
                .certificate, of: .everyone,
                do: Text(
                    en: "Help may not be called by one of its ways otherwise. Ask the installer to renew it.",
                    it:
                        "Altrimenti per una delle vie non si chiama aiuto. Chiedere all'installatore di rinnovarlo."
                ))
        case .clockNotSet:
            NoticeRule(
                .clock, of: .everyone, after: NoticeRule.clockPatience,
                do: Text(
                    en: "Alarms are judged all the same. Have its connection to the Internet checked.",
                    it: "Gli allarmi funzionano lo stesso. Far controllare il suo collegamento a Internet."))

        // The person decides anew, in the house: until then it is not known that anybody may be told.
        case .consentDamaged, .nothingAccepted: nil
        // For the installer, and shown by `homegateway status`.
        case .advertsLessSure, .undecodableReadings, .positionUnavailable, .brokerUnreachable, .brokerRefused,
            .brokerSessionTaken, .brokerMisbehaves, .acceptancesRefused, .dashboardUnreachable, .outboxFull,
            .storageUnavailable, .identityRenewed, .historyOff, .houseVoiceless, .houseLampDark,
            .realtimeUnavailable, .settingsFileWrong, .settingsNotApplied, .inputSetAside, .sourceUnavailable,
            .sourceRefused, .consoleUnavailable:
            nil
        // For the organiser of a run.
        case .runFilesWrong, .runsDoubtful, .raceClockUnset, .raceClockDisputed, .passingLogUnavailable,
            .raceDeaf, .raceSilent, .raceRadioDeaf:
            nil
        }
    }
}
