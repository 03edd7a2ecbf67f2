import Alarms
import GatewayModel
import RealTime
import RunBeacon
import Synchronization
import WireFormats

/// The thread "race": from adverts to passings. It waits for nobody but what comes to its inbox, and nobody waits for it.
final class RaceService: Sendable {
    let inbox: RaceInbox
    private let makeLoop: @Sendable (RaceInbox, _ publish: @escaping @Sendable (RaceStatus) -> Void) -> RaceLoop
    private let published = Mutex<RaceStatus?>(nil)
    private let isStopping = Atomic(false)

    /// - Parameter makeLoop: called once, on the thread.
    init(
        inbox: RaceInbox,
        makeLoop:
            @escaping @Sendable (RaceInbox, _ publish: @escaping @Sendable (RaceStatus) -> Void) -> RaceLoop
    ) {
        self.inbox = inbox
        self.makeLoop = makeLoop
    }

    /// How it was a second ago at most. From any thread, which waits for nobody.
    var status: RaceStatus? { published.withLock { $0 } }

    /// Until `stop`. Once.
    func run() async throws {
        await (try NamedThread("race") { [self] in loop() }).finished()
    }

    /// From any thread: what has come before is looked at, and the thread ends.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        inbox.wakeup.signal()
    }

    private func loop() {
        let work = makeLoop(inbox) { [self] status in published.withLock { $0 = status } }
        while true {
            if isStopping.load(ordering: .acquiring) { return work.end(at: Clock.boot()) }
            let wait = work.turn(at: Clock.boot())
            _ = Poll.wait([Poll.Interest(inbox.wakeup.descriptor)], timeout: wait)
        }
    }
}
