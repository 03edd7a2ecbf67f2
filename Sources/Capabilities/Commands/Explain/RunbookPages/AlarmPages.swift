/// Pages about the alarm in the house, the calls for help, and the settings.
enum AlarmPages {
    typealias Content = RunbookPage.Content
    typealias Look = RunbookPage.Look

    private static let check = Look("homegateway check", "each mistake with its line, and each service")
    private static let mistakes = Look(
        "homegateway check --offline", "each mistake with its line and its consequence")
    private static let others = "The other outputs of the alarm, and the calls for help."

    static let alarmsForgotten = Content(
        "At the start, `alarms.json` and its copy could not be read. An alarm that was open before may be lost.",
        works: "Watching, and new alarms.",
        fails: "A call that was under way may have ended. Anybody of the house may need help now.",
        look: [
            Look("sudo homegateway alarms list", "the last alarms and their ends"),
            Look("sudo ls -l /var/lib/homegateway", "the files that were set aside"),
        ],
        more: "Somebody does need help? `homegateway call-help --person ID`.",
        ends: "With the next start.")

    static let alarmNotCancellable = Content(
        "The person that is the subject has no button, no wearable and no page that cancels a false alarm.",
        works: "All alarms and calls.",
        fails: "A false alarm calls help, unless somebody at a terminal cancels it.",
        look: [check],
        ends: "When a way to cancel is there, or `cannot_cancel = true` says that this is meant.")

    static let houseUnalarmed = Content(
        "None of the outputs of the house works: console, sound, lamp.",
        works: "Calls for help. The pages of the house, if screens are paired.",
        fails: "The person is not warned before a call, and cannot cancel a false alarm in time.",
        look: [
            check,
            Look("systemctl show homegateway --property StandardOutput", "where the line of the alarm goes"),
        ],
        ends: "With the first output that works again.")

    static let houseSilent = Content(
        "The sound card could not be opened, or took no sound.",
        works: others,
        fails: "Somebody in another room does not notice an alarm.",
        look: [check, Look("aplay -l", "the sound cards")],
        ends: "With the next sound that is played; it is tried again by itself.")

    static let houseVoiceless = Content(
        "The program of the voice is missing or failed.",
        works: "The tones of the alarm, and the other outputs.",
        fails: "The house does not say which alarm it is, nor how to cancel it.",
        look: [check, Look("espeak-ng --version", "whether the voice is installed")],
        ends: "With the next sentence that is spoken.")

    static let houseLampDark = Content(
        "The GPIO line of the lamp cannot be used.",
        works: others,
        fails: "Somebody that hears badly may not notice an alarm.",
        look: [check, Look("gpioinfo", "the lines, and the program that holds each")],
        ends: "With the next switching that succeeds.")

    static let houseButtonDead = Content(
        "The GPIO line of the button of the box cannot be read.",
        works: "Alarms, calls, buttons that are worn, and the pages.",
        fails: "Holding the button calls nobody, and pressing it cancels nothing.",
        look: [check, Look("gpioinfo", "the lines, and the program that holds each")],
        ends: "When the line can be read again.")

    static let channelFailing = Content(
        "The last test of a channel failed, or the last call by it; or the session with the broker has been down for "
            + "60 seconds. It is tested again every minute. The subject names the channel.",
        works: "The other channels. A call does not wait for a channel that is known to fail.",
        fails: "Persons for whom it is the only channel are not helped from outside.",
        look: [
            check, Look("homegateway channels show --person ID", "the channels of a person"),
        ],
        ends: "With the next test or call that succeeds.")

    static let helpUnreachable = Content(
        "Each channel that calls help for the person that is the subject has the condition `channel-failing`, or is not "
            + "set up.",
        works: "Alarms in the house. A call is tried by every channel, again and again.",
        fails: "Nobody outside would hear of an alarm of this person. The room's screen says to dial 112.",
        look: [
            check, Look("homegateway channels show --person ID", "the channels of a person"),
        ],
        more: "A second channel over another line (a modem beside the router) makes this rare.",
        ends: "With the first test or call of a channel of the person that succeeds.")

    static let drillFailed = Content(
        "The last drill of the person that is the subject ended without an acceptance.",
        works: "Alarms and calls. The call of the drill may have arrived.",
        fails: "In an emergency, too, perhaps nobody would answer.",
        look: [Look("sudo homegateway alarms list", "the last drills, and the limits of each")],
        more: "To try again: `homegateway drill --person ID`.",
        ends: "With the next drill that somebody accepts.")

    static let settingsRefused = Content(
        "A mistake of the settings concerns the whole house or would weaken an alarm. The last settings that worked are "
            + "in force.",
        works: "Everything that those settings say.",
        fails: "The changes since then: a new person or a new channel is not there.",
        look: [mistakes, Look("homegateway settings", "the values in force")],
        ends: "With a reload or a start that takes the file.")

    static let settingsEntrySetAside = Content(
        "A wearable, a channel, a contact or a person has a mistake, and was left out. The subject is the file and the line.",
        works: "All other entries.",
        fails: "A person is watched by less, or called help for by less. The status says the part.",
        look: [mistakes, Look("homegateway settings", "the values in force")],
        ends: "With a reload or a start at which the entry is right.")

    static let settingIgnored = Content(
        "A value that weakens no alarm has a mistake. Its default is in force, or the entry is left out.",
        works: "All alarms and calls.",
        fails: "The one function that the value is for.",
        look: [mistakes, Look("homegateway settings", "the values in force")],
        ends: "With a reload or a start at which the value is right.")

    static let nobodyToCall = Content(
        "Each channel of the person that is the subject was set aside for a mistake in the settings.",
        works: "Alarms in the house.",
        fails: "Nobody outside is called for this person.",
        look: [mistakes, Look("homegateway channels show --person ID", "the channels of a person")],
        ends: "When one channel of the person can be used.")

    static let settingsFileWrong = Content(
        "The settings file was changed on the disk, and has a mistake. The running gateway has not taken it.",
        works: "Everything, with the settings in force.",
        fails: "Nothing yet. A restart would set entries aside.",
        look: [mistakes],
        ends: "When the file on the disk is right.")

    static let settingsNotApplied = Content(
        "The settings file was changed on the disk and is right, and the running gateway still uses the earlier one.",
        works: "Everything, with the earlier settings.",
        fails: "The change has no effect yet.",
        look: [Look("homegateway settings", "the values in force")],
        ends: "With a reload or a start.")
}
