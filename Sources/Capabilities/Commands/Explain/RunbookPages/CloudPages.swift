/// Pages about the broker, the consent and the messages that wait.
enum CloudPages {
    typealias Content = RunbookPage.Content
    typealias Look = RunbookPage.Look

    private static let broker = Look(
        "homegateway check", "a connection to the broker, with the reason of a failure")
    private static let house =
        "Alarms are judged and sounded in the house; the other ways to call help are used."

    static let brokerUnreachable = Content(
        "There is no session with the MQTT broker.",
        works: "\(house) Readings wait in the outbox.",
        fails:
            "Calls for help by the broker wait. If the broker is the only channel of a person, nobody outside is "
            + "told. The cloud sees nothing new.",
        look: [
            broker, Look("ip route", "whether the box has a network: a line with `default`"),
            Look("timedatectl", "whether the clock is set: certificates need it"),
        ],
        ends: "By itself, with the next connection: it is tried again within a minute. All that waits is "
            + "then sent, alarms first.")

    static let brokerRefused = Content(
        "The broker answers, and refuses the login, a topic or a message. Subject `messages`: a message that it does "
            + "not take; else the subscription.",
        works: house,
        fails:
            "With a refused login nothing is sent. With a refused topic, commands or acceptances do not arrive.",
        look: [
            broker,
            Look(
                "homegateway broker-acl --for mosquitto",
                "the rights that the gateway needs, for the operator of the broker"),
        ],
        ends: "When the broker accepts the login, the topic or the next message.")

    static let brokerSessionTaken = Content(
        "Another client connects to the broker with the id of this gateway. Each connection ends the other.",
        works: house,
        fails: "Messages and calls by the broker are late. A copy of this box may send in its name.",
        look: [Look("homegateway settings", "`[gateway]` id of this box")],
        more: "After a restore on a new box: switch the old box off.",
        ends: "When this gateway keeps its session.")

    static let brokerMisbehaves = Content(
        "The broker sent packets that MQTT does not allow, 10 times or more, or ended the process of its session "
            + "several times.",
        works: "Everything. The session runs in a process of its own, and none of these packets is used.",
        fails: "Each fault costs a new connection: messages are late.",
        look: [Look("sudo journalctl -u homegateway -b | grep -i broker", "the kind of each fault")],
        ends: "With a session that stays without faults.")

    static let acceptancesRefused = Content(
        "Three acceptances in a row did not count: no signature of a key in `[[commands.issuers]]`, a wrong alarm, "
            + "or too old.",
        works: "Help is called, and called again until an acceptance counts.",
        fails: "The service believes that it has taken the call, and the gateway goes on calling others.",
        look: [
            Look("homegateway check", "the issuers with their keys"),
            Look("timedatectl", "whether the clock is set: old acceptances do not count"),
        ],
        ends: "With the next acceptance that counts.")

    static let deskUnattended = Content(
        "An issuer with `desk = true` says that nobody is signed in at its emergency desk, or no signed status has "
            + "come for 120 s although the broker is connected.",
        works: "Help is called in the same way, at the same time, over every channel.",
        fails: "Nobody may answer at that desk. Persons that depend on it alone are at risk.",
        look: [Look("homegateway check", "the issuers, and the channels of each person")],
        ends: "With the next valid status that says that somebody is there.")

    static let nothingAccepted = Content(
        "No person of the house has accepted the data policy.",
        works: "Watching, alarms in the house, and calls for help as the settings and the terms allow.",
        fails: "No reading, no status and no box health reach the cloud.",
        look: [Look("homegateway consent list", "the decisions and the questions that wait")],
        ends: "When a person accepts the data policy.")

    static let consentDamaged = Content(
        "The ledger of decisions was cut, changed or unreadable at the start. It was set aside as "
            + "`ledger.jsonl.damaged-TIME`.",
        works: "Watching, and alarms. Emergency calls go out as they last did, else as the settings say.",
        fails: "No reading leaves the house, for no receiver, until the person decides anew.",
        look: [
            Look("homegateway consent list", "the decisions that hold"),
            Look("homegateway consent verify", "whether the ledger of now is whole"),
        ],
        more: "A ledger from a backup counts as damaged too: a withdrawal may be missing in it.",
        ends: "When somebody has decided anew.")

    static let dashboardUnreachable = Content(
        "There is no session with the broker of `[home_assistant]`.",
        works: "Everything else: it is a session of its own.",
        fails: "The dashboard of the home shows old values.",
        look: [Look("homegateway check", "mistakes of the settings")],
        ends: "By itself, with the next connection.")

    static let outboxFull = Content(
        "Messages wait for the broker, and exceed `[outbox] quota_megabytes` or leave less than 64 MB of the disk. The "
            + "oldest readings were thinned: the last of each minute stays, then of each quarter of an hour.",
        works: "Watching, alarms, and calls. Alarms, receipts and passings are never dropped.",
        fails: "Old readings reach the cloud thinned. A gap record says which.",
        look: [
            Look("df -h /var/lib/homegateway", "the room on the disk"), broker,
        ],
        ends: "When there is room in the outbox again.")

    static let identityRenewed = Content(
        "`identity.key` and its copy were damaged at the start. Another key was made.",
        works: "Watching, alarms, calls, readings.",
        fails: "The receipts of commands cannot be checked with the key that the issuer knows.",
        look: [Look("homegateway contract keys", "the key of now, for the issuer")],
        ends: "With the next start.")
}
