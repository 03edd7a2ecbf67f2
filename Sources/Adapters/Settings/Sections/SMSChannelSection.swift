internal import GatewayModel
import SettingsReading

/// `[[channel]]` with `type = "sms"`: texts to the family.
enum SMSChannelSection {
    /// Remedy for the settings of earlier versions, which could hand texts to gammu-smsd as well.
    private static let removal =
        "this version sends texts through ModemManager alone; run apt install modemmanager, systemctl disable --now "
        + "gammu-smsd and systemctl enable --now ModemManager, then delete via and each key gammu_... from this "
        + "section"

    static let recipients = Key(
        "recipients", .phones(1...10), .required,
        "Who is texted, with the country code. Each is told of every call and of its end.")
    /// Settings of earlier versions may name ModemManager.
    static let via = Key<String>(
        "via",
        Form.text("\"modemmanager\"", content: .plain) { text in
            guard text != "modemmanager" else { return .accepted(text) }
            return .refused(text == "gammu" ? removal : "leave via out")
        }, .standard("modemmanager"),
        "Program that the modem belongs to. Need not be written: there is no other.")
    static let modem = Key(
        "modem", .text(1...200), .optional("the only one"),
        "Where there are several: the IMEI, the port or the device, as `mmcli -m any` shows them.")
    static let bus = Key(
        "bus", Form.bus, .standard("system"),
        "Where ModemManager is reached; an address is for test rigs.")
    static let replies = Key(
        "replies_accept", .truth, .standard(true),
        "Each text of a call has a code of four digits. An answer of a recipient with this code accepts the call."
    )
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
            ChannelSection.id, ChannelSection.type, ChannelSection.name, recipients, via, modem, bus, replies,
            attemptLimit, repeatInterval, testTo,
        ],
        refused: Dictionary(
            uniqueKeysWithValues: ["outbox", "sent", "error", "inbox", "pid_file"].map {
                ("gammu_\($0)", "saw a key for gammu-smsd, expected none: \(removal)")
            }),
        cost: .entry, costs: [recipients.name: .elements, ChannelSection.name.name: .key])

    static func read(_ reader: SectionReader) -> GatewaySettings.SMS? {
        let recipients = reader.value(recipients)
        let isThroughModemManager = reader.value(via) != nil
        let (modem, bus) = (reader.value(modem), reader.value(bus))
        let limit = reader.value(attemptLimit)
        let repeatInterval = reader.value(repeatInterval)
        let testTo = reader.value(testTo)
        let replies = reader.value(replies)
        guard let recipients, isThroughModemManager, let bus, let limit, let repeatInterval, let replies else {
            return nil
        }
        return GatewaySettings.SMS(
            recipients: recipients, bus: bus, modem: modem, attemptLimit: limit, repeatInterval: repeatInterval,
            testRecipient: testTo, takesReplies: replies)
    }
}
