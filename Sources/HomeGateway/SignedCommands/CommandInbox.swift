import CloudCommands
import Dispatch
import GatewayModel
import RealTime
import Synchronization
import Vault

/// Takes commands off the broker's thread: on disk within a moment, and handed on in any case.
///
/// What the broker is told it need not send again must survive a power cut; but through that thread goes a call for
/// help, so it waits for the disk a moment and no longer.
final class CommandInbox: Sendable {
    /// How long the broker's thread waits for the disk: an fsync of a good card takes some ten milliseconds, and a
    /// call for help has 5 s from the crossing to the order.
    static let patience = DispatchTimeInterval.milliseconds(200)
    /// Commands that wait to be done: more than a cloud has a reason to send at once.
    static let room = 32

    /// One message on the topic of commands.
    struct Arrival: Sendable {
        let token: [UInt8]
        /// Whether it was on the disk when the broker was told.
        let isKept: Bool
    }

    /// In the order in which they came, beginning with what an earlier run left. For one reader.
    let arrivals: AsyncStream<Arrival>
    private let arrived: AsyncStream<Arrival>.Continuation
    private let state: Mutex<State>
    private let disk: Worker<Task>

    private struct State {
        var waiting: Int
        /// The disk did not answer in time: until it has, nobody waits for it.
        var isDiskLate = false
    }

    private enum Task: Sendable {
        case keep([UInt8], Ticket)
        case done([UInt8])
    }

    /// - Parameters:
    ///   - earlier: what an earlier run left in `file`.
    ///   - onResult: on the thread of this disk, told nil where it took what it was given.
    init(
        file: CommandInboxFile, earlier: [[UInt8]], onResult: @escaping @Sendable (DiskFailure?) -> Void
    ) throws {
        // `room` bounds it: nothing is put in for which there is none.
        (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        state = Mutex(State(waiting: earlier.count))
        let kept = Mutex(earlier)
        disk = try Worker("commands") { tasks, _ in
            for task in tasks {
                let failure = kept.withLock { Self.perform(task, on: file, &$0) }
                if case .keep(_, let ticket) = task { ticket.settle(isTaken: failure == nil) }
                onResult(failure)
            }
        }
        for token in earlier { arrived.yield(Arrival(token: token, isKept: true)) }
    }

    /// On the broker's thread: returns within `patience`.
    /// - Returns: whether there was room; else it is not done.
    func take(_ message: [UInt8]) -> Bool {
        let hasRoom = state.withLock { state in
            guard state.waiting < Self.room else { return false }
            state.waiting += 1
            return true
        }
        guard hasRoom else { return false }
        // What is no command costs no write.
        let isKept = CommandVerifier.mayBeCommand(message) && keep(message)
        arrived.yield(Arrival(token: message, isKept: isKept))
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

    /// No more is taken; what waits is still given.
    func close() {
        arrived.finish()
    }

    /// After the last arrival is finished.
    func stop() {
        disk.stop()
    }

    private func keep(_ message: [UInt8]) -> Bool {
        guard !state.withLock(\.isDiskLate) else { return false }
        let ticket = Ticket { [self] in state.withLock { $0.isDiskLate = false } }
        disk.put(.keep(message, ticket))
        if let isTaken = ticket.wait(Self.patience) { return isTaken }
        state.withLock { $0.isDiskLate = true }
        return false
    }

    private static func perform(
        _ task: Task, on file: CommandInboxFile, _ kept: inout [[UInt8]]
    ) -> DiskFailure? {
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
            return nil
        } catch {
            return error
        }
    }

    /// Held by the one thread that waits and the one that writes.
    private final class Ticket: Sendable {
        private let isSettled = DispatchSemaphore(value: 0)
        private let isTaken = Mutex(false)
        private let onSettled: @Sendable () -> Void

        init(onSettled: @escaping @Sendable () -> Void) {
            self.onSettled = onSettled
        }

        func settle(isTaken taken: Bool) {
            isTaken.withLock { $0 = taken }
            onSettled()
            isSettled.signal()
        }

        /// Nil where it takes longer.
        func wait(_ patience: DispatchTimeInterval) -> Bool? {
            guard isSettled.wait(timeout: .now() + patience) == .success else { return nil }
            return isTaken.withLock { $0 }
        }
    }
}
