import Synchronization

/// A named thread that works off what any thread gives it, in order.
///
/// `put` never waits for the work: whatever the work blocks on (a console, a log, a disk) holds up this
/// thread and no other. With a bound, the oldest waiting values are dropped when it is reached.
public final class Worker<Value: Sendable>: Sendable {
    private let name: String
    private let mailbox: Mailbox<Value>
    private let work: @Sendable ([Value], _ dropped: Int) -> Void
    private let isStopping = Atomic(false)

    /// - Parameter work: called on the thread with all that waits, and how many the bound dropped before.
    public init(
        _ name: String, bound: Int? = nil, work: @escaping @Sendable ([Value], _ dropped: Int) -> Void
    ) throws(SystemCallError) {
        self.name = name
        self.work = work
        mailbox = try Mailbox(bound: bound)
    }

    /// From any thread, at once.
    public func put(_ value: Value) {
        mailbox.put(value)
    }

    /// Starts the thread. Once.
    public func start() throws(SystemCallError) -> NamedThread {
        try NamedThread(name) { [self] in loop() }
    }

    /// Runs until `stop`, and until what was put before it is worked off. Once.
    public func run() async throws(SystemCallError) {
        await (try start()).finished()
    }

    /// From any thread, any number of times.
    public func stop() {
        isStopping.store(true, ordering: .releasing)
        mailbox.wakeup.signal()
    }

    private func loop() {
        while true {
            let isLast = isStopping.load(ordering: .acquiring)
            let (waiting, dropped) = mailbox.take()
            if !waiting.isEmpty { work(waiting, dropped) }
            if isLast { return }
            if waiting.isEmpty { _ = Poll.wait([Poll.Interest(mailbox.wakeup.descriptor)], timeout: nil) }
        }
    }
}
