import Alarms
import GatewayModel
import RealTime
import RunBeacon
import Synchronization
import WireFormats

/// Thread "race": makes passings from adverts and positions. It waits for its inbox only, and no other thread waits for it.
final class RaceThread: Sendable {
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

    /// State of the race, a second old at most; nil before the first turn. From any thread, at once.
    var status: RaceStatus? { published.withLock { $0 } }

    /// Runs until `stop`. Once.
    func run() async throws {
        await (try NamedThread("race") { [self] in loop() }).finished()
    }

    /// Ends the thread after a last turn over all that has come. From any thread.
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
