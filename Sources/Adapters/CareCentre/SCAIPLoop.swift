import CSIP
import Consent
import GatewayModel
import Glibc
import HelpLine
import RealTime
import SOSLocal

/// What the "scaip" thread does: it runs libre's loop, and in it the dialogue with the centre.
///
/// Made, used and dropped on that thread.
final class SCAIPLoop {
    enum Order: Sendable {
        case send(Cleared<HelpMessage>)
        case test
        /// Addresses of the centre's host, in the resolver's order.
        case found([String])
        case stop
    }

    let checked: SCAIPChannel.Settings.Checked
    let mailbox: Mailbox<Order>
    private let reports: ChannelReports
    let onNote: @Sendable (SCAIPNote) -> Void
    private let timer: DeadlineTimer
    var dialogue: CentreDialogue
    var stack: SIPStack?
    /// What is out and has no answer: sent again where the way is renewed under it.
    var unanswered: [(reference: SCAIPReference, xml: String)] = []
    var isLookingUp = false
    var isWayStale = false
    private var stopLimit: BootInstant?

    init(
        checked: SCAIPChannel.Settings.Checked, mailbox: Mailbox<Order>, reports: ChannelReports,
        onNote: @escaping @Sendable (SCAIPNote) -> Void
    ) throws(SystemCallError) {
        self.checked = checked
        self.mailbox = mailbox
        self.reports = reports
        self.onNote = onNote
        timer = try DeadlineTimer()
        let settings = checked.settings
        dialogue = CentreDialogue(
            rules: CentreDialogue.Rules(
                attemptLimit: settings.attemptLimit, heartbeatInterval: settings.heartbeatInterval,
                heartbeatSteps: settings.heartbeatSteps, isAnswerAcceptance: settings.isAnswerAcceptance,
                centre: settings.centreName), at: Clock.boot())
    }

    /// Returns after a stop. libre's loop must belong to the calling thread already.
    func run() throws(SCAIPError) {
        let this = Unmanaged.passUnretained(self).toOpaque()
        let readable = Int32(FD_READ)
        defer {
            fd_close(mailbox.wakeup.descriptor)
            fd_close(timer.descriptor)
            stack = nil
        }
        for descriptor in [mailbox.wakeup.descriptor, timer.descriptor] {
            let error = fd_listen(descriptor, readable, somethingCame, this)
            guard error == 0 else { throw .system("starting the loop: \(String(cString: strerror(error)))") }
        }
        findWay()
        step()
        let error = re_main(nil)
        guard error == 0 else { throw .system("the loop ended: \(String(cString: strerror(error)))") }
    }

    /// Takes what waits, does what is due, and sets the timer for what will be.
    fileprivate func step() {
        timer.drain()
        for order in mailbox.take().values { take(order) }
        let now = Clock.boot()
        perform(dialogue.tick(at: now, heartbeat: heartbeat(at: now)))
        if let stopLimit, !dialogue.isBusy || stopLimit <= Clock.boot() { return re_cancel() }
        timer.set([dialogue.deadline, stopLimit].compactMap { $0 }.min())
    }

    private func take(_ order: Order) {
        let now = Clock.boot()
        switch order {
        case .send(let message):
            perform(dialogue.give(Errand(message.value, from: checked.controller), at: now))
        case .test: perform(dialogue.test(heartbeat(at: now), at: now))
        case .found(let found): wayFound(found)
        case .stop:
            guard stopLimit == nil else { return }
            stopLimit = now.advanced(by: HelpChannelLimits.stop - .milliseconds(200))
            perform(dialogue.stop(at: now))
        }
    }

    private func heartbeat(at now: BootInstant) -> SCAIPRequest {
        let number = UInt64(max(Clock.wall().millisecondsSince1970, 0))
        return SCAIPRequest(heartbeat: SCAIPReference(heartbeat: number), from: checked.controller)
    }

    func perform(_ actions: [CentreDialogue.Action]) {
        for action in actions {
            switch action {
            case .send(let errand):
                forget(errand.reference)
                unanswered.append((errand.reference, errand.request.xml))
                transmit(errand.request.xml, as: errand.reference)
            case .abandon(let reference): forget(reference)
            case .renewWay: isWayStale = true
            case .report(let word): reports.about(word)
            case .tested(let test): reports.tested(test)
            case .note(let note): onNote(note)
            }
        }
    }

    func forget(_ reference: SCAIPReference) {
        unanswered.removeAll { $0.reference == reference }
    }
}

/// Called by libre on the thread of its loop.
private func somethingCame(flags: Int32, argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    Unmanaged<SCAIPLoop>.fromOpaque(argument).takeUnretainedValue().step()
}
