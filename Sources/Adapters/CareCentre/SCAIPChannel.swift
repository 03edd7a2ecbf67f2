import CSIP
public import Consent
public import GatewayModel
public import HelpLine
import RealTime

/// The way to an alarm receiving centre that takes SCAIP (SS 91100, CLC/TS 50134-9): one SIP MESSAGE a word.
///
/// A thread of its own, "scaip", runs the SIP library; looking up a name has another one, which may outlive a
/// stop by as long as the system's resolver takes.
public final class SCAIPChannel: HelpChannel {
    public let id: ChannelID
    private let checked: Settings.Checked
    private let mailbox: Mailbox<SCAIPLoop.Order>
    private let reports: ChannelReports
    private let onNote: @Sendable (SCAIPNote) -> Void

    /// - Parameters:
    ///   - reports: called on the thread of the channel.
    ///   - onNote: for the log; called on the thread of the channel.
    /// - Throws: `SCAIPError` where the settings or the files they name cannot work.
    public init(
        settings: Settings, reports: ChannelReports, onNote: @escaping @Sendable (SCAIPNote) -> Void
    ) throws(SCAIPError) {
        id = settings.id
        checked = try settings.checked()
        self.reports = reports
        self.onNote = onNote
        // Unbounded: a call for help is never dropped.
        do throws(SystemCallError) { mailbox = try Mailbox() } catch { throw .system(error.description) }
    }

    public func send(_ message: Cleared<HelpMessage>) { mailbox.put(.send(message)) }

    public func test() { mailbox.put(.test) }

    /// Once a channel.
    /// - Throws: `SCAIPError` where the thread or the SIP library cannot start.
    public func run() async throws {
        guard Self.library == 0 else { throw SCAIPError.system("the SIP library does not start") }
        let outcome = Outcome()
        let thread = try NamedThread("scaip") { [self] in outcome.set { try loop() } }
        await thread.finished()
        try outcome.get()
    }

    public func stop() { mailbox.put(.stop) }

    private func loop() throws {
        guard re_thread_init() == 0 else { throw SCAIPError.system("the SIP library has no loop for a thread") }
        defer { re_thread_close() }
        try SCAIPLoop(checked: checked, mailbox: mailbox, reports: reports, onNote: onNote).run()
    }

    /// Once a process; never closed, for several channels may use it.
    private static let library = csip_start()
}
