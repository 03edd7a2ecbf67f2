/// Pages about the box at a checkpoint of a race.
enum RacePages {
    typealias Content = RunbookPage.Content
    typealias Look = RunbookPage.Look

    private static let runs = Look("homegateway runs list", "the runs, and the checkpoint of this box")
    private static let check = Look("homegateway check", "whether adverts can be received")
    private static let passings = Look("sudo homegateway passings list", "the passings so far")

    static let runFilesWrong = Content(
        "A run file, its start list or its course has a mistake.",
        works: "The runs of the other files. A run that is underway goes on as before.",
        fails: "The run of that file is not timed as the file says.",
        look: [Look("sudo homegateway runs check", "each mistake with its line"), runs],
        ends: "With `homegateway runs reload`, or a start, when the files are right.")

    static let runsDoubtful = Content(
        "Two runs claim the same tag or checkpoint, or a file contradicts a command.",
        works: "All runs are timed.",
        fails: "A passing may count for the wrong run.",
        look: [runs],
        ends: "When the runs agree.")

    static let raceClockUnset = Content(
        "No receiver and no time server has told the time since the start, and a run is due or underway.",
        works: "Passings are timed by a clock that counts from the start of the box.",
        fails: "Their times of day are not known yet. Each is marked, and dated when the time is known.",
        look: [
            Look("timedatectl", "whether a time server is reached"),
            Look("gpspipe -w -n 10", "ten messages of gpsd; TPV with a time"),
        ],
        ends: "By itself, when the time is known.")

    static let raceClockDisputed = Content(
        "For 10 s or longer one source of the time, such as a receiver or a time server, has contradicted the clock of the race.",
        works: "Timing, by the sources that agree.",
        fails: "If the wrong source is believed, all times of this box are off by the same amount.",
        look: [
            Look("timedatectl timesync-status", "the time server and its offset"),
            Look("gpspipe -w -n 10", "the time of the receiver"),
        ],
        ends: "By itself, when the sources agree.")

    static let passingLogUnavailable = Content(
        "`passings.jsonl` cannot be written.",
        works: "Passings are timed and sent.",
        fails: "Passings that are only in memory are lost at a stop or a power cut.",
        look: [Look("df -h /var/lib/homegateway", "the room on the disk"), passings],
        more: "Do not switch the box off before.",
        ends: "By itself, with the next write that succeeds; the waiting passings are written then.")

    static let raceDeaf = Content(
        "A run is underway at this checkpoint, and no radio of the box can receive adverts.",
        works: "The other boxes of the run.",
        fails: "Nobody that passes here is timed.",
        look: [check, Look("bluetoothctl list", "the adapters"), runs],
        ends: "By itself, when a radio receives again.")

    static let raceSilent = Content(
        "A run is underway at this checkpoint, and no tag was received for `[race] silent_after_minutes` (10).",
        works: "The scan runs. Perhaps nobody has passed.",
        fails: "If runners pass, they are not timed.",
        look: [passings, runs],
        ends: "With the next tag.")

    static let raceRadioDeaf = Content(
        "A run is underway. The radio that is the subject receives no tag, or cannot receive, while another one does.",
        works: "The other radios time the runners.",
        fails: "Runners at the far side of the course may be missed.",
        look: [check, Look("bluetoothctl list", "the adapters")],
        ends: "When that radio receives a tag.")
}
