import GatewayModel

extension HealthCode {
    /// Sentences of its page.
    var runbookContent: RunbookPage.Content {
        switch self {
        case .bluetoothUnavailable: RadioPages.bluetoothUnavailable
        case .bluetoothHung: RadioPages.bluetoothHung
        case .advertsLessSure: RadioPages.advertsLessSure
        case .advertsRefused: RadioPages.advertsRefused
        case .batteryUnconfirmed: RadioPages.batteryUnconfirmed
        case .radioDeaf: RadioPages.radioDeaf
        case .wearableNeverHeard: RadioPages.wearableNeverHeard
        case .sosButtonUntested: RadioPages.sosButtonUntested
        case .wearableAway: WearablePages.wearableAway
        case .wearableUnsupported: WearablePages.wearableUnsupported
        case .wearableSilent: WearablePages.wearableSilent
        case .readingsUnproven: WearablePages.readingsUnproven
        case .batteryLow: WearablePages.batteryLow
        case .sensorContactLost: WearablePages.sensorContactLost
        case .undecodableReadings: WearablePages.undecodableReadings
        case .wearableUserUnnamed: WearablePages.wearableUserUnnamed
        case .positionUnavailable: WearablePages.positionUnavailable
        case .brokerUnreachable: CloudPages.brokerUnreachable
        case .brokerRefused: CloudPages.brokerRefused
        case .brokerSessionTaken: CloudPages.brokerSessionTaken
        case .brokerMisbehaves: CloudPages.brokerMisbehaves
        case .acceptancesRefused: CloudPages.acceptancesRefused
        case .deskUnattended: CloudPages.deskUnattended
        case .nothingAccepted: CloudPages.nothingAccepted
        case .consentDamaged: CloudPages.consentDamaged
        case .dashboardUnreachable: CloudPages.dashboardUnreachable
        case .outboxFull: CloudPages.outboxFull
        case .storageUnavailable: BoxPages.storageUnavailable
        case .storageDamaged: BoxPages.storageDamaged
        case .devicesDamaged: WearablePages.devicesDamaged
        case .identityRenewed: CloudPages.identityRenewed
        case .clockNotSet: BoxPages.clockNotSet
        case .certificateEnding: BoxPages.certificateEnding
        case .historyOff: BoxPages.historyOff
        case .runFilesWrong: RacePages.runFilesWrong
        case .runsDoubtful: RacePages.runsDoubtful
        case .alarmsForgotten: AlarmPages.alarmsForgotten
        case .alarmNotCancellable: AlarmPages.alarmNotCancellable
        case .houseUnalarmed: AlarmPages.houseUnalarmed
        case .houseSilent: AlarmPages.houseSilent
        case .houseVoiceless: AlarmPages.houseVoiceless
        case .houseLampDark: AlarmPages.houseLampDark
        case .houseButtonDead: AlarmPages.houseButtonDead
        case .realtimeUnavailable: BoxPages.realtimeUnavailable
        case .channelFailing: AlarmPages.channelFailing
        case .helpUnreachable: AlarmPages.helpUnreachable
        case .drillFailed: AlarmPages.drillFailed
        case .mainsLost: BoxPages.mainsLost
        case .houseBatteryLow: BoxPages.houseBatteryLow
        case .raceClockUnset: RacePages.raceClockUnset
        case .raceClockDisputed: RacePages.raceClockDisputed
        case .passingLogUnavailable: RacePages.passingLogUnavailable
        case .raceDeaf: RacePages.raceDeaf
        case .raceSilent: RacePages.raceSilent
        case .raceRadioDeaf: RacePages.raceRadioDeaf
        case .settingsRefused: AlarmPages.settingsRefused
        case .settingsEntrySetAside: AlarmPages.settingsEntrySetAside
        case .settingIgnored: AlarmPages.settingIgnored
        case .nobodyToCall: AlarmPages.nobodyToCall
        case .settingsFileWrong: AlarmPages.settingsFileWrong
        case .settingsNotApplied: AlarmPages.settingsNotApplied
        case .inputSetAside: RadioPages.inputSetAside
        case .sourceUnavailable: WearablePages.sourceUnavailable
        case .sourceRefused: WearablePages.sourceRefused
        case .consoleUnavailable: BoxPages.consoleUnavailable
        }
    }
}
