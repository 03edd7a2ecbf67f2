import Background
public import Logging
public import ServiceLifecycle
public import Store

/// Hands the newest values of the store to the open pages of a server that does not receive the readings itself.
///
/// A poll needs no word from the server that receives them, so nothing is lost when that one is replaced. It costs one
/// statement for 50 persons with an open page, and nothing without one.
public struct LivePoller: Service {
    /// A page shows a reading a second.
    private static let interval = Duration.seconds(1)

    private let hub: LiveHub
    private let samples: SampleStore
    private let logger: Logger

    public init(hub: LiveHub, samples: SampleStore, logger: Logger) {
        (self.hub, self.samples, self.logger) = (hub, samples, logger)
    }

    public func run() async throws {
        await Rounds(every: Self.interval, "the open pages get no readings", at: .warning, logger: logger).run(
            poll)
    }

    /// One round.
    public func poll() async throws {
        let subjects = hub.subjects
        guard !subjects.isEmpty else { return }
        for (subject, values) in try await samples.latest(of: subjects) { hub.publish(values, of: subject) }
    }
}
