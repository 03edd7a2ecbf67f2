/// What a test waited for and did not see.
public struct Missing: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}

/// Longer than anything here takes on a slow and busy machine; only a failing test waits for so long.
public let patience = Duration.seconds(30)

extension Recorder {
    /// How much there is so far: what comes from here on is new.
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
