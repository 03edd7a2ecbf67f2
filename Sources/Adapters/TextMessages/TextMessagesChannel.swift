public import Consent
public import GatewayModel
public import HelpLine
import RealTime

/// Texts the family by SMS, through ModemManager or gammu-smsd (docs/channels/sms.md).
///
/// What the network has taken is handed over; nothing that comes back is an acceptance. All of it is done on one
/// thread of the channel's own, and nothing on it waits for D-Bus, the modem or the daemon.
public final class TextMessagesChannel: HelpChannel {
    public let id: ChannelID
    private let settings: Settings
    private let checked: Settings.Checked
    private let reports: ChannelReports
    private let onNote: @Sendable (TextNote) -> Void
    private let mailbox: Mailbox<Command>

    private enum Command: Sendable {
        case send(HelpMessage)
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

    public func test() { mailbox.put(.test) }

    public func stop() { mailbox.put(.stop) }

    /// Errors: where the thread does not start.
    public func run() async throws {
        let thread = try NamedThread("sms-\(id)") { [self] in loop() }
        await thread.finished()
    }

    private func loop() {
        let way = makeWay()
        let writer = TextWriter(clock: .system)
        var desk = SMSMachine(
            recipients: checked.recipients, repeatInterval: settings.repeatInterval, atOnce: way.atOnce,
            testText: checked.testText, startingAt: Clock.boot())
        var end: BootInstant?
        while true {
            for command in mailbox.take().values {
                switch command {
                case .send(let message):
                    perform(desk.give(message, writer.text(message), at: Clock.boot()), way)
                case .test: way.look()
                case .stop: end = end ?? Clock.boot().advanced(by: HelpChannelLimits.stop)
                }
            }
            for event in way.advance(at: Clock.boot()) {
                switch event {
                case .ended(let number, let outcome):
                    perform(desk.ended(number, outcome, at: Clock.boot()), way)
                case .looked(let test): perform(desk.looked(test), way)
                }
            }
            if let end, desk.isIdle || Clock.boot() >= end { return perform(desk.abandon(), way) }
            let due = [way.deadline, end].compactMap(\.self).min()
            _ = Poll.wait(
                [Poll.Interest(mailbox.wakeup.descriptor)] + way.interests,
                timeout: due.map { max(Clock.boot().duration(to: $0), .zero) })
        }
    }

    private func makeWay() -> any SMSBackend {
        switch settings.way {
        case .modemManager(let bus, let modem):
            return ModemManagerWay(
                ModemManagerWay.Settings(
                    bus: bus, modem: modem, attemptLimit: settings.attemptLimit,
                    mayEnable: !settings.isLookOnly))
        case .gammu(let outbox, let sent, let error, let pidFile):
            let way = GammuWay(
                GammuWay.Settings(
                    channel: id, folders: GammuFolders(outbox: outbox, sent: sent, error: error),
                    daemon: GammuDaemon(pidFile: pidFile), attemptLimit: settings.attemptLimit))
            if !settings.isLookOnly { way.sweep() }
            return way
        }
    }

    private func perform(_ steps: [SMSMachine.Step], _ way: any SMSBackend) {
        for step in steps {
            switch step {
            case .start(let number, let text): way.start(number, text)
            case .report(let word): reports.about(word)
            case .note(let note): onNote(note)
            case .tested(let test): reports.tested(test)
            }
        }
    }
}
