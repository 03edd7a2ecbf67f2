import GatewayModel
import Hub
import RealTime
import Synchronization
import Vault

/// Inbox of commands: takes them off the broker's thread, writes them to the disk, and passes them on in any case.
///
/// A message that was acknowledged must survive a power cut; but a call for help goes through the same thread, so it waits
/// for the disk only within its `WaitBudget`, and only for commands that are valid.
package final class CommandInbox: Sendable {
    /// Maximum number of waiting commands: more than a cloud has a reason to send at once.
    static let room = 32

    /// Message on the topic of commands.
    struct Arrival: Sendable {
        let token: [UInt8]
        let copy: Copy
    }

    /// State of the copy on the disk when the message was acknowledged.
    enum Copy: Hashable, Sendable {
        case kept
        /// The disk failed, or did not answer in time; the copy may still arrive.
        case late
        /// There is none: the command was not valid when it came.
        case notTried
    }

    /// Messages in the order of their arrival, those of an earlier run first. For one reader.
    let arrivals: AsyncStream<Arrival>
    private let arrived: AsyncStream<Arrival>.Continuation
    private let state: Mutex<State>
    private let disk: Worker<Task>
    private let now: @Sendable () -> BootInstant

    private struct State {
        var waiting: Int
        /// A write is under way: until it is done, no other is waited for.
        var isWriting = false
        var budget = WaitBudget()
    }

    private enum Task: Sendable {
        case keep([UInt8], WriteTicket)
        case done([UInt8])
    }

    /// - Parameters:
    ///   - earlier: messages that an earlier run left in `file`.
    ///   - onResult: called after each write, on the thread of this disk, with its failure or nil.
    init(
        file: CommandInboxFile, earlier: [[UInt8]], now: @escaping @Sendable () -> BootInstant = Clock.boot,
        onResult: @escaping @Sendable (DiskFailure?) -> Void
    ) throws {
        self.now = now
        // `room` bounds the stream.
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
    /// - Parameter isWorthKeeping: asked where there is room. A client that can only publish to the broker must neither
    ///   block this thread nor wear out the disk.
    /// - Returns: whether there was room; without room the command is not carried out.
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

    /// Removes an arrival that has been handled, with any outcome.
    func finish(_ arrival: Arrival) {
        state.withLock { $0.waiting -= 1 }
        disk.put(.done(arrival.token))
    }

    package func run() async throws {
        try await disk.run()
    }

    /// Ends `arrivals` after those that wait; messages that come later are kept for the next run.
    func close() {
        arrived.finish()
    }

    /// Call it after the last message was taken and the last arrival finished.
    package func stop() {
        disk.stop()
    }

    private func keep(_ message: [UInt8]) -> Copy {
        let start = now()
        let limit = state.withLock { state -> Duration? in
            guard !state.isWriting, let left = state.budget.remaining(at: start) else { return nil }
            state.isWriting = true
            return left
        }
        guard let limit else { return .late }
        let ticket = WriteTicket { [self] in state.withLock { $0.isWriting = false } }
        disk.put(.keep(message, ticket))
        let isTaken = ticket.wait(limit)
        state.withLock { $0.budget.recordWait(from: start, to: now()) }
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
