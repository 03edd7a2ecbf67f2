public import Accounts
public import Store
import Synchronization

/// Fan-out of committed readings to the open pages of this process. It keeps nothing: a page reads the store first.
public final class LiveHub: Sendable {
    /// Streams at one time. Each is one open page.
    public static let mostStreams = 5_000

    private struct State {
        var next = 0
        var streams: [HousePerson: [Int: AsyncStream<StoredSample>.Continuation]] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// Readings of a person from now on. A slow reader loses the oldest of 64. Nil if there are too many streams.
    public func readings(of subject: HousePerson) -> AsyncStream<StoredSample>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StoredSample.self, bufferingPolicy: .bufferingNewest(64))
        let number = state.withLock { state -> Int? in
            guard state.count < Self.mostStreams else { return nil }
            state.next += 1
            state.count += 1
            state.streams[subject, default: [:]][state.next] = continuation
            return state.next
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in self?.remove(number, of: subject) }
        return stream
    }

    private func remove(_ number: Int, of subject: HousePerson) {
        state.withLock { state in
            guard state.streams[subject]?.removeValue(forKey: number) != nil else { return }
            state.count -= 1
            if state.streams[subject]?.isEmpty == true { state.streams[subject] = nil }
        }
    }

    /// Hands committed readings to the pages that show their person. Never blocks.
    public func publish(_ samples: [StoredSample]) {
        for sample in samples {
            let streams = state.withLock { $0.streams[sample.subject].map { Array($0.values) } ?? [] }
            for stream in streams { stream.yield(sample) }
        }
    }

    /// Ends the streams of a person: a link has ended. Pages connect again and are checked again.
    public func endStreams(of subject: HousePerson) {
        let streams = state.withLock { $0.streams[subject].map { Array($0.values) } ?? [] }
        for stream in streams { stream.finish() }
    }

    public var streamCount: Int { state.withLock { $0.count } }
}
