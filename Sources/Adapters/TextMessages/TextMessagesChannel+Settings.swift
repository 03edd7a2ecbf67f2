public import GatewayModel
public import Systemd

extension TextMessagesChannel {
    /// Whom to text, and by what.
    public struct Settings: Sendable {
        public var id: ChannelID
        /// E.164, `+393331234567`; at least one, each once.
        public var recipients: [String]
        public var way: Way
        /// For one text, all its parts. The network takes some seconds a part.
        public var attemptLimit: Duration = Settings.defaultAttemptLimit
        /// Between two texts that say the same of an alarm to somebody who has it.
        public var repeatInterval: Duration = Settings.defaultRepeatInterval
        /// Whom each test sends a text that costs; nil: a test sends none.
        public var testRecipient: String?
        /// For `test` alone, beside a gateway that runs: switches no modem on, and touches no file.
        public var isLookOnly = false

        /// 30 s: three parts, each as long as a weak network needs; and it is over when the next round begins.
        public static let defaultAttemptLimit = Duration.seconds(30)
        /// 5 min: a call that is still open is brought to mind again, and its sound is not turned off for it.
        public static let defaultRepeatInterval = Duration.seconds(300)

        public init(id: ChannelID, recipients: [String], way: Way) {
            self.id = id
            self.recipients = recipients
            self.way = way
        }
    }

    /// What brings texts to the network on this machine.
    public enum Way: Hashable, Sendable {
        /// - Parameter modem: its IMEI, port or device; nil for the only one. Switched on where it is off.
        case modemManager(bus: BusAddress, modem: String?)
        /// The folders of the daemon's FILES service, and where it writes its process id.
        case gammu(outbox: String, sent: String, error: String, pidFile: String)
    }
}

extension TextMessagesChannel.Settings {
    /// Checked, for the thread.
    struct Checked: Sendable {
        let recipients: [PhoneNumber]
        let testText: OutgoingText?
    }

    func checked() throws(TextMessagesError) -> Checked {
        var numbers: [PhoneNumber] = []
        for (index, text) in recipients.enumerated() {
            guard let number = PhoneNumber(text) else {
                throw .unusableSetting(
                    "recipient \(index + 1) is no number with a country code; expected + and 7 to 15 digits")
            }
            guard !numbers.contains(number) else {
                throw .unusableSetting("recipient \(index + 1) is there twice; expected each once")
            }
            numbers.append(number)
        }
        guard !numbers.isEmpty else {
            throw .unusableSetting("there is no recipient; expected at least one number")
        }
        for (name, limit) in [("attempt limit", attemptLimit), ("repeat interval", repeatInterval)]
        where limit <= .zero {
            throw .unusableSetting("the \(name) is \(limit); expected more than nothing")
        }
        return Checked(recipients: numbers, testText: try testText())
    }

    private func testText() throws(TextMessagesError) -> OutgoingText? {
        guard let testRecipient else { return nil }
        guard let number = PhoneNumber(testRecipient) else {
            throw .unusableSetting(
                "the test's recipient is no number with a country code; expected + and 7 to 15 digits")
        }
        return OutgoingText(
            recipient: number, text: "TEST of HomeGateway's SMS channel \"\(id)\". Nothing has happened.")
    }
}
