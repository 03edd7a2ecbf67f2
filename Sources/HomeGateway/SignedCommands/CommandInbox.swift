import GatewayModel
import Hub
import RealTime
import Synchronization
import Vault

/// Takes commands off the broker's thread: on disk within a moment, and handed on in any case.
///
/// What the broker is told it need not send again must survive a power cut; but through that thread goes a call for
/// help, so it waits for the disk a moment and no longer (`WaitAllowance`), and only for what holds.
final class CommandInbox: Sendable {
    /// Commands that wait to be done: more than a cloud has a reason to send at once.
    static let room = 32

    /// One message on the topic of commands.
    struct Arrival: Sendable {
        let token: [UInt8]
        let copy: Copy
    }

    /// What there was on the disk when the broker was told that it need not send it again.
    enum Copy: Hashable, Sendable {
        case kept
        /// Nothing that is sure: the disk did not take it, or not in time. It may still get there.
        case late
        /// Nothing: it did not hold when it came.
        case notTried
    }

    /// In the order in which they came, beginning with what an earlier run left. For one reader.
    let arrivals: AsyncStream<Arrival>
    private let arrived: AsyncStream<Arrival>.Continuation
    private let state: Mutex<State>
    private let disk: Worker<Task>
    private let now: @Sendable () -> BootInstant

    private struct State {
        var waiting: Int
        /// The disk has not answered yet about the last one: until it has, nobody waits for it again.
        var isWriting = false
        var allowance = WaitAllowance()
    }

    private enum Task: Sendable {
        case keep([UInt8], WriteTicket)
        case done([UInt8])
    }

    /// - Parameters:
    ///   - earlier: what an earlier run left in `file`.
    ///   - onResult: on the thread of this disk, after each write: nil where it took what it was given.
    init(
        file: CommandInboxFile, earlier: [[UInt8]], now: @escaping @Sendable () -> BootInstant = Clock.boot,
        onResult: @escaping @Sendable (DiskFailure?) -> Void
    ) throws {
        self.now = now
        // `room` bounds it: nothing is put in for which there is none.
        (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        state = Mutex(State(waiting: earlier.count))
        let kept = Mutex(earlier)
        disk = try Worker("commands") { tasks, _ in
            for task in tasks {
                guard let result = kept.withLock({ Self.perform(task, on: file, &$0) }) else { continue }
                if case .keep(_, let ticket) = task { ticket.settle(result) }
                switch result {
                case .success: onResult(nil)
                case .failure(let failure): onResult(failure)
                }
            }
        }
        for token in earlier { arrived.yield(Arrival(token: token, copy: .kept)) }
    }

    /// On the broker's thread.
    ///
    /// - Parameter isWorthKeeping: asked where there is room. Whoever can only write to the broker must not be able
    ///   to keep this thread waiting, nor to wear out the disk.
    /// - Returns: whether there was room; else it is not done.
    func take(_ message: [UInt8], isWorthKeeping: () -> Bool) -> Bool {
        let hasRoom = state.withLock { state in
            guard state.waiting < Self.room else { return false }
            state.waiting += 1
            return true
        }
        guard hasRoom else { return false }
        arrived.yield(Arrival(token: message, copy: isWorthKeeping() ? keep(message) : .notTried))
        return true
    }

    /// An arrival is dealt with, however it came out.
    func finish(_ arrival: Arrival) {
        state.withLock { $0.waiting -= 1 }
        disk.put(.done(arrival.token))
    }

    func run() async throws {
        try await disk.run()
    }

    /// No more is given than what waits; what is taken from here on is kept for the next run.
    func close() {
        arrived.finish()
    }

    /// After the last message was taken and the last arrival finished.
    func stop() {
        disk.stop()
    }

    private func keep(_ message: [UInt8]) -> Copy {
        let start = now()
        let patience = state.withLock { state -> Duration? in
            guard !state.isWriting, let left = state.allowance.left(at: start) else { return nil }
            state.isWriting = true
            return left
        }
        guard let patience else { return .late }
        let ticket = WriteTicket { [self] in state.withLock { $0.isWriting = false } }
        disk.put(.keep(message, ticket))
        let isTaken = ticket.wait(patience)
        state.withLock { $0.allowance.note(from: start, to: now()) }
        return isTaken ? .kept : .late
    }

    /// - Returns: nil where there was nothing to write.
    private static func perform(
        _ task: Task, on file: CommandInboxFile, _ kept: inout [[UInt8]]
    ) -> Result<Void, DiskFailure>? {
        do throws(DiskFailure) {
            switch task {
            case .keep(let token, _):
                try file.append(token)
                kept.append(token)
            case .done(let token):
                guard let index = kept.firstIndex(of: token) else { return nil }
                kept.remove(at: index)
                try file.replace(with: kept)
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}
