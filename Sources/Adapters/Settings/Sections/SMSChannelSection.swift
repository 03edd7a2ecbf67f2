internal import GatewayModel

/// `[[channel]]` with `type = "sms"`: texts to the family.
enum SMSChannelSection {
    enum Way: String, CaseIterable, Sendable { case modemmanager, gammu }

    static let recipients = Key(
        "recipients", .phones(1...10), .required,
        "Who is texted, with the country code. Each is told of every call and of its end.")
    static let via = Key<Way>(
        "via", .choice, .standard("modemmanager"),
        "What the modem belongs to on this machine: ModemManager, or gammu-smsd. They cannot share one.")
    static let modem = Key(
        "modem", .text(1...200), .optional("the only one"),
        "With modemmanager, where there are several: the IMEI, the port or the device, as `mmcli -m any` shows them."
    )
    static let bus = Key(
        "bus", Form.bus, .standard("system"),
        "With modemmanager: where it is reached; an address is for test rigs.")
    static let outbox = Key(
        "gammu_outbox", .directoryPath, .standard("/var/spool/gammu/outbox"),
        "With gammu: `outboxpath` of /etc/gammu-smsdrc.")
    static let sent = Key(
        "gammu_sent", .directoryPath, .standard("/var/spool/gammu/sent"), "With gammu: its `sentsmspath`.")
    static let error = Key(
        "gammu_error", .directoryPath, .standard("/var/spool/gammu/error"), "With gammu: its `errorsmspath`.")
    static let inbox = Key(
        "gammu_inbox", .directoryPath, .standard("/var/spool/gammu/inbox"),
        "With gammu: its `inboxpath`, for the answers.")
    static let replies = Key(
        "replies_accept", .truth, .standard(true),
        "Each text of a call has a code of four digits. An answer of a recipient with this code accepts the call."
    )
    static let pidFile = Key(
        "gammu_pid_file", .filePath(content: .free), .standard("/run/gammu-smsd.pid"),
        "With gammu: where the daemon writes its process id.")
    static let attemptLimit = Key(
        "timeout_seconds", .wholeSeconds(5...120), .standard(30), "For one text, with all its parts.")
    static let repeatInterval = Key(
        "repeat_seconds", .wholeSeconds(30...3600), .standard(300),
        "Who has the call gets it again after so long, while nobody has accepted it. Who has it not is tried with "
            + "each round.")
    static let testTo = Key(
        "test_to", .phone, .optional("a test sends no text"),
        "Recipient of the text that a test of the way sends, once in 30 days, at the price of a text. The number of "
            + "the modem's own SIM shows that texts arrive: this one comes back.")

    static let section = Section(
        ["channel"], repeats: true, variant: "type = \"sms\"",
        "Texts to the family by a mobile modem; [docs/channels/sms.md](../channels/sms.md) is for the installer. "
            + "The alarm goes on until a recipient answers with the code of the call, or a person accepts or ends it "
            + "in another way.",
        keys: [
            ChannelSection.id, ChannelSection.type, ChannelSection.name, recipients, via, modem, bus, outbox,
            sent, error, inbox,
            pidFile, replies, attemptLimit, repeatInterval, testTo,
        ],
        cost: .entry, costs: [recipients.name: .elements, ChannelSection.name.name: .key])

    static func read(_ reader: SectionReader) -> GatewaySettings.SMS? {
        let recipients = reader.value(recipients)
        let way = way(reader)
        let limit = reader.value(attemptLimit)
        let repeatInterval = reader.value(repeatInterval)
        let testTo = reader.value(testTo)
        let replies = reader.value(replies)
        guard let recipients, let way, let limit, let repeatInterval, let replies else { return nil }
        return GatewaySettings.SMS(
            recipients: recipients, way: way, attemptLimit: limit, repeatInterval: repeatInterval,
            testRecipient: testTo, takesReplies: replies)
    }

    private static func way(_ reader: SectionReader) -> GatewaySettings.SMS.Way? {
        let (modem, bus) = (reader.value(modem), reader.value(bus))
        let (outbox, sent, error) = (reader.value(outbox), reader.value(sent), reader.value(error))
        let (inbox, pidFile) = (reader.value(inbox), reader.value(pidFile))
        guard let via = reader.value(via) else { return nil }
        let others: [any DeclaredKey] =
            via == .gammu
            ? [Self.modem, Self.bus] : [Self.outbox, Self.sent, Self.error, Self.inbox, Self.pidFile]
        for key in others where reader.isWritten(key) {
            reader.report(
                "saw it with via = \"\(via)\", where it means nothing: remove it, or change via", key.name)
        }
        switch via {
        case .modemmanager: return bus.map { .modemManager(bus: $0, modem: modem) }
        case .gammu:
            guard let outbox, let sent, let error, let inbox, let pidFile else { return nil }
            guard Set([outbox, sent, error, inbox]).count == 4 else {
                reader.report(
                    "saw one folder for two things, expected four: the result of a text is seen by the folder that "
                        + "its file is moved to", Self.sent.name)
                return nil
            }
            return .gammu(outbox: outbox, sent: sent, error: error, inbox: inbox, pidFile: pidFile)
        }
    }
}
