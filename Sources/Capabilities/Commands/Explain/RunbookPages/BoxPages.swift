/// Pages about the box: disk, clock, power, history, pages of the house.
enum BoxPages {
    typealias Content = RunbookPage.Content
    typealias Look = RunbookPage.Look

    private static let room = Look("df -h /var/lib/homegateway", "the room on the disk")
    private static let kernel = Look("sudo dmesg --level err,warn", "errors of the disk or the card")
    private static let folder = Look(
        "sudo ls -l /var/lib/homegateway",
        "owner and rights: the account homegateway; files that were set aside")

    static let storageUnavailable = Content(
        "A write into the state directory failed. The subject names the part: `outbox`, `runs`, `identity`, or a file.",
        works: "Watching, alarms and calls: they need no disk. Unsent messages wait in memory.",
        fails:
            "A stop or a power cut loses all that was not written: unsent readings, an open alarm, decisions.",
        look: [
            room, folder, kernel,
            Look("findmnt --target /var/lib/homegateway", "whether it is mounted read-only (ro)"),
        ],
        ends: "By itself, with the next write that succeeds.")

    static let storageDamaged = Content(
        "A file of the state directory had a wrong checksum, or lacked its last entries. The sound part was saved, the "
            + "file set aside as `NAME.damaged-TIME`. The subject names it.",
        works: "Watching, alarms and calls.",
        fails: "The status says the possible loss of that file. A worn card damages the next file soon.",
        look: [folder, kernel],
        more: "See docs/installer/state.md for each file.",
        ends: "With the next start.")

    static let certificateEnding = Content(
        "A file of certificates that the settings name, of this box or of an authority, ends within 30 days, or has ended. "
            + "The subject stands for the file: the broker or the channel, and its part. Certificates of servers are "
            + "judged by `homegateway doctor`.",
        works: "Everything until the day in the reason.",
        fails:
            "After that day the broker or the channel refuses the box, or the box refuses it: it does not call help.",
        look: [Look("sudo homegateway doctor", "the ends of all certificates, those of the servers too")],
        ends: "Within half an hour of the renewal of the file. Connections use the new file after a restart.")

    static let clockNotSet = Content(
        "The clock is before the day on which the program was built, or before a time at which it was right, and no "
            + "time source sets it.",
        works: "Alarms and their deadlines: they use a clock that counts from the start of the box.",
        fails:
            "Times of messages are wrong. The ways to help judge certificates by authority and name alone; other TLS "
            + "connections may be refused. Waking hours, press tests and dated "
            + "commands wait or are refused.",
        look: [Look("timedatectl", "time, zone, and whether it is synchronised")],
        ends: "By itself, when the clock is set.")

    static let historyOff = Content(
        "`history.sqlite` cannot be written, or the key of `[history]` cannot be read.",
        works: "Watching, alarms, calls, and the sending of readings.",
        fails: "Charts and reports of the house have a gap from now on.",
        look: [room, folder],
        ends: "By itself, when the disk and the key can be used.")

    static let realtimeUnavailable = Content(
        "The kernel did not give the thread of the alarms a real-time priority.",
        works: "Everything. On a busy box an alarm may be up to 20 ms late instead of 5 ms.",
        fails: "Nothing that a person notices.",
        look: [Look("systemctl show homegateway --property LimitRTPRIO", "must be 20 or more")],
        ends: "With a start that gets the priority.")

    static let mainsLost = Content(
        "The kernel says that the box has no mains power. It is read every 5 s.",
        works: "Everything, for as long as the battery lasts.",
        fails: "A router without a battery is off: calls that need the Internet wait for it.",
        look: [Look("upower --dump", "the supplies, and the charge of the battery, if upower is installed")],
        ends: "By itself, when the mains are back.")

    static let houseBatteryLow = Content(
        "The box runs on its battery, and 15 % or less of it is left.",
        works: "Everything, until it is empty.",
        fails: "Soon nobody of this house is watched, and nobody is called.",
        look: [Look("upower --dump", "the charge of the battery, if upower is installed")],
        ends: "By itself, on the mains, or at 20 % or more.")

    static let consoleUnavailable = Content(
        "The gateway could not make the socket `[gateway] console_socket` for the pages.",
        works: "Watching, alarms, calls, sound, voice, buttons, and the command line.",
        fails: "Screens and telephones of the house show nothing: no alarm can be cancelled or accepted there.",
        look: [
            Look("ls -ld /run/homegateway", "owner homegateway, rights drwxr-x--x"),
            Look("systemctl status homegateway-console", "whether the pages run"),
        ],
        ends: "With a start at which the socket can be made.")
}
