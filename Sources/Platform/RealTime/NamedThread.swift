import CLinux
import Glibc
import Synchronization

/// One thread with a name, for one blocking loop.
///
/// The body runs until it returns; a caller that asked it to stop then awaits `finished()`. Nothing of it runs
/// on the cooperative pool, so a blocking C call in it holds up nobody else.
public final class NamedThread: Sendable {
    private struct State {
        var isFinished = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let body: @Sendable () -> Void
    private let name: String

    /// Starts at once.
    /// - Parameters:
    ///   - name: shown by `top -H`; the first 15 characters count.
    ///   - body: must return soon after it was asked to stop.
    public init(_ name: String, body: @escaping @Sendable () -> Void) throws(SystemCallError) {
        self.name = name
        self.body = body
        var thread = pthread_t()
        let retained = Unmanaged.passRetained(self)
        let result = pthread_create(&thread, nil, { runThread($0) }, retained.toOpaque())
        guard result == 0 else {
            retained.release()
            throw SystemCallError("pthread_create", number: result)
        }
        pthread_detach(thread)
    }

    /// Returns when the body has returned.
    public func finished() async {
        await withCheckedContinuation { continuation in
            let isFinished = state.withLock { state in
                if !state.isFinished { state.waiting.append(continuation) }
                return state.isFinished
            }
            if isFinished { continuation.resume() }
        }
    }

    fileprivate func run() {
        clinux_name_thread(name)
        body()
        let waiting = state.withLock { state in
            state.isFinished = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Names the calling thread; on the main thread that is the name of the process in ps(1).
    public static func nameCalling(_ name: String) {
        clinux_name_thread(name)
    }

    /// Asks the kernel for SCHED_FIFO on the calling thread.
    /// - Returns: nil when granted, else why not (EPERM without CAP_SYS_NICE or RLIMIT_RTPRIO).
    public static func takeRealtimePriority(_ priority: Int32) -> SystemCallError? {
        let result = clinux_set_realtime(priority)
        return result == 0 ? nil : SystemCallError("pthread_setschedparam", number: result)
    }
}

/// Non-isolated and in a file of its own right: a closure that inherits an actor would trap here.
private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // Balances passRetained in init: the thread owns the object while it runs.
    Unmanaged<NamedThread>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}

/// A named thread that works off values of any thread, in order.
///
/// `put` never waits for the work: work that blocks (on a console, a log, a disk) holds up this thread and no
/// other. With a bound, the oldest waiting values are dropped when it is reached.
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

    /// Runs until `stop`, and until the values that were put before it are worked off. Once.
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
