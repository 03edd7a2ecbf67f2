/// Pages about one wearable: reach, contact, battery, content.
enum WearablePages {
    typealias Content = RunbookPage.Content
    typealias Look = RunbookPage.Look

    private static let watch = Look("homegateway watch", "the readings as they arrive, until Ctrl-C")
    private static let list = Look(
        "sudo homegateway devices list", "each wearable, when it was last heard, and its battery")
    private static let others = "All other wearables of the house, its buttons, and calls for help."

    static let wearableAway = Content(
        "The link to a wearable is down, or one that advertises at intervals was silent for longer than it should be. "
            + "A cuff or a scale that sleeps between uses is never away.",
        works: others,
        fails:
            "Nothing of this wearable is judged: an emergency that only it would show is not seen. Its wearer is "
            + "unwatched by it.",
        look: [list, Look("sudo homegateway devices scan", "its signal, if it is near")],
        more: "If it goes and comes: move the box, or walk the rooms with the page *Walk test*.",
        ends: "With its first answer.")

    static let wearableUnsupported = Content(
        "The gateway was connected to a wearable of the settings and read its services: no measurement of a standard form "
            + "is among them, no button with a meaning, and no buzzer. Many watches and bands speak to the app of their "
            + "maker alone.",
        works: others,
        fails: "Nothing of this wearable is judged, worn or not. Its wearer is unwatched by it.",
        look: [
            Look("sudo homegateway devices show ID", "the services that it was recognised by"),
            Look("sudo homegateway devices scan", "devices in reach, with what each can measure"),
        ],
        more:
            "A watch may have a setting for it: *broadcast heart rate*. A tag has its button in the settings: `signals`.",
        ends: "When it shows something that is understood, or is taken out of the settings.")

    static let wearableSilent = Content(
        "The link stands, and no value has come for the time that fits its kind: 5 s for a strap.",
        works: others,
        fails: "Nothing of this wearable is judged. Its wearer is unwatched by it.",
        look: [watch, list],
        more: "If it stays: change its battery.",
        ends: "With its next value.")

    static let readingsUnproven = Content(
        "One stream of a connected wearable has stopped. The gateway subscribes again, and then connects again.",
        works: "The other streams of the wearable, and all other wearables.",
        fails: "Rules on the stopped reading see nothing. Its wearer is partly unwatched.",
        look: [watch, list],
        ends: "With the next value of that stream.")

    static let batteryLow = Content(
        "A wearable reports 15 % of its battery or less, or says itself that it is low.",
        works: "Everything. The wearable still sends.",
        fails:
            "Nothing yet. When it is empty, its wearer is unwatched by it: hours for a watch, weeks for a strap.",
        look: [list],
        more: "After the change of the battery of an encrypted button: `homegateway devices battery ID`.",
        ends: "At 20 % or more, or when the wearable says so.")

    static let sensorContactLost = Content(
        "A wearable says that it does not touch the skin, or sends values that no body has.",
        works: others,
        fails: "Its values are not judged. Its wearer is unwatched by it.",
        look: [watch],
        ends: "With the next value that was measured on the skin.")

    static let undecodableReadings = Content(
        "A wearable or a receiver sends bytes that do not fit the specification of their kind.",
        works: "Its readings of other kinds, and all other wearables.",
        fails:
            "Readings of that kind are not judged and not sent. If a rule needs them, its wearer is unwatched.",
        look: [
            watch, Look("sudo homegateway devices show ID", "which of its readings count"),
        ],
        more: "With `log_level = \"debug\"` in `[gateway]` the log has the bytes.",
        ends: "With the next value that can be decoded.")

    static let wearableUserUnnamed = Content(
        "A cuff or a scale that several people share has sent a measurement of a user whom `users` of its `[[wearable]]` does "
            + "not name, or of one that it does not know itself. Without `users`, its first user is its wearer.",
        works: "Measurements of the users who are named, and all other wearables.",
        fails:
            "The measurement is nobody's: it is not judged, not kept and not sent. A dangerous value calls nobody until somebody "
            + "says whose it is.",
        look: [
            Look("sudo homegateway devices show ID", "its wearer"),
            Look("homegateway settings", "the `users` that are in force"),
        ],
        more: "Ask at once how the person is who has measured. For ten minutes the screen of the room asks "
            + "as well: with an answer there the measurement is judged, kept and sent as one of that person.",
        ends: "With its next measurement of somebody who is named, or with the answer at the screen.")

    static let positionUnavailable = Content(
        "gpsd does not answer, or its receiver has no fix.",
        works: "All alarms. A call says the installed address, or the last position with its age.",
        fails: "A call cannot say where a person is outside of the house. Runners carry no fresh position.",
        look: [
            Look("systemctl status gpsd.socket gpsd", "whether gpsd runs"),
            Look("gpspipe -w -n 10", "ten messages of gpsd; TPV with mode 2 or 3 is a fix"),
        ],
        more: "A house without a receiver needs no gpsd: leave `[gpsd]` out of the settings.",
        ends: "With the next fix.")

    static let devicesDamaged = Content(
        "`devices.toml`, the list of wearables that were added by command, could not be read at the start. It was set "
            + "aside as `devices.toml.damaged-TIME`.",
        works: "Wearables of the settings file, and calls for help.",
        fails: "Wearables that were added by command are not watched. Each of their wearers is at risk.",
        look: [
            Look("sudo homegateway devices list", "the wearables that are known now"),
            Look("sudo ls -l /var/lib/homegateway", "the file that was set aside"),
        ],
        more: "With a backup: bring `devices.toml` back, see docs/installer/state.md.",
        ends: "With the next start: `sudo systemctl restart homegateway`, while no alarm is open.")

    static let sourceUnavailable = Content(
        "The inbox folder or the socket of a `[[source]]` is missing, or the gateway's user may not use it.",
        works: "All wearables and other sources.",
        fails:
            "Entries of that program are not taken. If they count for alarms, its person is partly unwatched.",
        look: [Look("homegateway check", "mistakes of the settings")],
        ends: "By itself, when the folder or the socket can be used. It is tried again.")

    static let sourceRefused = Content(
        "A program handed over an entry that is no valid reading of its person.",
        works: "All wearables, and the valid entries of that program.",
        fails: "The refused entries are not judged and not kept.",
        look: [
            Look("sudo ls /var/lib/homegateway/inbox", "the inboxes; `refused/` has each file with its reasons")
        ],
        ends: "With the next entries that are valid.")
}
