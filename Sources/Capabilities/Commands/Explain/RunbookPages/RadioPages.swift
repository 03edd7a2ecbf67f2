/// Pages about the radio of the box and the adverts of buttons and sensors.
enum RadioPages {
    typealias Content = RunbookPage.Content
    typealias Look = RunbookPage.Look

    private static let bluetooth = Look("homegateway check", "whether Bluetooth can be used, with the reason")
    private static let devices = Look(
        "sudo homegateway devices list", "each wearable with its address, and when it was last heard")

    static let bluetoothUnavailable = Content(
        "bluetoothd does not answer over D-Bus, or the box has no adapter that is switched on.",
        works: "Buttons that only advertise, while an adapter is on; the button of the box; calls for help.",
        fails: "Straps, oximeters, cuffs and connected buttons are not received. Each wearer is unwatched.",
        look: [
            bluetooth, Look("systemctl status bluetooth", "whether bluetoothd runs"),
            Look("bluetoothctl list", "the adapters; empty means that none is found"),
            Look("rfkill list bluetooth", "whether the radio is blocked"),
        ],
        more: "A blocked radio: `sudo rfkill unblock bluetooth`. An adapter that is missing: plug it in again.",
        ends:
            "By itself, as soon as bluetoothd answers and an adapter is on. The wearables are then connected again."
    )

    static let bluetoothHung = Content(
        "An adapter or bluetoothd takes requests and does not finish them. The gateway tries in stages: discovery "
            + "again, the adapter off and on at most once an hour, and bluetoothd again if `may_restart_bluetooth` "
            + "allows it.",
        works: "The button of the box and calls for help. Readings of links that still stand are judged.",
        fails: "A wearable that is out of reach is not found again. Its wearer is unwatched.",
        look: [bluetooth, Look("sudo dmesg --level err,warn", "faults of the adapter or of its USB port")],
        more: "With a USB adapter: use another port and a power supply of full strength.",
        ends: "By itself, when the adapter answers again.")

    static let advertsLessSure = Content(
        "The gateway may not listen to the radio itself, so it takes adverts from the discovery of bluetoothd. That "
            + "drops repeated adverts, and pauses while a connection is made.",
        works: "All connected wearables. Most presses of advertising buttons.",
        fails: "A single press of an advertising button may be missed. Persons with such a button are at risk.",
        look: [
            bluetooth,
            Look("systemctl show homegateway --property AmbientCapabilities", "must name cap_net_raw"),
        ],
        more:
            "Start the gateway by its unit, not by hand: `sudo systemctl restart homegateway`, while no alarm is open.",
        ends: "By itself, when the gateway's own scan runs.")

    static let advertsRefused = Content(
        "An advert came under the address of a wearable, and its encryption or its counter does not fit. The key is "
            + "wrong, or somebody imitates the device.",
        works: "All other wearables.",
        fails: "A press of this button calls nobody. Its wearer is at risk.",
        look: [devices, Look("sudo homegateway devices show ID", "whether a key is in use")],
        more: "Press the button once after the change, in a test: `homegateway test-button --person ID`.",
        ends: "With the next advert that is accepted.")

    static let batteryUnconfirmed = Content(
        "The counter of an encrypted device began anew. A new battery does that, and so does a recording that is replayed.",
        works: "A press calls for help.",
        fails: "The device cannot cancel an alarm. A recording could raise false alarms.",
        look: [devices],
        ends: "With `homegateway devices battery ID`, or with the next advert that continues the old counter.")

    static let radioDeaf = Content(
        "The scan runs, and no radio of the box has received an advert of any device for 30 s, also of strangers.",
        works: "Connected wearables, as long as their links stand; the button of the box; calls for help.",
        fails: "A press of an advertising button is not received. Persons with such a button are at risk.",
        look: [
            Look("sudo homegateway devices scan", "any device at all that is near"),
            Look("sudo dmesg --level err,warn", "faults of the adapter or of its USB port"),
        ],
        more: "A short USB extension moves the adapter out of the metal case and away from USB 3.",
        ends: "With the first advert of any device.")

    static let wearableNeverHeard = Content(
        "A wearable that only advertises was added more than an hour ago, and no advert of it was ever received.",
        works: "All other wearables.",
        fails: "If it is an SOS button, nothing shows that a press would be received. Its wearer is at risk.",
        look: [devices, Look("sudo homegateway devices scan", "the devices near, with their addresses")],
        more: "A wrong address: forget it and add it again with the address that the scan shows.",
        ends: "With its first advert.")

    static let sosButtonUntested = Content(
        "The house asked for a press of this SOS button (`[sos] test_buttons_days`), and none came within 24 hours.",
        works: "All other wearables. The button may work: nothing shows it.",
        fails:
            "An empty battery of a button that is silent until it is pressed shows in no other way. Its wearer is "
            + "at risk.",
        look: [Look("sudo homegateway devices list", "when it was last heard and pressed, and its battery")],
        more: "In a test the first press calls no help; without one a press is an alarm.",
        ends: "With the next press.")

    static let inputSetAside = Content(
        "The gateway ended while it handled one input: a message of the broker, a command, an entry of a program, or, "
            + "twice, a request at the control socket. That input is refused from now on.",
        works: "Everything else: the gateway has started again within a second.",
        fails:
            "That one input has no effect. If it is a command or an acceptance, its sender has to send it in "
            + "another form.",
        look: [
            Look("sudo journalctl -u homegateway | grep sha256", "the kind of input and its checksum"),
            Look("homegateway --version", "the version, for the report"),
        ],
        ends: "With the next start. It is raised again if the same input comes again.")
}
