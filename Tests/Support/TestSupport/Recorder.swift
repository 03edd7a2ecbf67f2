import Synchronization

/// Record of the values of a callback. A test can wait for one, with a bound.
public final class Recorder<Value: Sendable>: Sendable {
    private struct Waiter {
        let number: Int
        let isMet: @Sendable ([Value]) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var values: [Value] = []
        var waiters: [Waiter] = []
        var nextNumber = 0
    }

    private let state = Mutex(State())

    public init() {}

    public var values: [Value] { state.withLock { $0.values } }

    public func add(_ value: Value) {
        let met = state.withLock { state in
            state.values.append(value)
            let met = state.waiters.filter { $0.isMet(state.values) }
            state.waiters.removeAll { waiter in met.contains { $0.number == waiter.number } }
            return met
        }
        for waiter in met { waiter.continuation.resume(returning: true) }
    }

    /// Whether `isMet` came true of all values so far, within `bound`.
    public func wait(upTo bound: Duration = .seconds(60), until isMet: @escaping @Sendable ([Value]) -> Bool)
        async
        -> Bool
    {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let timeout = Task {
            try? await Task.sleep(for: bound)
            self.giveUp(number)
        }
        defer { timeout.cancel() }
        return await withCheckedContinuation { continuation in
            let isAlready = state.withLock { state in
                if isMet(state.values) { return true }
                state.waiters.append(Waiter(number: number, isMet: isMet, continuation: continuation))
                return false
            }
            if isAlready { continuation.resume(returning: true) }
        }
    }

    private func giveUp(_ number: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: false)
    }
}

/// A value that a test waited for and did not see.
public struct Missing: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}

/// Longer than anything here takes on a slow and busy machine; only a failing test waits for so long.
public let patience = Duration.seconds(30)

extension Recorder {
    /// Number of values so far: later ones are new.
    public var mark: Int { values.count }

    /// The first value that is it, of those after the first `mark`.
    @discardableResult
    public func first(
        _ what: String, after mark: Int = 0, within bound: Duration = patience,
        where isIt: @escaping @Sendable (Value) -> Bool
    ) async throws -> Value {
        _ = await wait(upTo: bound) { $0.dropFirst(mark).contains(where: isIt) }
        let seen = values.dropFirst(mark)
        if let found = seen.first(where: isIt) { return found }
        let last = seen.suffix(12).map { "\n    \($0)" }.joined()
        throw Missing(description: "\(what) did not come; the last of \(seen.count) that did:\(last)")
    }
}
