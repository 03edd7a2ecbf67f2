import Consent
import GatewayModel
import Glibc
import HelpLine
import RealTime
import SIP
import SOSLocal

/// Body of the "scaip" thread: it runs libre's loop, and in it the dialogue with the centre.
///
/// Made, used and dropped on that thread.
final class SCAIPLoop {
    enum Order: Sendable {
        case send(Cleared<HelpMessage>)
        case notify(Cleared<NoticeMessage>)
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
    var stack: SIPEndpoint?
    /// Messages without an answer: sent again where the way is renewed under them.
    private var unanswered: [(reference: SCAIPReference, xml: String)] = []
    private var isLookingUp = false
    private var isWayStale = false
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

    /// Returns after a stop. The calling thread must be the channel's own.
    func run() throws(SIPFailure) {
        findWay()
        try SIPLoop.run(
            waitingFor: [mailbox.wakeup.descriptor, timer.descriptor], end: { stack = nil },
            step: { [unowned self] in step($0) })
    }

    /// Takes waiting orders, performs due actions, and sets the timer for the next deadline.
    private func step(_ loop: SIPLoop) {
        timer.drain()
        for order in mailbox.take().values { take(order) }
        let now = Clock.boot()
        perform(dialogue.tick(at: now, heartbeat: heartbeat(at: now)))
        if let stopLimit, !dialogue.isBusy || stopLimit <= Clock.boot() { return loop.stop() }
        timer.set([dialogue.deadline, stopLimit].compactMap { $0 }.min())
    }

    private func take(_ order: Order) {
        let now = Clock.boot()
        switch order {
        case .send(let message):
            perform(dialogue.give(SCAIPRequestContext(message.value, from: checked.controller), at: now))
        case .notify(let notice):
            perform(dialogue.give(SCAIPRequestContext(notice.value, from: checked.controller), at: now))
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

    private func perform(_ actions: [CentreDialogue.Action]) {
        for action in actions {
            switch action {
            case .send(let context):
                forget(context.reference)
                unanswered.append((context.reference, context.request.xml))
                transmit(context.request.xml, as: context.reference)
            case .abandon(let reference): forget(reference)
            case .renewWay: isWayStale = true
            case .report(let word): reports.about(word)
            case .noticed(let notice, let outcome): reports.noticed(notice, outcome)
            case .tested(let test): reports.tested(test)
            case .note(let note): onNote(note)
            }
        }
    }

    private func forget(_ reference: SCAIPReference) {
        unanswered.removeAll { $0.reference == reference }
    }
}

// MARK: Events of the SIP library

extension SCAIPLoop {
    func came(_ event: SIPEvent) {
        let now = Clock.boot()
        switch event {
        case .answered(let id, let status, let phrase, let body):
            guard let reference = SCAIPReference(id) else { break }
            forget(reference)
            let answer = body.isEmpty || !(200..<300).contains(status) ? nil : read(body)
            perform(
                dialogue.sipAnswered(reference, status: status, phrase: phrase, answer: answer, at: now))
        case .failed(let id, let reason):
            if let reference = SCAIPReference(id) { cameNothing(reference, reason) }
        case .message(let body):
            if let answer = read(body) { perform(dialogue.answered(answer, at: now)) }
        case .registered: onNote(.registered)
        case .registrationFailed(let reason): onNote(.registrationFailed(reason: reason))
        }
        // Deadlines have moved; not from within libre's callback, which may hold objects that a new way would
        // free.
        mailbox.wakeup.signal()
    }

    private func read(_ body: [UInt8]) -> SCAIPResponse? {
        do throws(SCAIPResponseReader.Failure) {
            return try SCAIPResponseReader.read(body)
        } catch {
            onNote(.unreadableAnswer(reason: error.words))
            return nil
        }
    }

    private func cameNothing(_ reference: SCAIPReference, _ reason: String) {
        forget(reference)
        perform(dialogue.sipFailed(reference, reason, at: Clock.boot()))
    }
}

/// How the centre is reached: looked up, and again after a failure.
extension SCAIPLoop {
    /// Over the way there is; where there is none or it is stale, over a new one as soon as it is found.
    func transmit(_ xml: String, as reference: SCAIPReference) {
        guard let stack, !isWayStale, stack.way.isCurrent else { return findWay() }
        send(xml, as: reference, through: stack)
    }

    private func send(_ xml: String, as reference: SCAIPReference, through stack: SIPEndpoint) {
        stack.send(
            .message(
                reference.description, to: checked.settings.centreURI, mediaType: Self.mediaTypes[0], body: xml)
        )
    }

    /// The media types of SCAIP, first the one that devices in the field send.
    private static let mediaTypes = ["application/scaip+xml", "application/xml", "text/xml"]

    /// The resolver may block for many seconds, so it has a thread of its own that nobody waits for.
    private func findWay() {
        guard !isLookingUp else { return }
        isLookingUp = true
        let (host, port, mailbox) = (checked.settings.host, checked.settings.port, mailbox)
        do {
            _ = try NamedThread("scaip-lookup") { mailbox.put(.found(SIPRoute.lookUp(host, port: port))) }
        } catch {
            isLookingUp = false
            failAll("looking up \(host): \(error)")
        }
    }

    private func wayFound(_ found: [String]) {
        isLookingUp = false
        let settings = checked.settings
        guard !found.isEmpty else {
            return failAll("\(settings.host) cannot be looked up; check its spelling and the network's DNS")
        }
        // The one that failed goes last.
        let failed = isWayStale ? stack?.way.address : nil
        let ways = (found.filter { $0 != failed } + found.filter { $0 == failed })
            .compactMap { SIPRoute(to: $0, port: settings.port) }
        guard let way = ways.first else {
            return failAll("there is no route to \(settings.host) (\(found[0])); check the network")
        }
        // Before the new one, which may want the same port.
        stack = nil
        do throws(SIPFailure) {
            stack = try SIPEndpoint(
                way: way, peers: found, server: checked.server, for: .messages(mediaTypes: Self.mediaTypes),
                checksDates: checked.settings.checksDates
            ) { [unowned self] in came($0) }
        } catch {
            return failAll("Care centre: \(error)")
        }
        isWayStale = false
        guard let stack else { return }
        for (reference, xml) in unanswered { send(xml, as: reference, through: stack) }
        stack.register()
    }

    private func failAll(_ reason: String) {
        isWayStale = true
        for (reference, _) in unanswered { cameNothing(reference, reason) }
    }
}

/// When the next sign of life is due.
struct Heartbeat {
    private(set) var interval: Duration?
    private(set) var due: BootInstant?

    /// The first one goes at once: it proves the way before it is needed.
    init(interval: Duration?, start: BootInstant) {
        self.interval = interval
        due = interval == nil ? nil : start
    }

    func isDue(at now: BootInstant) -> Bool { due.map { $0 <= now } ?? false }

    mutating func sent(at now: BootInstant) {
        due = interval.map { now.advanced(by: $0) }
    }

    /// The centre asked for another interval.
    mutating func wanted(every wanted: Duration, at now: BootInstant) {
        guard wanted != interval else { return }
        interval = wanted
        due = now.advanced(by: wanted)
    }
}
