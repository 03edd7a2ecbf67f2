public import Consent
public import GatewayModel
public import HelpLine
import RealTime
public import Systemd

/// Texts the family by SMS, through ModemManager (docs/channels/sms.md).
/// A text that the network has taken is handed over. An answer of a recipient with the code of the call accepts it
/// (ADR 23). All of it is done on one thread of the channel's own, and nothing on it waits for D-Bus or the
/// modem.
public final class TextMessagesChannel: HelpChannel {
    public let id: ChannelID
    private let settings: Settings
    private let checked: Settings.Checked
    private let reports: ChannelReports
    private let onNote: @Sendable (TextNote) -> Void
    private let mailbox: Mailbox<Command>

    private enum Command: Sendable {
        case send(HelpMessage)
        case notify(NoticeMessage)
        case test
        case stop
    }

    /// - Parameters:
    ///   - reports: told on the channel's thread.
    ///   - onNote: for the log; told on the channel's thread.
    /// - Throws: `TextMessagesError` where the settings cannot work; nothing is opened.
    public init(
        _ settings: Settings, reports: ChannelReports,
        onNote: @escaping @Sendable (TextNote) -> Void = { _ in }
    ) throws(TextMessagesError) {
        id = settings.id
        self.settings = settings
        checked = try settings.checked()
        self.reports = reports
        self.onNote = onNote
        // Unbounded: a call for help is never dropped.
        do throws(SystemCallError) { mailbox = try Mailbox() } catch { throw .system(error.description) }
    }

    public func send(_ message: Cleared<HelpMessage>) { mailbox.put(.send(message.value)) }

    public func send(_ notice: Cleared<NoticeMessage>) { mailbox.put(.notify(notice.value)) }

    public func test() { mailbox.put(.test) }

    public func stop() { mailbox.put(.stop) }

    /// Errors: where the thread does not start.
    public func run() async throws {
        let thread = try NamedThread("sms-\(id)") { [self] in loop() }
        await thread.finished()
    }

    private func loop() {
        let way = ModemManagerBackend(
            ModemManagerBackend.Settings(
                bus: settings.bus, modem: settings.modem, attemptLimit: settings.attemptLimit,
                mayEnable: !settings.isLookOnly))
        let writer = TextWriter(zone: .system)
        var desk = SMSMachine(
            recipients: checked.recipients, repeatInterval: settings.repeatInterval, testText: checked.testText,
            takesReplies: settings.takesReplies, startingAt: Clock.boot())
        var end: BootInstant?
        while true {
            for command in mailbox.take().values {
                switch command {
                case .send(let message):
                    let code = desk.code(for: message)
                    perform(desk.give(message, writer.text(message, code), at: Clock.boot()), way)
                case .notify(let notice): perform(desk.give(notice, writer.text(notice)), way)
                case .test: way.look()
                case .stop: end = end ?? Clock.boot().advanced(by: HelpChannelLimits.stop)
                }
            }
            way.listen(desk.isListening(at: Clock.boot()))
            for event in way.advance(at: Clock.boot()) {
                switch event {
                case .ended(let number, let outcome):
                    perform(desk.ended(number, outcome, at: Clock.boot()), way)
                case .looked(let test):
                    let isDue = checked.testText != nil && settings.testTexts.isDue()
                    perform(desk.looked(test, isTextDue: isDue, at: Clock.boot()), way)
                case .received(let text): perform(desk.received(text), way)
                }
            }
            if let end, desk.isIdle || Clock.boot() >= end { return perform(desk.abandon(), way) }
            let due = [way.deadline, end].compactMap(\.self).min()
            _ = Poll.wait(
                [Poll.Interest(mailbox.wakeup.descriptor)] + way.interests,
                timeout: due.map { max(Clock.boot().duration(to: $0), .zero) })
        }
    }

    private func perform(_ steps: [SMSMachine.Step], _ way: ModemManagerBackend) {
        for step in steps {
            switch step {
            case .start(let number, let text): way.start(number, text)
            case .report(let word): reports.about(word)
            case .noticed(let notice, let outcome): reports.noticed(notice, outcome)
            case .discard(let text): way.discard(text)
            case .note(let note): onNote(note)
            case .tested(let test): reports.tested(test)
            case .testLeft: settings.testTexts.left()
            case .arrived: settings.testTexts.arrived()
            }
        }
    }
}

extension TextMessagesChannel {
    /// Settings of the texts: recipients and modem.
    public struct Settings: Sendable {
        public var id: ChannelID
        /// E.164, `+393331234567`; at least one, each once.
        public var recipients: [String]
        /// Where ModemManager is reached.
        public var bus: BusAddress
        /// Its IMEI, port or device; nil for the only one. Switched on where it is off.
        public var modem: String?
        /// For one text, all its parts. The network takes some seconds a part.
        public var attemptLimit: Duration = Settings.defaultAttemptLimit
        /// Between two texts that say the same of an alarm to a recipient that has it.
        public var repeatInterval: Duration = Settings.defaultRepeatInterval
        /// Recipient of a test's text, which costs; nil: a test sends none.
        public var testRecipient: String?
        public var testTexts = TestTexts()
        /// A recipient accepts a call by a text with its code.
        public var takesReplies = true
        /// For `test` alone, beside a gateway that runs: switches no modem on.
        public var isLookOnly = false

        /// 30 s: three parts, each as long as a weak network needs; and it is over when the next round begins.
        public static let defaultAttemptLimit = Duration.seconds(30)
        /// 5 min: a call that is still open is brought to mind again, and its sound is not turned off for it.
        public static let defaultRepeatInterval = Duration.seconds(300)

        public init(id: ChannelID, recipients: [String], bus: BusAddress, modem: String? = nil) {
            self.id = id
            self.recipients = recipients
            self.bus = bus
            self.modem = modem
        }
    }

    /// Memory of the texts of tests, over restarts. Called on the channel's thread; must return at once.
    public struct TestTexts: Sendable {
        /// Whether a test is to send a text now.
        public let isDue: @Sendable () -> Bool
        /// The text of a test has left.
        public let left: @Sendable () -> Void
        /// A text of this channel is known to have arrived.
        public let arrived: @Sendable () -> Void

        public init(
            isDue: @escaping @Sendable () -> Bool = { true }, left: @escaping @Sendable () -> Void = {},
            arrived: @escaping @Sendable () -> Void = {}
        ) {
            (self.isDue, self.left, self.arrived) = (isDue, left, arrived)
        }
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

/// Why a channel cannot be made at all: the settings or the system must change first. Names no person.
public enum TextMessagesError: Error, CustomStringConvertible, Sendable {
    /// A setting with its value and the expected value.
    case unusableSetting(String)
    /// A system call that failed.
    case system(String)

    public var description: String {
        switch self {
        case .unusableSetting(let text): "SMS settings: \(text)"
        case .system(let text): "SMS: \(text)"
        }
    }
}
