import Synchronization

/// Queue of one open page: the news of its subject, and the signs of life that the server asks for. A page that is behind
/// loses the oldest.
public struct EventQueue<News: Sendable>: Sendable {
    public enum Event: Sendable {
        case news(News)
        /// Time for a sign of life, and to ask whether the page may stay open.
        case alive
    }

    /// Ends with the page. One task reads it.
    public let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    /// - Parameter newest: events that wait for a slow reader.
    public init(newest: Int) {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(newest))
    }

    /// Callable from any thread; never blocks.
    public func put(_ news: News) { continuation.yield(.news(news)) }

    /// Callable from any thread; never blocks.
    public func end() { continuation.finish() }

    func signal(_ signal: EventStream.Signal) {
        switch signal {
        case .alive: continuation.yield(.alive)
        case .end: end()
        }
    }
}

/// Server-sent events of one page.
public struct EventStream: Sendable {
    public enum Signal: Sendable {
        /// Time for a sign of life.
        case alive
        /// The reader is gone, or the server stops.
        case end
    }

    /// Sends events until it is told to end.
    public let run: @Sendable (_ send: WebAnswer.Send) async throws -> Void
    /// Callable from any thread; never blocks.
    public let signal: @Sendable (Signal) -> Void

    public init(
        run: @escaping @Sendable (_ send: WebAnswer.Send) async throws -> Void,
        signal: @escaping @Sendable (Signal) -> Void
    ) {
        (self.run, self.signal) = (run, signal)
    }

    /// Sign of life, as every page hears it.
    public static let alive = Array("event: alive\ndata: \n\n".utf8)
}

/// Whether a stream has been told to end.
final class StreamEnd: Sendable {
    private let flag = Atomic(false)

    var isReached: Bool { flag.load(ordering: .relaxed) }

    func reach() { flag.store(true, ordering: .relaxed) }
}
