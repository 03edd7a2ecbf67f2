/// A part with a thread of its own.
protocol HouseThread: Sendable {
    /// Shown by `top -H`.
    var threadName: String { get }
    /// On that thread, until `stop`. Once.
    func loop()
    /// From any thread, any number of times.
    func stop()
}
