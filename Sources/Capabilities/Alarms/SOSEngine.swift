import GatewayModel
import Hub
import RealTime
import SOSLocal
import Synchronization
import Vault

/// The SOS thread: the only place where the machine runs.
///
/// Events come through the inbox; deadlines come from a kernel timer on `CLOCK_BOOTTIME`. The thread takes real-time
/// priority if it is granted, shares no executor, and calls nothing that can block: it hands each action to the mailbox
/// of its performer.
final class SOSEngine: Sendable {
    /// Above every ordinary thread, below the kernel's own (which start at 50).
    private static let realtimePriority: Int32 = 20
    /// Maximum duration of a round: the watchdog sees a living thread even without events.
    private static let idleRound = Duration.seconds(1)

    private let inbox: SOSInbox
    private let perform: @Sendable (SOSAction, BootInstant) -> Void
    private let onPriority: @Sendable (SystemCallError?) -> Void
    private let keep: @Sendable (SOSSnapshot) -> Void
    private let initial: SOSMachine
    private let earlier: AlarmStateFile.Kept?
    private let timer: DeadlineTimer
    private let rounds = Atomic(0)

    /// - Parameters:
    ///   - earlier: the state that the previous run left open.
    ///   - perform: called on the SOS thread with each action and the instant it was decided; must return at once.
    ///   - keep: called on the SOS thread, after the actions, with the state that must survive a restart, each time it
    ///     changes; must return at once.
    ///   - onPriority: called once, on the SOS thread, with whether real-time priority was granted.
    init(
        machine: SOSMachine, resuming earlier: AlarmStateFile.Kept?, inbox: SOSInbox,
        perform: @escaping @Sendable (SOSAction, BootInstant) -> Void,
        keep: @escaping @Sendable (SOSSnapshot) -> Void,
        onPriority: @escaping @Sendable (SystemCallError?) -> Void
    ) throws {
        self.inbox = inbox
        initial = machine
        self.earlier = earlier
        self.keep = keep
        timer = try DeadlineTimer()
        self.perform = perform
        self.onPriority = onPriority
    }

    /// Number of completed rounds: the thread lives while this grows.
    var completedRounds: Int { rounds.load(ordering: .acquiring) }

    /// Runs until `stop`.
    func run() async throws {
        await (try NamedThread("sos") { [self] in loop() }).finished()
    }

    /// Dispatches the events that still wait for their window, then ends the thread.
    func stop() {
        inbox.stop(at: Clock.boot())
    }

    private func loop() {
        onPriority(NamedThread.takeRealtimePriority(Self.realtimePriority))
        let interests = [Poll.Interest(inbox.mailbox.wakeup.descriptor), Poll.Interest(timer.descriptor)]
        var machine = initial
        var armed: BootInstant?
        if let earlier { act(machine.resume(earlier.snapshot, after: earlier.absence), at: Clock.boot()) }
        // Written once in any case: stale state of an earlier run must not come back.
        var kept: SOSSnapshot?
        var isStopped = false
        while !isStopped {
            let ready = Poll.wait(interests, timeout: Self.idleRound)
            // Read before the mailbox is emptied: all events with an earlier stamp are then in it.
            let now = Clock.boot()
            if ready.readable[1] {
                timer.drain()
                armed = nil
            }
            for stamped in arrivals() { isStopped = handle(stamped, with: &machine) || isStopped }
            act(machine.advance(to: now), at: now)
            let next = machine.nextDeadline
            if next != armed { timer.set(next) }
            armed = next
            remember(machine.snapshot, after: &kept)
            rounds.add(1, ordering: .releasing)
        }
    }

    /// Keeps the snapshot for a restart. Runs after the alarm's actions, never before them.
    private func remember(_ snapshot: SOSSnapshot, after kept: inout SOSSnapshot?) {
        if let kept, snapshot.saysTheSame(as: kept) { return }
        kept = snapshot
        keep(snapshot)
    }

    /// Returns the events in the order of their instants; those of one instant in the order of submission.
    private func arrivals() -> [SOSInbox.Stamped] {
        let values = inbox.mailbox.take().values
        guard values.count > 1 else { return values }
        return values.enumerated()
            .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
            .map(\.element)
    }

    /// - Returns: whether it was the request to stop.
    private func handle(_ stamped: SOSInbox.Stamped, with machine: inout SOSMachine) -> Bool {
        let instant = stamped.instant
        switch stamped.item {
        case .event(let event):
            act(machine.handle(event, at: instant), at: instant)
        case .request(let event, let reply):
            let actions = machine.handle(event, at: instant)
            act(actions, at: instant)
            reply(actions)
        case .inspection(let reply):
            reply(machine.openAlarms)
        case .stop:
            act(machine.handle(.stopping, at: instant), at: instant)
            return true
        }
        return false
    }

    private func act(_ actions: [SOSAction], at instant: BootInstant) {
        for action in actions { perform(action, instant) }
    }
}
