import Hub
import ServiceLifecycle
import UnixSignals

/// Reads the settings again at each SIGHUP.
package struct ReloadSignal: Service {
    package let reload: @Sendable () -> Void

    package func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() { reload() }
    }

    package init(reload: @escaping @Sendable () -> Void) {
        self.reload = reload
    }
}
