/// Waits for an answer that may never come, such as the answer of a disk that hangs.
///
/// - Parameters:
///   - limit: longest wait.
///   - request: returns at once; its argument is called with the answer, from any thread, at any time.
/// - Returns: the answer, or nil where none came in time.
package func withTimeout<Answer: Sendable>(
    _ limit: Duration, _ request: (@escaping @Sendable (Answer) -> Void) -> Void
) async -> Answer? {
    let (answers, answer) = AsyncStream<Answer>.makeStream(bufferingPolicy: .bufferingOldest(1))
    request { answer.yield($0) }
    // Ends the wait below where no answer comes; cancelled with the scope where one does.
    async let _: Void = {
        try? await Task.sleep(for: limit)
        answer.finish()
    }()
    return await answers.first { _ in true }
}
