/// Waiting for an answer that may never come, as from a disk that hangs.
enum Patience {
    /// - Parameters:
    ///   - limit: how long at the most.
    ///   - ask: returns at once; what it is given is called with the answer, from any thread, at any time.
    /// - Returns: nil where there was none in time.
    static func first<Answer: Sendable>(
        within limit: Duration, _ ask: (@escaping @Sendable (Answer) -> Void) -> Void
    ) async -> Answer? {
        let (answers, answer) = AsyncStream<Answer>.makeStream(bufferingPolicy: .bufferingOldest(1))
        ask { answer.yield($0) }
        // Ends the wait below where no answer comes; cancelled with the scope where one does.
        async let _: Void = {
            try? await Task.sleep(for: limit)
            answer.finish()
        }()
        return await answers.first { _ in true }
    }
}
