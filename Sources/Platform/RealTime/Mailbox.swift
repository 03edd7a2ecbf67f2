import Synchronization

/// Values handed from any thread to the one thread that polls `wakeup`.
///
/// `put` takes a lock for the time of an append and never waits for the reader. With a bound, the
/// oldest are dropped when it is reached, and counted; without one nothing is ever dropped (alarms).
public final class Mailbox<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var dropped = 0
    }

    public let wakeup: Wakeup
    private let bound: Int?
    private let state = Mutex(State())

    public init(bound: Int? = nil) throws(SystemCallError) {
        self.bound = bound
        wakeup = try Wakeup()
    }

    public func put(_ value: Value) {
        state.withLock { state in
            if let bound, state.values.count >= bound {
                state.values.removeFirst()
                state.dropped += 1
            }
            state.values.append(value)
        }
        wakeup.signal()
    }

    /// All that has come since the last call, oldest first, and how many the bound dropped.
    public func take() -> (values: [Value], dropped: Int) {
        wakeup.drain()
        return state.withLock { state in
            defer { state = State() }
            return (state.values, state.dropped)
        }
    }
}
