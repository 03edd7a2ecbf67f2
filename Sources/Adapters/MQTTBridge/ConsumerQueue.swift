import GatewayModel
import RealTime
import Synchronization

/// The orders of a `ConsumerSession`, from `publish` until the broker's answer.
final class ConsumerQueue: Sendable {
    /// One message to the broker.
    struct Order: Sendable {
        let id: MessageID
        let topic: String
        let payload: [UInt8]
    }

    private struct Entry {
        let order: Order
        /// Place in the sequence of all orders.
        let number: Int
        let answer: CheckedContinuation<Result<Void, PublishFailure>, Never>
    }

    private struct State {
        /// The oldest first.
        var waiting: [Entry] = []
        var underway: [MessageID: Entry] = [:]
        /// Orders whose task was cancelled while they were not queued.
        var cancelled: Set<MessageID> = []
        var isClosed = false
        var count = 0
    }

    /// Maximum number of orders without an answer. A caller that keeps its orders on disk offers a few at a time.
    static let capacity = 1_000

    private let state = Mutex(State())

    /// Queues an order and returns the broker's answer to it. `announce` is called once the order can be taken.
    func answer(to order: Order, announce: () -> Void) async -> Result<Void, PublishFailure> {
        // A cancellation that came after the answer has nothing to cancel.
        defer { state.withLock { _ = $0.cancelled.remove(order.id) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                let failure = state.withLock { state -> PublishFailure? in
                    if state.isClosed || state.cancelled.contains(order.id) { return .stopped }
                    guard state.waiting.count + state.underway.count < Self.capacity else { return .full }
                    state.count += 1
                    state.waiting.append(Entry(order: order, number: state.count, answer: answer))
                    return nil
                }
                guard let failure else { return announce() }
                answer.resume(returning: .failure(failure))
            }
        } onCancel: {
            settle(order.id, .failure(.stopped), notesAbsence: true)
        }
    }

    /// Returns the oldest waiting order, which is under way from then on.
    func next() -> Order? {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            let entry = state.waiting.removeFirst()
            state.underway[entry.order.id] = entry
            return entry.order
        }
    }

    func settle(_ id: MessageID, _ result: Result<Void, PublishFailure>, notesAbsence: Bool = false) {
        let entry = state.withLock { state -> Entry? in
            if let entry = state.underway.removeValue(forKey: id) { return entry }
            if let index = state.waiting.firstIndex(where: { $0.order.id == id }) {
                return state.waiting.remove(at: index)
            }
            if notesAbsence, !state.isClosed { state.cancelled.insert(id) }
            return nil
        }
        entry?.answer.resume(returning: result)
    }

    /// Makes the orders under way wait again: the connection is lost.
    func returnUnderway() {
        state.withLock { state in
            let entries = state.underway.values.sorted { $0.number < $1.number }
            state.waiting.insert(contentsOf: entries, at: 0)
            state.underway = [:]
        }
    }

    /// Answers all orders: the session has ended.
    func close() {
        let entries = state.withLock { state in
            defer { (state.waiting, state.underway, state.isClosed) = ([], [:], true) }
            return state.waiting + state.underway.values
        }
        for entry in entries { entry.answer.resume(returning: .failure(.stopped)) }
    }
}
