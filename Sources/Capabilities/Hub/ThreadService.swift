import ServiceLifecycle

/// A component with a `run` that returns after its `stop`, as a member of the service group.
package struct ThreadService: Service {
    private let body: @Sendable () async throws -> Void
    private let stop: @Sendable () -> Void

    package init(run body: @escaping @Sendable () async throws -> Void, stop: @escaping @Sendable () -> Void) {
        self.body = body
        self.stop = stop
    }

    package func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await body()
        } onCancelOrGracefulShutdown: {
            stop()
        }
    }
}
